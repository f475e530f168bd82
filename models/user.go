package models

import (
	"time"

	"gorm.io/gorm"
)

// User is a person who signs in with a password.
type User struct {
	ID            int64
	Name          string
	PasswordHash  string // argon2id in PHC form
	PlatformAdmin bool
	Disabled      bool
	LastSignIn    *time.Time
	Created       time.Time
	Modified      time.Time
}

// Role says what a member or a key may do for its team (marketplace A1).
type Role string

// The roles.
const (
	Admin    Role = "ADMIN"
	General  Role = "GENERAL"
	ReadOnly Role = "READ_ONLY"
)

// Roles lists every role, the mightiest first.
var Roles = []Role{Admin, General, ReadOnly}

// Membership says that a user belongs to a team, and what for.
type Membership struct {
	ID       int64
	UserID   int64
	TeamID   int64
	Role     Role
	Created  time.Time
	Modified time.Time
}

// Member is a membership with the names it is about.
type Member struct {
	Membership
	UserName   string
	TeamName   string
	LastSignIn *time.Time
	Disabled   bool
}

// CountUsers tells how many users there are; none means first-run set-up.
func CountUsers(tx *gorm.DB) (n int64, err error) {
	return n, tx.Model(&User{}).Count(&n).Error
}

// UserByID finds a user.
func UserByID(tx *gorm.DB, id int64) (user User, err error) {
	return user, found(tx.Where("id = ?", id).Take(&user).Error)
}

// UserByName finds a user by exact name.
func UserByName(tx *gorm.DB, name string) (user User, err error) {
	return user, found(tx.Where("name = ?", name).Take(&user).Error)
}

// MembershipOf finds what a user is in a team.
func MembershipOf(tx *gorm.DB, user, team int64) (m Membership, err error) {
	return m, found(tx.Where("user_id = ? AND team_id = ?", user, team).Take(&m).Error)
}

// MembershipByID finds a membership of a team.
func MembershipByID(tx *gorm.DB, team, id int64) (m Membership, err error) {
	return m, found(tx.Where("id = ? AND team_id = ?", id, team).Take(&m).Error)
}

// MembershipsOf lists a user's memberships by team name.
func MembershipsOf(tx *gorm.DB, user int64) ([]Member, error) {
	return members(tx.Where("m.user_id = ?", user).Order("t.name"))
}

// MembersOf lists a team's members by user name.
func MembersOf(tx *gorm.DB, team int64) ([]Member, error) {
	return members(tx.Where("m.team_id = ?", team).Order("u.name"))
}

func members(tx *gorm.DB) (list []Member, err error) {
	return list, tx.Table("memberships m").
		Joins("JOIN users u ON u.id = m.user_id").Joins("JOIN teams t ON t.id = m.team_id").
		Select("m.*, u.name AS user_name, u.last_sign_in, u.disabled, t.name AS team_name").
		Scan(&list).Error
}

// CountAdmins tells how many members of a team may change its settings.
func CountAdmins(tx *gorm.DB, team int64) (n int64, err error) {
	return n, tx.Table("memberships m").Joins("JOIN users u ON u.id = m.user_id").
		Where("m.team_id = ? AND m.role = ? AND NOT u.disabled", team, Admin).Count(&n).Error
}

package models

import (
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
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

// AnyUser reports whether there is a user at all.
func AnyUser(tx *gorm.DB) (bool, error) {
	var ids []int64
	err := tx.Model(&User{}).Limit(1).Pluck("id", &ids).Error
	return len(ids) > 0, err
}

// Users lists users by name and counts them.
func Users(tx *gorm.DB, p Page) (users []User, count int64, err error) {
	return page[User](tx.Model(&User{}), p, "name, id")
}

// LockUser holds a user's row until the transaction ends.
func LockUser(tx *gorm.DB, id int64) (User, error) {
	if err := LockRow(tx, "users", id); err != nil {
		return User{}, err
	}
	return UserByID(tx, id)
}

// LockPlatformAdmins holds the rows of all platform admins who may sign in, by id.
func LockPlatformAdmins(tx *gorm.DB) (admins []User, err error) {
	return admins, tx.Clauses(clause.Locking{Strength: "UPDATE"}).
		Where("platform_admin AND NOT disabled").Order("id").Find(&admins).Error
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

// OwnMembership finds a membership of a user.
func OwnMembership(tx *gorm.DB, user, id int64) (m Membership, err error) {
	return m, found(tx.Where("id = ? AND user_id = ?", id, user).Take(&m).Error)
}

// MemberByID finds a membership of a team with the names it is about.
func MemberByID(tx *gorm.DB, team, id int64) (Member, error) {
	list, err := members(tx.Where("m.team_id = ? AND m.id = ?", team, id))
	if err == nil && len(list) == 0 {
		err = found(gorm.ErrRecordNotFound)
	}
	if err != nil {
		return Member{}, err
	}
	return list[0], nil
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

// UsersByID finds many users at once, by their ids.
func UsersByID(tx *gorm.DB, ids []int64) (map[int64]User, error) {
	return byID(tx, ids, func(u User) int64 { return u.ID })
}

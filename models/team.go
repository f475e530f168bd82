package models

import (
	"time"

	"gorm.io/gorm"
)

// Team owns services and declares applications; every team may do both.
type Team struct {
	ID                           int64
	Name                         string
	Metadata                     string // a JSON object
	Email                        string
	AllowSubmitSubmissionBuilder bool
	DeletionGuard                DeletionGuard
	DeclarationVersion           int64 // grows with every submission that changes anything (lifecycle T1)
	Created                      time.Time
	Modified                     time.Time
}

// DeletionGuard says which deletions over the API must be confirmed by their count (marketplace G11).
type DeletionGuard string

// The deletion guards.
const (
	GuardOff         DeletionGuard = "off"
	GuardApplication DeletionGuard = "application"
	GuardAny         DeletionGuard = "any"
)

// DeletionGuards lists every deletion guard, the weakest first.
var DeletionGuards = []DeletionGuard{GuardOff, GuardApplication, GuardAny}

// TeamByID finds a team.
func TeamByID(tx *gorm.DB, id int64) (team Team, err error) {
	return team, found(tx.Where("id = ?", id).Take(&team).Error)
}

// TeamByName finds a team by its exact name.
func TeamByName(tx *gorm.DB, name string) (team Team, err error) {
	return team, found(tx.Where("name = ?", name).Take(&team).Error)
}

// TeamsByID finds many teams at once, by their ids.
func TeamsByID(tx *gorm.DB, ids []int64) (map[int64]Team, error) {
	return byID(tx, ids, func(t Team) int64 { return t.ID })
}

// LockTeam holds the team's row until the transaction ends, so that the
// submissions of one team queue behind each other (trust D3).
func LockTeam(tx *gorm.DB, id int64) (Team, error) {
	if err := LockRow(tx, "teams", id); err != nil {
		return Team{}, err
	}
	return TeamByID(tx, id)
}

// TeamQuery narrows a list of teams.
type TeamQuery struct {
	ID     int64  // only this team
	Member int64  // only teams this user belongs to
	Name   string // exact name
	Page   Page
}

// Teams lists teams and counts them.
func Teams(tx *gorm.DB, q TeamQuery) (teams []Team, count int64, err error) {
	list := tx.Model(&Team{})
	if q.Member != 0 {
		list = list.Where("id IN (SELECT team_id FROM memberships WHERE user_id = ?)", q.Member)
	}
	if q.ID != 0 {
		list = list.Where("id = ?", q.ID)
	}
	if q.Name != "" {
		list = list.Where("name = ?", q.Name)
	}
	return page[Team](list, q.Page, "name, id")
}

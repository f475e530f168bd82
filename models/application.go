package models

import (
	"time"

	"gorm.io/gorm"
)

// Application is a named group of service items of one consumer team; it
// appears because a declaration names it.
type Application struct {
	ID       int64
	TeamID   int64
	Name     string
	Metadata string // a JSON object
	Created  time.Time
	Modified time.Time
}

// ApplicationsOf lists a team's applications by name.
func ApplicationsOf(tx *gorm.DB, team int64) (applications []Application, err error) {
	return applications, tx.Where("team_id = ?", team).Order("name, id").Find(&applications).Error
}

// ApplicationOf finds an application of a team.
func ApplicationOf(tx *gorm.DB, team, id int64) (application Application, err error) {
	return application, found(tx.Where("id = ? AND team_id = ?", id, team).Take(&application).Error)
}

// ApplicationsByID finds many applications at once, by their ids.
func ApplicationsByID(tx *gorm.DB, ids []int64) (map[int64]Application, error) {
	return byID(tx, ids, func(a Application) int64 { return a.ID })
}

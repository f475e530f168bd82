package models

import (
	"time"

	"github.com/portolan/portolan/engine"
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

// ItemCount counts the items of an application that stand in the same states.
type ItemCount struct {
	ApplicationID int64
	RuntimeState  engine.RuntimeState
	ChangeState   engine.ChangeState
	N             int
}

// CountItems counts a team's items by application and states.
func CountItems(tx *gorm.DB, team int64) (counts []ItemCount, err error) {
	return counts, tx.Model(&ServiceItem{}).Where("consumer_team_id = ?", team).
		Select("application_id, runtime_state, change_state, count(*) AS n").Group("application_id, runtime_state, change_state").Scan(&counts).Error
}

// ChangeMetadata gives each of these applications its new metadata.
func ChangeMetadata(tx *gorm.DB, applications []int64, metadata []string) error {
	if len(applications) == 0 {
		return nil
	}
	now := Now()
	return UpdateColumns(tx, "applications", "id", []Column{
		{"id", "bigint", applications}, {"metadata", "text", metadata},
		{"modified", "timestamptz", column(applications, func(*int64) time.Time { return now })},
	})
}

package market

import (
	"fmt"

	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// record writes the audit entry of a use case into its own transaction; if it
// cannot be written, the use case fails (trust L1). The summary holds no secret.
func record(tx *gorm.DB, who Actor, action, object, summary string) error {
	entry := models.Audit{
		At: models.Now(), Actor: who.Name(), Action: action, Object: object, Summary: summary,
		Address: who.Address, RequestID: who.RequestID, Via: who.Via,
	}
	if who.TeamID != 0 {
		entry.TeamID = &who.TeamID
	}
	return tx.Create(&entry).Error
}

// announce queues news for teams; it leaves the house once the transaction holds.
func announce(tx *gorm.DB, event string, subject int64, teams ...int64) error {
	if len(teams) == 0 {
		return nil
	}
	events := make([]models.Event, 0, len(teams))
	seen := map[int64]bool{}
	for _, team := range teams {
		if !seen[team] {
			seen[team] = true
			events = append(events, models.Event{Event: event, SubjectID: subject, TeamID: team, Created: models.Now()})
		}
	}
	return tx.Create(&events).Error
}

// object names a thing for the audit log.
func object(kind string, id int64) string { return fmt.Sprintf("%s %d", kind, id) }

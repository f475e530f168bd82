package models

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/portolan/portolan/engine"
	"gorm.io/gorm"
)

// Figure counts what one service has of something.
type Figure struct {
	ServiceID int64
	N         int64
	OldestID  int64 // the id of the oldest one
}

// CountPending counts what waits for a team's decision, by service.
func CountPending(tx *gorm.DB, owner int64) ([]Figure, error) {
	return figures(tx.Model(&ChangeInstance{}).Where("owner_id = ? AND state = ?", owner, engine.Pending))
}

// CountOpen counts a team's changes that are neither done nor dead, by service.
func CountOpen(tx *gorm.DB, owner int64, services []int64) ([]Figure, error) {
	return figures(WhereIDs(tx.Model(&ChangeInstance{}), "service_id", services).
		Where("owner_id = ? AND state IN ?", owner, []engine.State{engine.Pending, engine.Approved}))
}

// CountLive counts the items that are not decommissioned, by service; a
// consumer other than 0 narrows it to this team's.
func CountLive(tx *gorm.DB, consumer int64, services []int64) ([]Figure, error) {
	list := WhereIDs(tx.Model(&ServiceItem{}), "service_id", services).Where("runtime_state <> ?", engine.Decommissioned)
	return figures(among(list, "consumer_team_id", one(consumer)))
}

func figures(list *gorm.DB) (rows []Figure, err error) {
	return rows, list.Select("service_id, count(*) AS n, min(id) AS oldest_id").Group("service_id").Order("service_id").Scan(&rows).Error
}

// OpenStates counts the changes of one side of a team by state; column is
// owner_id or consumer_team_id. Completed and closed ones are left out.
func OpenStates(tx *gorm.DB, side Side, team int64) (map[engine.State]int64, error) {
	var rows []struct {
		State engine.State
		N     int64
	}
	err := tx.Model(&ChangeInstance{}).Select("state, count(*) AS n").
		Where(string(side)+" = ? AND state IN ('PENDING', 'APPROVED', 'REJECTED', 'ERRORED')", team).Group("state").Scan(&rows).Error
	counts := map[engine.State]int64{}
	for _, row := range rows {
		counts[row.State] = row.N
	}
	return counts, err
}

// Side is the column that says what a team has to do with a change.
type Side string

// The sides of a change.
const (
	OwnerSide    Side = "owner_id"
	ConsumerSide Side = "consumer_team_id"
)

// CountUnfinished tells how many submissions of a team still have changes to wait for.
func CountUnfinished(tx *gorm.DB, team int64) (n int64, err error) {
	return n, tx.Model(&ChangeInstance{}).Where("consumer_team_id = ? AND state IN ('PENDING', 'APPROVED')", team).
		Distinct("submission_id").Count(&n).Error
}

// ChangesCreated tells when these changes were created.
func ChangesCreated(tx *gorm.DB, ids []int64) (map[int64]time.Time, error) {
	var rows []ChangeInstance
	err := WhereIDs(tx.Select("id, created"), "id", ids).Find(&rows).Error
	created := make(map[int64]time.Time, len(rows))
	for _, row := range rows {
		created[row.ID] = row.Created
	}
	return created, err
}

// leadSample is how many of a service's last completed changes a lead time is taken from.
const leadSample = 50

// LeadTimes tells how long the last completed changes of these services took,
// in their owners' lanes.
func LeadTimes(tx *gorm.DB, services []int64) (map[int64][]time.Duration, error) {
	times := map[int64][]time.Duration{}
	for some := range slices.Chunk(services, leadServices) {
		if err := addLeadTimes(tx, some, times); err != nil {
			return nil, err
		}
	}
	return times, nil
}

// leadServices is how many services one statement asks for; SQLite takes 500 parts at most.
const leadServices = 200

func addLeadTimes(tx *gorm.DB, services []int64, times map[int64][]time.Duration) error {
	var parts []string
	var args []any
	for _, id := range services {
		parts = append(parts, fmt.Sprintf(`SELECT * FROM (SELECT service_id, created, modified FROM change_instances
			WHERE service_id = ? AND state = 'COMPLETED' AND owner_id = service_owner_team_id ORDER BY id DESC LIMIT %d) AS s%d`, leadSample, id))
		args = append(args, id)
	}
	var rows []ChangeInstance
	if err := tx.Raw(strings.Join(parts, " UNION ALL "), args...).Scan(&rows).Error; err != nil {
		return err
	}
	for _, row := range rows {
		times[row.ServiceID] = append(times[row.ServiceID], row.Modified.Sub(row.Created))
	}
	return nil
}

// Facets are what the services that a team may see can be narrowed by: names,
// owners and tags, without the long texts.
func Facets(tx *gorm.DB, team int64) (services []Service, err error) {
	return services, ServiceQuery{VisibleTo: team}.narrow(tx.Model(&Service{})).
		Select("id, name, owner_id, tags").Order("name, id").Find(&services).Error
}

// AuditOf lists a team's newest entries about an object with an action, newest first.
func AuditOf(tx *gorm.DB, team int64, action, object string, limit int) (entries []Audit, err error) {
	return entries, tx.Where("team_id = ? AND action = ? AND object = ?", team, action, object).Order("id DESC").Limit(limit).Find(&entries).Error
}

// TeamsWithoutAdmin lists the teams that nobody who can sign in is an admin of.
func TeamsWithoutAdmin(tx *gorm.DB) (teams []Team, err error) {
	return teams, tx.Where(`id NOT IN (SELECT m.team_id FROM memberships m JOIN users u ON u.id = m.user_id
		WHERE m.role = ? AND NOT u.disabled)`, Admin).Order("name, id").Find(&teams).Error
}

// MembershipsOfUsers lists the memberships of these users, by team name.
func MembershipsOfUsers(tx *gorm.DB, users []int64) ([]Member, error) {
	return members(WhereIDs(tx, "m.user_id", users).Order("t.name"))
}

// CountMembers tells how many members each of these teams has.
func CountMembers(tx *gorm.DB, teams []int64) (map[int64]int64, error) {
	var rows []struct{ TeamID, N int64 }
	err := WhereIDs(tx.Model(&Membership{}), "team_id", teams).Select("team_id, count(*) AS n").Group("team_id").Scan(&rows).Error
	counts := map[int64]int64{}
	for _, row := range rows {
		counts[row.TeamID] = row.N
	}
	return counts, err
}

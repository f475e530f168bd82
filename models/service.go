package models

import (
	"time"

	"github.com/portolan/portolan/engine"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// Service is a named JSON Schema in the catalogue, owned by one team.
type Service struct {
	ID                    int64
	Name                  string
	OwnerID               int64
	State                 engine.ServiceState
	SchemaVersion         int // the newest
	MinimumSchemaVersion  int
	ApprovalRequired      bool
	AllowManualApproval   bool
	AllowManualCompletion bool
	Private               bool
	Description           string
	Readme                string // Markdown
	Tags                  string // a JSON array of strings
	Version               int64  // grows with each change of the settings, for optimistic locking
	Created               time.Time
	Modified              time.Time
}

// ServiceVersion is one accepted publish of a service's schema, numbered from 1.
type ServiceVersion struct {
	ID          int64
	ServiceID   int64
	Version     int
	Schema      string
	Hash        []byte // of the schema's canonical form
	PublishedBy string
	Created     time.Time
}

// ServiceAllowedTeam says that a team may order a private service.
type ServiceAllowedTeam struct{ ServiceID, TeamID int64 }

// ServiceDependant says that a team receives a copy of each change of a service (marketplace D1).
type ServiceDependant struct{ ServiceID, TeamID int64 }

// ServiceByID finds a service.
func ServiceByID(tx *gorm.DB, id int64) (service Service, err error) {
	return service, found(tx.Where("id = ?", id).Take(&service).Error)
}

// ServiceByName finds a service by its exact name.
func ServiceByName(tx *gorm.DB, name string) (service Service, err error) {
	return service, found(tx.Where("name = ?", name).Take(&service).Error)
}

// HoldServices finds services like ServicesByName and keeps their settings and
// schemas as they are until the transaction ends, so that nobody decommissions
// or republishes one while it is planned upon.
func HoldServices(tx *gorm.DB, names []string) ([]Service, error) {
	return ServicesByName(tx.Clauses(clause.Locking{Strength: "SHARE"}), names)
}

// ServicesByName finds many services at once, by their exact names.
func ServicesByName(tx *gorm.DB, names []string) (services []Service, err error) {
	return services, WhereNames(tx, "name", names).Order("id").Find(&services).Error
}

// ServicesByID finds many services at once, by their ids.
func ServicesByID(tx *gorm.DB, ids []int64) (map[int64]Service, error) {
	return byID(tx, ids, func(s Service) int64 { return s.ID })
}

// ServiceQuery narrows a list of services.
type ServiceQuery struct {
	OwnedBy     int64  // only services this team owns
	VisibleTo   int64  // only services this team may see: public, owned, allowed or held (marketplace A2)
	DependantOf int64  // only services this team receives copies of
	Name        string // exact name
	Names       []string
	Search      string // part of the name or description, ignoring case
	Tag         string
	State       []engine.ServiceState
	OwnerID     int64
	ID          int64
	Page        Page
}

// Services lists services by name and counts them.
func Services(tx *gorm.DB, q ServiceQuery) ([]Service, int64, error) {
	return page[Service](q.narrow(tx.Model(&Service{})), q.Page, "name, id")
}

func (q ServiceQuery) narrow(list *gorm.DB) *gorm.DB {
	if q.OwnedBy != 0 {
		list = list.Where("owner_id = ?", q.OwnedBy)
	}
	if q.VisibleTo != 0 {
		list = list.Where(`(NOT private OR owner_id = ?
			OR id IN (SELECT service_id FROM service_allowed_teams WHERE team_id = ?)
			OR id IN (SELECT service_id FROM service_dependants WHERE team_id = ?)
			OR id IN (SELECT service_id FROM service_items WHERE consumer_team_id = ? AND runtime_state <> 'DECOMMISSIONED'))`,
			q.VisibleTo, q.VisibleTo, q.VisibleTo, q.VisibleTo)
	}
	if q.DependantOf != 0 {
		list = list.Where("id IN (SELECT service_id FROM service_dependants WHERE team_id = ?)", q.DependantOf)
	}
	if q.Name != "" {
		list = list.Where("name = ?", q.Name)
	}
	if len(q.Names) > 0 {
		list = WhereNames(list, "name", q.Names)
	}
	if q.Search != "" {
		pattern := like(q.Search)
		list = list.Where(`(lower(name) LIKE ? ESCAPE '\' OR lower(description) LIKE ? ESCAPE '\')`, pattern, pattern)
	}
	if q.Tag != "" {
		list = list.Where("replace(tags, ?, '') <> tags", quoteJSON(q.Tag)) // LIKE ignores case on SQLite
	}
	if len(q.State) > 0 {
		list = list.Where("state IN ?", q.State)
	}
	if q.OwnerID != 0 {
		list = list.Where("owner_id = ?", q.OwnerID)
	}
	if q.ID != 0 {
		list = list.Where("id = ?", q.ID)
	}
	return list
}

// SchemaOf finds one version of a service's schema.
func SchemaOf(tx *gorm.DB, service int64, version int) (v ServiceVersion, err error) {
	return v, found(tx.Where("service_id = ? AND version = ?", service, version).Take(&v).Error)
}

// VersionsOf lists a service's schema versions, newest first.
func VersionsOf(tx *gorm.DB, service int64) (versions []ServiceVersion, err error) {
	return versions, tx.Where("service_id = ?", service).Order("version DESC").Find(&versions).Error
}

// NewestSchemas finds the newest schema of each of these services, by service id.
func NewestSchemas(tx *gorm.DB, services []int64) (map[int64]ServiceVersion, error) {
	var versions []ServiceVersion
	err := WhereIDs(tx.Table("service_versions v").Joins("JOIN services s ON s.id = v.service_id AND s.schema_version = v.version"), "s.id", services).
		Select("v.*").Find(&versions).Error
	if err != nil {
		return nil, err
	}
	keyed := make(map[int64]ServiceVersion, len(versions))
	for _, v := range versions {
		keyed[v.ServiceID] = v
	}
	return keyed, nil
}

// TeamsBeside lists the teams that a table of pairs names for each of these services, by team id.
func TeamsBeside(tx *gorm.DB, pairs ServiceTeams, services []int64) (map[int64][]int64, error) {
	var rows []ServiceDependant
	if err := WhereIDs(tx.Table(string(pairs)), "service_id", services).Order("team_id").Find(&rows).Error; err != nil {
		return nil, err
	}
	keyed := map[int64][]int64{}
	for _, row := range rows {
		keyed[row.ServiceID] = append(keyed[row.ServiceID], row.TeamID)
	}
	return keyed, nil
}

// ServiceTeams names a table that pairs services with teams.
type ServiceTeams string

// The tables of pairs.
const (
	AllowedTeams   ServiceTeams = "service_allowed_teams"
	DependantTeams ServiceTeams = "service_dependants"
)

// ReplaceTeams makes the teams that a table of pairs names for a service exactly these.
func ReplaceTeams(tx *gorm.DB, pairs ServiceTeams, service int64, teams []int64) error {
	if err := tx.Exec("DELETE FROM "+string(pairs)+" WHERE service_id = ?", service).Error; err != nil {
		return err
	}
	rows := make([]ServiceDependant, 0, len(teams))
	seen := map[int64]bool{}
	for _, team := range teams {
		if !seen[team] {
			seen[team] = true
			rows = append(rows, ServiceDependant{ServiceID: service, TeamID: team})
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return tx.Table(string(pairs)).Create(&rows).Error
}

// CountLiveItems tells how many items of a service are not decommissioned.
func CountLiveItems(tx *gorm.DB, service int64) (n int64, err error) {
	return n, tx.Model(&ServiceItem{}).Where("service_id = ? AND runtime_state <> ?", service, engine.Decommissioned).Count(&n).Error
}

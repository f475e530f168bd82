package api

import (
	"time"
)

// What lists can be narrowed by; everything else is refused.
var (
	allTeamFilters     = []string{"name"}
	serviceFilters     = []string{"name", "state", "owner_id", "tag", "search"}
	declarationFilters = []string{"cursor", "declaration", "declaration_contains", "declaration_regex"}
	serviceItemFilters = append([]string{
		"name", "runtime_state", "change_state", "application_id", "application_name", "application_name_contains", "consumer_team_id",
		"service_id", "service_name", "service_owner_id", "service_owner_team_id", "start_date", "end_date",
	}, declarationFilters...)
	changeFilters = append([]string{
		"application_id", "change_type", "commit_id", "consumer_team_id", "modified", "start_date", "end_date", "exclude_referenced",
		"service_id", "service_item_id", "service_name", "service_owner_team_id", "state", "submission_id", "assignee", "older_than",
	}, declarationFilters...)
	deployedItemFilters = append([]string{
		"application_id", "consumer_team_id", "service_owner_team_id", "service_id", "service_item_id",
	}, declarationFilters...)
	applicationFilters = []string{"runtime_state", "search", "light"}
	submissionFilters  = []string{"cursor", "commit_id", "submitted_by", "search"}
	submitFilters      = []string{"commit_id", "application", "comment", "confirm_deletes", "keep", "preview"}
	declarationQuery   = []string{"format", "application"}
)

// filtered reads filters one after the other and remembers the first that is wrong.
type filtered struct {
	listing
	err error
}

func (f *filtered) blame(err error) {
	if f.err == nil {
		f.err = err
	}
}

func (f *filtered) ids(name string) []int64 {
	ids, err := f.IDs(name)
	f.blame(err)
	return ids
}

func (f *filtered) flag(name string) bool {
	yes, err := f.Bool(name, false)
	f.blame(err)
	return yes
}

func (f *filtered) anyOf(name string, allowed []string) []string {
	values, err := f.AnyOf(name, allowed...)
	f.blame(err)
	return values
}

// moment reads a time, nil if the filter is not given.
func (f *filtered) moment(name string) *time.Time {
	at, err := f.Time(name)
	f.blame(err)
	if at.IsZero() {
		return nil
	}
	return &at
}

// later is the later of two bounds.
func later(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.After(*a) {
		return b
	}
	return a
}

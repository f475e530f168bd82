package pages

import (
	"time"

	"github.com/portolan/portolan/views/components"
)

// Users are all who may sign in, for platform admins (portal ADM1).
type Users struct {
	Key      string
	Fresh    bool
	Rows     []User
	New      UserForm
	Problems Problems // of a change of a row
	Paging   components.Paging
}

// User is one of them.
type User struct {
	ID         int64
	Name       string
	Teams      []string // with the role in each
	Platform   bool
	Disabled   bool
	Self       bool
	LastSignIn *time.Time
}

// UserForm asks for a new user.
type UserForm struct {
	Name     string
	Platform bool
	Problems Problems
}

// AdminTeams are all teams, for platform admins.
type AdminTeams struct {
	Key    string
	Fresh  bool
	Rows   []AdminTeam
	New    AdminTeamForm
	Paging components.Paging
}

// AdminTeam is one of them.
type AdminTeam struct {
	ID      int64
	Name    string
	Members int64
	Orphan  bool // nobody is its admin
	Created time.Time
}

// AdminTeamForm asks for a new team.
type AdminTeamForm struct {
	Name, Owner string
	Problems    Problems
}

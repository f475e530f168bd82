package engine

import (
	"time"

	"github.com/portolan/portolan/engine/schema"
	"github.com/portolan/portolan/engine/value"
)

// Team is a team by id and name.
type Team struct {
	ID   int64
	Name string
}

// Service is what a plan needs to know of one service of the catalogue.
type Service struct {
	ID               int64
	Name             string
	Owner            Team
	State            ServiceState
	SchemaVersion    int
	ApprovalRequired bool
	Open             bool   // the consumer may order new items (marketplace V3)
	Dependants       []Team // by name, each once, without the owner (marketplace D1)
	Supersede        bool   // unfetched changes are merged (delivery section 9)
	Schema           *schema.Schema
}

// born is the state in which a change of the service starts (marketplace C3).
func (s *Service) born() State {
	if s.ApprovalRequired {
		return Pending
	}
	return Approved
}

// Item is one live service item as it stands before a submission.
type Item struct {
	ID          int64
	Key         Key
	Declared    bool     // its base is present (marketplace G1)
	Declaration string   // the newest standing one as compact JSON, "" for none
	Hash        [32]byte // of the declaration's canonical form
	Version     int      // of the declaration
	LastVersion int      // the highest version ever given
	Schema      int      // the version of the schema that the declaration was held against
	BaseChange  int64
	Deletion    *Deletion  // a PENDING DELETE of the owner's lane
	Rejection   *Rejection // the newest own-lane change, if it lapsed
	Errored     int64      // the base change, if it is ERRORED
	Open        []OpenChange
}

// OpenChange is a change of an item that still waits for somebody.
type OpenChange struct {
	ID        int64
	Owner     Team
	Own       bool // of the owner's lane
	Type      ChangeType
	Kind      ChangeKind
	State     State
	Untouched bool     // nobody has moved it since it was generated
	New, Old  *Version // only where the service supersedes
}

// Deletion is a PENDING DELETE with the copies that dependent teams have of it.
type Deletion struct {
	Change int64
	Copies []Copy
}

// Copy is a dependent team's copy of a DELETE.
type Copy struct {
	Change int64
	Owner  Team
	State  State
	Lapsed bool
}

// Rejection says that a wish was refused before.
type Rejection struct {
	Change int64
	At     time.Time
	By     string
	Log    string
}

// Situation is all that a plan depends on besides the document.
type Situation struct {
	Team         Team
	Services     map[string]*Service // by name; a service that is not there does not exist for this team
	Items        []Item              // all live items of the team
	Metadata     string              // the team's, as JSON
	Applications map[string]string   // metadata as JSON, by name
	Guard        *schema.Guard       // bounds the time that validation takes
}

// Scope says which part of the team's items a document declares (marketplace G4).
type Scope struct {
	Partial      bool     // only upsert the items named, delete nothing
	Applications []string // exactly these; nil for the whole team
}

// Version is a declaration with its number.
type Version struct {
	Number      int
	Declaration string // compact JSON as it was written
	Schema      int    // the version of the schema that it was held against
}

// Reason says why a change exists that does not follow from its own lines (lifecycle N4).
type Reason string

// The reasons.
const (
	NotDeclared     Reason = "not_declared"
	ApplicationGone Reason = "application_gone"
	BecauseOf       Reason = "referenced"
	ForDependent    Reason = "dependent"
)

// Change is one change instance that a declaration would generate.
type Change struct {
	Key        Key
	ItemID     int64 // 0 for a new item
	Service    *Service
	Owner      Team
	Type       ChangeType
	Kind       ChangeKind
	State      State
	New, Old   *Version // New is nil for DELETE, Old for CREATE
	Hash       [32]byte // of the new declaration's canonical form
	Reason     Reason
	Causes     []Key // the items whose own MODIFY woke this one (marketplace R4)
	Rejection  *Rejection
	Withdraws  int64 // the deletion that is withdrawn for it
	Supersedes int64 // the open change that is merged into it
	BaseChange int64
	OpenChange int64
}

// Dependent reports whether the change is a dependent team's copy.
func (c *Change) Dependent() bool { return c.Kind == Dependent }

// Withdrawal is a change that SYSTEM takes back (marketplace G8).
type Withdrawal struct {
	Key    Key
	ItemID int64
	Change int64
	Owner  Team
}

// Supersession is an open change that leaves nothing to do (delivery S2).
type Supersession struct {
	Key          Key
	ItemID       int64
	Change       int64
	Owner        Team
	State        State
	Decommission bool // the item was never created, so it ends with the change
}

// Note is something worth saying about an item that does not change.
type Note struct {
	Key    Key
	Change int64 // still errored: request again?
}

// Plan is the list of change instances that a declaration would generate; pure
// data, in the order of marketplace G10: as the items first appear in the
// document, the owner's change before its copies, deletions last.
type Plan struct {
	Changes       []Change
	Withdrawals   []Withdrawal
	Supersessions []Supersession
	Notes         []Note
	Metadata      *string           // the team's new metadata, nil when it stays
	Applications  map[string]string // new metadata by application, only where it differs
	Unchanged     int               // items that are declared as before
	Emptied       map[string]bool   // applications that lose all their items
	Schemas       map[string]int    // version of each service the document uses
}

// Empty reports whether carrying the plan out would alter nothing (marketplace G12).
func (p *Plan) Empty() bool {
	return len(p.Changes)+len(p.Withdrawals)+len(p.Supersessions)+len(p.Applications) == 0 && p.Metadata == nil
}

// Deletions lists the items whose owner's lane gets a DELETE.
func (p *Plan) Deletions() []Key {
	var keys []Key
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Type == Delete && !c.Dependent() {
			keys = append(keys, c.Key)
		}
	}
	return keys
}

// Compute compares a document with what was declared before and returns the
// plan, or every problem that stands in its way (marketplace sections 4 to 7).
func Compute(doc *Document, scope Scope, now Situation) (Plan, []Problem) {
	p := newPlanner(doc, scope, now)
	p.gather()
	p.compare()
	p.permit()
	p.validate()
	p.refer()
	if problems := p.done(); len(problems) > 0 {
		return Plan{}, problems
	}
	p.wake()
	p.raise()
	p.describe()
	return p.plan, nil
}

// parse reads a stored declaration, which was strictly read before it was stored.
func parse(declaration string) *value.Value {
	v, _ := value.ParseJSON([]byte(declaration))
	return &v
}

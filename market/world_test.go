package market_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// world is a marketplace with the seeds' teams and services.
type world struct {
	*testing.T
	*market.Market
	db *models.DB
}

const (
	vmSchema = `{"title":"VM","type":"object","required":["name"],"properties":{"name":{"type":"string"},"cpu":{"type":"integer"},"memory":{"type":"integer"}}}`
	lbSchema = `{"title":"LoadBalancer","type":"object","required":["name"],"properties":{"name":{"type":"string"},"algorithm":{"type":"string"},
		"related_vms":{"type":"array","format":"reference_list","reference_method":"list","service_reference":"VM","items":{"type":"string"}}}}`
)

// newWorld opens a marketplace without teams.
func newWorld(t *testing.T, db *models.DB) *world {
	t.Helper()
	return &world{T: t, Market: market.New(db, slog.New(slog.DiscardHandler)), db: db}
}

// team makes a team and returns an admin key's actor of it.
func (w *world) team(name string) market.Actor {
	w.Helper()
	team := models.Team{Name: name, Metadata: "{}", DeletionGuard: models.GuardOff, Created: models.Now(), Modified: models.Now()}
	w.do(func(tx *gorm.DB) error { return tx.Create(&team).Error })
	return market.Actor{KeyID: team.ID, KeyName: "robot", TeamID: team.ID, TeamName: name, Role: models.Admin, Via: "api"}
}

// person makes a user who is a member of the actor's team.
func (w *world) person(who market.Actor, name string, role models.Role) market.Actor {
	w.Helper()
	user := models.User{Name: name, PasswordHash: "-", Created: models.Now(), Modified: models.Now()}
	w.do(func(tx *gorm.DB) error {
		if err := tx.Create(&user).Error; err != nil {
			return err
		}
		return tx.Create(&models.Membership{UserID: user.ID, TeamID: who.TeamID, Role: role, Created: models.Now(), Modified: models.Now()}).Error
	})
	return market.Actor{UserID: user.ID, UserName: name, TeamID: who.TeamID, TeamName: who.TeamName, Role: role, Via: "portal"}
}

func (w *world) do(fn func(tx *gorm.DB) error) {
	w.Helper()
	if err := w.db.Write(w.Context(), fn); err != nil {
		w.Fatal(err)
	}
}

// publish makes a service of the actor's team.
func (w *world) publish(who market.Actor, schema string) models.Service {
	w.Helper()
	published, err := w.Publish(w.Context(), who, []byte(schema), false)
	if err != nil {
		w.Fatal(err)
	}
	return published.Service
}

// submit declares a document and returns the changes it generated, as lines
// such as "CREATE VM/CoreVM1 VMOwnerTeam PENDING basic".
func (w *world) submit(who market.Actor, document string, how ...func(*market.Proposal)) []string {
	w.Helper()
	outcome, err := w.Submit(w.Context(), who, proposal(document, how...))
	if err != nil {
		w.Fatalf("Submit: %v", err)
	}
	lines := []string{}
	for i := range outcome.Plan.Changes {
		c := &outcome.Plan.Changes[i]
		lines = append(lines, fmt.Sprintf("%s %s/%s %s %s %s", c.Type, c.Key.Service, c.Key.Name, c.Owner.Name, c.State, c.Kind))
	}
	return lines
}

func proposal(document string, how ...func(*market.Proposal)) market.Proposal {
	p := market.Proposal{Text: []byte(document)}
	for _, change := range how {
		change(&p)
	}
	return p
}

// change finds the newest change of an item for an owner.
func (w *world) change(owner market.Actor, name string) models.ChangeInstance {
	w.Helper()
	changes, _, err := w.Changes(w.Context(), owner, market.AsServiceOwner, models.ChangeQuery{Search: name, Page: models.Page{Limit: 1}})
	if err != nil || len(changes) == 0 {
		w.Fatalf("no change of %s for %s: %v", name, owner.TeamName, err)
	}
	return changes[0]
}

// item finds the newest item of the actor's team with this name.
func (w *world) item(consumer market.Actor, name string) models.ServiceItem {
	w.Helper()
	items, _, err := w.ServiceItems(w.Context(), consumer, market.AsConsumer, models.ServiceItemQuery{Name: []string{name}, Page: models.Page{Limit: 1}})
	if err != nil || len(items) == 0 {
		w.Fatalf("no item %s: %v", name, err)
	}
	return items[0]
}

// partial makes a proposal name only what it changes.
func partial(p *market.Proposal) { p.Partial = true }

// move takes the newest change of an item through states.
func (w *world) move(owner market.Actor, name string, states ...engine.State) models.ChangeInstance {
	w.Helper()
	change := w.change(owner, name)
	for _, state := range states {
		var err error
		if change, err = w.MoveChange(w.Context(), owner, change.ID, market.Move{State: state}); err != nil {
			w.Fatalf("move %s to %s: %v", name, state, err)
		}
	}
	return change
}

// count counts the rows of tables, for tests that nothing was stored.
func (w *world) count(tables ...string) (total int64) {
	w.Helper()
	for _, table := range tables {
		var n int64
		if err := w.db.Read(context.Background()).Table(table).Count(&n).Error; err != nil {
			w.Fatal(err)
		}
		total += n
	}
	return total
}

// everything lists the tables that a submission may write to.
var everything = []string{"applications", "service_items", "change_instances", "change_history", "submissions", "submission_texts", "deployed_items", "audit", "outbox"}

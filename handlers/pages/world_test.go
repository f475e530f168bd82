package pages_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"gorm.io/gorm"

	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

const vmSchema = `{"title":"VM","description":"A machine","type":"object","required":["name","cpu"],"additionalProperties":false,
"properties":{"name":{"type":"string","examples":["web-1"]},"cpu":{"type":"integer","minimum":1,"maximum":64},
"disks":{"type":"array","items":{"type":"object","properties":{"size":{"type":"integer"}}}}}}`

const lbSchema = `{"title":"LB","type":"object","required":["name","vms"],"properties":{"name":{"type":"string"},
"vms":{"type":"array","minItems":1,"items":{"type":"string"},"format":"reference_list","reference_method":"list","service_reference":"VM"}}}`

// world is a portal with people: ana (GENERAL), abe (ADMIN) and cy (READ_ONLY)
// of Consumer, bo (ADMIN), gil (GENERAL) and ron (READ_ONLY) of Owner, tim
// (ADMIN) of Blue and of Owner, dee (platform admin, in no team). Owner has
// published VM and LB.
type world struct {
	*portal
	consumer, owner, blue models.Team
	vm, lb                models.Service
}

func people(t *testing.T) world {
	t.Helper()
	return peopleOn(t, dbtest.Open(t))
}

func peopleOn(t *testing.T, db *models.DB) world {
	t.Helper()
	w := world{portal: serve(t, db)}
	ctx, boss := t.Context(), market.Console()
	users := map[string]models.User{}
	for i, name := range []string{"ana", "abe", "cy", "bo", "gil", "ron", "tim", "dee"} {
		if i == 0 {
			user, err := w.market.CreateUser(ctx, boss, name, password, false)
			must(t, err)
			users[name] = user
			continue
		}
		// Hashing a password takes its time: everybody has the same.
		user := models.User{Name: name, PasswordHash: users["ana"].PasswordHash, PlatformAdmin: name == "dee", Created: models.Now(), Modified: models.Now()}
		must(t, db.Write(ctx, func(tx *gorm.DB) error { return tx.Create(&user).Error }))
		users[name] = user
	}
	team := func(name, admin string, others map[string]models.Role) models.Team {
		id := users[admin].ID
		made, err := w.market.CreateTeam(ctx, boss, name, &id)
		must(t, err)
		who := market.Actor{UserID: id, UserName: admin, TeamID: made.ID, TeamName: name, Role: models.Admin}
		for other, role := range others {
			_, err := w.market.AddMember(ctx, who, market.Person{Name: other}, role)
			must(t, err)
		}
		return made
	}
	w.consumer = team("Consumer", "abe", map[string]models.Role{"ana": models.General, "cy": models.ReadOnly})
	w.owner = team("Owner", "bo", map[string]models.Role{"gil": models.General, "ron": models.ReadOnly, "tim": models.ReadOnly})
	w.blue = team("Blue", "tim", nil)
	w.vm, w.lb = w.publish(vmSchema), w.publish(lbSchema)
	return w
}

// bo acts for the owner, ana for the consumer, without a browser.
func (w world) bo() market.Actor {
	return market.Actor{UserID: 1, UserName: "bo", TeamID: w.owner.ID, TeamName: "Owner", Role: models.Admin, Via: "portal"}
}

func (w world) ana() market.Actor {
	return market.Actor{UserID: 1, UserName: "ana", TeamID: w.consumer.ID, TeamName: "Consumer", Role: models.General, Via: "portal"}
}

func (w world) publish(schema string) models.Service {
	w.t.Helper()
	published, err := w.market.Publish(w.t.Context(), w.bo(), []byte(schema), false)
	must(w.t, err)
	return published.Service
}

// declare submits machines of the consumer's application App.
func (w world) declare(items string) {
	w.t.Helper()
	text := fmt.Sprintf(`{"Consumer":{"App":{"services":{"VM":[%s]}}}}`, items)
	_, err := w.market.Submit(w.t.Context(), w.ana(), market.Proposal{Text: []byte(text)})
	must(w.t, err)
}

// age makes a browser's session one that was opened an hour ago.
func (w world) age(b *browser) {
	w.t.Helper()
	must(w.t, w.db.Write(context.Background(), func(tx *gorm.DB) error {
		return tx.Exec("UPDATE sessions SET created = ?", models.Now().Add(-time.Hour)).Error
	}))
}

// count counts the rows of a table.
func (w world) count(table string) (n int64) {
	w.t.Helper()
	must(w.t, w.db.Read(context.Background()).Table(table).Count(&n).Error)
	return n
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

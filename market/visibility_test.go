package market_test

import (
	"strings"
	"testing"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// Who acts for no team sees nothing of any, in every list and count (marketplace A2).
func TestA2_WithoutATeam(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, _, consumer := stocked(t, db)
		secret := w.publish(vm, strings.Replace(vmSchema, `"VM"`, `"Secret"`, 1))
		if _, err := w.ChangeService(t.Context(), vm, secret.ID, market.ServicePatch{Private: ptr(true)}); err != nil {
			t.Fatal(err)
		}
		change := w.change(vm, "CoreVM1")
		if _, err := w.MoveChange(t.Context(), vm, change.ID, market.Move{DeployedItem: []byte(`{"a":1}`)}); err != nil {
			t.Fatal(err)
		}
		nobody := w.person(consumer, "nobody", models.General)
		nobody.TeamID, nobody.TeamName, nobody.Role = 0, "", ""
		ctx, lists := t.Context(), map[string]int{}
		for _, pov := range []market.Pov{market.AsConsumer, market.AsServiceOwner, market.AsDependant} {
			changes, _, _ := w.Changes(ctx, nobody, pov, models.ChangeQuery{})
			items, _, _ := w.ServiceItems(ctx, nobody, pov, models.ServiceItemQuery{})
			deployed, _, _ := w.DeployedItems(ctx, nobody, pov, models.DeployedItemQuery{})
			stretch, _ := w.ChangeStretch(ctx, nobody, pov, models.ChangeList{}, models.Cursor{Size: 5})
			itemStretch, _ := w.ItemStretch(ctx, nobody, pov, models.ServiceItemQuery{}, models.Cursor{Size: 5})
			deletes, _ := w.CountDeletes(ctx, nobody, pov, models.ChangeList{})
			choices, _ := w.ItemChoices(ctx, nobody, pov)
			lists["changes "+string(pov)] = len(changes) + len(stretch.Rows) + int(stretch.Count) + int(deletes)
			lists["items "+string(pov)] = len(items) + len(itemStretch.Rows) + len(choices.Applications)
			lists["deployed "+string(pov)] = len(deployed)
		}
		owned, _, _ := w.Services(ctx, nobody, market.AsServiceOwner, models.ServiceQuery{})
		lists["own services"] = len(owned)
		for name, n := range lists {
			if n != 0 {
				t.Errorf("%s: %d", name, n)
			}
		}
		catalogue, _, err := w.Services(ctx, nobody, market.AsConsumer, models.ServiceQuery{})
		facets, _, _ := w.Facets(ctx, nobody)
		if err != nil || len(catalogue) != 2 || len(facets) != 2 {
			t.Errorf("the catalogue holds %d services, its facets %d: %v", len(catalogue), len(facets), err)
		}
		if _, err := w.Service(ctx, nobody, secret.ID); !fault.Is(err, fault.NotFound) {
			t.Errorf("a private service: %v", err)
		}
		if _, err := w.ServiceItem(ctx, nobody, "", change.ServiceItemID); !fault.Is(err, fault.NotFound) {
			t.Errorf("an item: %v", err)
		}
	})
}

// A schema that refers to a private service says the same as one that refers to
// nothing, with the place of the reference (marketplace A2, S2).
func TestS2_UnknownReferences(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, friend, stranger := w.team("VMOwnerTeam"), w.team("Friend"), w.team("Stranger")
		service := w.publish(vm, vmSchema)
		lb := strings.Replace(lbSchema, `"LoadBalancer"`, `"Mine"`, 1)
		w.publish(stranger, lb)
		if _, err := w.ChangeService(t.Context(), vm, service.ID, market.ServicePatch{AllowedTeams: &[]int64{friend.TeamID}}); err != nil {
			t.Fatal(err)
		}
		verdict := func(who market.Actor, text string) market.SchemaVerdict {
			v, err := w.ValidateSchema(t.Context(), who, []byte(text), false)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		other := strings.Replace(lbSchema, `"LoadBalancer"`, `"Other"`, 1)
		if v := verdict(friend, other); !v.IsValid {
			t.Errorf("a team that may order it refers to it: %+v", v.Problems)
		}
		if v := verdict(stranger, strings.Replace(lb, `"algorithm"`, `"how"`, 1)); !v.IsValid {
			t.Errorf("the next version of a schema that referred to it before: %+v", v.Problems)
		}
		hidden, missing := verdict(stranger, other), verdict(stranger, strings.ReplaceAll(other, `"VM"`, `"QQ"`))
		if hidden.IsValid || missing.IsValid || strings.ReplaceAll(hidden.Problems[0].Message, "VM", "QQ") != missing.Problems[0].Message {
			t.Fatalf("a private service shows: %+v, %+v", hidden.Problems, missing.Problems)
		}
		if p := hidden.Problems[0]; p.Pointer != "/properties/related_vms/service_reference" || p.Line != 2 || p.Column == 0 {
			t.Errorf("its place: %+v", p)
		}
	})
}

// Names, tags and words are found alike on both databases (marketplace A2, S5).
func TestSearchIsAlikeOnBothDatabases(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, consumer := w.team("VMOwnerTeam"), w.team("AwesomeConsumer")
		service := w.publish(vm, vmSchema)
		if _, err := w.ChangeService(t.Context(), vm, service.ID, market.ServicePatch{Tags: &[]string{"Prod", "a_b"}}); err != nil {
			t.Fatal(err)
		}
		w.submit(consumer, `{"AwesomeConsumer":{"Äpfel":{"services":{"VM":[{"name":"ÉCLAIR 50%"}]}}}}`)
		for tag, want := range map[string]int{"Prod": 1, "prod": 0, "a_b": 1, "axb": 0, "%": 0} {
			if found, _, err := w.Services(t.Context(), consumer, market.AsConsumer, models.ServiceQuery{Tag: tag}); err != nil || len(found) != want {
				t.Errorf("tag %q finds %d services, want %d: %v", tag, len(found), want, err)
			}
		}
		for search, want := range map[string]int{"éclair": 1, "ÉCL": 1, "Éc": 1, "eclair": 0, "50%": 1, "5%": 0, "_": 0} {
			found, _, err := w.ServiceItems(t.Context(), consumer, market.AsConsumer, models.ServiceItemQuery{Search: search})
			if err != nil || len(found) != want {
				t.Errorf("search %q finds %d items, want %d: %v", search, len(found), want, err)
			}
			if changes, _, err := w.Changes(t.Context(), vm, market.AsServiceOwner, models.ChangeQuery{Search: search}); err != nil || len(changes) != want {
				t.Errorf("search %q finds %d changes, want %d: %v", search, len(changes), want, err)
			}
		}
		if found, _, err := w.ServiceItems(t.Context(), consumer, market.AsConsumer, models.ServiceItemQuery{ApplicationLike: "äPF"}); err != nil || len(found) != 1 {
			t.Errorf("part of an application's name finds %d items: %v", len(found), err)
		}
	})
}

// An item that a dependent team was sent is all it sees of the consumer: not the
// earlier life of the name, not what the item refers to (marketplace A2, portal ITM-f).
func TestA2_DependentTeam(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, vm, lb, consumer := stocked(t, db)
		np := w.team("NPOwnerTeam")
		with := strings.Replace(first, `"VM":`, `"LoadBalancer":[{"name":"l","related_vms":["CoreVM2"]}],"VM":`, 1)
		w.submit(consumer, with)
		w.move(lb, "l", engine.Approved, engine.Completed)
		w.submit(consumer, first)
		w.move(lb, "l", engine.Approved, engine.Completed)
		service, _, err := w.Services(t.Context(), lb, market.AsServiceOwner, models.ServiceQuery{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.ChangeService(t.Context(), lb, service[0].ID, market.ServicePatch{DependantTeams: &[]int64{np.TeamID}}); err != nil {
			t.Fatal(err)
		}
		w.submit(consumer, with)
		item := w.change(np, "l").ServiceItemID
		details, err := w.ItemDetails(t.Context(), np, item)
		if err != nil || len(details.Lives) != 1 || len(details.Changes) != 1 || len(details.Lanes[item]) != 1 {
			t.Errorf("%d lives, %d changes, %d lanes, %v", len(details.Lives), len(details.Changes), len(details.Lanes[item]), err)
		}
		if details, err := w.ItemDetails(t.Context(), lb, item); err != nil || len(details.Lives) != 2 {
			t.Errorf("the owner sees %d lives, %v", len(details.Lives), err)
		}
		dependsOn, usedBy, err := w.RelationsInSight(t.Context(), np, details.Item)
		if err != nil || len(dependsOn) != 1 || dependsOn[0].Item != nil || len(usedBy) != 0 {
			t.Errorf("relations: %+v, %+v, %v", dependsOn, usedBy, err)
		}
		if dependsOn, _, err = w.RelationsInSight(t.Context(), consumer, details.Item); err != nil || dependsOn[0].Item == nil {
			t.Errorf("the consumer's own: %+v, %v", dependsOn, err)
		}
		for name, id := range map[string]int64{"another item": w.item(consumer, "CoreVM1").ID, "what it refers to": w.item(consumer, "CoreVM2").ID} {
			if _, err := w.ServiceItem(t.Context(), np, "", id); !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := w.MoveChange(t.Context(), np, w.change(lb, "l").ID, market.Move{State: engine.Approved}); !fault.Is(err, fault.NotFound) {
			t.Errorf("D2: it moves the owner's change: %v", err)
		}
		if _, err := w.MoveChange(t.Context(), vm, w.change(np, "l").ID, market.Move{State: engine.Approved}); !fault.Is(err, fault.NotFound) {
			t.Errorf("D2: another owner moves its copy: %v", err)
		}
	})
}

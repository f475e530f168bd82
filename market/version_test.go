package market_test

import (
	"strings"
	"testing"

	"github.com/portolan/portolan/engine"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// Versions grow by one with each CREATE and MODIFY of an item's own, whatever is
// rejected or referenced in between; what was not judged anew keeps the schema
// that it was judged by (marketplace G5, S4, V2).
func TestG5_VersionsOfDeclarations(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		vm, lb, consumer := w.team("VMOwnerTeam"), w.team("LBOwnerTeam"), w.team("AwesomeConsumer")
		w.publish(vm, vmSchema)
		w.publish(lb, lbSchema)
		document := func(cpu, algorithm string) string {
			return `{"AwesomeConsumer":{"A":{"services":{"VM":[{"name":"x","cpu":` + cpu + `}],"LoadBalancer":[{"name":"l","related_vms":["x"],"algorithm":"` + algorithm + `"}]}}}}`
		}
		w.submit(consumer, document("1", "one"))
		w.submit(consumer, document("1", "two"))
		w.move(lb, "l", engine.Rejected)
		w.publish(lb, strings.Replace(lbSchema, `"algorithm"`, `"extra":{"type":"string"},"algorithm"`, 1))

		w.submit(consumer, document("2", "one"))
		woken := w.change(lb, "l")
		if woken.Kind != engine.Referenced || woken.NewVersion != 1 || woken.OldVersion != 1 || woken.SchemaVersion != 1 {
			t.Errorf("a referenced MODIFY: %s, version %d from %d, schema %d", woken.Kind, woken.NewVersion, woken.OldVersion, woken.SchemaVersion)
		}
		if item := w.item(consumer, "l"); item.SchemaVersion != 1 || item.DeclarationVersion != 1 {
			t.Errorf("its item: schema %d, version %d", item.SchemaVersion, item.DeclarationVersion)
		}

		w.submit(consumer, document("2", "three"))
		own := w.change(lb, "l")
		if own.NewVersion != 3 || own.OldVersion != 1 || own.SchemaVersion != 2 {
			t.Errorf("the next MODIFY of its own: version %d from %d, schema %d, want 3 from 1, schema 2", own.NewVersion, own.OldVersion, own.SchemaVersion)
		}
		w.submit(consumer, `{"AwesomeConsumer":{}}`)
		if end := w.change(lb, "l"); end.NewDeclaration != nil || end.OldVersion != 3 {
			t.Errorf("a DELETE: new %v, old version %d", end.NewDeclaration, end.OldVersion)
		}
	})
}

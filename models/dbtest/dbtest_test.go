package dbtest_test

import (
	"testing"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
	"gorm.io/gorm"
)

func TestMain(m *testing.M) { dbtest.Main(m) }

func TestEach_GivesTwoMigratedDatabases(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		if err := db.CheckSchema(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

func TestDatabases_KnowNothingOfEachOther(t *testing.T) {
	t.Parallel()
	for kind, dsn := range dbtest.DSNs(t) {
		other := dbtest.DSNs(t)[kind]
		here, there := dbtest.Connect(t, dsn), dbtest.Connect(t, other)
		mark := func(tx *gorm.DB) error { return tx.Exec("CREATE TABLE mark (id bigint)").Error }
		if err := here.Write(t.Context(), mark); err != nil {
			t.Fatal(err)
		}
		if err := there.Read(t.Context()).Exec("SELECT * FROM mark").Error; err == nil {
			t.Errorf("%s: what one test wrote, another one reads", kind)
		}
	}
}

package market_test

import (
	"testing"
	"time"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
	"gorm.io/gorm"
)

// Sweeping drops what is old and leaves what is not.
func TestSweep(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w := newWorld(t, db)
		who := w.person(w.team("Me"), "ana", models.General)
		young, old := models.Now(), models.Now().Add(-60*24*time.Hour)
		for name, at := range map[string]time.Time{"young": young, "old": old} {
			w.do(func(tx *gorm.DB) error {
				for _, row := range []any{
					&models.IdempotencyKey{Actor: "ana", Key: name, Fingerprint: []byte{1}, Body: []byte{}, Created: at},
					&models.SignInFailure{Account: name, At: at},
					&models.Session{Hash: []byte(name), UserID: who.UserID, Created: at, Seen: at, Expires: at},
				} {
					if err := tx.Create(row).Error; err != nil {
						return err
					}
				}
				return nil
			})
		}
		if err := w.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := w.count("idempotency_keys", "sign_in_failures", "sessions"); n != 3 {
			t.Errorf("%d rows stay, want the three young ones", n)
		}
	})
}

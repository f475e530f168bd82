package market_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
	"gorm.io/gorm"
)

// Live previews stay few and leave the audit log alone; others stay until they
// have been expired for a week (lifecycle T2, T4).
func TestT2_LivePreviewsStayFew(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		w, _, _, consumer := stocked(t, db)
		live := func(p *market.Proposal) { p.Live = true }
		kept, _, err := w.Preview(t.Context(), consumer, proposal(first))
		if err != nil {
			t.Fatal(err)
		}
		audit := w.count("audit")
		var last models.Preview
		for i := range models.LivePreviews + 5 {
			document := fmt.Sprintf(`{"AwesomeConsumer":{"App":{"services":{"VM":[{"name":"x","cpu":%d}]}}}}`, i)
			if last, _, err = w.Preview(t.Context(), consumer, proposal(document, live)); err != nil {
				t.Fatal(err)
			}
		}
		if n := w.count("previews"); n != models.LivePreviews+1 {
			t.Errorf("%d previews are kept, want the newest %d and the other one", n, models.LivePreviews)
		}
		if n := w.count("audit"); n != audit {
			t.Errorf("live previews left %d audit entries", n-audit)
		}
		for _, id := range []string{kept.ID, last.ID} {
			if _, err := w.StoredPreview(t.Context(), consumer, id); err != nil {
				t.Errorf("preview %s: %v", id, err)
			}
		}
		w.do(func(tx *gorm.DB) error {
			return tx.Model(&models.Preview{}).Where("id = ?", kept.ID).Update("expires", models.Now().Add(-8*24*time.Hour)).Error
		})
		if _, _, err = w.Preview(t.Context(), consumer, proposal(first, live)); err != nil {
			t.Fatal(err)
		}
		if n := w.count("previews"); n != models.LivePreviews {
			t.Errorf("%d previews are kept after one expired, want %d", n, models.LivePreviews)
		}
	})
}

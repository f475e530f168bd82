package market

import (
	"context"
	"time"

	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// What is kept for a while only, and for how long after it has lost its use.
const (
	answerMemory  = 48 * time.Hour      // answers to requests with an idempotency key (trust C1)
	failureMemory = 24 * time.Hour      // wrong passwords; limits look back an hour (trust U4)
	sessionMemory = 30 * 24 * time.Hour // ended sessions; their address is known for that long
)

// Sweep drops what has lost its use: kept answers, wrong passwords and ended
// sessions. It may run on several processes at once.
func (m *Market) Sweep(ctx context.Context) error {
	now := models.Now()
	return m.db.Write(ctx, func(tx *gorm.DB) error {
		return all(
			func() error {
				return tx.Where("created < ?", now.Add(-answerMemory)).Delete(&models.IdempotencyKey{}).Error
			},
			func() error { return tx.Where("at < ?", now.Add(-failureMemory)).Delete(&models.SignInFailure{}).Error },
			func() error { return tx.Where("expires < ?", now.Add(-sessionMemory)).Delete(&models.Session{}).Error },
		)
	})
}

package market

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// Once is an idempotency key with the fingerprint of the request that it stands
// for: SHA-256 of method, path, query and body (trust C1).
type Once struct {
	Key         string
	Fingerprint []byte
}

// Answer is what a request got, kept so that its repetition gets the same.
type Answer struct {
	Status   int
	Location string
	Body     []byte
}

// keptAnswer is the size above which a body is not kept.
const keptAnswer = 1 << 20

// Replay finds the answer to a request that was made before with this key; nil
// means that it is new. Another request with the same key is a conflict.
func (m *Market) Replay(ctx context.Context, who Actor) (*Answer, error) {
	kept, err := models.IdempotencyKeyOf(m.read(ctx), who.Name(), scoped(who))
	if fault.Is(err, fault.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(kept.Fingerprint, who.Once.Fingerprint) {
		return nil, &fault.Error{Kind: fault.Conflict, Code: "idempotency_mismatch", Text: "This idempotency key was used for another request. Take a new key."}
	}
	if kept.Status == 0 {
		return unanswered(kept)
	}
	return &Answer{Status: kept.Status, Location: kept.Location, Body: kept.Body}, nil
}

// answerDue is how long a request may run before its answer counts as lost.
const answerDue = 2 * time.Minute

// unanswered is for a request whose work is done, but whose answer is not kept:
// it is about to be, or the process ended in between (trust P9).
func unanswered(kept models.IdempotencyKey) (*Answer, error) {
	if models.Now().Sub(kept.Created) < answerDue {
		return nil, running()
	}
	return &Answer{Status: 200, Location: "/", Body: []byte(`{"detail":"This was done before; its first answer was lost. Look at what is there."}`)}, nil
}

// Keep remembers the answer to a request whose work is done.
func (m *Market) Keep(ctx context.Context, who Actor, answer Answer) error {
	if answer.Body == nil || len(answer.Body) > keptAnswer {
		answer.Body = []byte{}
	}
	return m.db.Write(ctx, func(tx *gorm.DB) error {
		return tx.Model(&models.IdempotencyKey{}).Where("actor = ? AND key = ?", who.Name(), scoped(who)).
			Updates(map[string]any{"status": answer.Status, "location": answer.Location, "body": answer.Body}).Error
	})
}

// mark leaves the key of a request in the transaction of its work.
func mark(tx *gorm.DB, who Actor) error {
	if who.Once == nil {
		return nil
	}
	err := tx.Create(&models.IdempotencyKey{
		Actor: who.Name(), Key: scoped(who), Fingerprint: who.Once.Fingerprint, Body: []byte{}, Created: models.Now(),
	}).Error
	if models.IsUnique(err, "idempotency_keys_actor_key_key") {
		return running()
	}
	return err
}

// scoped keeps the keys of one actor's teams apart.
func scoped(who Actor) string { return fmt.Sprintf("%d/%d/%s", who.TeamID, who.KeyID, who.Once.Key) }

func running() error {
	return &fault.Error{Kind: fault.Conflict, Code: "in_progress", Retry: time.Second, Text: "The first request with this idempotency key is still running. Ask again in a moment."}
}

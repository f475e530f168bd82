package api_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

const keyed = "Idempotency-Key: "

// One Idempotency-Key is one execution (trust C1, C2).
func TestC1_Once(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		text := `{"AwesomeConsumer":{"App":{"services":{"VM":[{"name":"a","cpu":1}]}}}}`
		first := h.consumer.do(t, "POST", submitPath, text, keyed+"k1")
		first.want(t, 201)
		before := h.rows(t)
		second := h.consumer.do(t, "POST", submitPath, text, keyed+"k1")
		if second.status != 201 || second.body != first.body || second.header.Get("Idempotent-Replayed") != "true" || second.header.Get("Location") != first.header.Get("Location") {
			t.Errorf("replay: %d %v %s", second.status, second.header, second.body)
		}
		h.unmoved(t, before, "a replay")
		other := h.consumer.do(t, "POST", submitPath, strings.Replace(text, "1", "2", 1), keyed+"k1")
		if other.status != 409 || other.text(t, "code") != "idempotency_mismatch" {
			t.Errorf("another body: %d %s", other.status, other.body)
		}
		h.consumer.do(t, "POST", submitPath, `{"bad":`, keyed+"k2").want(t, 400)
		h.consumer.do(t, "POST", submitPath, text, keyed+"k2").want(t, 200)
		h.consumer.do(t, "POST", submitPath, text, keyed+strings.Repeat("k", 256)).want(t, 400)
		h.vmOwner.do(t, "PATCH", changePath("serviceowner", h.change(t, h.vmOwner, "a")), `{"state":"APPROVED"}`, keyed+"k1").want(t, 200)
	})
}

// A kept answer never holds a secret.
func TestC1_NoSecretIsKept(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		path, body := fmt.Sprintf("/v1/account/teams/%d/api_keys/", h.consumer.id), `{"name":"robot","role":"GENERAL"}`
		first := h.consumer.do(t, "POST", path, body, keyed+"k")
		first.want(t, 201)
		h.contract = nil // a replay lacks the key, which the document demands
		second := h.consumer.do(t, "POST", path, body, keyed+"k")
		if second.status != 201 || second.number(t, "id") != first.number(t, "id") || strings.Contains(second.body, first.text(t, "key")) {
			t.Errorf("replay: %d %s", second.status, second.body)
		}
	})
}

func TestC1_Parallel(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		h.contract = nil
		var done sync.WaitGroup
		statuses := make([]int, 10)
		for i := range statuses {
			done.Go(func() {
				statuses[i] = h.consumer.do(t, "POST", submitPath, `{"AwesomeConsumer":{"App":{"services":{"VM":[{"name":"a"}]}}}}`, keyed+"k").status
			})
		}
		done.Wait()
		for _, status := range statuses {
			if status != 201 && status != 409 {
				t.Errorf("status %d", status)
			}
		}
		if got := h.consumer.do(t, "GET", "/v1/orcabase/consumer/submissions/", ""); got.number(t, "count") != 1 {
			t.Errorf("submissions: %s", got.body)
		}
	})
}

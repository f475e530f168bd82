package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// What was previewed is what is submitted, or nothing is (lifecycle T2 to T8).
func TestT_Previews(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		h.declare(t, 8, "").want(t, 201)
		const previews = "/v1/orcabase/consumer/previews/"
		text := `{"AwesomeConsumer":{"NewApp1":{"services":{"VM":[{"name":"CoreVM1","cpu":9}]}}}}`
		made := h.consumer.do(t, "PATCH", previews, text)
		made.want(t, 201)
		name := made.text(t, "preview_id")
		if made.text(t, "summary", "text") != "Plan: 0 to add, 1 to change, 0 to destroy, 1 referenced, 1 dependent." || !strings.HasSuffix(made.header.Get("Location"), previews+name+"/") {
			t.Errorf("preview: %s", made.body)
		}
		if read := h.consumer.do(t, "GET", previews+name+"/", ""); read.body != made.body {
			t.Errorf("read back: %s", read.body)
		}
		h.stranger.do(t, "GET", previews+name+"/", "").want(t, 404)
		h.consumer.do(t, "GET", previews+"nothing/", "").want(t, 404)
		validated := h.consumer.do(t, "PATCH", validatePath, text)
		if fmt.Sprint(validated.at(t, "plan", "changes")) != fmt.Sprint(made.at(t, "changes")) || validated.at(t, "plan", "preview_id") != nil {
			t.Errorf("validated: %s", validated.body)
		}
		h.consumer.do(t, "POST", submitPath+"?preview="+name, `{"AwesomeConsumer":{}}`).want(t, 400)
		h.consumer.do(t, "POST", submitPath+"?application=NewApp1&preview="+name, "").want(t, 400)
		h.consumer.do(t, "POST", submitPath+"?preview="+name, "").want(t, 201)
		stale := h.consumer.do(t, "POST", submitPath+"?preview="+name, "")
		if stale.status != 409 || stale.text(t, "code") != "stale_preview" || stale.at(t, "items", "0", "why") != "declared" {
			t.Errorf("stale: %d %s", stale.status, stale.body)
		}
	})
}

// The plan for a terminal (lifecycle N6).
func TestN6_Text(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		h.vmOwner.do(t, "PATCH", h.service(h.vm), `{"dependant_teams":[]}`).want(t, 200)
		h.declare(t, 8, "").want(t, 201)
		text := `{"AwesomeConsumer":{"NewApp1":{"services":{"VM":[{"name":"CoreVM1","cpu":16}]}}}}`
		want := "NewApp1 / VM / CoreVM1: change\n  ~ cpu: 8 -> 16\n    # 1 unchanged hidden\nNewApp1 / LoadBalancer / CoreLB1: change (because CoreVM1 changes)\nPlan: 0 to add, 1 to change, 0 to destroy, 1 referenced.\n"
		for path, status := range map[string]int{validatePath: 200, "/v1/orcabase/consumer/previews/": 201} {
			got := h.consumer.do(t, "PATCH", path, text, "Accept: text/plain")
			if got.status != status || got.body != want || !strings.HasPrefix(got.header.Get("Content-Type"), "text/plain") {
				t.Errorf("%s: %d %s\n%s", path, got.status, got.header.Get("Content-Type"), got.body)
			}
		}
		h.consumer.do(t, "POST", validatePath, `{"AwesomeConsumer":1}`, "Accept: text/plain").want(t, 400)
	})
}

// A download that is submitted unchanged generates nothing (lifecycle T8).
func TestT8_Declaration(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		const path = "/v1/orcabase/consumer/declaration/"
		if got := h.consumer.do(t, "GET", path, ""); got.header.Get("ETag") != `"0"` {
			t.Errorf("ETag %s", got.header.Get("ETag"))
		}
		h.consumer.do(t, "POST", submitPath, `{"AwesomeConsumer":{"metadata":{"x":1},"A":{"services":{"VM":[{"name":"a","cpu":1.0}]}},"B":{"metadata":{"y":"é"},"services":{"VM":[{"name":"b"}]}}}}`).want(t, 201)
		for _, format := range []string{"json", "yaml"} {
			got := h.consumer.do(t, "GET", path+"?format="+format, "")
			got.want(t, 200)
			if got.header.Get("ETag") != `"1"` || got.header.Get("Content-Type") != "application/"+format || !strings.Contains(got.body, "1.0") {
				t.Errorf("%s: %v %s", format, got.header, got.body)
			}
			again := h.consumer.do(t, "POST", submitPath, got.body, "Content-Type: application/"+format, `If-Match: "1"`)
			if again.status != 200 || again.text(t, "message") != "No changes detected." {
				t.Errorf("%s again: %d %s", format, again.status, again.body)
			}
		}
		part := h.consumer.do(t, "GET", path+"?application=B", "")
		if strings.Contains(part.body, `"A"`) || part.at(t, "AwesomeConsumer", "B", "metadata", "y") != "é" {
			t.Errorf("part: %s", part.body)
		}
		h.consumer.do(t, "POST", submitPath, part.body, `If-Match: "0"`).want(t, 412)
		h.consumer.do(t, "POST", submitPath+"?application=B", part.body, `If-Match: "1"`).want(t, 200)
		h.consumer.do(t, "GET", path+"?format=xml", "").want(t, 400)
		h.ask(t, "POST", "/v1/orcabase/serviceowner/submissions/submit/", h.consumer.key, part.body).want(t, 201)
		if got := h.consumer.do(t, "GET", path, ""); got.header.Get("ETag") != `"2"` {
			t.Errorf("ETag %s", got.header.Get("ETag"))
		}
	})
}

// What a submission asks for beside its text (marketplace G9, G11, V7).
func TestG_Submit(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		h.declare(t, 8, "").want(t, 201)
		h.declare(t, 8, "").want(t, 200)
		h.declare(t, 8, "?keep=true").want(t, 201)
		h.declare(t, 8, "?commit_id="+strings.Repeat("x", 256)).want(t, 400)
		h.declare(t, 8, "?comment="+strings.Repeat("x", 501)).want(t, 400)
		h.declare(t, 8, "?colour=red").want(t, 400)
		h.declare(t, 8, "?confirm_deletes=-1").want(t, 400)
		h.consumer.do(t, "PATCH", fmt.Sprintf("/v1/account/teams/%d/", h.consumer.id), `{"deletion_guard":"any"}`).want(t, 200)
		guarded := h.consumer.do(t, "POST", submitPath, `{"AwesomeConsumer":{}}`)
		if guarded.status != 409 || guarded.text(t, "code") != "confirm_deletes" {
			t.Errorf("guard: %d %s", guarded.status, guarded.body)
		}
		h.consumer.do(t, "POST", submitPath+"?confirm_deletes=3", `{"AwesomeConsumer":{}}`).want(t, 201)
		verdict := h.consumer.do(t, "POST", validatePath, `{"AwesomeConsumer":{"A":{}}}`)
		verdict.want(t, 200)
		if verdict.at(t, "is_valid") != false || verdict.at(t, "errors", "AwesomeConsumer") == nil {
			t.Errorf("verdict: %s", verdict.body)
		}
		h.ask(t, "POST", submitPath, h.consumer.keyOf(t, "READ_ONLY"), `{"AwesomeConsumer":{}}`).want(t, 403)
		h.ask(t, "POST", validatePath, h.consumer.keyOf(t, "READ_ONLY"), `{"AwesomeConsumer":{}}`).want(t, 200)
		h.consumer.do(t, "POST", submitPath, `{"AwesomeConsumer":{}}`, "Content-Type: text/xml").want(t, 415)
		h.consumer.do(t, "POST", submitPath, `{"AwesomeConsumer":{}}`, "Content-Encoding: gzip").want(t, 415)
	})
}

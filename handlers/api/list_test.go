package api_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// A list is cut into pages that lead to each other (api.md section 1).
func TestPages(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		h.declare(t, 8, "").want(t, 201)
		path, seen, pages := "/v1/orcabase/consumer/change_instances/?limit=2&&ordering=created", 0, 0
		for path != "" {
			got := h.consumer.do(t, "GET", path, "")
			got.want(t, 200)
			if pages++; pages > 5 {
				t.Fatal("the pages do not end")
			}
			seen += len(got.at(t, "results").([]any))
			if previous := got.at(t, "previous"); (previous == nil) != (pages == 1) || got.number(t, "count") != 5 {
				t.Errorf("page %d: previous %v, count %v", pages, previous, got.at(t, "count"))
			}
			next, _ := got.at(t, "next").(string)
			if next != "" && !strings.HasPrefix(next, h.origin+"/v1/orcabase/consumer/change_instances/?") {
				t.Errorf("next is %s", next)
			}
			path = strings.TrimPrefix(next, h.origin)
		}
		if seen != 5 || pages != 3 {
			t.Errorf("%d rows on %d pages", seen, pages)
		}
		path, seen = "/v1/orcabase/consumer/change_instances/?limit=2&cursor=first&state=PENDING", 0
		for path != "" {
			got := h.consumer.do(t, "GET", path, "")
			got.want(t, 200)
			seen += len(got.at(t, "results").([]any))
			next, _ := got.at(t, "next").(string)
			path = strings.TrimPrefix(next, h.origin)
		}
		if seen != 5 {
			t.Errorf("%d rows by cursor", seen)
		}
		all := h.consumer.do(t, "GET", "/v1/orcabase/consumer/change_instances/", "").at(t, "results").([]any)
		down := h.consumer.do(t, "GET", "/v1/orcabase/consumer/change_instances/?ordering=-created", "").at(t, "results").([]any)
		if !equal(at(all[0], "id"), at(down[0], "id")) || equal(at(all[0], "id"), at(all[4], "id")) {
			t.Error("the newest does not come first")
		}
	})
}

// Filters narrow, and what no route knows is refused by name (api.md sections 1 and 2).
func TestFilters(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		h.declare(t, 8, "?commit_id=abc").want(t, 201)
		h.declare(t, 9, "?commit_id=def").want(t, 201)
		for query, want := range map[string]int64{
			"":                                  8,
			"?&state=PENDING":                   8,
			"?state=ERROR,APPROVED":             0,
			"?change_type=MODIFY":               3,
			"?exclude_referenced=true":          7,
			"?commit_id=def":                    3,
			"?service_name=VM,Other":            6,
			"?service_name=LoadBalancer":        2,
			"?modified=2020-01-01":              8,
			"?end_date=2020-01-01T00:00:00Z":    0,
			"?older_than=2020-01-01":            0,
			fmt.Sprintf("?service_id=%d", h.vm): 6,
			fmt.Sprintf("?service_owner_team_id=%d", h.lbOwner.id):          2,
			fmt.Sprintf("?consumer_team_id=%d", h.consumer.id):              8,
			`?declaration={"cpu":9.0}`:                                      2,
			`?declaration={"related_vms": ["CoreVM1"]}`:                     2,
			`?declaration={"related_vms":["Other"]}`:                        0,
			`?declaration_contains="CPU":16`:                                2,
			`?declaration_regex=` + url.QueryEscape(`"name":"Core(VM2|LB)`): 4,
			`?declaration={"name":"CoreVM1"}&limit=1&change_type=CREATE`:    2,
		} {
			got := h.raw(t, h.consumer.key, "/v1/orcabase/consumer/change_instances/"+query)
			got.want(t, 200)
			if n := got.number(t, "count"); n != want {
				t.Errorf("%s: %d, want %d", query, n, want)
			}
		}
		for query, want := range map[string]int64{
			"?name=CoreVM1,CoreLB1": 2, "?application_name_contains=EWAPP": 3, "?application_name=NewApp1": 3, "?runtime_state=IN_SERVICE": 0, "?change_state=CHANGES_PENDING": 3,
			`?declaration={"cpu":9}`: 1, "?start_date=2020-01-01&ordering=name": 3,
		} {
			if got := h.raw(t, h.consumer.key, "/v1/orcabase/consumer/service_items/"+query); got.number(t, "count") != want {
				t.Errorf("%s: %s", query, got.body)
			}
		}
		for query, name := range map[string]string{
			"?colour=red": "colour", "?State=PENDING": "State", "?state=DONE": "state", "?ordering=log": "ordering", "?ordering=id;drop": "ordering", "?limit=0": "limit", "?limit=10001": "limit",
			"?offset=-1": "offset", "?service_id=x": "service_id", "?modified=soon": "modified", "?exclude_referenced=maybe": "exclude_referenced", "?declaration=[1]": "declaration",
			"?declaration={": "declaration", "?cursor=x": "cursor", "?cursor=first&offset=3": "cursor", "?cursor=first&ordering=created": "cursor", `?cursor=first&declaration={"a":1}`: "cursor", "?declaration_regex=(?=a)": "declaration_regex", "?declaration_regex=" + strings.Repeat("a", 201): "declaration_regex",
		} {
			got := h.raw(t, h.consumer.key, "/v1/orcabase/consumer/change_instances/"+query)
			if got.status != 400 || got.at(t, name) == nil {
				t.Errorf("%s: %d %s", query, got.status, got.body)
			}
		}
	})
}

package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/portolan/portolan/market"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
)

// Teams, members, keys and tokens, as api.md section 2 lists them.
func TestAccounts(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		own := fmt.Sprintf("/v1/account/teams/%d/", h.consumer.id)
		teams := h.consumer.do(t, "GET", "/v1/account/teams/", "")
		if teams.number(t, "count") != 1 || teams.text(t, "results", "0", "name") != "AwesomeConsumer" {
			t.Errorf("teams: %s", teams.body)
		}
		has(t, teams.at(t, "results", "0"), "id name metadata email allow_submit_submission_builder")
		all := h.consumer.do(t, "GET", "/v1/account/teams/all_teams/?name=VMOwnerTeam", "")
		if all.number(t, "count") != 1 || all.at(t, "results", "0", "metadata") == nil || strings.Contains(all.body, "email") {
			t.Errorf("all teams: %s", all.body)
		}
		set := h.consumer.do(t, "PATCH", own, `{"metadata":{"n":1.50},"email":"a@example.org","allow_submit_submission_builder":true,"deletion_guard":"any"}`)
		set.want(t, 200)
		if !strings.Contains(set.body, `"metadata":{"n":1.50}`) || set.text(t, "deletion_guard") != "any" {
			t.Errorf("settings: %s", set.body)
		}
		for _, bad := range []string{`{"metadata":[]}`, `{"deletion_guard":"all"}`, `{"name":"Other"}`, `{"email":"x"}`, `{"Email":"a@example.org"}`} {
			h.consumer.do(t, "PATCH", own, bad).want(t, 400)
		}
		h.stranger.do(t, "GET", own, "").want(t, 404)
		h.stranger.do(t, "PATCH", own, `{"email":""}`).want(t, 404)
		h.consumer.do(t, "POST", "/v1/account/teams/", `{"name":"Mine"}`).want(t, 403)
		h.ask(t, "POST", "/v1/account/teams/", h.admin, `{"name":"AwesomeConsumer"}`).want(t, 409)

		key := h.consumer.do(t, "POST", own+"api_keys/", `{"name":"robot","role":"READ_ONLY","expires":"2100-01-01"}`)
		key.want(t, 400)
		key = h.consumer.do(t, "POST", own+"api_keys/", `{"name":"robot","role":"READ_ONLY"}`)
		key.want(t, 201)
		has(t, key.at(t), "id name prefix key")
		secret := "Api-Key " + key.text(t, "key")
		h.ask(t, "GET", own, secret, "").want(t, 200)
		if listed := h.consumer.do(t, "GET", own+"api_keys/", ""); strings.Contains(listed.body, key.text(t, "key")) || listed.number(t, "count") != 2 {
			t.Errorf("keys: %s", listed.body)
		}
		h.ask(t, "POST", own+"api_keys/", secret, `{"name":"more","role":"ADMIN"}`).want(t, 403)
		h.consumer.do(t, "DELETE", fmt.Sprintf("%sapi_keys/%d/", own, key.number(t, "id")), "").want(t, 204)
		if dead := h.ask(t, "GET", own, secret, ""); dead.status != 401 || dead.at(t, "detail") == nil {
			t.Errorf("a dead key: %d %s", dead.status, dead.body)
		}
	})
}

func TestMemberships(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *models.DB) {
		h := openHarbour(t, db)
		user, err := h.market.CreateUser(t.Context(), market.Console(), "anna", adminPassword, false)
		if err != nil {
			t.Fatal(err)
		}
		const members = "/v1/account/team/memberships/"
		first := h.consumer.do(t, "POST", members, `{"user":"anna","role":"GENERAL"}`)
		first.want(t, 201)
		h.vmOwner.do(t, "POST", members, fmt.Sprintf(`{"user":%d,"role":"READ_ONLY"}`, user.ID)).want(t, 201)
		h.consumer.do(t, "POST", members, `{"user":"nobody","role":"GENERAL"}`).want(t, 400)
		h.consumer.do(t, "POST", members, `{"user":"anna","role":"KING"}`).want(t, 400)
		h.consumer.do(t, "POST", members, `{"role":"GENERAL"}`).want(t, 400)

		token := h.ask(t, "POST", "/api-token-auth/", "", `{"username":"anna","password":"`+adminPassword+`"}`)
		token.want(t, 200)
		h.ask(t, "POST", "/v1/api-token-auth/", "", `{"username":"anna","password":"wrong wrong wrong"}`).want(t, 401)
		h.ask(t, "POST", "/v1/api-token-auth", "", `{"username":"anna","Password":"x"}`).want(t, 400)
		anna := "Token " + token.text(t, "token")
		mine := h.ask(t, "GET", "/v1/account/user/memberships/", anna, "")
		if mine.number(t, "count") != 2 {
			t.Fatalf("memberships: %s", mine.body)
		}
		for i, method := range []string{"POST", "GET"} {
			row := mine.at(t, "results", itoa(i))
			h.ask(t, method, fmt.Sprintf("/v1/account/user/memberships/%v/activate/", at(row, "id")), anna, "").want(t, 200)
			if active := h.ask(t, "GET", "/v1/account/teams/", anna, ""); active.at(t, "results", "0", "name") != at(row, "team", "name") {
				t.Errorf("%s: %s is active", method, active.body)
			}
		}
		h.consumer.do(t, "GET", fmt.Sprintf("/v1/account/user/memberships/%d/activate/", first.number(t, "id")), "").want(t, 403)
		change := fmt.Sprintf("%s%d/", members, first.number(t, "id"))
		h.consumer.do(t, "PATCH", change, `{"role":"ADMIN"}`).want(t, 200)
		h.vmOwner.do(t, "PATCH", change, `{"role":"ADMIN"}`).want(t, 404)
		if listed := h.consumer.do(t, "GET", members, ""); listed.text(t, "results", "0", "user", "name") == "" {
			t.Errorf("members: %s", listed.body)
		}
		h.consumer.do(t, "DELETE", change, "").want(t, 204)
		h.consumer.do(t, "DELETE", change, "").want(t, 404)
	})
}

// Whoever shows nothing, or something wrong, is nobody.
func TestUnknown(t *testing.T) {
	t.Parallel()
	h := openHarbour(t, dbtest.Open(t))
	for _, authorization := range []string{"", "Api-Key", "Api-Key x", "Token x", "Bearer x", "Basic eDp5"} {
		got := h.ask(t, "GET", "/v1/orcabase/consumer/services/", authorization, "")
		if got.status != 401 || got.at(t, "detail") == nil {
			t.Errorf("%q: %d %s", authorization, got.status, got.body)
		}
	}
	for _, path := range []string{"/v1/nowhere/", "/v1/orcabase/consumer/services/x/", "/v1/orcabase/consumer/services/0/", "/v1/orcabase/nobody/services/", "/v1/ORCABASE/consumer/services/"} {
		if got := h.consumer.do(t, "GET", path, ""); got.status != 404 || got.body != `{"detail":"Not found."}` {
			t.Errorf("%s: %d %s", path, got.status, got.body)
		}
	}
}

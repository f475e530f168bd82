package market

import (
	"testing"
	"time"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
)

func TestA3_IssueToken(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		who := a.withPassword("anna", lanterns)
		blue := a.team("blue")
		a.join(who, blue, models.General)
		caller := visitor
		caller.Via = "api"
		_, err := a.IssueToken(t.Context(), caller, "anna", barrels)
		refused(t, err, fault.Unknown)
		token, err := a.IssueToken(t.Context(), caller, "anna", lanterns)
		ok(t, err)
		got, err := a.TokenActor(t.Context(), token, "192.0.2.7", "r7")
		want := Actor{UserID: who.UserID, UserName: "anna", TeamID: blue.ID, TeamName: "blue", Role: models.General, Via: "api", Address: "192.0.2.7", RequestID: "r7"}
		if err != nil || got != want {
			t.Errorf("TokenActor() = %+v, %v", got, err)
		}
		if entries := a.recorded("user_token.create"); len(entries) != 1 || entries[0].Actor != "anna" || entries[0].Via != "api" {
			t.Errorf("recorded %+v", entries)
		}
		a.nothingRecordedOf(token)
		tokens, err := a.UserTokens(t.Context(), who)
		if err != nil || len(tokens) != 1 || tokens[0].LastUsed == nil {
			t.Errorf("UserTokens() = %+v, %v", tokens, err)
		}
	})
}

func TestA3_TokensOfUsers(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		anna, berta := a.user("anna"), a.user("berta")
		past := models.Now().Add(-time.Hour)
		_, _, err := a.CreateUserToken(t.Context(), anna, "laptop", &past)
		refused(t, err, fault.Invalid, "expires")
		_, _, err = a.CreateUserToken(t.Context(), anna, "", nil)
		refused(t, err, fault.Invalid, "name")
		_, _, err = a.CreateUserToken(t.Context(), Actor{KeyID: 1, TeamID: 1, Role: models.Admin}, "laptop", nil)
		refused(t, err, fault.Forbidden)

		token, secret, err := a.CreateUserToken(t.Context(), anna, "laptop", nil)
		ok(t, err)
		got, err := a.TokenActor(t.Context(), secret, "", "")
		if err != nil || got.UserID != anna.UserID || got.TeamID != 0 {
			t.Errorf("TokenActor() = %+v, %v", got, err)
		}
		for _, text := range []string{"", token.Prefix, token.Prefix + "." + random(secretBytes)} {
			_, err := a.TokenActor(t.Context(), text, "", "")
			refused(t, err, fault.Unknown)
		}
		refused(t, a.RevokeUserToken(t.Context(), berta, token.ID), fault.NotFound)
		ok(t, a.RevokeUserToken(t.Context(), anna, token.ID))
		_, err = a.TokenActor(t.Context(), secret, "", "")
		refused(t, err, fault.Unknown)
		ok(t, a.RevokeUserToken(t.Context(), anna, token.ID))
		if n := len(a.recorded("user_token.revoke")); n != 1 {
			t.Errorf("%d entries, want 1", n)
		}
	})
}

func TestZ7_ActivateMembership(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue, red := a.team("blue"), a.team("red")
		inBlue, inRed := a.join(a.user("anna"), blue, models.Admin), Actor{}
		inRed = a.join(inBlue, red, models.ReadOnly)
		stranger := a.join(a.user("berta"), red, models.Admin)
		_, token, err := a.CreateUserToken(t.Context(), inBlue, "laptop", nil)
		ok(t, err)
		_, others, err := a.CreateUserToken(t.Context(), stranger, "laptop", nil)
		ok(t, err)

		refused(t, a.ActivateMembership(t.Context(), inBlue, a.membership(stranger), token), fault.NotFound)
		refused(t, a.ActivateMembership(t.Context(), inBlue, a.membership(inRed), others), fault.Unknown)
		refused(t, a.ActivateMembership(t.Context(), Actor{KeyID: 1, TeamID: red.ID, Role: models.Admin}, a.membership(inRed), token), fault.Forbidden)
		ok(t, a.ActivateMembership(t.Context(), inBlue, a.membership(inRed), token))
		got, err := a.TokenActor(t.Context(), token, "", "")
		if err != nil || got.TeamID != red.ID || got.Role != models.ReadOnly {
			t.Errorf("activated: %+v, %v", got, err)
		}
		ok(t, a.RemoveMember(t.Context(), stranger, a.membership(inRed)))
		got, err = a.TokenActor(t.Context(), token, "", "")
		if err != nil || got.TeamID != 0 || got.MayWrite() {
			t.Errorf("removed: %+v, %v", got, err)
		}
	})
}

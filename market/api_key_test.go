package market

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

func TestA3_KeysActForTheirTeam(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue := a.team("blue")
		admin := a.join(a.user("anna"), blue, models.Admin)
		for _, role := range models.Roles {
			key, secret, err := a.CreateAPIKey(t.Context(), admin, blue.ID, "pipeline", role, nil)
			ok(t, err)
			if !strings.HasPrefix(secret, key.Prefix+".") || bytes.Contains(key.Hash, []byte(secret)) || key.CreatedBy != "anna" {
				t.Errorf("CreateAPIKey() = %+v", key)
			}
			got, err := a.KeyActor(t.Context(), secret, "192.0.2.7", "r7")
			want := Actor{KeyID: key.ID, KeyName: "pipeline", TeamID: blue.ID, TeamName: "blue", Role: role, Via: "api", Address: "192.0.2.7", RequestID: "r7"}
			if err != nil || got != want {
				t.Errorf("KeyActor() = %+v, %v", got, err)
			}
			a.nothingRecordedOf(secret[prefixSize+1:])
		}
		keys, err := a.APIKeys(t.Context(), admin, blue.ID)
		if err != nil || len(keys) != 3 || keys[0].Role != models.ReadOnly || len(a.recorded("api_key.create")) != 3 {
			t.Errorf("APIKeys() = %+v, %v", keys, err)
		}
	})
}

func TestU5_BadKeysAreNobodys(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue := a.team("blue")
		key, secret, err := a.CreateAPIKey(t.Context(), Console(), blue.ID, "pipeline", models.General, nil)
		ok(t, err)
		forged := key.Prefix + "." + random(secretBytes)
		for _, text := range []string{"", "\x00", "Bearer", key.Prefix, forged, secret + "x"} {
			_, err := a.KeyActor(t.Context(), text, "", "")
			refused(t, err, fault.Unknown)
		}
		_, err = a.TokenActor(t.Context(), secret, "", "")
		refused(t, err, fault.Unknown)
		for _, change := range []map[string]any{{"expires": models.Now().Add(-time.Second)}, {"expires": models.Now().Add(time.Hour), "revoked": models.Now()}} {
			a.must(func(tx *gorm.DB) error {
				return tx.Model(&models.APIKey{}).Where("id = ?", key.ID).Updates(change).Error
			})
			_, err = a.KeyActor(t.Context(), secret, "", "")
			refused(t, err, fault.Unknown)
		}
	})
}

func TestU5_LastUseIsWrittenEveryFiveMinutes(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue := a.team("blue")
		key, secret, err := a.CreateAPIKey(t.Context(), Console(), blue.ID, "pipeline", models.General, nil)
		ok(t, err)
		used := func() time.Time {
			_, err := a.KeyActor(t.Context(), secret, "", "")
			ok(t, err)
			key, err := models.APIKeyByID(a.read(t.Context()), blue.ID, key.ID)
			if err != nil || key.LastUsed == nil {
				t.Fatalf("after its use: %+v, %v", key, err)
			}
			return *key.LastUsed
		}
		first := used()
		if again := used(); !again.Equal(first) {
			t.Error("written twice within five minutes")
		}
		old := models.Now().Add(-6 * time.Minute)
		a.must(func(tx *gorm.DB) error {
			return tx.Model(&models.APIKey{}).Where("id = ?", key.ID).Update("last_used", old).Error
		})
		if later := used(); later.Equal(old) {
			t.Error("not written six minutes later")
		}
	})
}

func TestU5_RevokedKeysEndAtOnce(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue, red := a.team("blue"), a.team("red")
		admin := a.join(a.user("anna"), blue, models.Admin)
		a.join(admin, red, models.Admin)
		key, secret, err := a.CreateAPIKey(t.Context(), admin, blue.ID, "pipeline", models.Admin, nil)
		ok(t, err)
		refused(t, a.RevokeAPIKey(t.Context(), admin, red.ID, key.ID), fault.NotFound)
		ok(t, a.RevokeAPIKey(t.Context(), admin, blue.ID, key.ID))
		_, err = a.KeyActor(t.Context(), secret, "", "")
		refused(t, err, fault.Unknown)
		ok(t, a.RevokeAPIKey(t.Context(), admin, blue.ID, key.ID))
		if entries := a.recorded("api_key.revoke"); len(entries) != 1 || *entries[0].TeamID != blue.ID {
			t.Errorf("recorded %+v", entries)
		}
	})
}

func TestA1_WhoMayManageKeys(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue, red := a.team("blue"), a.team("red")
		_, secret, err := a.CreateAPIKey(t.Context(), Console(), blue.ID, "automation", models.Admin, nil)
		ok(t, err)
		ownKey, err := a.KeyActor(t.Context(), secret, "", "")
		ok(t, err)
		demoted := a.join(a.user("dora"), blue, models.General)
		demoted.Role = models.Admin
		for name, tc := range map[string]struct {
			who  Actor
			want fault.Kind
		}{
			"admin":                    {a.join(a.user("anna"), blue, models.Admin), ""},
			"general":                  {a.join(a.user("berta"), blue, models.General), fault.Forbidden},
			"read only":                {a.join(a.user("carla"), blue, models.ReadOnly), fault.Forbidden},
			"admin a moment ago":       {demoted, fault.Forbidden},
			"admin of another team":    {a.join(a.user("emma"), red, models.Admin), fault.NotFound},
			"admin, active for others": {a.join(a.join(a.user("frida"), blue, models.Admin), red, models.ReadOnly), ""},
			"own key":                  {ownKey, ""},
			"key of another team":      {Actor{KeyID: 99, KeyName: "x", TeamID: red.ID, Role: models.Admin}, fault.NotFound},
			"general key":              {Actor{KeyID: 99, KeyName: "x", TeamID: blue.ID, Role: models.General}, fault.Forbidden},
			"platform admin":           {a.platformAdmin("petra"), ""},
			"nobody":                   {Actor{}, fault.NotFound},
		} {
			key, _, err := a.CreateAPIKey(t.Context(), tc.who, blue.ID, "k", models.ReadOnly, nil)
			_, listing := a.APIKeys(t.Context(), tc.who, blue.ID)
			revoking := a.RevokeAPIKey(t.Context(), tc.who, blue.ID, max(key.ID, 1))
			for action, err := range map[string]error{"create": err, "list": listing, "revoke": revoking} {
				if tc.want == "" && err != nil || tc.want != "" && !fault.Is(err, tc.want) {
					t.Errorf("%s: %s: %v, want %q", name, action, err, tc.want)
				}
			}
		}
		_, _, err = a.CreateAPIKey(t.Context(), Console(), 4711, "k", models.ReadOnly, nil)
		refused(t, err, fault.NotFound)
	})
}

func TestU5_ExpiryOfKeys(t *testing.T) {
	t.Parallel()
	now := models.Now()
	in := func(years, days int) *time.Time { at := now.AddDate(years, 0, days); return &at }
	far := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	boss := Actor{PlatformAdmin: true}
	for name, tc := range map[string]struct {
		who    Actor
		wanted *time.Time
		good   bool
	}{
		"none":                       {Actor{}, nil, true},
		"two years":                  {Actor{}, in(2, 0), true},
		"more than two years":        {Actor{}, in(2, 2), false},
		"a platform admin's choice":  {boss, in(5, 0), true},
		"beyond what databases keep": {boss, &far, false},
		"the past":                   {boss, in(0, -1), false},
	} {
		until, err := expiry(tc.who, tc.wanted)
		if (err == nil) != tc.good {
			t.Errorf("%s: %v, %v", name, until, err)
		}
		if tc.good && tc.wanted != nil && !until.Equal(*tc.wanted) {
			t.Errorf("%s: until %v, want %v", name, until, *tc.wanted)
		}
	}
	if until, _ := expiry(Actor{}, nil); until.Before(now.AddDate(1, 0, 0)) || until.After(now.AddDate(1, 0, 1)) {
		t.Errorf("by default until %v, want one year", until)
	}
}

func TestA3_BadInputOfKeys(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue := a.team("blue")
		past := models.Now().Add(-time.Hour)
		_, _, err := a.CreateAPIKey(t.Context(), Console(), blue.ID, "", models.Admin, nil)
		refused(t, err, fault.Invalid, "name")
		_, _, err = a.CreateAPIKey(t.Context(), Console(), blue.ID, "k", "OWNER", nil)
		refused(t, err, fault.Invalid, "role")
		_, _, err = a.CreateAPIKey(t.Context(), Console(), blue.ID, "k", models.Admin, &past)
		refused(t, err, fault.Invalid, "expires")
	})
}

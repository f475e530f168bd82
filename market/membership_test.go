package market

import (
	"testing"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

func TestA1_OnlyAdminsChangeMembers(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue, red := a.team("blue"), a.team("red")
		admin := a.join(a.user("anna"), blue, models.Admin)
		a.user("zoe")
		target := a.membership(a.join(a.user("tina"), blue, models.General))
		foreign := a.membership(a.join(a.user("fanny"), red, models.General))
		demoted := a.join(a.user("dora"), blue, models.General)
		demoted.Role = models.Admin
		for name, tc := range map[string]struct {
			who  Actor
			want fault.Kind
		}{
			"general":               {a.join(a.user("berta"), blue, models.General), fault.Forbidden},
			"read only":             {a.join(a.user("carla"), blue, models.ReadOnly), fault.Forbidden},
			"admin a moment ago":    {demoted, fault.Forbidden},
			"general key":           {Actor{KeyID: 9, TeamID: blue.ID, Role: models.General}, fault.Forbidden},
			"platform admin":        {a.platformAdmin("petra"), fault.NotFound},
			"admin of another team": {a.join(a.user("emma"), red, models.Admin), fault.NotFound},
		} {
			_, adding := a.AddMember(t.Context(), tc.who, Person{Name: "zoe"}, models.Admin)
			_, changing := a.ChangeMember(t.Context(), tc.who, target, models.ReadOnly)
			removing := a.RemoveMember(t.Context(), tc.who, target)
			if tc.who.TeamID == red.ID {
				adding = changing
			}
			for action, err := range map[string]error{"add": adding, "change": changing, "remove": removing} {
				if !fault.Is(err, tc.want) {
					t.Errorf("%s: %s: %v, want %s", name, action, err, tc.want)
				}
			}
		}
		_, err := a.ChangeMember(t.Context(), admin, foreign, models.ReadOnly)
		refused(t, err, fault.NotFound)
		refused(t, a.RemoveMember(t.Context(), admin, foreign), fault.NotFound)
	})
}

func TestA1_AddChangeRemoveMembers(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue := a.team("blue")
		admin := a.join(a.user("anna"), blue, models.Admin)
		berta, carla := a.user("berta"), a.user("carla")
		added, err := a.AddMember(t.Context(), admin, Person{Name: "berta"}, models.General)
		if err != nil || added.UserName != "berta" || added.TeamName != "blue" || added.Role != models.General {
			t.Errorf("AddMember() = %+v, %v", added, err)
		}
		key := Actor{KeyID: 9, KeyName: "iac", TeamID: blue.ID, Role: models.Admin}
		_, err = a.AddMember(t.Context(), key, Person{ID: carla.UserID}, models.ReadOnly)
		ok(t, err)
		_, err = a.AddMember(t.Context(), admin, Person{ID: berta.UserID}, models.Admin)
		refused(t, err, fault.Conflict, "user")
		for _, person := range []Person{{}, {Name: "nobody"}, {ID: 4711}, {Name: "a\x00"}} {
			_, err = a.AddMember(t.Context(), admin, person, models.General)
			refused(t, err, fault.Invalid, "user")
		}
		_, err = a.AddMember(t.Context(), admin, Person{Name: "berta"}, "OWNER")
		refused(t, err, fault.Invalid, "role")
		_, err = a.ChangeMember(t.Context(), admin, added.ID, "OWNER")
		refused(t, err, fault.Invalid, "role")

		changed, err := a.ChangeMember(t.Context(), admin, added.ID, models.ReadOnly)
		if err != nil || changed.Role != models.ReadOnly {
			t.Errorf("ChangeMember() = %+v, %v", changed, err)
		}
		_, err = a.ChangeMember(t.Context(), admin, added.ID, models.ReadOnly)
		ok(t, err)
		ok(t, a.RemoveMember(t.Context(), admin, added.ID))
		refused(t, a.RemoveMember(t.Context(), admin, added.ID), fault.NotFound)
		members, err := a.Members(t.Context(), carla)
		if err != nil || len(members) != 0 {
			t.Errorf("Members() of no team = %+v, %v", members, err)
		}
		members, err = a.Members(t.Context(), admin)
		if err != nil || len(members) != 2 || members[1].UserName != "carla" {
			t.Errorf("Members() = %+v, %v", members, err)
		}
		mine, err := a.Memberships(t.Context(), carla)
		if err != nil || len(mine) != 1 || mine[0].TeamName != "blue" {
			t.Errorf("Memberships() = %+v, %v", mine, err)
		}
		if c, d := len(a.recorded("membership.change")), len(a.recorded("membership.delete")); c != 1 || d != 1 {
			t.Errorf("%d changes and %d removals recorded, want 1 each", c, d)
		}
	})
}

func TestA4_LastAdminStays(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue := a.team("blue")
		anna := a.join(a.user("anna"), blue, models.Admin)
		disabled := a.join(a.user("berta"), blue, models.Admin)
		a.platformAdmin("petra")
		ok(t, a.DisableUser(t.Context(), Console(), disabled.UserID))
		key := Actor{KeyID: 9, TeamID: blue.ID, Role: models.Admin}
		for _, who := range []Actor{anna, key} {
			_, err := a.ChangeMember(t.Context(), who, a.membership(anna), models.General)
			refused(t, err, fault.Conflict)
			refused(t, a.RemoveMember(t.Context(), who, a.membership(anna)), fault.Conflict)
		}
		if m := a.recorded("membership.change"); len(m) != 0 || a.membership(anna) == 0 {
			t.Error("a refused change left something behind")
		}
		a.join(a.user("carla"), blue, models.Admin)
		ok(t, a.RemoveMember(t.Context(), anna, a.membership(anna)))
	})
}

func TestA4_ParallelDemotionsLeaveAnAdmin(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue := a.team("blue")
		key := Actor{KeyID: 9, KeyName: "iac", TeamID: blue.ID, Role: models.Admin}
		var ids []int64
		for _, name := range []string{"anna", "berta", "carla", "dora"} {
			ids = append(ids, a.membership(a.join(a.user(name), blue, models.Admin)))
		}
		errs := atOnce(len(ids), func(i int) error {
			if i%2 == 0 {
				return a.RemoveMember(t.Context(), key, ids[i])
			}
			_, err := a.ChangeMember(t.Context(), key, ids[i], models.General)
			return err
		})
		if len(errs) != 1 {
			t.Fatalf("%d of 4 demotions were refused, want 1: %v", len(errs), errs)
		}
		refused(t, errs[0], fault.Conflict)
		if n, err := models.CountAdmins(a.read(t.Context()), blue.ID); n != 1 || err != nil {
			t.Errorf("%d admins left, %v", n, err)
		}
	})
}

func TestA4_DemotionsOfATeamQueue(t *testing.T) {
	eachAccounts(t, func(t *testing.T, a accounts) {
		blue := a.team("blue")
		anna, berta := a.join(a.user("anna"), blue, models.Admin), a.join(a.user("berta"), blue, models.Admin)
		key := Actor{KeyID: 9, KeyName: "iac", TeamID: blue.ID, Role: models.Admin}
		id := a.membership(berta)
		err := a.queued(func(tx *gorm.DB) error {
			if _, err := models.LockTeam(tx, blue.ID); err != nil {
				return err
			}
			return tx.Model(&models.Membership{}).Where("user_id = ?", anna.UserID).Update("role", models.General).Error
		}, func() error { return a.RemoveMember(t.Context(), key, id) })
		refused(t, err, fault.Conflict)
	})
}

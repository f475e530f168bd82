package market

import (
	"context"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"gorm.io/gorm"
)

// Person names a user by id or by name.
type Person struct {
	ID   int64
	Name string
}

func (p Person) find(tx *gorm.DB) (user models.User, err error) {
	if p.ID != 0 {
		user, err = models.UserByID(tx, p.ID)
	} else if err = checkName("user", p.Name); err == nil {
		user, err = models.UserByName(tx, p.Name)
	}
	if fault.Is(err, fault.NotFound) {
		err = fault.Field("user", "There is no such user.")
	}
	return user, err
}

// Members lists who belongs to the actor's team, by name.
func (m *Market) Members(ctx context.Context, who Actor) ([]models.Member, error) {
	return models.MembersOf(m.read(ctx), who.TeamID)
}

// Memberships lists the teams that the acting user belongs to, by name; a key has none.
func (m *Market) Memberships(ctx context.Context, who Actor) ([]models.Member, error) {
	return models.MembershipsOf(m.read(ctx), who.UserID)
}

// AddMember makes a user a member of the actor's team.
func (m *Market) AddMember(ctx context.Context, who Actor, person Person, role models.Role) (member models.Member, err error) {
	if err := checkRole(role); err != nil {
		return member, err
	}
	err = m.changeMembers(ctx, who, func(tx *gorm.DB, who Actor) error {
		user, err := person.find(tx)
		if err != nil {
			return err
		}
		id, err := addMember(tx, who, user, role)
		if err != nil {
			return err
		}
		member, err = models.MemberByID(tx, who.TeamID, id)
		return err
	})
	return member, err
}

// changeMembers runs do while nobody else can change the members of the team,
// if the actor is an admin of it even then.
func (m *Market) changeMembers(ctx context.Context, who Actor, do func(tx *gorm.DB, who Actor) error) error {
	return m.write(ctx, who, func(tx *gorm.DB) error {
		if _, err := models.LockTeam(tx, who.TeamID); err != nil {
			return err
		}
		who, err := acting(tx, who, who.TeamID)
		if err != nil {
			return err
		}
		if err := who.mustAdmin(); err != nil {
			return err
		}
		return do(tx, who)
	})
}

// addMember keeps a new membership of the team that the actor is changing.
func addMember(tx *gorm.DB, who Actor, user models.User, role models.Role) (int64, error) {
	now := models.Now()
	membership := models.Membership{UserID: user.ID, TeamID: who.TeamID, Role: role, Created: now, Modified: now}
	if err := tx.Create(&membership).Error; err != nil {
		if models.IsUnique(err, "memberships_user_id_team_id_key") {
			err = taken("user", "This user is a member of the team already.")
		}
		return 0, err
	}
	return membership.ID, record(tx, who, "membership.create", object("membership", membership.ID), user.Name+", "+string(role))
}

// ChangeMember gives a member of the actor's team another role; the last admin stays one.
func (m *Market) ChangeMember(ctx context.Context, who Actor, id int64, role models.Role) (member models.Member, err error) {
	if err := checkRole(role); err != nil {
		return member, err
	}
	err = m.changeMembers(ctx, who, func(tx *gorm.DB, who Actor) error {
		if member, err = models.MemberByID(tx, who.TeamID, id); err != nil || member.Role == role {
			return err
		}
		changed := tx.Model(&models.Membership{}).Where("id = ?", id).
			Updates(map[string]any{"role": role, "modified": models.Now()})
		if changed.Error != nil {
			return changed.Error
		}
		if err := mustKeepAdmin(tx, who.TeamID, member.Role); err != nil {
			return err
		}
		summary := member.UserName + ", " + string(member.Role) + " to " + string(role)
		if err := record(tx, who, "membership.change", object("membership", id), summary); err != nil {
			return err
		}
		member, err = models.MemberByID(tx, who.TeamID, id)
		return err
	})
	return member, err
}

// RemoveMember takes a member out of the actor's team; the last admin stays.
func (m *Market) RemoveMember(ctx context.Context, who Actor, id int64) error {
	return m.changeMembers(ctx, who, func(tx *gorm.DB, who Actor) error {
		member, err := models.MemberByID(tx, who.TeamID, id)
		if err != nil {
			return err
		}
		if err := tx.Where("id = ?", id).Delete(&models.Membership{}).Error; err != nil {
			return err
		}
		if err := mustKeepAdmin(tx, who.TeamID, member.Role); err != nil {
			return err
		}
		return record(tx, who, "membership.delete", object("membership", id), member.UserName+", "+string(member.Role))
	})
}

// mustKeepAdmin refuses what left a team without an admin who can sign in (marketplace A4).
func mustKeepAdmin(tx *gorm.DB, team int64, was models.Role) error {
	if was != models.Admin {
		return nil
	}
	admins, err := models.CountAdmins(tx, team)
	if err == nil && admins == 0 {
		return &fault.Error{Kind: fault.Conflict, Code: "last_admin",
			Text: "This is the last admin of the team. Make somebody else an admin first."}
	}
	return err
}

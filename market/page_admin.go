package market

import (
	"context"
	"slices"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
)

// UserTeams lists the memberships of these users by user, for platform admins.
func (m *Market) UserTeams(ctx context.Context, who Actor, users []models.User) (map[int64][]models.Member, error) {
	if err := who.mustPlatformAdmin(); err != nil {
		return nil, err
	}
	ids := make([]int64, len(users))
	for i, user := range users {
		ids[i] = user.ID
	}
	memberships, err := models.MembershipsOfUsers(m.read(ctx), ids)
	found := map[int64][]models.Member{}
	for _, membership := range memberships {
		found[membership.UserID] = append(found[membership.UserID], membership)
	}
	return found, err
}

// TeamSizes counts the members of these teams, and tells which of the teams
// have no admin, for platform admins.
func (m *Market) TeamSizes(ctx context.Context, who Actor, teams []models.Team) (members map[int64]int64, orphan map[int64]bool, err error) {
	if err := who.mustPlatformAdmin(); err != nil {
		return nil, nil, err
	}
	ids := make([]int64, len(teams))
	for i, team := range teams {
		ids[i] = team.ID
	}
	if members, err = models.CountMembers(m.read(ctx), ids); err != nil {
		return nil, nil, err
	}
	without, err := models.TeamsWithoutAdmin(m.read(ctx))
	orphan = map[int64]bool{}
	for _, team := range without {
		orphan[team.ID] = slices.Contains(ids, team.ID)
	}
	return members, orphan, err
}

// UserNamed finds the id of a user by exact name, for platform admins; nil
// stands for no name.
func (m *Market) UserNamed(ctx context.Context, who Actor, field, name string) (*int64, error) {
	if err := who.mustPlatformAdmin(); err != nil || name == "" {
		return nil, err
	}
	user, err := models.UserByName(m.read(ctx), name)
	if fault.Is(err, fault.NotFound) {
		return nil, fault.Field(field, "There is no such user.")
	}
	return &user.ID, err
}

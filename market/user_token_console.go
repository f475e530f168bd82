package market

import (
	"context"

	"github.com/portolan/portolan/models"
)

// TokenFor makes an API token of a user for the command line and returns its secret.
func (m *Market) TokenFor(ctx context.Context, who Actor, userName string) (string, error) {
	if err := who.mustPlatformAdmin(); err != nil {
		return "", err
	}
	user, err := models.UserByName(m.read(ctx), userName)
	if err != nil {
		return "", err
	}
	_, secret, err := m.CreateUserToken(ctx, Actor{UserID: user.ID, UserName: user.Name, Via: who.Via}, "command line", nil)
	return secret, err
}

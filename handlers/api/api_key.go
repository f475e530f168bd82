package api

import (
	"github.com/gofiber/fiber/v2"
	"github.com/portolan/portolan/models"
)

// APIKey is a key of a team, without the key itself.
type APIKey struct {
	ID        int64       `json:"id"`
	Name      string      `json:"name"`
	Prefix    string      `json:"prefix" doc:"The readable beginning of the key."`
	Role      models.Role `json:"role" enum:"ADMIN,GENERAL,READ_ONLY"`
	CreatedBy string      `json:"created_by"`
	Created   Moment      `json:"created"`
	Expires   Moment      `json:"expires"`
	LastUsed  *Moment     `json:"last_used"`
	Revoked   *Moment     `json:"revoked"`
}

// FreshAPIKey is a key with its secret, which no other answer holds.
type FreshAPIKey struct {
	APIKey
	Key string `json:"key"`
}

// NewAPIKey is the body that makes a key.
type NewAPIKey struct {
	Name    string      `json:"name"`
	Role    models.Role `json:"role" enum:"ADMIN,GENERAL,READ_ONLY"`
	Expires *string     `json:"expires,omitempty" format:"date-time" doc:"One year from now if left out."`
}

func apiKeyOf(k models.APIKey) APIKey {
	return APIKey{
		ID: k.ID, Name: k.Name, Prefix: k.Prefix, Role: k.Role, CreatedBy: k.CreatedBy, Created: Moment(k.Created),
		Expires: Moment(k.Expires), LastUsed: someMoment(k.LastUsed), Revoked: someMoment(k.Revoked),
	}
}

func (a API) listAPIKeys(c *fiber.Ctx) error {
	team, err := id(c, "id")
	if err != nil {
		return err
	}
	l, err := list(c, nil)
	if err != nil {
		return err
	}
	keys, err := a.Market.APIKeys(c.UserContext(), actor(c), team)
	if err != nil {
		return err
	}
	return answerCut(a, c, l, each(keys, apiKeyOf))
}

func (a API) createAPIKey(c *fiber.Ctx) error {
	team, err := id(c, "id")
	if err != nil {
		return err
	}
	b, err := readBody(c)
	if err != nil {
		return err
	}
	name, role, expires := b.text("name"), b.text("role"), b.moment("expires")
	if err := b.doneAll(); err != nil {
		return err
	}
	key, secret, err := a.Market.CreateAPIKey(c.UserContext(), actor(c), team, textOr(name), models.Role(textOr(role)), expires)
	if err != nil {
		return err
	}
	if err := keepInstead(c, apiKeyOf(key)); err != nil {
		return err
	}
	return answer(c, fiber.StatusCreated, FreshAPIKey{apiKeyOf(key), secret})
}

func (a API) revokeAPIKey(c *fiber.Ctx) error {
	team, err := id(c, "id")
	if err != nil {
		return err
	}
	key, err := id(c, "key")
	if err != nil {
		return err
	}
	if err := a.Market.RevokeAPIKey(c.UserContext(), actor(c), team, key); err != nil {
		return err
	}
	return noContent(c)
}

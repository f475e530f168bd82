package api

import "github.com/gofiber/fiber/v2"

// Credentials is the body that asks for a token.
type Credentials struct {
	Username string `json:"username"`
	Password string `json:"password"`
}

// Token is a user's token for the API.
type Token struct {
	Token string `json:"token"`
}

// issueToken gives a token to a user who knows the password. It takes no
// idempotency key: its answer must not be kept.
func (a API) issueToken(c *fiber.Ctx) error {
	b, err := readBody(c)
	if err != nil {
		return err
	}
	name, password := b.text("username"), b.text("password")
	if err := b.doneAll(); err != nil {
		return err
	}
	token, err := a.Market.IssueToken(c.UserContext(), actor(c), textOr(name), textOr(password))
	if err != nil {
		return err
	}
	return answer(c, fiber.StatusOK, Token{token})
}

package main

import (
	"fmt"

	"github.com/portolan/portolan/market"
)

type tokenCommand struct {
	Create tokenCreateCommand `cmd:"" help:"Make an API token and print nothing else."`
}

type tokenCreateCommand struct {
	User string `required:"" help:"Name of the user whom the token acts for."`
}

// Run makes a token of a user for the API.
func (t *tokenCreateCommand) Run(c *console) error {
	db, err := c.open(c.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	secret, err := market.New(db, c.log).TokenFor(c, market.Console(), t.User)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, secret)
	return nil
}

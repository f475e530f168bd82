package main

import (
	"bufio"
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/portolan/portolan/market"
)

type userCommand struct {
	Create userCreateCommand `cmd:"" help:"Make a user."`
}

type userCreateCommand struct {
	Name          string `arg:"" help:"Name to sign in with."`
	Admin         bool   `help:"Make the user a platform admin."`
	PasswordStdin bool   `help:"Read the password from the first line of standard input; without it one is made and printed."`
}

// Run makes a user.
func (u *userCreateCommand) Run(c *console) error {
	password, made := rand.Text(), true
	if u.PasswordStdin {
		line, err := bufio.NewReader(c.in).ReadString('\n')
		if err != nil && line == "" {
			return fmt.Errorf("no password on standard input")
		}
		password, made = strings.TrimRight(line, "\r\n"), false
	}
	db, err := c.open(c.Database)
	if err != nil {
		return err
	}
	defer db.Close()
	user, err := market.New(db, c.log).CreateUser(c, market.Console(), u.Name, password, u.Admin)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "Made the user %s.\n", user.Name)
	if made {
		fmt.Fprintf(c.out, "Password: %s\n", password)
	}
	return nil
}

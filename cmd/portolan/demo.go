package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/portolan/portolan/market"
)

type demoCommand struct {
	Password string `help:"Password of all example people; made up when empty." env:"PORTOLAN_DEMO_PASSWORD"`
	Data     string `help:"Folder to keep the demo's database in; without it the database goes when the demo ends." type:"path"`
}

// Run serves example teams, services and people on a new embedded database.
func (d *demoCommand) Run(c *console) error {
	folder, err := d.folder()
	if err != nil {
		return err
	}
	if d.Data == "" {
		defer os.RemoveAll(folder)
	}
	db, err := c.open("sqlite:" + filepath.Join(folder, "demo.db"))
	if err != nil {
		return err
	}
	defer db.Close()

	m := market.New(db, c.log)
	fresh, err := m.NeedsSetUp(c)
	if err != nil {
		return err
	}
	if !fresh {
		return c.serve(m, 0, func(base string) { fmt.Fprintf(c.out, "The demo goes on at %s\n", base) })
	}
	if d.Password == "" {
		d.Password = rand.Text()
	}
	world, err := playStory(c, m, d.Password)
	if err != nil {
		return fmt.Errorf("the demo's story does not play: %w", err)
	}
	return c.serve(m, 0, func(base string) { d.welcome(c, base, world) })
}

func (d *demoCommand) folder() (string, error) {
	if d.Data == "" {
		return os.MkdirTemp("", "portolan-demo-")
	}
	return d.Data, os.MkdirAll(d.Data, 0o700)
}

// welcome prints where the demo is and who can sign in.
func (d *demoCommand) welcome(c *console, base string, people []person) {
	fmt.Fprintf(c.out, "\nPortolan's demo is at %s\n\nSign in as any of these people. All have the password %s\n\n", base, d.Password)
	table := tabwriter.NewWriter(c.out, 2, 2, 2, ' ', 0)
	for _, p := range people {
		fmt.Fprintf(table, "  %s\t%s\t%s\n", p.name, p.says(), p.tip)
	}
	if err := errors.Join(table.Flush()); err != nil {
		c.log.Error("cannot print the welcome", "error", err)
	}
	fmt.Fprintln(c.out, "\nStop it with Ctrl-C.")
}

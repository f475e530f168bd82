package main

import "fmt"

type migrateCommand struct{}

// Run brings the database to the schema of this version.
func (migrateCommand) Run(c *console) error {
	db, err := c.open(c.Database)
	if err != nil {
		return err
	}
	fmt.Fprintln(c.out, "The database has the schema of this version.")
	return db.Close()
}

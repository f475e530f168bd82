package main

import (
	"fmt"
	"runtime/debug"
)

// release is the version of the program; a release build sets it.
var release = "dev"

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(c *console) error {
	_, err := fmt.Fprintln(c.out, version())
	return err
}

// version says which build this is, with the commit where it is known.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" {
			return fmt.Sprintf("%s (%.12s)", release, setting.Value)
		}
	}
	return release
}

// Package e2e holds the tests that use the portal as people do: in a browser,
// against the program itself. It imports nothing of the portal.
package e2e

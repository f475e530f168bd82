// Package portolan is the root of the portal's repository; the program is in
// cmd/portolan and the map in docs/architecture.md.
package portolan

// Command cluster runs a command beside a PostgreSQL server that all test
// processes share: go run ./models/dbtest/cluster -- go test ./...
// With --durable first, the server keeps what it was told, for measuring.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"github.com/portolan/portolan/models/dbtest"
)

func main() { os.Exit(run(os.Args[1:])) }

// run starts the server, runs the command and returns its exit code.
func run(args []string) int {
	settings := dbtest.Forgetful
	if len(args) > 0 && args[0] == "--durable" {
		settings, args = dbtest.Durable, args[1:]
	}
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "usage: cluster -- COMMAND ARGUMENTS…")
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	cluster, err := dbtest.StartCluster(settings)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer cluster.Stop()

	command := exec.CommandContext(ctx, args[0], args[1:]...)
	command.Cancel = func() error { return command.Process.Signal(syscall.SIGTERM) }
	command.Env = append(os.Environ(), dbtest.Variable+"="+cluster.URL)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err = command.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return command.ProcessState.ExitCode() & 0xff
}

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
)

const password = "seven owls count the tides"

// startDemo builds and starts the demo; it returns its address and what stops it.
func startDemo(ctx context.Context) (address string, stop func(), err error) {
	folder, err := os.MkdirTemp("", "portolan-shots-")
	if err != nil {
		return "", nil, err
	}
	program := filepath.Join(folder, "portolan")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/portolan").CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("the program does not build: %w\n%s", err, out)
	}
	demo := exec.CommandContext(ctx, program, "demo", "--listen", "127.0.0.1:0", "--log", "json")
	demo.Env = append(os.Environ(), "PORTOLAN_DEMO_PASSWORD="+password)
	said, err := demo.StderrPipe()
	if err != nil {
		return "", nil, err
	}
	if err := demo.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		demo.Process.Signal(syscall.SIGTERM)
		demo.Wait()
		os.RemoveAll(folder)
	}
	lines := bufio.NewScanner(said)
	for lines.Scan() {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving" {
			go discard(lines)
			return line.Address, stop, nil
		}
	}
	stop()
	return "", nil, fmt.Errorf("the demo does not start")
}

func discard(lines *bufio.Scanner) {
	for lines.Scan() {
	}
}

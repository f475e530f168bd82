package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

// What all tests share: the program and one browser. Without Chromium the
// browser is nil.
var (
	program string
	browser context.Context
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	folder, err := os.MkdirTemp("", "portolan-e2e-")
	if err != nil {
		return complain(err)
	}
	defer os.RemoveAll(folder)
	if program, err = build(folder); err != nil {
		return complain(err)
	}
	closeBrowser, err := openBrowser()
	if err != nil {
		return complain(err)
	}
	defer closeBrowser()
	defer sharedDemo.stop()
	return m.Run()
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// build makes the program the tests use.
func build(folder string) (string, error) {
	file := filepath.Join(folder, "portolan")
	command := exec.Command("go", "build", "-o", file, "./cmd/portolan")
	command.Dir = ".."
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the program does not build: %w\n%s", err, out)
	}
	return file, nil
}

// openBrowser starts the browser whose tabs the tests use.
func openBrowser() (func(), error) {
	if !chromiumIsHere() {
		if os.Getenv("CI") != "" {
			return nil, errors.New("there is no Chromium, and in CI the browser's tests must run (apt-get install chromium)")
		}
		fmt.Fprintln(os.Stderr, "THERE IS NO CHROMIUM: the browser's tests are skipped (apt-get install chromium)")
		return func() {}, nil
	}
	off := func(name string) chromedp.ExecAllocatorOption { return chromedp.Flag(name, true) }
	allocator, stop := chromedp.NewExecAllocator(context.Background(), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, off("disable-quic"), off("disable-background-networking"),
		off("disable-component-update"), off("disable-sync"), off("disable-dev-shm-usage"), off("disable-renderer-backgrounding"))
	ctx, closeAll := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		stop()
		return nil, fmt.Errorf("Chromium does not start: %w", err)
	}
	browser = ctx
	return func() { closeAll(); stop() }, nil
}

func chromiumIsHere() bool {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if _, err := exec.LookPath(name); err == nil {
			return true
		}
	}
	return false
}

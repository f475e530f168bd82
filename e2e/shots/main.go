// Command shots takes screenshots of the demo's main pages:
// go run ./e2e/shots FOLDER, from the root of the repository.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/chromedp/chromedp"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: shots FOLDER")
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := take(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// take starts the demo, takes every shot and stops the demo.
func take(ctx context.Context, folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	address, stop, err := startDemo(ctx)
	if err != nil {
		return err
	}
	defer stop()
	allocator, cancel := chromedp.NewExecAllocator(ctx, chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("hide-scrollbars", true))
	defer cancel()
	chrome, closeAll := chromedp.NewContext(allocator)
	defer closeAll()
	if err := chromedp.Do(chrome); err != nil {
		return err
	}
	for _, sitting := range sittings {
		if err := sitting.take(chrome, address, folder); err != nil {
			return err
		}
	}
	return nil
}

// sitting is one person before the camera.
type sitting struct {
	user  string // nobody is signed in where empty
	shots []shot
}

// shot is one picture.
type shot struct {
	name string
	path string
	link string // the first link of the page that begins so is followed
	tab  string // replaces the last part of that address, such as /overview
	do   []chromedp.Action[chromedp.Void]
	dark bool
	slim bool // 320 pixels wide
}

func (s sitting) take(chrome context.Context, address, folder string) error {
	tab, cancel := chromedp.NewContext(chrome, chromedp.WithNewBrowserContext())
	defer cancel()
	if err := chromedp.Do(tab); err != nil {
		return err
	}
	if s.user != "" {
		if err := signIn(tab, address, s.user); err != nil {
			return fmt.Errorf("%s cannot sign in: %w", s.user, err)
		}
	}
	for _, shot := range s.shots {
		picture, err := shot.take(tab, address)
		if err != nil {
			return fmt.Errorf("%s: %w", shot.name, err)
		}
		if err := os.WriteFile(filepath.Join(folder, shot.name+".png"), picture, 0o644); err != nil {
			return err
		}
	}
	return nil
}

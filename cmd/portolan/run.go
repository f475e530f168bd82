package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/alecthomas/kong"
	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/web"
)

// console is what a command works with: its context, its streams and the configuration.
type console struct {
	context.Context
	*config
	in       io.Reader
	out, err io.Writer
	log      *slog.Logger
}

// run does what the command line says and returns the exit code: 0 done, 1
// failed, 2 called wrongly.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) int {
	var cfg config
	exit := -1
	parser, err := kong.New(&cfg, kong.Name("portolan"), kong.Description("An open, self-hosted service portal."),
		kong.Writers(out, errs), kong.Exit(func(code int) { exit = code }), kong.ConfigureHelp(kong.HelpOptions{Compact: true}))
	if err != nil {
		fmt.Fprintln(errs, err)
		return 1
	}
	chosen, err := parser.Parse(args)
	if exit >= 0 { // --help has been printed
		return exit
	}
	if err != nil {
		fmt.Fprintf(errs, "portolan: %s\nRun portolan --help to see how it is called.\n", err)
		return 2
	}
	c := &console{Context: ctx, config: &cfg, in: in, out: out, err: errs, log: newLog(cfg.Log, errs)}
	if err := chosen.Run(c); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintf(errs, "portolan: %s\n", sentence(err))
		return 1
	}
	return 0
}

// sentence says what people can do about an error.
func sentence(err error) string {
	if expected := fault.Of(err); expected != nil {
		return expected.Text
	}
	return err.Error()
}

// newLog writes JSON for machines and text for a person at a terminal.
func newLog(form string, w io.Writer) *slog.Logger {
	file, isFile := w.(*os.File)
	if form == "auto" && isFile {
		info, err := file.Stat()
		if err == nil && info.Mode()&os.ModeCharDevice != 0 {
			form = "text"
		}
	}
	if form == "text" {
		return slog.New(slog.NewTextHandler(w, nil))
	}
	return web.NewLogger(w, slog.LevelInfo)
}

// open opens the database and brings it to the schema of this version.
func (c *console) open(dsn string) (*models.DB, error) {
	db, err := models.Open(c, dsn, c.log)
	if err != nil {
		return nil, err
	}
	if err := models.Migrate(c, db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

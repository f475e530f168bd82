package models_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/portolan/portolan/fault"
	"github.com/portolan/portolan/models"
	"github.com/portolan/portolan/models/dbtest"
	"gorm.io/gorm"
)

// wire is a line to PostgreSQL that can be cut.
type wire struct {
	dsn   string
	after atomic.Pointer[string] // what the client says last; its answer is lost
	mute  atomic.Bool            // swallow what the client says last, and hang
}

// newWire lays a line to the database at an address with a socket.
func newWire(t *testing.T, dsn string) *wire {
	t.Helper()
	address, err := url.Parse(dsn)
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	network, server := "tcp", address.Host
	if folder := query.Get("host"); folder != "" {
		network, server = "unix", filepath.Join(folder, ".s.PGSQL."+query.Get("port"))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	address.Host, address.RawQuery = listener.Addr().String(), "sslmode=disable"
	w := &wire{dsn: address.String()}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go w.carry(client, network, server)
		}
	}()
	return w
}

// carry takes bytes both ways until one side hangs up or the wire is cut.
func (w *wire) carry(client net.Conn, network, address string) {
	defer client.Close()
	server, err := net.Dial(network, address)
	if err != nil {
		return
	}
	defer server.Close()
	var cut atomic.Bool
	go func() {
		defer client.Close()
		buffer := make([]byte, 1<<16)
		for {
			n, err := server.Read(buffer)
			if err != nil || cut.Load() {
				return
			}
			if _, err := client.Write(buffer[:n]); err != nil {
				return
			}
		}
	}()
	buffer := make([]byte, 1<<16)
	for {
		n, err := client.Read(buffer)
		if err != nil {
			return
		}
		last := w.after.Load()
		cut.Store(last != nil && bytes.Contains(buffer[:n], []byte(*last)))
		if cut.Load() && w.mute.Load() {
			continue
		}
		if _, err := server.Write(buffer[:n]); err != nil {
			return
		}
		if cut.Load() {
			_, _ = io.Copy(io.Discard, client) // until the other direction closes it
			return
		}
	}
}

// cutAfter loses the answer to the next message that contains text.
func (w *wire) cutAfter(text string) { w.after.Store(&text) }

func TestD6_LostCommitIsUnknown(t *testing.T) {
	t.Parallel()
	dsn := dbtest.DSNs(t)["postgres"]
	safe := dbtest.Connect(t, dsn)
	create(t, safe, pots)
	line := newWire(t, dsn)
	db := dbtest.Connect(t, line.dsn)
	line.cutAfter("commit\x00")
	calls := 0
	err := db.Write(t.Context(), func(tx *gorm.DB) error {
		calls++
		return tx.Exec("INSERT INTO pots VALUES (1, 1)").Error
	})
	e := fault.Of(err)
	if e == nil || e.Kind != fault.Unavailable || e.Code != "outcome_unknown" || calls != 1 {
		t.Errorf("Write() error = %v after %d calls", err, calls)
	}
	if n := count(t, safe, "pots"); n != 1 {
		t.Errorf("%d rows: the test did not lose the answer of a commit", n)
	}
}

func TestD6_LostConnectionIsUnavailable(t *testing.T) {
	t.Parallel()
	dsn := dbtest.DSNs(t)["postgres"]
	safe := dbtest.Connect(t, dsn)
	create(t, safe, pots)
	for name, breakIt := range map[string]func(tx *gorm.DB, line *wire) error{
		"server ends the session": func(tx *gorm.DB, _ *wire) error {
			var pid int
			if err := tx.Raw("SELECT pg_backend_pid()").Scan(&pid).Error; err != nil {
				return err
			}
			return safe.Read(t.Context()).Exec("SELECT pg_terminate_backend(?, 5000)", pid).Error
		},
		"line is cut": func(_ *gorm.DB, line *wire) error {
			line.cutAfter("INSERT")
			return nil
		},
	} {
		line := newWire(t, dsn)
		db := dbtest.Connect(t, line.dsn)
		calls := 0
		err := db.Write(t.Context(), func(tx *gorm.DB) error {
			calls++
			if err := breakIt(tx, line); err != nil {
				t.Error(err)
			}
			return tx.Exec("INSERT INTO pots VALUES (1, 1)").Error
		})
		e := fault.Of(err)
		if e == nil || e.Kind != fault.Unavailable || e.Code != "" || e.Retry == 0 || !models.IsLost(err) || calls != 1 {
			t.Errorf("%s: Write() error = %v after %d calls", name, err, calls)
		}
		if n := count(t, db, "pots"); n != 0 {
			t.Errorf("%s: %d rows are left", name, n)
		}
	}
}

func TestD6_SilentDatabaseKeepsTheDeadline(t *testing.T) {
	t.Parallel()
	for _, last := range []string{"begin", "SELECT 1"} {
		line := newWire(t, dbtest.DSNs(t)["postgres"])
		db := dbtest.Connect(t, line.dsn)
		line.mute.Store(true)
		line.cutAfter(last)
		ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer stop()
		if err := db.Write(ctx, run("SELECT 1")); !fault.Is(err, fault.Unavailable) {
			t.Errorf("silence after %s: Write() error = %v", last, err)
		}
	}
}

func TestD6_ReadsOfALostDatabase(t *testing.T) {
	t.Parallel()
	line := newWire(t, dbtest.DSNs(t)["postgres"])
	db := dbtest.Connect(t, line.dsn)
	line.cutAfter("SELECT 41")
	var n []int
	for name, err := range map[string]error{
		"scan": db.Read(t.Context()).Raw("SELECT 41 + 1").Scan(&n).Error,
		"exec": db.Read(t.Context()).Exec("SELECT 41 + 2").Error,
	} {
		if !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

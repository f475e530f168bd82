package dbtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/portolan/portolan/models/migrations"
)

// Variable names the environment variable with the address of a PostgreSQL
// server and a role that may create databases on it.
const Variable = "PORTOLAN_TEST_POSTGRES"

// shared is the one server of this process, found or started at first use.
var shared server

type server struct {
	once     sync.Once
	err      error
	cluster  *Cluster
	admin    *sql.DB
	url      *url.URL
	template string
}

func freshPostgres(t testing.TB) string {
	t.Helper()
	shared.once.Do(func() { shared.err = shared.start() })
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	name := "test_" + strings.ToLower(rand.Text())
	if _, err := shared.admin.Exec("CREATE DATABASE " + name + " TEMPLATE " + shared.template); err != nil {
		t.Fatal(err)
	}
	if shared.cluster != nil {
		return shared.address(name) // goes with the server; to drop it makes the server write everything out
	}
	t.Cleanup(func() {
		if _, err := shared.admin.Exec("DROP DATABASE " + name + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	return shared.address(name)
}

// start finds or starts the server and sees to the template.
func (s *server) start() (err error) {
	address := os.Getenv(Variable)
	if address == "" {
		if s.cluster, err = StartCluster(Forgetful); err != nil {
			return err
		}
		address = s.cluster.URL
	}
	if s.url, err = url.Parse(address); err != nil {
		return fmt.Errorf("%s is not an address: %w", Variable, err)
	}
	if s.admin, err = sql.Open("pgx", address); err != nil {
		return err
	}
	s.admin.SetMaxOpenConns(4)
	s.admin.SetMaxIdleConns(4)
	return s.makeTemplate(context.Background())
}

func (s *server) stop() {
	if s.admin != nil {
		s.admin.Close()
	}
	if s.cluster != nil {
		s.cluster.Stop()
	}
}

// address is the server's with another database.
func (s *server) address(name string) string {
	to := *s.url
	to.Path = "/" + name
	return to.String()
}

// makeTemplate makes the migrated database that all others are copied from, once
// for all processes that test the same migrations.
func (s *server) makeTemplate(ctx context.Context) (err error) {
	if s.template, err = templateName(); err != nil {
		return err
	}
	conn, err := s.admin.Conn(ctx)
	if err != nil {
		return fmt.Errorf("PostgreSQL for tests does not answer: %w", err)
	}
	defer conn.Close()
	const lock = 20260101
	if _, err := conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", lock); err != nil {
		return err
	}
	defer conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", lock)

	var done bool
	err = conn.QueryRowContext(ctx, "SELECT datistemplate FROM pg_database WHERE datname = $1", s.template).Scan(&done)
	if done || err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	for _, step := range []string{"DROP DATABASE IF EXISTS %s", "CREATE DATABASE %s TEMPLATE template0"} {
		if _, err := conn.ExecContext(ctx, fmt.Sprintf(step, s.template)); err != nil {
			return err
		}
	}
	if err := migrated(s.address(s.template)); err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, fmt.Sprintf("ALTER DATABASE %s IS_TEMPLATE true ALLOW_CONNECTIONS false", s.template))
	return err
}

// templateName depends on the text of all migrations.
func templateName() (string, error) {
	sum := sha256.New()
	err := fs.WalkDir(migrations.Files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := migrations.Files.ReadFile(path)
		fmt.Fprintf(sum, "%s %d\n%s", path, len(text), text)
		return err
	})
	return fmt.Sprintf("portolan_%x", sum.Sum(nil)[:8]), err
}

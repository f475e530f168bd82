package dbtest

import (
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// Cluster is a PostgreSQL server of its own in a temporary folder, quick because
// it forgets everything when the machine stops.
type Cluster struct {
	URL string // of a superuser, over the socket

	dir      string
	settings Settings
	server   *exec.Cmd
	ended    chan struct{} // closed when the server is gone
}

// Settings are arguments of a server.
type Settings []string

// Forgetful trades safety that tests do not need for speed.
var Forgetful = Settings{"-h", "127.0.0.1", "-N", "300", "-F", "-c", "synchronous_commit=off", "-c", "full_page_writes=off",
	"-c", "autovacuum=off", "-c", "max_wal_size=4GB", "-c", "wal_level=minimal", "-c", "max_wal_senders=0"}

// Durable is a server as it comes, so that what is measured on it is true of real ones.
var Durable = Settings{"-h", "127.0.0.1", "-N", "300"}

// StartCluster starts a server; it dies with this process at the latest.
func StartCluster(settings Settings) (*Cluster, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	owner, err := ownerOfServer()
	if err != nil {
		return nil, err
	}
	sweep()
	dir, err := os.MkdirTemp("", folder)
	if err != nil {
		return nil, err
	}
	c := &Cluster{dir: dir, settings: settings, ended: make(chan struct{})}
	if err := c.start(bin, owner); err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "log"))
		c.Stop()
		return nil, fmt.Errorf("PostgreSQL for tests did not start: %w\n%s", err, log)
	}
	return c, nil
}

// Stop ends the server and removes its files.
func (c *Cluster) Stop() {
	if c.server != nil && c.server.Process != nil {
		_ = c.server.Process.Signal(syscall.SIGQUIT)
		<-c.ended
	}
	_ = os.RemoveAll(c.dir)
}

func (c *Cluster) start(bin string, owner *syscall.Credential) error {
	if owner != nil {
		if err := os.Chown(c.dir, int(owner.Uid), int(owner.Gid)); err != nil {
			return err
		}
	}
	password := rand.Text()
	secret := filepath.Join(c.dir, "password")
	if err := os.WriteFile(secret, []byte(password), 0o644); err != nil {
		return err
	}
	data := filepath.Join(c.dir, "data")
	setUp := c.command(owner, filepath.Join(bin, "initdb"), "--pgdata", data, "--username", "postgres", "--pwfile", secret,
		"--auth-local", "trust", "--auth-host", "scram-sha-256", "--encoding", "UTF8", "--locale", "C.UTF-8", "--no-sync")
	if out, err := setUp.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	c.URL = (&url.URL{Scheme: "postgres", User: url.UserPassword("postgres", password), Path: "/postgres",
		RawQuery: url.Values{"host": {c.dir}, "port": {port}}.Encode()}).String()
	c.server = c.command(owner, filepath.Join(bin, "postgres"), append(c.settings[:len(c.settings):len(c.settings)], "-D", data, "-k", c.dir, "-p", port)...)
	return c.run()
}

// command is a program of PostgreSQL, which refuses to run as root.
func (c *Cluster) command(owner *syscall.Credential, name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Dir = c.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: owner, Pdeathsig: syscall.SIGQUIT}
	return cmd
}

// run starts the server and waits until it answers.
func (c *Cluster) run() error {
	log, err := os.Create(filepath.Join(c.dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	c.server.Stdout, c.server.Stderr = log, log
	started := make(chan error)
	go func() {
		// The server gets its signal when the thread that started it ends.
		runtime.LockOSThread()
		err := c.server.Start()
		started <- err
		if err == nil {
			_ = c.server.Wait()
			close(c.ended)
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	return c.answers()
}

func (c *Cluster) answers() error {
	pool, err := sql.Open("pgx", c.URL)
	if err != nil {
		return err
	}
	defer pool.Close()
	again, late := time.NewTicker(20*time.Millisecond), time.After(time.Minute)
	defer again.Stop()
	for {
		err := pool.Ping()
		if err == nil {
			return nil
		}
		select {
		case <-again.C:
		case <-c.ended:
			return errors.New("it ended at once")
		case <-late:
			return err
		}
	}
}

// binaries returns the folder with the newest PostgreSQL of this machine.
func binaries() (string, error) {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.SortFunc(found, func(a, b string) int { return version(a) - version(b) })
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1]), nil
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	return "", fmt.Errorf("the tests need PostgreSQL: install the Debian package postgresql, or set %s to the address of a server", Variable)
}

// version reads the number in /usr/lib/postgresql/15/bin/initdb.
func version(path string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
	return n
}

// ownerOfServer is the user postgres if this process is root's, and nobody else otherwise.
func ownerOfServer() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	who, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL does not run as root and there is no user postgres: install the Debian package postgresql: %w", err)
	}
	uid, _ := strconv.ParseUint(who.Uid, 10, 32)
	gid, _ := strconv.ParseUint(who.Gid, 10, 32)
	return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
}

func freePort() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port), nil
}

const folder = "portolan-postgres-"

// sweep removes what servers left behind whose process was killed.
func sweep() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), folder+"*"))
	for _, dir := range left {
		info, err := os.Stat(dir)
		if err != nil || time.Since(info.ModTime()) < time.Minute {
			continue
		}
		text, _ := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
		line, _, _ := strings.Cut(string(text), "\n")
		pid, err := strconv.Atoi(line)
		if err != nil || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			_ = os.RemoveAll(dir)
		}
	}
}

package modelstest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/migrations"
	"dispo/models/database"
	"dispo/models/database/embedded"
)

// Node is a PostgreSQL server of its own: a primary, or a standby of one.
type Node struct {
	Name  string
	URL   string // the database's address, as the superuser
	Proxy *Proxy // in front of the server

	directory string
	settings  map[string]string
	server    *embedded.Server
}

// NewPrimary starts a server with a migrated database that standbys can follow.
func NewPrimary(t testing.TB) *Node {
	t.Helper()
	n := newNode(t, "primary")
	n.Start(t)
	require.NoError(t, ErrorOf(migrations.Up(t.Context(), n.URL)))
	return n
}

func newNode(t testing.TB, name string) *Node {
	directory, err := MakeDirectory()
	require.NoError(t, err)
	n := &Node{Name: name, directory: filepath.Join(directory, "data"), settings: map[string]string{
		"fsync":                       "off",
		"autovacuum":                  "off",
		"shared_buffers":              "32MB",
		"max_connections":             "200",
		"wal_retrieve_retry_interval": "100ms",
		"wal_keep_size":               "256MB", // else the copy for one standby may remove what another one has yet to receive
	}}
	t.Cleanup(func() {
		n.Stop()
		_ = os.RemoveAll(directory)
	})
	return n
}

// Start starts a server that has ended, as what it was.
func (n *Node) Start(t testing.TB) {
	t.Helper()
	// Not the initdb that `make test` puts on PATH: its clusters are copies, so that they say that they are one system.
	bin := ValueAt[string](t, serverURL, `SELECT setting FROM pg_config WHERE name = 'BINDIR'`)
	var err error
	n.server, err = embedded.Open(context.Background(), embedded.Service, embedded.Options{
		Dir: n.directory, BinDir: bin, Settings: n.settings, Log: slog.New(slog.DiscardHandler),
	})
	require.NoError(t, err)
	n.URL = As(At(n.server.URL(), "postgres"), Superuser)
	if n.Proxy == nil {
		n.Proxy = NewProxy(t, n.URL)
	}
}

// NewStandby starts a standby of the server. The settings are PostgreSQL's.
func (n *Node) NewStandby(t testing.TB, name string, settings map[string]string) *Node {
	t.Helper()
	standby := newNode(t, name)
	maps.Copy(standby.settings, settings)
	standby.Copy(t, n)
	return standby
}

// Copy replaces the node's data by that of a primary, by pg_basebackup, starts it as a
// standby, and waits until it receives what the primary writes.
func (n *Node) Copy(t testing.TB, primary *Node) {
	t.Helper()
	n.Stop()
	n.settings["primary_conninfo"] = CopyPrimary(t, primary.URL, n.directory, n.Name)
	n.Start(t)
	Eventually(t, func() bool {
		return ValueAt[bool](t, primary.URL,
			`SELECT EXISTS (SELECT FROM pg_stat_replication WHERE application_name = $1 AND state = 'streaming')`, n.Name)
	})
}

// CopyPrimary fills a directory with the data of the primary at url, by pg_basebackup, so that
// a standby starts on it. It returns the standby's primary_conninfo.
func CopyPrimary(t testing.TB, url, directory, name string) (conninfo string) {
	t.Helper()
	data := filepath.Join(directory, "postgres")
	require.NoError(t, os.RemoveAll(data))
	require.NoError(t, os.MkdirAll(directory, 0o755))
	config, err := pgx.ParseConfig(url)
	require.NoError(t, err)
	output, err := exec.Command("pg_basebackup", "--host="+config.Host, fmt.Sprintf("--port=%d", config.Port), "--username="+config.User,
		"--checkpoint=fast", "--no-sync", "--pgdata="+data).
		CombinedOutput()
	require.NoError(t, err, "%s", output)
	require.NoError(t, os.WriteFile(filepath.Join(data, "standby.signal"), nil, 0o600))
	info, err := os.Stat(config.Host) // the socket is in the directory of the data
	require.NoError(t, err)
	owner := info.Sys().(*syscall.Stat_t)
	require.NoError(t, filepath.WalkDir(data, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, int(owner.Uid), int(owner.Gid)))
	}))
	return fmt.Sprintf("host=%s port=%d user=%s application_name=%s", config.Host, config.Port, config.User, name)
}

// Synchronous makes commits on a primary wait for the standby.
func (n *Node) Synchronous(t testing.TB, standby *Node) {
	t.Helper()
	ExecuteAt(t, n.URL, `ALTER SYSTEM SET synchronous_standby_names = '`+standby.Name+`'`)
	ExecuteAt(t, n.URL, `SELECT pg_reload_conf()`)
	Eventually(t, func() bool {
		return ValueAt[bool](t, n.URL,
			`SELECT EXISTS (SELECT FROM pg_stat_replication WHERE application_name = $1 AND sync_state = 'sync')`, standby.Name)
	})
}

// CatchUp waits until a standby shows all that its primary has committed.
func (n *Node) CatchUp(t testing.TB, primary *Node) {
	t.Helper()
	end := ValueAt[string](t, primary.URL, `SELECT pg_current_wal_lsn()::text`)
	conn := Conn(t, n.URL)
	Eventually(t, func() bool { return Value[bool](t, conn, `SELECT pg_last_wal_replay_lsn() >= $1::text::pg_lsn`, end) })
}

// Pause makes a standby show nothing newer until Resume.
func (n *Node) Pause(t testing.TB) {
	t.Helper()
	conn := Conn(t, n.URL)
	Execute(t, conn, `SELECT pg_wal_replay_pause()`)
	Eventually(t, func() bool { return Value[string](t, conn, `SELECT pg_get_wal_replay_pause_state()`) == "paused" })
}

// Resume ends a Pause.
func (n *Node) Resume(t testing.TB) {
	t.Helper()
	ExecuteAt(t, n.URL, `SELECT pg_wal_replay_resume()`)
}

// Promote makes a standby a primary, and waits until it is one.
func (n *Node) Promote(t testing.TB) {
	t.Helper()
	ExecuteAt(t, n.URL, `SELECT pg_promote()`)
}

// Crash ends a server at once, with all its connections.
func (n *Node) Crash(t testing.TB) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(n.directory, "postgres", "postmaster.pid"))
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.SplitN(string(text), "\n", 2)[0])
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(pid, syscall.SIGQUIT))
	<-n.server.Done()
	n.Stop()
}

// Stop stops the server, if it runs.
func (n *Node) Stop() {
	if n.server != nil {
		_ = n.server.Stop()
		n.server = nil
	}
}

// Hosts returns the address of the same database over several servers, through their
// proxies, with a setting of which of them to use.
func Hosts(t testing.TB, attributes string, nodes ...*Node) string {
	t.Helper()
	var hosts, ports []string
	for _, n := range nodes {
		config, err := pgx.ParseConfig(n.Proxy.URL)
		require.NoError(t, err)
		hosts, ports = append(hosts, config.Host), append(ports, strconv.Itoa(int(config.Port)))
	}
	return edit(nodes[0].URL, func(_ *url.URL, query url.Values) {
		query.Set("host", strings.Join(hosts, ","))
		query.Set("port", strings.Join(ports, ","))
		query.Set("target_session_attrs", attributes)
	})
}

// OpenWorld opens the database at an address, which may name several servers, as NewWorld
// does. The service reads on the replicas.
func OpenWorld(t testing.TB, address, replicas string) *World {
	t.Helper()
	service := OpenConfig(t, database.Config{URL: address, ReadURL: replicas, Role: database.Service, Serving: true},
		Secret)
	Eventually(t, service.DB().Feed.Fresh)
	return &World{URL: address, Service: service, Operator: Open(t, address, database.Operator)}
}

package faults_test

import (
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/database/embedded"
	"dispo/models/modelstest"
)

// database is a PostgreSQL server that survives a crash: the primary, or the place of the
// next one.
type database struct {
	*fleet
	directory string
	follows   string // primary_conninfo, if it is a standby
	server    *embedded.Server
}

func (f *fleet) primary() *database { return f.databases[f.active] }

// url returns the database's address, whether it runs or not.
func (d *database) url() string {
	return "postgres://dispo@/postgres?port=5432&sslmode=disable&host=" + url.QueryEscape(d.data())
}

func (d *database) data() string { return filepath.Join(d.directory, "postgres") }

// either returns the address of whichever of two databases is the primary.
func either(first, second string) string {
	host := func(address string) string {
		u, err := url.Parse(address)
		if err != nil {
			panic(err)
		}
		return u.Query().Get("host")
	}
	return "postgres://dispo@/postgres?port=5432,5432&sslmode=disable&target_session_attrs=read-write&host=" + url.QueryEscape(
		host(first)+","+host(second),
	)
}

func (d *database) start() {
	settings := map[string]string{
		"max_wal_size":       "128MB",
		"min_wal_size":       "64MB",
		"autovacuum_naptime": "5s",
		"shared_buffers":     "64MB",
	}
	if d.follows != "" {
		settings["primary_conninfo"] = d.follows
	}
	modelstest.Eventually(d, func() bool {
		server, err := embedded.Open(modelstest.Context(d), embedded.Service, embedded.Options{
			Dir: d.directory, BinDir: os.Getenv("PG_BIN"), Log: slog.New(slog.DiscardHandler), Settings: settings,
		})
		if err != nil {
			d.Logf("PostgreSQL does not start: %v", err)
			pause(100 * time.Millisecond)
			return false
		}
		d.server = server
		return true
	})
}

// restart starts the database again if it has ended.
func (d *database) restart() {
	select {
	case <-d.server.Done():
		d.stop() // it has crashed
		d.start()
	default:
	}
}

func (d *database) stop() {
	if d != nil && d.server != nil {
		_ = d.server.Stop()
		d.server = nil
	}
}

// kill ends the database by SIGKILL.
func (d *database) kill() {
	text, err := os.ReadFile(filepath.Join(d.data(), "postmaster.pid"))
	require.NoError(d, err)
	pid, err := strconv.Atoi(strings.TrimSpace(strings.SplitN(string(text), "\n", 2)[0]))
	require.NoError(d, err)
	require.NoError(d, syscall.Kill(pid, syscall.SIGKILL))
	<-d.server.Done()
}

// promote lets a synchronous standby take the place of the primary, which is killed.
func (f *fleet) promote() {
	old, next := f.primary(), f.databases[1-f.active]
	require.NoError(f, os.RemoveAll(next.directory))
	next.follows = modelstest.CopyPrimary(f, old.url(), next.directory, "standby")
	next.start()
	modelstest.ExecuteAt(f, f.url, `ALTER SYSTEM SET synchronous_standby_names = 'standby'`)
	modelstest.ExecuteAt(f, f.url, `SELECT pg_reload_conf()`)
	modelstest.Eventually(f, func() bool {
		return modelstest.ValueAt[bool](
			f,
			f.url,
			`SELECT EXISTS (SELECT FROM pg_stat_replication WHERE application_name = 'standby' AND sync_state = 'sync')`,
		)
	})
	f.rest(200*time.Millisecond, time.Second)
	old.kill()
	old.stop()
	modelstest.ExecuteAt(f, next.url(), `SELECT pg_promote()`)
	modelstest.ExecuteAt(f, next.url(), `ALTER SYSTEM RESET synchronous_standby_names`)
	modelstest.ExecuteAt(f, next.url(), `SELECT pg_reload_conf()`)
	next.follows, f.active, f.url = "", 1-f.active, next.url()
}

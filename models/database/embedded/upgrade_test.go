package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func nothing() error { return nil }

// newer makes the machine have the real PostgreSQL, and the same one again that says that it is version 99. The real
// pg_upgrade moves a database from one to the other. Scripts replace other programs of it; in them, $bin is the real
// directory. newer returns the folder of the new one.
func newer(t *testing.T, scripts map[string]string) string {
	t.Helper()
	bin := realBin(t)
	dir := filepath.Dir(newDir(t))
	if scripts == nil {
		scripts = map[string]string{}
	}
	scripts["postgres"] = `[ "$1" != --version ] || exec echo 'postgres (PostgreSQL) 99.1'; exec "$bin/postgres" "$@"`
	entries, err := os.ReadDir(bin)
	require.NoError(t, err)
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if script, replaced := scripts[entry.Name()]; replaced {
			require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, "#!/bin/sh\nbin='%s'\n%s\n", bin, script), 0o755))
		} else {
			require.NoError(t, os.Symlink(filepath.Join(bin, entry.Name()), path))
		}
	}
	usual := folders
	folders = []string{bin, dir}
	t.Cleanup(func() { folders = usual })
	return dir
}

// administer runs a statement as the superuser.
func administer(t *testing.T, s *Server, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), s.address(superuser, "postgres"))
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), statement)
	require.NoError(t, errors.Join(err, conn.Close(t.Context())))
}

// withData returns options for a directory whose database has the table kept. Its name has nothing that pg_upgrade
// does not quote.
func withData(t *testing.T) Options {
	t.Helper()
	options := testOptions(filepath.Join(filepath.Dir(newDir(t)), "a 5%2C+?#&=æ漢"))
	s := enterAs(t, Service, options)
	requireAnswer(t, s, "CREATE TABLE kept AS SELECT 'æøå'::text AS word", "")
	require.NoError(t, s.Stop())
	return options
}

// requireKept requires that the database is there, that of the old cluster, and nothing of an upgrade. It returns the
// server.
func requireKept(t *testing.T, role Role, options Options) *Server {
	t.Helper()
	s := enterAs(t, role, options)
	requireAnswer(t, s, "SELECT word FROM kept", "æøå")
	require.NoDirExists(t, s.home.next())
	require.NoDirExists(t, s.home.old())
	return s
}

// The settings that Dispo chose are the defaults. Those of postgresql.conf, of ALTER SYSTEM and of the options win, each
// over the ones before. A start restores Dispo's file, and PostgreSQL logs into a file of the weekday.
func TestSettings(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	s := enterAs(t, Service, options)
	requireAnswer(t, s, "SHOW max_connections", "200")
	requireAnswer(t, s, "SHOW jit", "off")
	administer(t, s, "ALTER SYSTEM SET work_mem = '7MB'")
	logs, err := os.ReadDir(s.home.logs())
	require.NoError(t, err)
	require.Len(t, logs, 1)
	require.Regexp(t, `^postgresql-[A-Z][a-z][a-z]\.log$`, logs[0].Name())
	text, err := os.ReadFile(filepath.Join(s.home.logs(), logs[0].Name()))
	require.NoError(t, err)
	require.Contains(t, string(text), "ready to accept connections")
	require.NoError(t, s.Stop())

	own, err := os.OpenFile(filepath.Join(s.home.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = own.WriteString("max_connections = 50\nwork_mem = '6MB'\nmaintenance_work_mem = '8MB'\nport = 1\n")
	require.NoError(t, errors.Join(err, own.Close()))
	require.NoError(t, os.WriteFile(filepath.Join(options.Dir, "postgres.conf"), []byte("jit = on\n"), 0o600))
	options.Settings["maintenance_work_mem"] = "9MB"
	s = enterAs(t, Service, options)
	for name, value := range map[string]string{
		"max_connections": "50", "work_mem": "7MB", "maintenance_work_mem": "9MB", "jit": "off", "port": port,
	} {
		requireAnswer(t, s, "SHOW "+name, value)
	}
}

// An upgrade makes a backup, calls compare while the new server runs, and keeps the data, the operator's settings and the
// old cluster, which still works. A database without checksums gets them. Before it, each start warns.
func TestUpgrade(t *testing.T) {
	newer(t, nil)
	options := withData(t)
	data := filepath.Join(options.Dir, "postgres")
	require.Contains(t, Outdated(t.Context(), options.Dir), "this machine has PostgreSQL 99")
	s := enterAs(t, Command, options)
	administer(t, s, "ALTER SYSTEM SET work_mem = '7MB'")
	require.NoError(t, s.Stop())
	require.NoError(t, asServer(t, s, filepath.Join(s.bin.dir, "pg_checksums"), "--disable", "--pgdata", data))
	s = enterAs(t, Command, options)
	requireAnswer(t, s, "SHOW data_checksums", "off")
	var steps []string
	step := func(name string) func() error {
		return func() error {
			text, err := query(t.Context(), s, "SELECT word || current_setting('data_checksums') FROM kept")
			steps = append(steps, name, text)
			return err
		}
	}
	old, err := s.Upgrade(t.Context(), step("backup"), step("compare"))
	require.NoError(t, err)
	require.Equal(t, []string{"backup", "æøåoff", "compare", "æøåon"}, steps)
	require.NoError(t, s.Stop())

	// A start after an upgrade that was killed between its two renames undoes the first one.
	killed := testOptions(newDir(t))
	require.NoError(t, exec.Command("cp", "-a", options.Dir, killed.Dir).Run())
	require.NoError(t, os.Rename(filepath.Join(killed.Dir, "postgres"), filepath.Join(killed.Dir, nextName)))
	require.NoError(t, requireKept(t, Service, killed).Stop())

	s = enterAs(t, Service, options)
	requireAnswer(t, s, "SELECT word FROM kept", "æøå")
	requireAnswer(t, s, "SHOW work_mem", "7MB")
	requireAnswer(t, s, "SHOW max_connections", "200")
	require.NoFileExists(t, filepath.Join(data, "delete_old_cluster.sh"))
	require.NoDirExists(t, s.home.next())
	require.NoError(t, s.Stop())
	s = enterAs(t, Command, options)
	_, err = s.Upgrade(t.Context(), nothing, nothing)
	requireSentence(t, err, old, "left from an earlier upgrade")
	require.NoError(t, s.Stop())

	// Only then: whoever moves the database away later does not get the old one back.
	require.NoError(t, os.Rename(data, data+".moved"))
	for range 2 { // the second time with a new cluster whose creation was killed
		_, err = Open(t.Context(), Command, options)
		require.ErrorIs(t, err, ErrNone)
		require.NoDirExists(t, data)
		require.DirExists(t, old)
		require.NoError(t, exec.Command("cp", "-a", data+".moved", s.home.next()).Run())
	}
}

// asServer runs a program as the server's user.
func asServer(t *testing.T, s *Server, program string, args ...string) error {
	t.Helper()
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	require.NoError(t, err)
	lock, err := os.Open(os.DevNull)
	require.NoError(t, err)
	p, err := (&Server{home: s.home, lock: lock, log: log}).run(t.Context(), 15, s.home.data(), program, args...)
	require.NoError(t, err)
	<-p.done
	return p.err
}

// Whatever stops an upgrade leaves the database as it was: the service that runs, a machine without a newer PostgreSQL,
// a backup, a check or a comparison that fails, a disk without room, a copy that breaks off, and whoever interrupts it.
// The comparison sees the new server, with checksums as in the old one.
func TestUpgradeThatFails(t *testing.T) {
	wrong := errors.New("wrong")
	fails := func() error { return wrong }
	options := withData(t)
	var s *Server
	compared := func() error {
		text, err := query(t.Context(), s, "SELECT 'kept ' || current_setting('data_checksums') FROM kept")
		return errors.Join(err, fmt.Errorf("%w: %s", wrong, text))
	}
	for name, row := range map[string]struct {
		scripts         map[string]string
		backup, compare func() error
		sentence        string
	}{
		"backup":    {nil, fails, nothing, "wrong"},
		"compare":   {nil, nothing, compared, "wrong: kept on"},
		"check":     {map[string]string{"pg_upgrade": `case "$*" in *--check*) echo 'fatal: reg types'; exit 1 ;; esac`}, nothing, nothing, "fatal: reg types"},
		"room":      {map[string]string{"pg_upgrade": "", "df": "echo 'filesystem 1 1 102400 1 /'"}, nothing, nothing, "MB in "},
		"copy":      {map[string]string{"pg_upgrade": `case "$*" in *--check*) ;; *) mkdir base/half; echo 'no space'; exit 1 ;; esac`}, nothing, nothing, "no space"},
		"initdb":    {map[string]string{"initdb": "echo 'no initdb'; exit 1"}, nothing, nothing, "no initdb"},
		"new start": {map[string]string{"pg_upgrade": `case "$*" in *--check*) ;; *) echo nonsense = 1 >>postgresql.conf ;; esac`}, nothing, nothing, `"nonsense"`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newer(t, row.scripts)
			if script := row.scripts["df"]; script != "" {
				require.NoError(t, os.WriteFile(filepath.Join(dir, "df"), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
				t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
			}
			s = requireKept(t, Command, options) // also after the row before
			is := fmt.Sprintf("the database is still PostgreSQL %d's", s.bin.major)
			_, err := s.Upgrade(t.Context(), row.backup, row.compare)
			requireSentence(t, err, is, row.sentence)
			require.NoError(t, s.Stop())
		})
	}

	newer(t, nil)
	service := requireKept(t, Service, options)
	command := enterAs(t, Command, options)
	_, err := command.Upgrade(t.Context(), fails, fails)
	require.ErrorIs(t, err, ErrInUse)
	requireSentence(t, err, "systemctl stop dispo")
	require.NoError(t, errors.Join(command.Stop(), service.Stop()))

	folders = folders[:1]
	command = enterAs(t, Command, options)
	_, err = command.Upgrade(t.Context(), fails, fails)
	requireSentence(t, err, "no PostgreSQL that is newer")
	require.Empty(t, Outdated(t.Context(), options.Dir))
	require.NoError(t, command.Stop())
	require.NoError(t, requireKept(t, Service, options).Stop())
}

// An upgrade that is interrupted, or killed, while a server of pg_upgrade runs or starts, leaves no process, and the next
// start works.
func TestUpgradeKilled(t *testing.T) {
	// pg_upgrade starts a server, is about to start another one, and waits.
	bin := newer(t, map[string]string{"pg_upgrade": `
		setsid sleep 1000 &
		"$bin/pg_ctl" start --wait --log="$PWD/log" --pgdata=. --options="-c listen_addresses= -c unix_socket_directories="
		touch "$PWD/half"; sleep 1000 & wait`})
	options := withData(t)
	begun := exists(options.Dir, "postgres.new/half")

	s := enterAs(t, Command, options)
	stopped := errors.New("stopped by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := s.Upgrade(ctx, nothing, nothing)
		failed <- err
	}()
	require.Eventually(t, begun, patience, pollEvery)
	cancel(stopped)
	require.ErrorIs(t, <-failed, stopped)
	require.NoFileExists(t, filepath.Join(s.home.next(), "postmaster.pid"))
	require.NoError(t, s.Stop())
	require.NoError(t, requireKept(t, Service, options).Stop())

	helper, _ := startHelper(t, options.Dir, realBin(t), realBin(t), bin)
	require.Eventually(t, begun, patience, pollEvery)
	require.NoError(t, helper.Process.Kill())
	helper.Wait()
	requireKept(t, Service, options)
}

package main_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// fill creates the organization acme with a company and a key, by commands, and returns
// the key.
func (p program) fill(t *testing.T) (key string) {
	t.Helper()
	p.run(t, "organization", "create", "Acme", "--slug", "acme").requireDone(t)
	p.run(t, "import", "companies", file(t, "companies.csv", "cvr,name\n"+cvr+",Bageriet\n"), "--organization", "acme").requireDone(t)
	p.run(t, "import", "delivery", file(t, "delivery.csv", delivery(cvr, cvr))).requireDone(t)
	return p.run(t, "key", "create", "--organization", "acme", "--name", "k").requireDone(t)
}

var prepared struct {
	once     sync.Once
	dir, key string
}

// filled returns a data directory filled by fill, and the key. It is a copy of a
// directory that is created once, because that takes seconds.
func filled(t *testing.T) (dir, key string) {
	t.Helper()
	prepared.once.Do(func() {
		program, err := exec.LookPath("dispo")
		require.NoError(t, err)
		dir := filepath.Join(filepath.Dir(program), "filled")
		s := onData(dir).serve(t)
		key := onData(dir).fill(t)
		require.Zero(t, s.end(t, terminate), s.err.String())
		prepared.dir, prepared.key = dir, key
	})
	require.NotEmpty(t, prepared.key, "nothing to copy: see the test that failed to create it")
	dir = newData(t)
	out, err := exec.Command("cp", "-a", prepared.dir, dir).CombinedOutput()
	require.NoError(t, err, string(out))
	return dir, prepared.key
}

// transactions returns the total of the company's transactions from the API.
func (s *service) transactions(t *testing.T, key string) int {
	t.Helper()
	return s.get(t, "/api/v1/companies/"+cvr+"/transactions", key).requirePage(t).Meta.Total
}

// serve creates its own database at the first start. The other commands use the same
// database, whether or not the service is running. No process is left when it has
// stopped.
func TestServeOnEmbeddedDatabase(t *testing.T) {
	t.Parallel()
	dir := newData(t)
	s := onData(dir).serve(t)
	require.Equal(t, `{"status":"ok"}`, s.get(t, "/api/health", "").body)
	key := onData(dir).fill(t)
	require.Equal(t, 2, s.transactions(t, key))
	s.get(t, "/api/v1/companies", "").requireError(t, http.StatusUnauthorized, "UNAUTHORIZED")
	require.Contains(t, s.get(t, "/sign-in", "").body, "Sign in")

	server := postmaster(dir)
	require.False(t, gone(server))
	require.Zero(t, s.end(t, terminate), s.err.String())
	require.True(t, gone(server))
	require.NoFileExists(t, filepath.Join(dir, "postgres", "postmaster.pid"))

	table := onData(dir).run(t, "key", "list", "--organization", "acme").requireDone(t)
	require.Contains(t, table, "127.0.0.1 (Go-http-client", "the last use is written at shutdown")
	require.NoFileExists(t, filepath.Join(dir, "postgres", "postmaster.pid"))
	s = onData(dir).serve(t)
	require.Equal(t, 2, s.transactions(t, key))
}

// What a command of root creates before the first start of a service of another user, or
// during that, the service can use: the database, the secret and the file of DISPO_ERASURES.
func TestRootPreparesForTheService(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, first := range map[string]bool{"before the start": true, "during the start": false} {
		dir := newData(t)
		require.NoError(t, os.Mkdir(dir, 0o700))
		user := ordinary(t, w.URL)
		if user != nil {
			require.NoError(t, os.Chown(dir, int(user.Uid), int(user.Gid)))
		}
		p := onData(dir).with("DISPO_LISTEN=127.0.0.1:0", "DISPO_ERASURES="+filepath.Join(dir, "erasures"))
		serve := p.prepare("serve")
		serve.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user}
		if !first {
			serve.begin(t)
		}
		p.run(t, "organization", "create", "Acme", "--slug", "acme").requireDone(t)
		key := p.run(t, "key", "create", "--organization", "acme", "--name", "k").requireDone(t)
		p.run(t, "organization", "create", "Gone", "--slug", "gone").requireDone(t)
		p.run(t, "organization", "delete", "gone", "--confirm", "gone").requireDone(t)
		if first {
			serve.begin(t)
		}
		s := started(t, serve)
		require.Equal(t, http.StatusOK, s.get(t, "/api/v1/companies", key).status, name)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(entries), 5, "postgres with its log and lock, secret and erasures")
		for _, entry := range entries {
			info, err := entry.Info()
			require.NoError(t, err)
			require.True(t, user == nil || user.Uid == info.Sys().(*syscall.Stat_t).Uid, entry.Name())
		}
		require.Zero(t, s.end(t, terminate), s.err.String())
	}
}

// A second service on a data directory is refused in one sentence with the first one's
// process id. A service on another directory has its own data and secret.
func TestTwoServices(t *testing.T) {
	t.Parallel()
	dir, key := filled(t)
	otherDir := newData(t)
	s := onData(dir).serve(t)
	onData(dir).run(t, "serve", "--listen", "127.0.0.1:0").
		requireRefused(t, 1, dir, fmt.Sprint("process id ", s.cmd.Process.Pid), "--data")

	other := onData(otherDir).serve(t)
	other.get(t, "/api/v1/companies", key).requireError(t, http.StatusUnauthorized, "UNAUTHORIZED")
	require.Empty(t, onData(otherDir).run(t, "organization", "list").requireDone(t))
	require.Zero(t, other.end(t, interrupt))
	require.Equal(t, 2, s.transactions(t, key))

	for _, d := range []string{dir, otherDir} {
		info, err := os.Stat(filepath.Join(d, "secret"))
		require.NoError(t, err)
		require.EqualValues(t, 0o600, info.Mode().Perm())
	}
	mine, _ := os.ReadFile(filepath.Join(dir, "secret"))
	others, _ := os.ReadFile(filepath.Join(otherDir, "secret"))
	require.NotEqual(t, mine, others)
}

// After a signal, the service accepts no new requests, answers those in progress, and
// then stops the embedded database.
func TestDrain(t *testing.T) {
	t.Parallel()
	dir, key := filled(t)
	for _, signal := range []syscall.Signal{terminate, interrupt} {
		s := onData(dir).serve(t)
		s.get(t, "/api/health", "") // its connection stays open
		server := postmaster(dir)

		release := hold(t, dataURL(dir), "LOCK TABLE companies IN ACCESS EXCLUSIVE MODE")
		type response struct {
			answer
			error
		}
		pending := make(chan response, 1)
		go func() {
			got, err := ask(s.url+"/api/v1/companies", withKey(key))
			pending <- response{got, err}
		}()
		modelstest.Eventually(t, func() bool { return waits(t, dataURL(dir)) })
		s.signal(t, signal)
		modelstest.Eventually(t, func() bool {
			_, err := (&http.Client{Transport: &http.Transport{}}).Get(s.url + "/api/health")
			return err != nil
		}, "new connections are still accepted")
		require.False(t, s.hasEnded())
		require.False(t, gone(server))
		require.Empty(t, pending)

		release()
		got := <-pending
		require.NoError(t, got.error)
		require.Len(t, got.requirePage(t).Data, 1)
		require.Zero(t, s.wait(t), s.err.String())
		require.True(t, gone(server))
	}
}

// A killed service loses no committed data, and the next start works.
func TestServiceKilled(t *testing.T) {
	t.Parallel()
	dir, key := filled(t)
	s := onData(dir).serve(t)
	more := file(t, "more.csv", strings.ReplaceAll(delivery(cvr, cvr, cvr), "CARD", "CASH"))
	onData(dir).run(t, "import", "delivery", more).requireDone(t)
	server := postmaster(dir)
	require.Equal(t, -1, s.end(t, syscall.SIGKILL))

	s = onData(dir).serve(t)
	modelstest.Eventually(t, func() bool { return gone(server) })
	require.Equal(t, 5, s.transactions(t, key))
}

// If the embedded database stops on its own, the service stops too, with one sentence
// that names the log, instead of answering 503 forever.
func TestEmbeddedDatabaseEnds(t *testing.T) {
	t.Parallel()
	dir, _ := filled(t)
	s := onData(dir).serve(t)
	require.NoError(t, syscall.Kill(postmaster(dir), syscall.SIGQUIT))
	require.Equal(t, 1, s.wait(t))
	lines := strings.SplitAfter(strings.TrimSuffix(s.err.String(), "\n"), "\n")
	requireSentence(t, lines[len(lines)-1]+"\n", "postgres.log", dir)
}

// A backup moves an embedded database, with its secret if that is wanted, to another
// directory, where the keys work that work here. Without the secret, the restore says where
// to write it, and the next command says that it has made another one.
func TestBackupMovesTheEmbeddedDatabase(t *testing.T) {
	t.Parallel()
	dir, key := filled(t)
	folder := newFolder(t)
	onData(dir).run(t, "backup", folder+"/x.dispo").requireDone(t)
	onData(dir).run(t, "backup", folder+"/secret.dispo", "--with-secret").requireDone(t)
	to := newData(t)
	restored := onData(to).run(t, "restore", folder+"/x.dispo")
	restored.requireDone(t)
	require.Contains(t, restored.err, "put the DISPO_SECRET of the backup's database into "+to+"/secret")
	const made = "there was no secret beside the database, so a new one was made"
	require.Contains(t, onData(to).run(t, "organization", "list").err, made)
	require.NotContains(t, onData(to).run(t, "organization", "list").err, made)
	to = newData(t)
	onData(to).run(t, "restore", folder+"/secret.dispo", "--keys-active").requireDone(t)
	before, err := os.ReadFile(dir + "/secret")
	require.NoError(t, err)
	after, err := os.ReadFile(to + "/secret")
	require.NoError(t, err)
	require.Equal(t, before, after)
	s := onData(to).serve(t)
	require.Equal(t, 2, s.transactions(t, key))
	require.Zero(t, s.end(t, terminate), s.err.String())
}

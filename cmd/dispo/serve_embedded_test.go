package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
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
	p.run(t, "import", "companies", file(t, "companies.csv", "cvr,name\n"+cvr+",Bageriet\n"), "--organization", "acme").
		requireDone(t)
	p.run(t, "import", "delivery", file(t, "delivery.csv", delivery(cvr, cvr))).requireDone(t)
	return p.run(t, "key", "create", "--organization", "acme", "--name", "k").requireDone(t)
}

// transactions returns the total of the company's transactions from the API.
func (s *service) transactions(t *testing.T, key string) int {
	t.Helper()
	return s.get(t, "/api/v1/companies/"+cvr+"/transactions", key).requirePage(t).Meta.Total
}

// life is a service on an embedded database, from one step to the next.
type life struct {
	program
	dir, key string
	service  *service
	watcher  *process
	dropped  drop
}

// The life of a service on an embedded database. Each step goes on where the one before has
// ended.
func TestServeOnEmbeddedDatabase(t *testing.T) {
	t.Parallel()
	dir := newData(t)
	l := &life{program: onData(dir).with(ignoredVariables...), dir: dir, dropped: newDrop(t)}
	l.begins(t)
	l.isOlder(t)
	l.drains(t, terminate)
	l.rests(t)
	l.isKilled(t)
	l.moves(t)
	l.drains(t, interrupt)
	require.Zero(t, l.watcher.end(t, terminate), l.watcher.err.String())
	l.losesItsDatabase(t)
}

// serve creates its own database at the first start. The other commands use the same
// database. A second service is refused in one sentence with the first one's process id.
func (l *life) begins(t *testing.T) {
	l.service = l.serve(t)
	require.Equal(t, `{"status":"ok"}`, l.service.get(t, "/api/health", "").body)
	l.key = l.fill(t)
	require.Equal(t, 2, l.service.transactions(t, l.key))
	l.service.get(t, "/api/v1/companies", "").requireError(t, http.StatusUnauthorized, "UNAUTHORIZED")
	require.Contains(t, l.service.get(t, "/sign-in", "").body, "Sign in")
	l.run(t, "serve", "--listen", "127.0.0.1:0").
		requireRefused(t, 1, l.dir, fmt.Sprint("process id ", l.service.cmd.Process.Pid), "--data")
}

// Commands do not migrate a database that is there, not even the one that creates one.
func (l *life) isOlder(t *testing.T) {
	newest := modelstest.ValueAt[int64](t, dataURL(l.dir), `SELECT max(version_id) FROM goose_db_version`)
	modelstest.ExecuteAt(t, dataURL(l.dir), fmt.Sprintf(`DELETE FROM goose_db_version WHERE version_id = %d`, newest))
	l.run(t, "organization", "list").requireRefused(t, 1, "run `dispo migrate`")
	l.run(t, "organization", "create", "Other", "--slug", "other").requireRefused(t, 1, "run `dispo migrate`")
	modelstest.ExecuteAt(t, dataURL(l.dir),
		fmt.Sprintf(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (%d, true)`, newest))
}

// After a signal, the service accepts no new requests, answers those in progress, and
// then stops the embedded database. No process is left.
func (l *life) drains(t *testing.T, signal syscall.Signal) {
	s, server := l.service, postmaster(l.dir)
	s.get(t, "/api/health", "") // its connection stays open
	release := hold(t, dataURL(l.dir), "LOCK TABLE companies IN ACCESS EXCLUSIVE MODE")
	type response struct {
		answer
		error
	}
	pending := make(chan response, 1)
	go func() {
		got, err := ask(s.url+"/api/v1/companies", withKey(l.key))
		pending <- response{got, err}
	}()
	modelstest.Eventually(t, func() bool { return waits(t, dataURL(l.dir)) })
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
	require.NoFileExists(t, filepath.Join(l.dir, "postgres", "postmaster.pid"))
}

// Commands use the database also without a service, and leave no process. A watcher waits for
// the service and says so, and does not keep the database from others. The demo never mixes
// its data with other data. Doctor, whose findings are an array as JSON, finds nothing wrong
// but what is.
func (l *life) rests(t *testing.T) {
	l.watcher = l.start(t, "watch", string(l.dropped), "--every=10ms", "--settle=10ms")
	modelstest.Eventually(t, func() bool { return l.watcher.err.String() != "" || l.watcher.hasEnded() })
	require.Contains(t, l.watcher.err.String(), "waiting for dispo serve or dispo demo")
	l.run(t, "demo", "--listen", "127.0.0.1:0").requireRefused(t, 1, l.dir, "--data")
	table := l.run(t, "key", "list", "--organization", "acme").requireDone(t)
	require.Contains(t, table, "127.0.0.1 (Go-http-client", "the last use is written at shutdown")

	secret := filepath.Join(l.dir, "secret")
	info, err := os.Stat(secret)
	require.NoError(t, err)
	require.EqualValues(t, 0o600, info.Mode().Perm())
	require.NoError(t, os.Chmod(secret, 0o644))
	var found []struct{ Check, Level, Message, Do string }
	require.NoError(t,
		json.Unmarshal([]byte(l.run(t, "doctor", "--json", "--all", "--listen", nowhere).requireDone(t)), &found))
	levels := map[string]string{}
	for _, f := range found {
		levels[f.Check] = f.Level
	}
	require.Contains(t, fmt.Sprint(found),
		"The secrets in "+secret+" can be read by other users. Run: chmod 600 "+secret+"}")
	require.Equal(t, []string{"ok", "ok", "warning"}, []string{levels["totals"], levels["logins"], levels["public URL"]},
		"nobody serves")
	require.NoFileExists(t, filepath.Join(l.dir, "postgres", "postmaster.pid"))
}

// A killed service loses no committed data, and the next start works. A watcher goes on when
// the service has restarted.
func (l *life) isKilled(t *testing.T) {
	for i, imported := range []int{3, 4} {
		l.service = l.serve(t)
		l.dropped.send(t, fmt.Sprintf("%d.csv", i), strings.ReplaceAll(delivery(cvr), "CARD", fmt.Sprint("CARD", i)))
		modelstest.Eventually(t, func() bool { return len(l.dropped.names("imported")) == i+1 }, l.watcher.err.String())
		require.Equal(t, imported, l.service.transactions(t, l.key))
		server := postmaster(l.dir)
		require.Equal(t, -1, l.service.end(t, syscall.SIGKILL))
		modelstest.Eventually(t, func() bool { return gone(server) })
	}
	l.service = l.serve(t)
	require.Equal(t, 4, l.service.transactions(t, l.key))
	text := l.run(t, "doctor", "--listen", nowhere).requireDone(t) // the service says where it is
	require.Regexp(t, `ok +public URL +Dispo is healthy at http://127.0.0.1:\d+`, text)
}

// A backup moves an embedded database, with its secret if that is wanted, to another
// directory, where the keys work that work here. Without the secret, the restore says where
// to write it, and the next command says that it has made another one.
func (l *life) moves(t *testing.T) {
	folder, secrets := newFolder(t), map[string]bool{}
	keep := func(dir string) {
		secret, err := os.ReadFile(dir + "/secret")
		require.NoError(t, err)
		secrets[string(secret)] = true
	}
	keep(l.dir)
	l.run(t, "backup", folder+"/x.dispo").requireDone(t)
	l.run(t, "backup", folder+"/secret.dispo", "--with-secret").requireDone(t)
	to := newData(t)
	onData(to).run(t, "restore", folder+"/secret.dispo", "--keys-active").requireDone(t)
	keep(to)
	require.Len(t, secrets, 1)
	s := onData(to).serve(t)
	require.Equal(t, 4, s.transactions(t, l.key))
	require.Zero(t, s.end(t, terminate), s.err.String())

	to = newData(t)
	restored := onData(to).run(t, "restore", folder+"/x.dispo")
	restored.requireDone(t)
	require.Contains(t, restored.err, "put the DISPO_SECRET of the backup's database into "+to+"/secret")
	const made = "there was no secret beside the database, so a new one was made"
	require.Contains(t, onData(to).run(t, "organization", "list").err, made)
	require.NotContains(t, onData(to).run(t, "organization", "list").err, made)
	keep(to)
	require.Len(t, secrets, 2)
}

// If the embedded database stops on its own, the service stops too, with one sentence
// that names the log, instead of answering 503 forever.
func (l *life) losesItsDatabase(t *testing.T) {
	l.service = l.serve(t)
	require.NoError(t, syscall.Kill(postmaster(l.dir), syscall.SIGQUIT))
	require.Equal(t, 1, l.service.wait(t))
	lines := strings.SplitAfter(strings.TrimSuffix(l.service.err.String(), "\n"), "\n")
	requireSentence(t, lines[len(lines)-1]+"\n", "postgres/log", l.dir)
}

// What a command of root creates before the first start of a service of another user, or
// during that, the service can use: the database, the secret and the file of DISPO_ERASURES.
func TestRootPreparesForTheService(t *testing.T) {
	t.Parallel()
	user := ordinary(t, modelstest.Database(t))
	for name, first := range map[string]bool{"before the start": true, "during the start": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := newData(t)
			require.NoError(t, os.Mkdir(dir, 0o700))
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
			created := p.run(t, "key", "create", "--organization", "acme", "--name", "k")
			key := created.requireDone(t)
			p.run(t, "key", "revoke", idPattern.FindString(created.err)).requireDone(t)
			if first {
				serve.begin(t)
			}
			s := started(t, serve)
			got := s.get(t, "/api/v1/companies", key)
			got.requireError(t, http.StatusUnauthorized, "UNAUTHORIZED")
			require.Contains(t, got.body, "revoked", "the service reads what the commands wrote")
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(entries), 5, "postgres with its log and lock, secret and erasures")
			for _, entry := range entries {
				info, err := entry.Info()
				require.NoError(t, err)
				require.True(t, user == nil || user.Uid == info.Sys().(*syscall.Stat_t).Uid, entry.Name())
			}
			require.Zero(t, s.end(t, terminate), s.err.String())
		})
	}
}

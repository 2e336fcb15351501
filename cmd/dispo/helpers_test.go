package main_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// nowhere is an address where nothing answers.
const nowhere = "127.0.0.1:1"

// The signals that stop the program cleanly.
const (
	interrupt = syscall.SIGINT
	terminate = syscall.SIGTERM
)

// program is the environment to run the binary with. From the test's environment it
// contains only what is needed to find programs.
type program []string

// with adds variables.
func (p program) with(variables ...string) program {
	return append(p[:len(p):len(p)], variables...)
}

// plain is the program without settings and without a usable data directory.
func plain() program {
	return program{
		"PATH=" + os.Getenv("PATH"), "PG_BIN=" + os.Getenv("PG_BIN"), "DISPO_DATA=/dev/null/dispo",
		"DISPO_ENV_FILE=none", "DISPO_DRAIN=0s", "GOGC=400",
	} // a command ends before its garbage matters
}

// ignoredVariables mean something to PostgreSQL's own programs, and nothing to dispo.
var ignoredVariables = []string{
	"PGSERVICE=none",
	"PGTARGETSESSIONATTRS=standby",
	"PGTZ=x",
	"PGCONNECT_TIMEOUT=x",
	"PGCHANNELBINDING=require",
	"PGHOSTADDR=192.0.2.1",
	"PGCLIENTENCODING=x",
	"PGGSSENCMODE=require",
	"PGOPTIONS=--x",
	"PGSSLMODE=verify-full",
	"PGSSLROOTCERT=/none",
	"PGDATABASE=none",
	"PGUSER=none",
	"PGPASSFILE=/none",
}

// secret is the DISPO_SECRET of modelstest's stores.
var secret = base64.StdEncoding.EncodeToString(modelstest.Secret[0])

// on is the program on the database at a URL.
func on(url string) program {
	return plain().with("DATABASE_URL="+url, "DISPO_SECRET="+secret)
}

// onData is the program on the embedded database of a directory.
func onData(dir string) program { return plain().with("DISPO_DATA=" + dir) }

// newFolder creates a directory that every user can access.
func newFolder(t testing.TB) string {
	t.Helper()
	folder, err := modelstest.MakeDirectory() // only its owner can access t.TempDir
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	folder, err = filepath.EvalSymlinks(folder)
	require.NoError(t, err)
	return folder
}

// newData returns the path of a data directory that does not exist yet. The test
// waits at its end until no server runs there.
func newData(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(newFolder(t), "data")
	t.Cleanup(func() {
		pid := postmaster(dir)
		modelstest.Eventually(t, func() bool { return pid == 0 || gone(pid) }, "PostgreSQL still runs")
	})
	return dir
}

// postmaster returns the process id of the server in a data directory, or 0.
func postmaster(dir string) int {
	text, _ := os.ReadFile(filepath.Join(dir, "postgres", "postmaster.pid"))
	first, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(first)
	return pid
}

// gone reports whether a process has ended. In a container whose first process is no init, one
// that has lost its parent stays a zombie.
func gone(pid int) bool {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) || strings.Contains(string(status), "\nState:\tZ")
}

// dataURL is the URL of a data directory's running server.
func dataURL(dir string) string {
	return "postgres://dispo@/postgres?port=5432&sslmode=disable&host=" + filepath.Join(dir, "postgres")
}

// hold runs a statement in a transaction that stays open until release is called.
func hold(t testing.TB, url, sql string) (release func()) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	require.NoError(t, err)
	require.NoError(t, modelstest.ErrorOf(conn.Exec(context.Background(), "BEGIN; "+sql)))
	release = sync.OnceFunc(func() { _ = conn.Close(context.Background()) })
	t.Cleanup(release)
	return release
}

// waits reports whether a backend of the database waits for a lock.
func waits(t testing.TB, url string) bool {
	t.Helper()
	return modelstest.ValueAt[bool](t, url,
		`SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`)
}

// rows summarizes everything that imports write, for all organizations.
func rows(t testing.TB, url string) string {
	t.Helper()
	return modelstest.ValueAt[string](
		t,
		url,
		`SELECT format('%s companies, %s files, %s transactions, totals %s and %s, last ids %s',
		(SELECT count(*) FROM companies), (SELECT count(*) FROM delivery_files), (SELECT count(*) FROM transactions),
		(SELECT sum(company_count) FROM organizations), (SELECT sum(transaction_count) FROM companies),
		(SELECT string_agg(last_id::text, ' ' ORDER BY id) FROM organizations))`,
	)
}

// process is the running program.
type process struct {
	cmd      *exec.Cmd
	out, err modelstest.Log
	ended    chan struct{}
}

// prepare returns a process with a command's arguments that has not started.
func (p program) prepare(arguments ...string) *process {
	prepared := &process{cmd: exec.Command("dispo", arguments...), ended: make(chan struct{})}
	prepared.cmd.Env, prepared.cmd.Dir = p, "/"
	prepared.cmd.Stdout, prepared.cmd.Stderr = &prepared.out, &prepared.err
	return prepared
}

// start starts a command, which is stopped at the end of the test.
func (p program) start(t testing.TB, arguments ...string) *process {
	t.Helper()
	return p.prepare(arguments...).begin(t)
}

func (p *process) begin(t testing.TB) *process {
	t.Helper()
	require.NoError(t, p.cmd.Start())
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // ProcessState has the result
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Signal(terminate) // it may already have ended
		p.wait(t)
	})
	return p
}

func (p *process) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// wait waits until the process ends and returns its exit status, or -1 if a signal
// killed it.
func (p *process) wait(t testing.TB) int {
	t.Helper()
	select {
	case <-p.ended:
		return p.cmd.ProcessState.ExitCode()
	case <-modelstest.Context(t).Done():
		_ = p.cmd.Process.Kill()
		require.FailNow(t, "the program does not stop", "%s\n%s", p.out.String(), p.err.String())
		return 0
	}
}

func (p *process) signal(t testing.TB, signal syscall.Signal) {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(signal))
}

// end sends a signal, waits and returns the exit status.
func (p *process) end(t testing.TB, signal syscall.Signal) int {
	t.Helper()
	p.signal(t, signal)
	return p.wait(t)
}

// result is the exit status and output of a command.
type result struct {
	status   int
	out, err string
}

func (p *process) result(t testing.TB) result {
	t.Helper()
	return result{p.wait(t), p.out.String(), p.err.String()}
}

// run runs a command and waits for it.
func (p program) run(t testing.TB, arguments ...string) result {
	t.Helper()
	return p.start(t, arguments...).result(t)
}

// runWith is like run, with text on standard input.
func (p program) runWith(t testing.TB, input string, arguments ...string) result {
	t.Helper()
	prepared := p.prepare(arguments...)
	prepared.cmd.Stdin = strings.NewReader(input)
	return prepared.begin(t).result(t)
}

// runAs is like run, as the user of the tests' database, who is not root.
func (p program) runAs(t testing.TB, user *syscall.Credential, arguments ...string) result {
	t.Helper()
	prepared := p.prepare(arguments...)
	prepared.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	return prepared.begin(t).result(t)
}

// ordinary returns the user who may connect to the server of a database, or nil if
// that is this process's own user.
func ordinary(t testing.TB, url string) *syscall.Credential {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	config, err := pgx.ParseConfig(url)
	require.NoError(t, err)
	socket, err := os.Stat(config.Host)
	require.NoError(t, err)
	owner := socket.Sys().(*syscall.Stat_t)
	return &syscall.Credential{Uid: owner.Uid, Gid: owner.Gid}
}

// requireDone requires success and returns standard output without the final newline.
func (r result) requireDone(t testing.TB) string {
	t.Helper()
	require.Zero(t, r.status, r.err)
	return strings.TrimSuffix(r.out, "\n")
}

// requireRefused requires an exit status, an empty standard output, and one sentence
// on standard error that contains all parts.
func (r result) requireRefused(t testing.TB, status int, parts ...string) {
	t.Helper()
	require.Equal(t, status, r.status, "%s%s", r.out, r.err)
	require.Empty(t, r.out)
	requireSentence(t, r.err, parts...)
}

func requireSentence(t testing.TB, text string, parts ...string) {
	t.Helper()
	require.True(t, strings.HasPrefix(text, "dispo: "), text)
	require.Equal(t, len(text)-1, strings.IndexByte(text, '\n'), "one line is expected: %s", text)
	require.NotContains(t, text, "%!")
	for _, part := range parts {
		require.Contains(t, text, part)
	}
}

// requireWithout requires that a long text has none of these parts.
func requireWithout(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		at := strings.Index(text, part)
		require.Negative(t, at, "%.300s", text[max(0, at-150):])
	}
}

// service is the program while it is serving.
type service struct {
	*process
	url     string // without a path
	metrics string // URL of the metrics, if they are on
}

// serve starts the service on a free port and returns when it is serving.
func (p program) serve(t testing.TB, arguments ...string) *service {
	t.Helper()
	return started(t, p.with("DISPO_LISTEN=127.0.0.1:0").start(t, append([]string{"serve"}, arguments...)...))
}

// started waits until a process is serving.
func started(t testing.TB, p *process) *service {
	t.Helper()
	s := &service{process: p}
	modelstest.Eventually(t, func() bool {
		s.url, s.metrics = p.logged("serving"), p.logged("serving metrics")
		return s.url != "" || p.hasEnded()
	})
	require.NotEmpty(t, s.url, "the service has ended: %s", p.err.String())
	return s
}

// entries returns the log's records with a message.
func (p *process) entries(message string) []map[string]any { return p.err.Records("msg", message) }

// logged returns the URL from the log line with a message, or an empty string.
func (p *process) logged(message string) string {
	for _, record := range p.entries(message) {
		return fmt.Sprint("http://", record["listen"])
	}
	return ""
}

// answer is a response of the service.
type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends a GET request with these headers.
func ask(url string, header map[string]string) (answer, error) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return answer{}, err
	}
	request.Host = header["Host"]
	for name, value := range header {
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(body)}, err
}

// withKey is the header of a request with a key.
func withKey(key string) map[string]string { return map[string]string{"X-API-Key": key} }

// get requests a path of the service, with a key unless it is empty.
func (s *service) get(t testing.TB, path, key string) answer {
	t.Helper()
	got, err := ask(s.url+path, withKey(key))
	require.NoError(t, err)
	return got
}

// requireError requires an error of the API.
func (a answer) requireError(t testing.TB, status int, code string) {
	t.Helper()
	require.Equal(t, status, a.status, a.body)
	var body struct {
		Error struct{ Code, Message string }
	}
	require.NoError(t, json.Unmarshal([]byte(a.body), &body), a.body)
	require.Equal(t, code, body.Error.Code)
	require.NotEmpty(t, body.Error.Message)
}

// page is a page of a list.
type page struct {
	Data []map[string]any
	Meta struct{ Total int }
}

// requirePage requires a page of a list.
func (a answer) requirePage(t testing.TB) page {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, a.body)
	var read page
	require.NoError(t, json.Unmarshal([]byte(a.body), &read), a.body)
	return read
}

// world is an organization "acme" with companies and a key, in a new database.
type world struct {
	*modelstest.World
	program
	acme       models.Organization
	key, keyID string
}

// CVRs with valid check digits.
const (
	cvr      = "10150817"
	otherCVR = "12345674"
	noCVR    = "88146328" // no organization has it
)

func newWorld(t testing.TB) world {
	t.Helper()
	w := modelstest.NewWorld(t)
	acme := w.Organization(t, "acme", cvr)
	created, key := w.Key(t, acme)
	return world{World: w, program: on(w.URL), acme: acme, key: key, keyID: created.ID.String()}
}

// file writes a file that every user can read and returns its path.
func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(newFolder(t), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// delivery returns a csv delivery with a record for each CVR.
func delivery(cvrs ...string) string {
	text := modelstest.DeliveryHeader
	for i, cvr := range cvrs {
		text += fmt.Sprintf("%s,1234,%010d,CARD,2026-01-31,%d,%d.50\n", cvr, i+1, i+1, i)
	}
	return text
}

// metric returns the value of a metric, which is named with its labels.
func (s *service) metric(t *testing.T, name string) string {
	t.Helper()
	for line := range strings.Lines(s.exposition(t)) {
		if value, found := strings.CutPrefix(line, name+" "); found {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// exposition returns the text of all metrics.
func (s *service) exposition(t *testing.T) string {
	t.Helper()
	got, err := ask(s.metrics+"/metrics", nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, got.status)
	return got.body
}

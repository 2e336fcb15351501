package main_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

const (
	// patience is how long a test waits for what should come soon.
	patience  = time.Minute
	pollEvery = 10 * time.Millisecond

	// nowhere is an address where nothing answers.
	nowhere = "127.0.0.1:1"
)

// The signals that end the program in good order.
const (
	interrupt = syscall.SIGINT
	terminate = syscall.SIGTERM
)

// eventually waits for a condition.
func eventually(t testing.TB, condition func() bool, about ...any) {
	t.Helper()
	require.Eventually(t, condition, patience, pollEvery, about...)
}

// journal is what a process writes, to be read while it writes.
type journal struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.text.String()
}

func (j *journal) has(part string) bool { return strings.Contains(j.String(), part) }

// program is the binary with an environment of its own: nothing of the test's
// environment reaches it but where programs are found.
type program []string

// with adds variables.
func (p program) with(variables ...string) program {
	return append(p[:len(p):len(p)], variables...)
}

// plain is the program without any setting, and without a data directory that it
// could use.
func plain() program {
	return program{"PATH=" + os.Getenv("PATH"), "PG_BIN=" + os.Getenv("PG_BIN"), "DISPO_DATA=/dev/null/dispo"}
}

// secret is the DISPO_SECRET of modelstest's stores.
var secret = base64.StdEncoding.EncodeToString(modelstest.Secret)

// on is the program on the database at an address.
func on(url string) program {
	return plain().with("DATABASE_URL="+url, "DISPO_SECRET="+secret)
}

// onData is the program on the embedded database of a directory.
func onData(dir string) program { return plain().with("DISPO_DATA=" + dir) }

// newFolder makes a folder that every user can reach.
func newFolder(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("/tmp", "dispo-") // t.TempDir is its owner's alone, and too long for a socket
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	require.NoError(t, os.Chmod(folder, 0o755))
	folder, err = filepath.EvalSymlinks(folder)
	require.NoError(t, err)
	return folder
}

// newData names a data directory that does not exist yet. The test ends when the
// server that may run in it has.
func newData(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(newFolder(t), "data")
	t.Cleanup(func() {
		pid := postmaster(dir)
		eventually(t, func() bool { return pid == 0 || gone(pid) }, "PostgreSQL still runs")
	})
	return dir
}

// postmaster is the process id of the server in a data directory, 0 without one.
func postmaster(dir string) int {
	text, _ := os.ReadFile(filepath.Join(dir, "postgres", "postmaster.pid"))
	first, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(first)
	return pid
}

func gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

// dataURL is the address of a data directory's running server.
func dataURL(dir string) string {
	return "postgres://dispo@/dispo?port=5432&sslmode=disable&host=" + filepath.Join(dir, "socket")
}

// query gives the one value that a query answers.
func query[T any](t testing.TB, url, sql string, arguments ...any) T {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	require.NoError(t, err)
	defer conn.Close(context.Background())
	var value T
	require.NoError(t, conn.QueryRow(context.Background(), sql, arguments...).Scan(&value))
	return value
}

// execute runs a statement.
func execute(t testing.TB, url, sql string, arguments ...any) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	require.NoError(t, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(context.Background(), sql, arguments...)
	require.NoError(t, err)
}

// hold runs a statement in a transaction that stays open until release.
func hold(t testing.TB, url, sql string) (release func()) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), url)
	require.NoError(t, err)
	_, err = conn.Exec(context.Background(), "BEGIN; "+sql)
	require.NoError(t, err)
	release = sync.OnceFunc(func() { _ = conn.Close(context.Background()) })
	t.Cleanup(release)
	return release
}

// waits tells whether a backend of the database waits for a lock.
func waits(t testing.TB, url string) bool {
	t.Helper()
	return query[bool](t, url, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`)
}

// rows counts all that imports can bring, over all organizations.
func rows(t testing.TB, url string) string {
	t.Helper()
	return query[string](t, url, `SELECT format('%s companies, %s files, %s transactions, totals %s and %s, last ids %s',
		(SELECT count(*) FROM companies), (SELECT count(*) FROM delivery_files), (SELECT count(*) FROM transactions),
		(SELECT sum(company_count) FROM organizations), (SELECT sum(transaction_count) FROM companies),
		(SELECT string_agg(last_id::text, ' ' ORDER BY id) FROM organizations))`)
}

// process is the program while it runs.
type process struct {
	cmd      *exec.Cmd
	out, err journal
	ended    chan struct{}
}

// prepare is the program with a command's arguments, not started yet.
func (p program) prepare(arguments ...string) *process {
	prepared := &process{cmd: exec.Command(binary, arguments...), ended: make(chan struct{})}
	prepared.cmd.Env, prepared.cmd.Dir = p, "/"
	prepared.cmd.Stdout, prepared.cmd.Stderr = &prepared.out, &prepared.err
	return prepared
}

// start starts a command; it ends with the test.
func (p program) start(t testing.TB, arguments ...string) *process {
	t.Helper()
	return p.prepare(arguments...).begin(t)
}

func (p *process) begin(t testing.TB) *process {
	t.Helper()
	require.NoError(t, p.cmd.Start())
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // its state tells
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Signal(terminate) // it may have ended
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

// wait waits for the end, and gives the exit status: -1 where a signal killed it.
func (p *process) wait(t testing.TB) int {
	t.Helper()
	select {
	case <-p.ended:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		_ = p.cmd.Process.Kill()
		require.FailNow(t, "the program does not end", "%s\n%s", p.out.String(), p.err.String())
		return 0
	}
}

func (p *process) signal(t testing.TB, signal syscall.Signal) {
	t.Helper()
	require.NoError(t, p.cmd.Process.Signal(signal))
}

// end sends a signal, and gives the exit status.
func (p *process) end(t testing.TB, signal syscall.Signal) int {
	t.Helper()
	p.signal(t, signal)
	return p.wait(t)
}

// result is what a command that has ended leaves.
type result struct {
	status   int
	out, err string
}

func (p *process) result(t testing.TB) result {
	t.Helper()
	return result{p.wait(t), p.out.String(), p.err.String()}
}

// run runs a command to its end.
func (p program) run(t testing.TB, arguments ...string) result {
	t.Helper()
	return p.start(t, arguments...).result(t)
}

// runWith is run with something on standard input.
func (p program) runWith(t testing.TB, input string, arguments ...string) result {
	t.Helper()
	prepared := p.prepare(arguments...)
	prepared.cmd.Stdin = strings.NewReader(input)
	return prepared.begin(t).result(t)
}

// runAs is run as the user of the tests' database, who is not root.
func (p program) runAs(t testing.TB, user *syscall.Credential, arguments ...string) result {
	t.Helper()
	prepared := p.prepare(arguments...)
	prepared.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	return prepared.begin(t).result(t)
}

// ordinary is the user who may use the server of a database, nil where that is
// this process's own.
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

// requireDone demands success, and gives standard output without its last line end.
func (r result) requireDone(t testing.TB) string {
	t.Helper()
	require.Zero(t, r.status, r.err)
	return strings.TrimSuffix(r.out, "\n")
}

// requireRefused demands an exit status, an empty standard output, and one
// sentence on standard error that tells all of this.
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

// service is the program while it serves.
type service struct {
	*process
	url     string // without a path
	metrics string // of the metrics, where they are on
}

// serve starts the service on a port of its own, and returns when it serves.
func (p program) serve(t testing.TB, arguments ...string) *service {
	t.Helper()
	return started(t, p.with("DISPO_LISTEN=127.0.0.1:0").start(t, append([]string{"serve"}, arguments...)...))
}

// started waits until a process serves.
func started(t testing.TB, p *process) *service {
	t.Helper()
	s := &service{process: p}
	eventually(t, func() bool {
		s.url, s.metrics = p.logged("serving"), p.logged("serving metrics")
		return s.url != "" || p.hasEnded()
	})
	require.NotEmpty(t, s.url, "the service has ended: %s", p.err.String())
	return s
}

// logged is the address in the line of the log that has this message.
func (p *process) logged(message string) string {
	for line := range strings.Lines(p.err.String()) {
		var entry struct{ Msg, Listen string }
		if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == message {
			return "http://" + entry.Listen
		}
	}
	return ""
}

// answer is what the service has answered.
type answer struct {
	status int
	header http.Header
	body   string
}

// client gives up later than the service has to answer.
var client = &http.Client{Timeout: 20 * time.Second}

// ask sends a request, with a key unless that is empty.
func ask(url, key string) (answer, error) {
	request, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return answer{}, err
	}
	if key != "" {
		request.Header.Set("X-API-Key", key)
	}
	response, err := client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(body)}, err
}

// get asks the service for a path.
func (s *service) get(t testing.TB, path, key string) answer {
	t.Helper()
	got, err := ask(s.url+path, key)
	require.NoError(t, err)
	return got
}

// requireError demands an error of the API.
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

// page is what lists answer.
type page struct {
	Data []map[string]any
	Meta struct{ Total int }
}

// requirePage demands a page of a list.
func (a answer) requirePage(t testing.TB) page {
	t.Helper()
	require.Equal(t, http.StatusOK, a.status, a.body)
	var read page
	require.NoError(t, json.Unmarshal([]byte(a.body), &read), a.body)
	return read
}

// world is an organization "acme" with companies and a key, on a database of the
// test's own.
type world struct {
	*modelstest.World
	program
	key string
}

// CVRs with good check digits.
const (
	cvr      = "10150817"
	otherCVR = "12345674"
	noCVR    = "88146328" // nobody's
)

func newWorld(t testing.TB) world {
	t.Helper()
	w := modelstest.NewWorld(t)
	acme := w.Organization(t, "acme")
	w.Companies(t, acme, cvr)
	_, key := w.Key(t, acme)
	return world{World: w, program: on(w.URL), key: key}
}

// file writes a file where every user can read it, and gives its path.
func file(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(newFolder(t), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

const deliveryHeader = "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n"

// delivery is a csv delivery with these CVRs' records.
func delivery(cvrs ...string) string {
	text := deliveryHeader
	for i, cvr := range cvrs {
		text += fmt.Sprintf("%s,1234,%010d,CARD,2026-01-31,%d,%d.50\n", cvr, i+1, i+1, i)
	}
	return text
}

// largeDelivery writes a delivery of some bytes, and gives its records.
func largeDelivery(t testing.TB, size int64) (path string, records int) {
	t.Helper()
	path = filepath.Join(newFolder(t), "large.csv")
	var text bytes.Buffer
	text.WriteString(deliveryHeader)
	for int64(text.Len()) < size {
		fmt.Fprintf(&text, "%s,1234,%010d,CARD,2026-01-31,%d,%d.50\n", cvr, records, records, records)
		records++
	}
	require.NoError(t, os.WriteFile(path, text.Bytes(), 0o644))
	return path, records
}

// listen holds a port, and gives its address.
func listen(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	return listener.Addr().String()
}

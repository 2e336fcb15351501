// Package browsertest tests what people see and do in the dashboard, with a real
// Chromium and the real program on its embedded database.
//
// All tests share one service and one browser. Each has its own organization and
// browser context.
package browsertest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/modelstest"
)

const (
	// timeout is how long the browser or the service may take to start. Tests wait until
	// their own deadline.
	timeout      = 10 * time.Minute
	pollInterval = 25 * time.Millisecond

	// maxParallel is how many tests run at the same time.
	maxParallel = 4
)

var (
	binary   string             // the program under test
	shared   *service           // the service that all tests use
	operator *models.Store      // the shared service's database, as the operator
	members  *accounts.Accounts // the people in that database
	chromium context.Context    // the browser
	slots    = make(chan struct{}, maxParallel)
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(runTests(m))
}

func runTests(m *testing.M) (status int) {
	fail := func(what string, err error) int {
		fmt.Fprintln(os.Stderr, what+":", err)
		return 1
	}
	folder, err := os.MkdirTemp("", "dispo-browser-")
	if err != nil {
		return fail("create a temporary directory", err)
	}
	defer os.RemoveAll(folder)
	if err := os.Chmod(folder, 0o755); err != nil { // the database may run as another user
		return fail("make the temporary directory readable", err)
	}
	binary = filepath.Join(folder, "dispo")
	if output, err := exec.Command("go", "build", "-ldflags=-X main.requestTimeout=1m", "-o", binary, "dispo/cmd/dispo").CombinedOutput(); err != nil {
		return fail("build the program", errors.New(string(output)))
	}
	if shared, err = startService(filepath.Join(folder, "data"), "serve"); err != nil {
		return fail("start the service", err)
	}
	defer func() {
		if err := shared.stop(); err != nil {
			status = fail("stop the service", err)
		}
	}()
	if operator, err = openStore(shared); err != nil {
		return fail("open the service's database", err)
	}
	defer operator.DB().Close()
	members = accounts.New(operator)
	var closeBrowser func()
	if chromium, closeBrowser, err = startBrowser(filepath.Join(folder, "profile")); err != nil {
		return fail("start Chromium or Google Chrome, which has to be on PATH", err)
	}
	defer closeBrowser()
	return m.Run()
}

// startBrowser starts the browser with a new profile.
func startBrowser(profile string) (context.Context, func(), error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.UserDataDir(profile), chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("lang", "en-US"),
		chromedp.WSURLReadTimeout(timeout),
	)
	// Chromium without windows, which needs a tenth of the processor time.
	if shell, err := exec.LookPath("chromium-headless-shell"); err == nil {
		options = append(options, chromedp.ExecPath(shell))
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	quiet := func(string, ...any) {} // it logs events that the library does not know
	ctx, _ := chromedp.NewContext(allocator, chromedp.WithErrorf(quiet), chromedp.WithLogf(quiet))
	if err := chromedp.Run(ctx); err != nil {
		cancel()
		return nil, nil, err
	}
	return ctx, func() {
		closing, done := context.WithTimeout(ctx, timeout)
		defer done()
		_ = chromedp.Cancel(closing) // closes the browser, or kills it
		cancel()
	}, nil
}

// service is a running instance of the program.
type service struct {
	cmd    *exec.Cmd
	data   string // the data directory
	url    string // base URL, without a path
	out    modelstest.Log
	failed chan error
}

// environment returns the program's environment. From the test's it only takes
// where to find executables.
func environment(data string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "PG_BIN=" + os.Getenv("PG_BIN"), "DISPO_DATA=" + data, "DISPO_LISTEN=127.0.0.1:0"}
}

// startService starts `dispo serve` or `dispo demo` with more variables, and waits until
// it serves.
func startService(data, command string, variables ...string) (*service, error) {
	s := &service{cmd: exec.Command(binary, command), data: data, failed: make(chan error, 1)}
	s.cmd.Env, s.cmd.Dir = append(environment(data), variables...), "/"
	s.cmd.Stdout = &s.out
	log, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	serving := make(chan string, 1)
	go func() {
		lines, last := bufio.NewScanner(log), ""
		for lines.Scan() {
			var entry struct{ Level, Msg, Listen string }
			if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "serving" {
				serving <- "http://" + entry.Listen
			}
			if entry.Level == "ERROR" {
				fmt.Fprintln(os.Stderr, "the service:", lines.Text())
			}
			last = lines.Text()
		}
		_, _ = io.Copy(io.Discard, log)
		if err := s.cmd.Wait(); err != nil {
			err = fmt.Errorf("%w: %s", err, last)
			s.failed <- err
		}
		close(s.failed)
	}()
	select {
	case s.url = <-serving:
		return s, nil
	case err := <-s.failed:
		return nil, err
	case <-time.After(timeout):
		_ = s.cmd.Process.Kill()
		return nil, fmt.Errorf("not serving after %s", timeout)
	}
}

// stop shuts the service down gracefully.
func (s *service) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return <-s.failed
}

// openStore opens the service's database as the operator.
func openStore(s *service) (*models.Store, error) {
	db, err := database.Open(context.Background(), database.Config{URL: s.databaseURL(), Role: database.Operator, MaxConnections: 4})
	if err != nil {
		return nil, err
	}
	return models.NewStore(db, nil), nil
}

// databaseURL is the URL of the service's database, as its superuser.
func (s *service) databaseURL() string {
	return "postgres://dispo@/postgres?port=5432&sslmode=disable&host=" + filepath.Join(s.data, "postgres")
}

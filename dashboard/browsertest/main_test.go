// Package browsertest tests what people see and do in the dashboard, with a real
// Chromium and the real program on its embedded database.
//
// All tests share one demo and one browser. Each has its own organization and
// browser context.
package browsertest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
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
	// timeout is how long the browser may take to start. Tests wait until their own deadline.
	timeout = 10 * time.Minute

	// maxParallel is how many tests run at the same time.
	maxParallel = 4
)

var (
	demo     *service          // that all tests use
	world    *modelstest.World // its database; what tests create costs the service little bcrypt
	chromium context.Context   // the browser
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
	binary := filepath.Join(folder, "dispo")
	if output, err := exec.Command("go", "build", "-ldflags=-s -w -X main.requestTimeout=1m", "-o", binary, "dispo/cmd/dispo").
		CombinedOutput(); err != nil {
		return fail("build the program", errors.New(string(output)))
	}
	if demo, err = startDemo(binary, filepath.Join(folder, "data")); err != nil {
		return fail("start the demo", err)
	}
	defer func() {
		if err := demo.stop(); err != nil {
			status = fail("stop the demo", err)
		}
	}()
	// As its superuser, and so in any role.
	address := "postgres://dispo@/postgres?port=5432&sslmode=disable&host=" + filepath.Join(folder, "data", "postgres")
	db, err := database.Open(context.Background(),
		database.Config{URL: address, Role: database.Operator, MaxConnections: 8})
	if err != nil {
		return fail("open the demo's database", err)
	}
	defer db.Close()
	store := models.NewStore(db, nil)
	world = &modelstest.World{URL: address, Operator: &modelstest.Instance{Store: store, Accounts: accounts.New(store)}}
	var closeBrowser func()
	if chromium, closeBrowser, err = startBrowser(filepath.Join(folder, "profile")); err != nil {
		return fail("start Chromium or Google Chrome, which has to be on PATH", err)
	}
	defer closeBrowser()
	return m.Run()
}

// startBrowser starts the browser with a new profile.
func startBrowser(profile string) (context.Context, func(), error) {
	options := append(
		chromedp.DefaultExecAllocatorOptions[:],
		chromedp.UserDataDir(profile),
		chromedp.DisableGPU,
		chromedp.Flag("in-process-gpu", true),
		chromedp.Flag("js-flags", "--no-opt --no-maglev"), // a page lives too shortly for more
		chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("lang", "en-US"),
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
	cmd   *exec.Cmd
	url   string // base URL, without a path
	out   modelstest.Log
	ended chan error
}

// startDemo starts `dispo demo`, and waits until it says that it serves. From the test's
// environment it only takes where to find executables.
func startDemo(binary, data string) (*service, error) {
	s := &service{cmd: exec.Command(binary, "demo"), ended: make(chan error, 1)}
	s.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "PG_BIN=" + os.Getenv("PG_BIN"), "DISPO_DATA=" + data,
		"DISPO_LISTEN=127.0.0.1:0", "DISPO_LOG_LEVEL=error"}
	s.cmd.Dir, s.cmd.Stdout, s.cmd.Stderr = "/", &s.out, os.Stderr
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { s.ended <- s.cmd.Wait() }()
	for !strings.Contains(s.out.String(), "Ctrl-C") {
		select {
		case err := <-s.ended:
			return nil, errors.Join(errors.New("it has ended"), err)
		case <-time.After(20 * time.Millisecond):
		}
	}
	s.url = s.printed(`serves made-up data at (\S+)`)
	return s, nil
}

// printed returns what the group in the pattern matches in what the service has printed.
func (s *service) printed(pattern string) string {
	found := regexp.MustCompile(pattern).FindStringSubmatch(s.out.String())
	if found == nil {
		panic("the demo does not print " + pattern + ":\n" + s.out.String())
	}
	return found[1]
}

// stop shuts the service down gracefully.
func (s *service) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return <-s.ended
}

// Package browsertest drives the dashboard in a real Chromium, against the real
// program on its embedded database: what people see and do.
//
// One service and one browser serve all tests; every test has an organization and
// a browser context of its own.
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
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"dispo/models"
)

const (
	// patience is how long a test waits for what should come soon.
	patience  = time.Minute
	pollEvery = 25 * time.Millisecond

	// tabsAtOnce is how many tests have pages open at the same time.
	tabsAtOnce = 4
)

var (
	binary   string          // the program under test
	site     *service        // it serves all tests
	operator *models.Store   // of the service's database
	chromium context.Context // the browser
	slots    = make(chan struct{}, tabsAtOnce)
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
	browser, err := findBrowser()
	if err != nil {
		return fail("the tests need a browser", err)
	}
	folder, err := os.MkdirTemp("", "dispo-browser-")
	if err != nil {
		return fail("no folder can be made", err)
	}
	defer os.RemoveAll(folder)
	if err := os.Chmod(folder, 0o755); err != nil { // the database's user may be another one
		return fail("the folder can't be opened to others", err)
	}
	binary = filepath.Join(folder, "dispo")
	if output, err := exec.Command("go", "build", "-o", binary, "dispo/cmd/dispo").CombinedOutput(); err != nil {
		return fail("the program can't be built", errors.New(string(output)))
	}
	if site, err = startService(filepath.Join(folder, "data"), "serve"); err != nil {
		return fail("the service does not start", err)
	}
	defer func() {
		if err := site.stop(); err != nil {
			status = fail("the service did not end in good order", err)
		}
	}()
	operator, err = models.Open(context.Background(), models.Config{URL: site.databaseURL(), Role: models.Operator, MaxConnections: 4})
	if err != nil {
		return fail("the service's database can't be used", err)
	}
	defer operator.Close()
	var closeBrowser func()
	if chromium, closeBrowser, err = startBrowser(browser, filepath.Join(folder, "profile")); err != nil {
		return fail(browser+" does not start", err)
	}
	defer closeBrowser()
	return m.Run()
}

// findBrowser finds Chromium, or what is made of it.
func findBrowser() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	for _, path := range []string{"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium"} {
		if _, err := os.Stat(path); err == nil && runtime.GOOS == "darwin" {
			return path, nil
		}
	}
	return "", errors.New("install Chromium (apt-get install chromium) or Google Chrome, so that it is found on PATH")
}

// startBrowser starts the browser with a profile of its own.
func startBrowser(path, profile string) (context.Context, func(), error) {
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(profile), chromedp.DisableGPU,
		chromedp.Flag("disable-background-networking", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("lang", "en-US"),
		chromedp.WSURLReadTimeout(patience),
	)...)
	quiet := func(string, ...any) {} // of events newer than the library
	ctx, _ := chromedp.NewContext(allocator, chromedp.WithErrorf(quiet), chromedp.WithLogf(quiet))
	if err := chromedp.Run(ctx); err != nil {
		cancel()
		return nil, nil, err
	}
	return ctx, func() {
		ending, done := context.WithTimeout(ctx, patience)
		defer done()
		_ = chromedp.Cancel(ending) // closed or killed
		cancel()
	}, nil
}

// service is the program while it serves.
type service struct {
	cmd    *exec.Cmd
	data   string // the data directory
	url    string // without a path
	out    journal
	failed chan error
}

// journal is what a process writes, to be read while it writes.
type journal struct {
	mutex sync.Mutex
	text  strings.Builder
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

// environment is the program's: nothing of the test's reaches it but where
// programs are found.
func environment(data string) []string {
	return []string{"PATH=" + os.Getenv("PATH"), "PG_BIN=" + os.Getenv("PG_BIN"), "DISPO_DATA=" + data, "DISPO_LISTEN=127.0.0.1:0"}
}

// startService starts `dispo serve` or `dispo demo`, and returns when it serves.
func startService(data, command string) (*service, error) {
	s := &service{cmd: exec.Command(binary, command), data: data, failed: make(chan error, 1)}
	s.cmd.Env, s.cmd.Dir = environment(data), "/"
	s.cmd.Stdout = &s.out
	log, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	served := make(chan string, 1)
	go func() {
		lines, said := bufio.NewScanner(log), ""
		for lines.Scan() {
			var entry struct{ Level, Msg, Listen string }
			if json.Unmarshal(lines.Bytes(), &entry) == nil && entry.Msg == "serving" {
				served <- "http://" + entry.Listen
			}
			if entry.Level == "ERROR" {
				fmt.Fprintln(os.Stderr, "the service:", lines.Text())
			}
			said = lines.Text()
		}
		_, _ = io.Copy(io.Discard, log)
		if err := s.cmd.Wait(); err != nil {
			err = fmt.Errorf("%w: %s", err, said)
			s.failed <- err
		}
		close(s.failed)
	}()
	select {
	case s.url = <-served:
		return s, nil
	case err := <-s.failed:
		return nil, err
	case <-time.After(patience):
		_ = s.cmd.Process.Kill()
		return nil, errors.New("it took too long")
	}
}

// stop ends the service in good order.
func (s *service) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return <-s.failed
}

// databaseURL is the address of the service's database, as its superuser.
func (s *service) databaseURL() string {
	return "postgres://dispo@/dispo?port=5432&sslmode=disable&host=" + filepath.Join(s.data, "socket")
}

package test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"
	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"

	"dispo/api/download"
	"dispo/api/server"
	"dispo/dashboard"
	"dispo/models/modelstest"
	"dispo/models/signon"
	"dispo/models/terms"
)

const password = "en lang adgangskode"

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

// startProvider serves the example of zitadel/oidc at localhost, which alone it allows without
// TLS, with a client that returns to the service, and returns its issuer.
func startProvider(t *testing.T, returnURL func(issuer string) string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	issuer := "http://localhost:" + port + "/"
	storage.RegisterClients(storage.WebClient("dispo", "secret", returnURL(issuer)))
	provider := http.Server{Handler: exampleop.SetupServer(issuer, storage.NewStorage(storage.NewUserStore(issuer)),
		slog.New(slog.DiscardHandler), false)}
	go func() { _ = provider.Serve(listener) }()
	t.Cleanup(func() { _ = provider.Close() })
	return issuer
}

// In Chromium, an owner sets and tries a provider that we have not written, a member links their
// account by password, signs out, and comes in again by the provider alone.
func TestZitadel(t *testing.T) {
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.User(t, a, "test-user@zitadel.ch", terms.Owner, password)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	public, err := url.Parse("http://" + listener.Addr().String())
	require.NoError(t, err)
	on := signon.New(w.Service.Accounts, w.Service.Store, public, true)
	app := fiber.New(fiber.Config{DisableStartupMessage: true, StrictRouting: true, CaseSensitive: true})
	downloads := download.NewMaker(1)
	dashboard.Routes(
		app,
		dashboard.Config{Store: w.Service.Store, Accounts: w.Service.Accounts, SignOn: on, PublicURL: public,
			Log: slog.New(slog.DiscardHandler), Downloads: downloads},
	)
	go func() { _ = server.Serve(app, listener) }()
	t.Cleanup(func() { _ = app.Shutdown(); downloads.Close() })
	issuer := startProvider(t, func(string) string { return on.ReturnURL(a.ID) })

	b := newBrowser(t)
	signIn := chromedp.Tasks{
		chromedp.WaitVisible("#email"),
		chromedp.SendKeys("#email", "test-user@zitadel.ch"), chromedp.SendKeys("#password", password),
		chromedp.Submit("#password"),
	}
	atProvider := chromedp.Tasks{
		chromedp.WaitVisible("main a.primary"), chromedp.Click("main a.primary"),
		chromedp.WaitVisible("#username"), chromedp.SendKeys("#username", "test-user@localhost"),
		chromedp.SendKeys("#password", "verysecure"), chromedp.Submit("#password"),
	}
	// The button may be in a menu.
	signOut := chromedp.Evaluate(`document.querySelector('header form[action="/sign-out"]').requestSubmit()`, nil)
	var tried, home string
	require.NoError(t, chromedp.Run(
		b,
		chromedp.Navigate(public.String()+"/sign-in?next=/settings/sign-in"),
		signIn,
		chromedp.WaitVisible("#issuer"),
		chromedp.SendKeys("#issuer", issuer),
		chromedp.SendKeys("#client_id", "dispo"),
		chromedp.SendKeys("#client_secret", "secret"),
		chromedp.Submit("#client_secret"),
		chromedp.WaitVisible(`a[href="/settings/sign-in/try"]`),
		chromedp.Click(`a[href="/settings/sign-in/try"]`),
		atProvider,
		chromedp.WaitVisible(`//h1[contains(., "The trial worked")]`),
		chromedp.Text("main", &tried),
		chromedp.Click(`main a.primary`),
		chromedp.WaitVisible(`form[action="/settings/sign-in/enable"]`),
		chromedp.Click(`form[action="/settings/sign-in/enable"] button`),
		chromedp.WaitVisible(`form[action="/settings/sign-in/require"], #require`),
		signOut,
		chromedp.WaitVisible("#email"),
	))
	require.Contains(t, tried, "id1")
	require.Contains(t, tried, "test-user@zitadel.ch")
	require.NoError(t, chromedp.Run(b,
		chromedp.Navigate(public.String()+"/sign-in/a?next=/companies"), atProvider,
		chromedp.WaitVisible("main a.primary"), chromedp.Click("main a.primary"), signIn,
		chromedp.WaitVisible(`main form[action$="/link"] button`), chromedp.Click(`main form[action$="/link"] button`),
		chromedp.WaitVisible(`//h1[contains(., "Companies")]`), // the page before has the menu, too
		signOut, chromedp.WaitVisible("#email"),
		chromedp.Navigate(public.String()+"/sign-in/a?next=/companies"), atProvider,
		chromedp.WaitVisible("header.side"), chromedp.Text("header.side", &home, chromedp.NodeReady),
	))
	require.Contains(t, home, "Organization a")
	require.Equal(t, "provider", modelstest.ValueAt[string](t, w.URL, `SELECT opened_by FROM sessions`))
	require.False(t, strings.Contains(home, "Profile"))
}

// newBrowser starts Chromium, until the test ends.
func newBrowser(t *testing.T) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.UserDataDir(filepath.Join(t.TempDir(), "profile")), chromedp.DisableGPU, chromedp.WindowSize(1280, 900),
		chromedp.Flag("lang", "en-US"), chromedp.Flag("disable-dev-shm-usage", true))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	if shell, err := exec.LookPath("chromium-headless-shell"); err == nil {
		options = append(options, chromedp.ExecPath(shell))
	}
	// Not of t.Context, which ends before cleanups: its end would kill the script that started Chromium, and leave
	// Chromium running.
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ := chromedp.NewContext(allocator, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(func() {
		_ = chromedp.Cancel(ctx)
		cancel()
	})
	return ctx
}

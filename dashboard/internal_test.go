package dashboard

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"dispo/dashboard/export"
	"dispo/models"
	"dispo/models/i18n"
	"dispo/web"
)

// An error that means that the database is lost answers 503, whatever returned it. Any
// other unknown error answers 500.
func TestFailOfLostDatabase(t *testing.T) {
	t.Parallel()
	for status, errs := range map[int][]error{
		503: {io.ErrUnexpectedEOF, fmt.Errorf("read: %w", &pgconn.PgError{Code: "57P01"}), models.Wrap(&pgconn.PgError{Code: "57014"})},
		500: {io.ErrClosedPipe, &pgconn.PgError{Code: "42P01"}},
	} {
		for _, err := range errs {
			h, app := &handler{Config: Config{Log: slog.New(slog.DiscardHandler)}}, fiber.New()
			app.Get("/", func(c *fiber.Ctx) error {
				h.Observer.Begin(c)
				return h.fail(&request{c: c}, err)
			})
			answer, failed := app.Test(httptest.NewRequest("GET", "/", nil))
			require.NoError(t, failed)
			require.NoError(t, answer.Body.Close())
			require.Equal(t, status, answer.StatusCode, err)
			require.Equal(t, status == 503, answer.Header.Get("Retry-After") == "5", err)
		}
	}
}

// Route is a row of the route table, for tests.
type Route struct {
	Method, Path string
	Public       bool // for people who are not signed in, too
	Managers     bool // for owners and admins only
	Confirmed    bool
	IfInUse      bool
	Unconfirmed  string
	ShowsSecret  bool
	Fields       []string
}

// EveryForm are fields that any form may have.
var EveryForm = everyForm

// RouteTable returns all pages and forms.
func RouteTable() (all []Route) {
	for _, r := range (&handler{}).routes() {
		all = append(
			all,
			Route{
				r.method,
				r.path,
				r.access == anyone,
				r.access == manager,
				r.confirmed,
				r.ifInUse,
				r.unconfirmed,
				r.showsSecret,
				r.fields,
			},
		)
	}
	return all
}

// A panic is answered with status 500 and the error page, which shows nothing of
// the panic. It is logged once, with its stack.
func TestPanic(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	app := fiber.New()
	// Without a store, pages that need one panic.
	Routes(app, Config{PublicURL: &url.URL{}, Log: slog.New(slog.NewJSONHandler(&log, nil))})
	response, err := app.Test(httptest.NewRequest("GET", "/password/none", nil))
	require.NoError(t, err)
	defer response.Body.Close()
	page, err := io.ReadAll(response.Body)
	require.NoError(t, err)

	require.Equal(t, fiber.StatusInternalServerError, response.StatusCode)
	require.Contains(t, response.Header.Get("Content-Type"), "text/html")
	require.NotContains(t, string(page), "nil pointer")
	var record struct{ Msg, Error string }
	require.NoError(t, json.Unmarshal(log.Bytes(), &record), log.String())
	require.Equal(t, "page failed", record.Msg)
	require.Contains(t, record.Error, "panic: runtime error: invalid memory address")
	require.Contains(t, record.Error, "dashboard/")
}

// No file has two columns with one title: a spreadsheet refuses a table with such a heading.
func TestTitlesAreUnique(t *testing.T) {
	t.Parallel()
	for _, language := range i18n.Offered {
		f := web.Frame{Locale: language}
		requireUnique(t, transactionTable(f))
		requireUnique(t, companyTable(f))
		requireUnique(t, deliveryTable(f))
		requireUnique(t, auditTable(f))
	}
}

func requireUnique[T any](t *testing.T, table export.Table[T]) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range table.Columns {
		require.False(t, c.Title != "" && seen[c.Title], "%s: %s", table.Name, c.Title)
		seen[c.Title] = true
	}
}

// Behind https, cookies go to this host alone, over https alone, and to no script or other site.
func TestCookiesOverHTTPS(t *testing.T) {
	t.Parallel()
	h, app := &handler{Config: Config{PublicURL: &url.URL{Scheme: "https"}}}, fiber.New()
	app.Get("/", func(c *fiber.Ctx) error {
		h.setCookie(&request{c: c}, "session", "x", time.Time{})
		return nil
	})
	answer, err := app.Test(httptest.NewRequest("GET", "/", nil))
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, "__Host-dispo_session=x; path=/; HttpOnly; secure; SameSite=Lax", answer.Header.Get("Set-Cookie"))
}

package dashboard

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"dispo/dashboard/export"
	"dispo/dashboard/site"
	"dispo/models/i18n"
	"dispo/web"
)

// Route is a row of the route table, for tests.
type Route = site.Route

// Some levels of access.
const (
	Anyone  = site.Anyone
	Manager = site.Manager
)

// CommonFields are the fields that any form may have.
var CommonFields = site.CommonFields

// RouteTable returns all pages and forms.
func RouteTable() []Route { return Config{}.routes() }

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

package dashboard_test

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

	"dispo/dashboard"
)

// A panic is answered with status 500 and the error page, which shows nothing of
// the panic. It is logged once, with its stack.
func TestPanic(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	app := fiber.New()
	// Without a store, pages that need one panic.
	dashboard.Routes(app, dashboard.Config{PublicURL: &url.URL{}, Log: slog.New(slog.NewJSONHandler(&log, nil))})
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

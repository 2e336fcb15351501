package site

import (
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

	"dispo/models"
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
			s, app := &Site{Config: Config{Log: slog.New(slog.DiscardHandler)}}, fiber.New()
			app.Get("/", func(c *fiber.Ctx) error {
				s.Observer.Begin(c)
				return (&Request{Site: s, Ctx: c}).fail(err)
			})
			answer, failed := app.Test(httptest.NewRequest("GET", "/", nil))
			require.NoError(t, failed)
			require.NoError(t, answer.Body.Close())
			require.Equal(t, status, answer.StatusCode, err)
			require.Equal(t, status == 503, answer.Header.Get("Retry-After") == "5", err)
		}
	}
}

// Behind https, cookies go to this host alone, over https alone, and to no script or other site.
func TestCookiesOverHTTPS(t *testing.T) {
	t.Parallel()
	s, app := &Site{Config: Config{PublicURL: &url.URL{Scheme: "https"}}}, fiber.New()
	app.Get("/", func(c *fiber.Ctx) error {
		(&Request{Site: s, Ctx: c}).SetCookie("session", "x", time.Time{})
		return nil
	})
	answer, err := app.Test(httptest.NewRequest("GET", "/", nil))
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, "__Host-dispo_session=x; path=/; HttpOnly; secure; SameSite=Lax", answer.Header.Get("Set-Cookie"))
}

package dashboard

import (
	"fmt"
	"io"
	"log/slog"
	"net/http/httptest"
	"testing"

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
			h, app := &handler{Config: Config{Log: slog.New(slog.DiscardHandler)}}, fiber.New()
			app.Get("/", func(c *fiber.Ctx) error { return h.fail(&request{c: c}, err) })
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
}

// RouteTable returns all pages and forms.
func RouteTable() (all []Route) {
	for _, r := range (&handler{}).routes() {
		all = append(all, Route{r.method, r.path, r.access == anyone, r.access == manager, r.confirmed, r.ifInUse, r.unconfirmed, r.showsSecret})
	}
	return all
}

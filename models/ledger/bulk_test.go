package ledger_test

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// An organization has one bulk read at a time. Its time is renewed while it runs. If its
// instance was killed, so that nobody renews it, another one takes its place, which the
// first one's end leaves alone.
func TestBulkReadsTakeTurns(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	tenant := w.Service.Tenant(w.Organization(t, "bulk").ID)
	until := func() time.Time {
		return modelstest.ValueAt[time.Time](t, w.URL, `SELECT until FROM running_tasks`)
	}
	begin := func() func() {
		before := time.Now()
		end, err := ledger.BeginBulk(t.Context(), tenant, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		require.WithinRange(t, until(), before, time.Now().Add(time.Minute))
		return end
	}
	end := begin()
	begun := until()
	modelstest.Eventually(t, func() bool { return until().After(begun) })
	_, err := ledger.BeginBulk(t.Context(), tenant, slog.New(slog.DiscardHandler))
	require.ErrorIs(t, err, ledger.ErrBulkRuns)
	end()
	end = begin()

	modelstest.ExecuteAt(t, w.URL, `UPDATE running_tasks SET until = now() - interval '1 second'`)
	second := begin()
	end()
	_, err = ledger.BeginBulk(t.Context(), tenant, slog.New(slog.DiscardHandler))
	require.ErrorIs(t, err, ledger.ErrBulkRuns)
	second()
	begin()()
}

package tasks_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
	"dispo/models/tasks"
)

// An organization has one task of a name at a time, which is renewed while it runs. Ten seconds
// after the last renewal of a killed instance, another one takes its place. A task that
// cannot be renewed learns that it has lost its place, and its end leaves the other alone.
func TestTasksTakeTurns(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	tenant := w.Service.Tenant(w.Organization(t, "bulk").ID)
	begin := func() (context.Context, func()) {
		held, end, err := tasks.Begin(t.Context(), tenant, "bulk read", slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		return held, end
	}
	requireRuns := func() {
		_, _, err := tasks.Begin(t.Context(), tenant, "bulk read", slog.New(slog.DiscardHandler))
		require.ErrorIs(t, err, tasks.ErrRuns)
	}
	renewed := func() time.Time {
		return modelstest.ValueAt[time.Time](t, w.URL, `SELECT renewed_at FROM running_tasks`)
	}
	held, end := begin()
	begun := renewed()
	modelstest.Eventually(t, func() bool { return renewed().Sub(begun) > 2*time.Second })
	requireRuns()
	require.NoError(t, held.Err())
	end()

	held, end = begin()
	// Nobody renews it under another id.
	modelstest.ExecuteAt(t, w.URL,
		`UPDATE running_tasks SET id = gen_random_uuid(), renewed_at = now() - interval '10.1 seconds'`)
	_, endSecond := begin()
	<-held.Done()
	require.ErrorIs(t, context.Cause(held), tasks.ErrLost)
	end()
	requireRuns()
	endSecond()
	_, end = begin()
	end()
}

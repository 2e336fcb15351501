package api

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Requests that come together share a deadline; one that came earlier, and has
// waited since, never gets the later one of those who came after it.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	var d deadlines
	deadline := func(came time.Time) time.Time {
		until, ok := d.at(came).Deadline()
		require.True(t, ok)
		require.WithinRange(t, until, came.Add(requestDeadline), came.Add(requestDeadline+deadlineStep))
		return until
	}
	now := time.Now()
	first := deadline(now)
	require.Equal(t, first, deadline(now.Add(deadlineStep-1)))
	later := deadline(now.Add(time.Second))
	require.NotEqual(t, first, later)
	deadline(now)
	require.Equal(t, later, deadline(now.Add(time.Second)), "the earlier one took nothing away")
}

// A deadline is one: what waits for it is let go.
func TestDeadlineEnds(t *testing.T) {
	t.Parallel()
	var d deadlines
	ctx := d.at(time.Now().Add(-requestDeadline - 2*deadlineStep))
	<-ctx.Done()
	require.Error(t, ctx.Err())
}

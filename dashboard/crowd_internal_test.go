package dashboard

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// So many requests have a turn at once, and so many more wait. The rest are refused at
// once. The waiting ones come in order. Others are not affected, and nothing is kept of
// those who have left.
func TestCrowd(t *testing.T) {
	t.Parallel()
	c := newCrowd(turns{atOnce: 2, waiting: 2})
	busy, other := uuid.New(), uuid.New()
	enter := func(ctx context.Context, id uuid.UUID) func() {
		leave, ok := c.enter(ctx, id)
		require.True(t, ok)
		return leave
	}
	first, second := enter(t.Context(), busy), enter(t.Context(), busy)

	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	_, ok := c.enter(impatient, busy)
	require.False(t, ok)

	waiting := make(chan func())
	for range 2 {
		go func() {
			leave, ok := c.enter(t.Context(), busy)
			if ok {
				waiting <- leave
			}
		}()
	}
	modelstest.Eventually(t, func() bool { return c.requests(busy) == 4 })
	_, ok = c.enter(t.Context(), busy)
	require.False(t, ok)
	enter(t.Context(), other)()
	require.Empty(t, waiting)

	first()
	third := <-waiting
	second()
	third()
	(<-waiting)()
	require.Empty(t, c.lines)
}

func (c *crowd) requests(id uuid.UUID) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lines[id].requests
}

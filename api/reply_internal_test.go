package api

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dispo/api/compress"
	"dispo/models"
)

// Remembered responses take no more memory than the budget, however many are put. The
// last one put is still there, for its own version alone.
func TestCacheKeepsItsBudget(t *testing.T) {
	t.Parallel()
	const budget, size = 1 << 20, 10_000
	c := newCache(budget)
	key := cacheKey{organization: uuid.New()}
	for i := range 1000 {
		key.link = fmt.Sprint(i % 700)
		c.put(key, &response{version: models.Version{DataVersion: int64(i)}, body: compress.NewBody(make([]byte, size))})
		require.LessOrEqual(t, c.used, budget)
	}
	require.Greater(t, c.used, budget/2)
	last := models.Version{DataVersion: 999}
	require.NotNil(t, c.get(key, last))
	require.Nil(t, c.get(key, models.Version{DataVersion: 998}), "the response is of another version")
	require.Nil(t, c.get(key, models.Version{DataVersion: 999, History: uuid.New()}), "the response is of another history")
	require.Nil(t, c.get(cacheKey{uuid.New(), key.link}, last), "the response is another organization's")

	off := newCache(0)
	off.put(key, &response{body: compress.NewBody(nil)})
	require.Nil(t, off.get(key, models.Version{}))
}

// Requests that need the same response at the same time share one read, with or without
// memory for responses. Another page, version, history or organization is read for itself.
func TestReadsAreShared(t *testing.T) {
	t.Parallel()
	for _, budget := range []int{0, 1 << 20} {
		synctest.Test(t, func(t *testing.T) {
			h := &handler{Config: Config{Timeout: requestTimeout}, cache: newCache(budget)}
			var reads atomic.Int64
			slow := func(context.Context) (*response, error) {
				reads.Add(1)
				time.Sleep(time.Second)
				return &response{body: compress.NewBody([]byte("{}")), amount: "1.00"}, nil
			}
			organization, other := uuid.New(), uuid.New()
			for range 100 {
				for _, key := range []cacheKey{{organization, "a"}, {organization, "b"}, {other, "a"}} {
					for _, version := range []models.Version{{}, {DataVersion: 1}, {History: organization}} {
						go func() {
							r, err := h.readShared(key, version, slow)
							assert.NoError(t, err)
							assert.Equal(t, "1.00", r.amount)
						}()
					}
				}
			}
			time.Sleep(time.Minute)
			require.EqualValues(t, 9, reads.Load())
		})
	}
}

// A shared read is ended after the time for a request, and a panic in it is an error.
func TestSharedReadEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h := &handler{Config: Config{Timeout: requestTimeout}, cache: newCache(0)}
		start := time.Now()
		_, err := h.readShared(cacheKey{}, models.Version{}, func(ctx context.Context) (*response, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, requestTimeout, time.Since(start))

		_, err = h.readShared(cacheKey{}, models.Version{}, func(context.Context) (*response, error) { panic("broken") })
		require.ErrorContains(t, err, "panic: broken")
	})
}

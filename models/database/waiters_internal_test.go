package database

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// Few who wait are woken at once. Thousands are woken over a second, and those of other
// organizations are not behind them.
func TestWakingIsSpread(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &Feed{waiters: &waiters{waiting: map[uuid.UUID]map[*Waiter]struct{}{}}}
		crowded, small := uuid.New(), uuid.New()
		var crowd []*Waiter
		for range 8000 {
			crowd = append(crowd, f.NewWaiter(crowded, crowded))
		}
		alone := f.NewWaiter(small, small)
		woken := func() (count int) {
			synctest.Wait()
			for _, waiter := range crowd {
				count += len(waiter.c)
			}
			return count
		}
		f.waiters.wake(small)
		time.Sleep(time.Millisecond)
		synctest.Wait()
		require.Len(t, alone.c, 1)
		require.Zero(t, woken())
		<-alone.c

		f.waiters.wake(uuid.Nil) // anything may have changed
		time.Sleep(time.Millisecond)
		synctest.Wait()
		require.Len(t, alone.c, 1)
		require.InDelta(t, 8, woken(), 4)
		time.Sleep(wakeSpread / 2)
		require.InDelta(t, 4000, woken(), 100)
		time.Sleep(wakeSpread / 2)
		require.Equal(t, 8000, woken())
	})
}

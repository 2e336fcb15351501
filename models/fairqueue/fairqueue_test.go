package fairqueue

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// Subjects take turns, whatever the number and order of their callers: one that has just
// worked comes after those who came meanwhile. Preferred ones get every second turn. Nothing is remembered of those who have left.
func TestOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := New(Limits[string]{
			AtOnce:    1,
			Waiting:   5,
			Preferred: func(subject string) bool { return strings.HasPrefix(subject, "known") },
		})
		leave, ok := q.Enter(t.Context(), "flood")
		require.True(t, ok)
		var order []string
		for _, name := range []string{"flood 1", "flood 2", "flood 3", "flood 4", "flood 5", "office 1", "office 2", "home 1", "known 1", "known 2", "known2 1"} {
			go func() {
				subject, _, _ := strings.Cut(name, " ")
				leave, ok := q.Enter(t.Context(), subject)
				require.True(t, ok)
				order = append(order, name)
				leave()
				leave()
			}()
			synctest.Wait()
		}
		leave()
		synctest.Wait()
		require.Equal(t,
			"known 1, office 1, known2 1, home 1, known 2, flood 1, office 2, flood 2, flood 3, flood 4, flood 5",
			strings.Join(order, ", "))
		require.Empty(t, q.order)
		require.Empty(t, q.waiting)
		require.Empty(t, q.working)
		require.Zero(t, q.atOnce)
	})
}

// Callers over the limits of their subject wait, and are refused at once if too many
// do. They keep no other subject waiting, and one that gives up takes nobody's place.
func TestLimits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := New(
			Limits[int]{PerSubject: 2, Waiting: 3, Subjects: 1, Preferred: func(subject int) bool { return subject == 9 }})
		enter := func(subject int) func() {
			leave, ok := q.Enter(t.Context(), subject)
			require.True(t, ok)
			return leave
		}
		first, second := enter(1), enter(1)
		impatient, giveUp := context.WithCancel(t.Context())
		served := make(chan func(), 10)
		wait := func(ctx context.Context, subject int) {
			go func() {
				if leave, ok := q.Enter(ctx, subject); ok {
					served <- leave
				}
			}()
			synctest.Wait()
		}
		wait(impatient, 1)
		wait(t.Context(), 1)
		wait(t.Context(), 1)
		_, ok := q.Enter(t.Context(), 1)
		require.False(t, ok, "a fourth of the subject waits")

		enter(2)()
		for _, subject := range []int{2, 9} {
			enter(subject)
			enter(subject)
		}
		_, ok = q.Enter(t.Context(), 2)
		require.False(t, ok, "a second subject waits")
		wait(t.Context(), 9)
		require.Len(t, q.waiting[9], 1, "preferred")

		giveUp()
		synctest.Wait()
		require.Empty(t, served)
		first()
		second()
		synctest.Wait()
		require.Len(t, served, 2)
		(<-served)()
		(<-served)()
		require.Zero(t, q.working[1])
		require.Equal(t, fmt.Sprint([]int{9}), fmt.Sprint(q.order))
		for range q.working[9] {
			q.leave(9)
		}
		(<-served)()
	})
}

// Somebody who gives up at the moment of being served leaves the place to others.
func TestGivingUpInTime(t *testing.T) {
	t.Parallel()
	q := New(Limits[int]{AtOnce: 1, Waiting: 1})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 100 { // either case of the select
		if leave, ok := q.Enter(ended, 1); ok {
			leave()
		}
	}
	_, ok := q.Enter(t.Context(), 2)
	require.True(t, ok)
}

package modelstest

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"dispo/models"
	"dispo/models/imports"
)

// ErrorOf returns the error of a call whose value does not matter.
func ErrorOf[T any](_ T, err error) error { return err }

// RequireKind requires an error of that kind.
func RequireKind(t testing.TB, kind models.Kind, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, kind, models.ErrorKind(err), err.Error())
}

// BadFile requires that an import was refused for bad lines, and returns them.
func BadFile(t testing.TB, err error) *imports.BadFile {
	t.Helper()
	var bad *imports.BadFile
	require.ErrorAs(t, err, &bad)
	return bad
}

// ReadFile returns a file's content.
func ReadFile(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return content
}

// Rounds returns how many rounds of a long test to run: DISPO_TEST_ROUNDS, or else the
// usual number.
func Rounds(usual int) int {
	if rounds, err := strconv.Atoi(os.Getenv("DISPO_TEST_ROUNDS")); err == nil {
		return rounds
	}
	return usual
}

// Eventually waits until the condition holds. It gives up only shortly before the test's
// deadline (go test -timeout), because a slow machine is no reason to fail.
func Eventually(t testing.TB, condition func() bool, about ...any) {
	t.Helper()
	ctx := Context(t)
	for pause := time.Millisecond; !condition(); pause = min(2*pause, 20*time.Millisecond) {
		select {
		case <-ctx.Done():
			require.FailNow(t, "the test's time is over, and the condition still does not hold", about...)
		case <-time.After(pause):
		}
	}
}

// Within waits until the condition holds, and fails if it still does not hold when it is
// checked later than limit from now. It is for what holds by then even if the machine is
// too slow to check before.
func Within(t testing.TB, limit time.Duration, condition func() bool, about ...any) {
	t.Helper()
	for started := time.Now(); ; time.Sleep(time.Millisecond) {
		asked := time.Now()
		if condition() {
			return
		}
		require.Less(t, asked.Sub(started), limit, about...)
	}
}

// AtOnce does something n times at once, and requires that it succeeds each time.
func AtOnce(t testing.TB, n int, do func(i int) error) {
	t.Helper()
	var all errgroup.Group
	for i := range n {
		all.Go(func() error { return do(i) })
	}
	require.NoError(t, all.Wait())
}

// EventuallyBlocked waits until that many connections to a database wait for a lock.
func EventuallyBlocked(t testing.TB, url string, connections int) {
	t.Helper()
	conn := Conn(t, url)
	Eventually(t, func() bool {
		return Value[int](
			t,
			conn,
			`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
		) == connections
	})
}

// Begin calls do on another goroutine, and returns a channel for its result.
func Begin[T any](do func() T) <-chan T {
	result := make(chan T, 1)
	go func() { result <- do() }()
	return result
}

// Receive returns the next value of a channel, which may be closed. It waits like Eventually.
func Receive[T any](t testing.TB, channel <-chan T, about ...any) T {
	t.Helper()
	select {
	case value := <-channel:
		return value
	case <-Context(t).Done():
		require.FailNow(t, "the test's time is over, and the channel still has nothing", about...)
		panic("unreachable")
	}
}

// Context returns a context that ends shortly before the test's deadline. Unlike
// t.Context, it can be used while the test cleans up.
func Context(t testing.TB) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	if test, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if deadline, ok := test.Deadline(); ok {
			ctx, cancel = context.WithDeadline(ctx, deadline.Add(-10*time.Second))
		}
	}
	t.Cleanup(cancel)
	return ctx
}

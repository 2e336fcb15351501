package main

import (
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// sampled runs a test in virtual time with a log that is sampled.
func sampled(t *testing.T, test func(t *testing.T, log *slog.Logger, written func() []string, flush func())) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		text, taken := &modelstest.Log{}, 0
		s := newSampler(slog.NewTextHandler(text, nil))
		written := func() []string { // since the last call
			lines := strings.FieldsFunc(text.String()[taken:], func(r rune) bool { return r == '\n' })
			taken = len(text.String())
			return lines
		}
		test(t, slog.New(s), written, s.flush)
		time.Sleep(3 * sampleWindow)
	})
}

func refused(log *slog.Logger, event, address string) {
	models.LogEvent(log, event, address, "request_id", address)
}

// Of events from one address, the first ten in a minute are logged at once, and the number
// of the others afterwards. An attack from very many addresses is logged in few lines, and
// does not hide another kind of event.
func TestEventsAreSampled(t *testing.T) {
	sampled(t, func(t *testing.T, log *slog.Logger, written func() []string, _ func()) {
		for range 1000 {
			refused(log, models.EventKeyRefused, "192.0.2.1")
		}
		refused(log.With("instance", 1), models.EventKeyRefused, "192.0.2.1")
		refused(log, models.EventFormRefused, "192.0.2.1")
		require.Len(t, written(), sampleFirst+1)
		time.Sleep(sampleWindow)
		synctest.Wait()
		lines := written()
		require.Len(t, lines, 1)
		require.Contains(t, lines[0], `of="key_refused 192.0.2.1" repeated=991`)

		for i := range 10_000 {
			refused(log, models.EventKeyRefused, fmt.Sprint(i))
		}
		require.Len(t, written(), sampleKinds+sampleFirst)
		refused(log, models.EventSignInFailed, "192.0.2.1")
		require.Len(t, written(), 1)
		time.Sleep(sampleWindow)
		synctest.Wait()
		lines = written()
		require.Len(t, lines, 1)
		require.Contains(t, lines[0], fmt.Sprint("of=many repeated=", 10_000-sampleKinds-sampleFirst))
	})
}

// Of a flood of equal failures, whose texts differ in ports and ids, the log gets the
// first ten and the number of the others. The first failure of another message, cause or
// place is logged at once, and so is what is no warning.
func TestFailuresAreSampled(t *testing.T) {
	sampled(t, func(t *testing.T, log *slog.Logger, written func() []string, flush func()) {
		flood := func() {
			for i := range 1000 {
				log.Error("request failed", "error", fmt.Errorf("read tcp 127.0.0.1:%d: connection reset", i), "request_id", i)
			}
		}
		flood()
		require.Len(t, written(), sampleFirst)
		for _, cause := range []error{errors.New(`relation "keys" does not exist (SQLSTATE 42P01)`),
			errors.New("panic: boom\ngoroutine 7 [running]:\nmain.f(0xc000)\n\tf.go:12"), errors.New("panic: boom\ngoroutine 7 [running]:\nmain.g(0xc000)\n\tg.go:12")} {
			log.Error("request failed", "error", cause)
			require.Len(t, written(), 1, cause.Error())
			flood()
		}
		log.Error("page failed", "error", errors.New("connection reset"))
		log.Error("request failed")
		require.Len(t, written(), 2)
		for range 100 {
			log.Info("serving")
		}
		require.Len(t, written(), 100)
		flush()
		lines := written()
		require.Len(t, lines, 1, "only the flood was repeated")
		require.Contains(t, lines[0], "connection reset")
		require.Contains(t, lines[0], fmt.Sprint("repeated=", 4000-sampleFirst))
	})
}

package erasures_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models/accounts"
	"dispo/models/erasures"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// ids returns the ids in a file, in the order of its lines.
func ids(t *testing.T, path string) (ids []uuid.UUID) {
	t.Helper()
	read, err := erasures.Read(t.Context(), path)
	require.NoError(t, err)
	for _, e := range read {
		ids = append(ids, e.ID)
	}
	return ids
}

const outboxLines = `SELECT id FROM erasures ORDER BY number`

// What waits is appended once, however many append at once, and waits on if it cannot be
// appended.
func TestFlush(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn,
		`INSERT INTO erasures (kind, id) SELECT 'key', gen_random_uuid() FROM generate_series(1, 20)`)
	waiting := modelstest.Column[uuid.UUID](t, conn, outboxLines)
	require.NoError(t, erasures.Flush(t.Context(), w.Service.Store), "without a file")
	path := filepath.Join(t.TempDir(), "folder", "erasures")
	for _, instance := range []*modelstest.Instance{w.Service, w.Operator} {
		instance.KeepErasures(path)
		require.ErrorContains(t, erasures.Flush(t.Context(), instance.Store), "cannot write to DISPO_ERASURES: open "+path)
	}
	require.Equal(t, waiting, modelstest.Column[uuid.UUID](t, conn, outboxLines))
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
	modelstest.AtOnce(t, 6, func(i int) error {
		return erasures.Flush(t.Context(), []*modelstest.Instance{w.Service, w.Operator}[i%2].Store)
	})
	require.Equal(t, waiting, ids(t, path))
	require.Empty(t, modelstest.Column[uuid.UUID](t, conn, outboxLines))
}

// An instance with a file soon has in it what any other revokes, and says that it keeps it. If
// the file does not answer, keys are revoked as ever, and the log says what has waited for over
// a minute. Once it answers again, it has everything.
func TestKeep(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	path := filepath.Join(t.TempDir(), "erasures")
	keeper := modelstest.OpenFollowing(t, w.URL)
	keeper.KeepErasures(path)
	var log modelstest.Log
	ctx, stop := context.WithCancel(t.Context())
	var keeping sync.WaitGroup
	keeping.Go(func() { erasures.Keep(ctx, keeper.Store, slog.New(slog.NewJSONHandler(&log, nil))) })
	defer keeping.Wait()
	defer stop()
	var revoked []uuid.UUID
	revoke := func() {
		key, text := w.Key(t, a)
		require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), w.Service.Tenant(a.ID), key.ID)))
		modelstest.RequireRefused(t, "revoked", w.Service.Verify(t, text))
		revoked = append(revoked, key.ID)
	}
	inFile := func() bool { return len(ids(t, path)) == len(revoked) }

	modelstest.Eventually(t,
		func() bool { return modelstest.Value[int](t, conn, `SELECT count(*) FROM erasure_files`) == 1 })
	require.NoError(t, erasures.Append(t.Context(), path))
	revoke()
	modelstest.Within(t, 45*time.Second, inFile) // less than the minute after which it looks anyway
	require.NoError(t, os.Rename(path, path+".before"))
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	revoke()
	modelstest.Eventually(t, func() bool { return len(log.Records("level", "WARN")) > 0 })
	modelstest.Execute(t, conn, `UPDATE erasures SET at = now() - interval '2 minutes'`)
	revoke()
	modelstest.Eventually(t, func() bool { return len(log.Records("level", "ERROR")) > 0 })
	require.InDelta(t, 1, log.Records("level", "ERROR")[0]["count"], 0)
	waiting, err := erasures.Count(t.Context(), w.Service.DB())
	require.NoError(t, err)
	machine, _ := os.Hostname()
	require.EqualValues(t, 1, waiting.Lines)
	require.Regexp(t, `^`+machine+":"+path+` since \d{4}-\d\d-\d\d \d\d:\d\dZ$`, waiting.Files)
	require.NoError(t, os.Rename(path+".before", path))
	revoke()
	modelstest.Eventually(t, inFile)
	require.ElementsMatch(t, revoked, ids(t, path))

	modelstest.Execute(t, conn, `UPDATE erasure_files SET seen_at = now() - interval '11 minutes'`)
	waiting, err = erasures.Count(t.Context(), w.Service.DB())
	require.NoError(t, err)
	require.Empty(t, waiting.Files, "it was not forgotten")
}

// A deletion goes on once its line is in the file, whoever keeps it. If nobody does, it waits for
// nothing. If the line is not there in time, the deletion is refused, and says who keeps the file.
// A deletion that failed takes its line back.
func TestNoted(t *testing.T) {
	w := modelstest.NewWorld(t)
	conn := modelstest.Conn(t, w.URL)
	require.NoError(
		t,
		modelstest.ErrorOf(
			w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(w.Organization(t, "a").ID), "a@example.com", "owner",
				""),
		),
	)
	user := modelstest.Value[uuid.UUID](t, conn, `SELECT id FROM users`)
	deleted := 0
	remove := func(ctx context.Context) error {
		return erasures.Noted(ctx, w.Operator.Store, erasures.User, user, func() error { deleted++; return nil })
	}
	path := filepath.Join(t.TempDir(), "erasures")
	flush := func() []uuid.UUID {
		t.Helper()
		w.Operator.KeepErasures(path)
		require.NoError(t, erasures.Flush(t.Context(), w.Operator.Store))
		return ids(t, path)
	}

	require.NoError(t, remove(t.Context()))
	require.Equal(t, 1, deleted)
	require.Equal(t, []uuid.UUID{user}, modelstest.Column[uuid.UUID](t, conn, outboxLines),
		"for a file that is kept later")
	require.Equal(t, []uuid.UUID{user}, flush())

	failed := errors.New("failed")
	require.ErrorIs(t, erasures.Noted(t.Context(), w.Operator.Store, erasures.User, user, func() error {
		require.Equal(t, []uuid.UUID{user}, ids(t, path), "the line comes before the deletion")
		return failed
	}), failed)
	require.Empty(t, flush())

	w.Operator.KeepErasures(t.TempDir())
	require.ErrorContains(t, remove(t.Context()), "cannot write to DISPO_ERASURES") // nobody else keeps one
	require.Equal(t, 1, deleted)
	require.Empty(t, flush())

	w.Operator.KeepErasures("")
	modelstest.Execute(t, conn, `SELECT erasures_keep('web1:/var/lib/erasures')`)
	ended, end := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- remove(ended) }()
	modelstest.Eventually(t, func() bool { return modelstest.Value[int](t, conn, `SELECT count(*) FROM erasures`) == 1 })
	end()
	require.ErrorIs(t, modelstest.Receive(t, done), context.Canceled)
	before := erasures.SetPatience(0)
	require.ErrorContains(t, remove(t.Context()), "after 0 seconds: it is kept by web1:/var/lib/erasures since 20")
	erasures.SetPatience(before)
	require.Equal(t, 1, deleted)
	require.Empty(t, flush())

	w.Operator.KeepErasures("")
	w.Service.KeepErasures(path)
	go func() { done <- remove(t.Context()) }()
	modelstest.Eventually(t, func() bool { return modelstest.Value[int](t, conn, `SELECT count(*) FROM erasures`) == 1 })
	require.NoError(t, erasures.Flush(t.Context(), w.Service.Store))
	require.NoError(t, modelstest.Receive(t, done))
	require.Equal(t, 2, deleted)
	require.Equal(t, []uuid.UUID{user}, ids(t, path))

	w.Operator.KeepErasures(path)
	require.NoError(t, accounts.DeleteUser(t.Context(), w.Operator.Store, user))
	require.ErrorIs(t, erasures.Noted(t.Context(), w.Operator.Store, erasures.User, user, func() error { return failed }),
		failed)
	require.Equal(t, []uuid.UUID{user}, flush(), "what is gone after all is not taken back")
}

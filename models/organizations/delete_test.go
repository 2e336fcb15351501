package organizations_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/erasures"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

// rowsOf returns the text of every row of an organization.
func rowsOf(t *testing.T, conn *pgx.Conn, id uuid.UUID) (text string) {
	t.Helper()
	for _, of := range append(modelstest.Column[string](t, conn, modelstest.TenantTables), "sessions WHERE organization_id = $1") {
		rows := modelstest.Value[string](t, conn,
			`SELECT coalesce(string_agg(x::text, E'\n' ORDER BY x::text), '') FROM (SELECT * FROM `+of+`) x`, id)
		if rows != "" {
			text += of + "\n" + rows + "\n"
		}
	}
	return text
}

// A deleted organization leaves no row in any table, and the others' rows stay as they are.
// Its keys are refused before the first row goes. A deletion that ended in the middle says
// so, lets nobody use the organization, and goes on where it was.
func TestDeleteOrganization(t *testing.T) {
	t.Parallel()
	w, conn, a, b := modelstest.Filled(t)
	_, text := w.Key(t, a)
	service := modelstest.OpenFollowing(t, w.URL)
	require.NoError(t, service.Verify(t, text))
	before := rowsOf(t, conn, b.ID)
	require.ErrorContains(t, modelstest.ErrorOf(organizations.Erase(t.Context(), w.Operator.Store, a.ID, 1, new(string))),
		"is not being deleted")
	path := filepath.Join(t.TempDir(), "erasures")
	w.Operator.KeepErasures(filepath.Join(path, "missing"))
	require.ErrorContains(t,
		modelstest.ErrorOf(organizations.Delete(t.Context(), w.Operator.Store, a, slog.New(slog.DiscardHandler))),
		"DISPO_ERASURES")
	require.NoError(t, service.Verify(t, text), "a deletion that cannot be remembered was started")

	tenant := w.Operator.Tenant(a.ID)
	require.NoError(t, organizations.StartDeletion(t.Context(), tenant))
	modelstest.Eventually(t, func() bool { return service.Verify(t, text) != nil })
	reached := ""
	for range 10 {
		erased, err := organizations.Erase(t.Context(), w.Operator.Store, a.ID, 3, &reached)
		require.NoError(t, err)
		require.EqualValues(t, 3, erased)
		require.Equal(t, before, rowsOf(t, conn, b.ID))
		// Nobody's history gets half of a delivery.
		shares := modelstest.Column[int64](
			t,
			conn,
			`SELECT count(*) FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id WHERE t.organization_id = $1 GROUP BY f.id`,
			a.ID,
		)
		for _, records := range shares {
			require.EqualValues(t, 7, records)
		}
	}
	require.NoError(t, organizations.Resume(t.Context(), tenant))
	require.NotZero(t, modelstest.Value[int](t, conn, `SELECT count(suspended_at) FROM organizations WHERE id = $1`, a.ID),
		"a deletion cannot be taken back")
	_, err := organizations.BySlug(t.Context(), w.Operator.Store, "a")
	modelstest.RequireKind(t, models.KindConflict, err)
	require.ErrorContains(t, err, "`dispo organization delete a --confirm a`")

	w.Operator.KeepErasures(path)
	started, err := organizations.ToDelete(t.Context(), w.Operator.Store, "a")
	require.NoError(t, err)
	var logged strings.Builder
	users, err := organizations.Delete(t.Context(), w.Operator.Store, started, slog.New(slog.NewTextHandler(&logged, nil)))
	require.NoError(t, err)
	require.Equal(t, []string{"a@example.com"}, users, "both@example.com belongs to b, too")
	require.Equal(t, 1, strings.Count(logged.String(), "\n"))
	require.Empty(t, rowsOf(t, conn, a.ID))
	require.Equal(t, before, rowsOf(t, conn, b.ID))
	require.Equal(t, []string{"a@example.com", "b@example.com", "both@example.com"},
		modelstest.Column[string](t, conn, `SELECT email FROM users ORDER BY 1`))

	for _, id := range []uuid.UUID{a.ID, uuid.New()} { // gone already
		require.NoError(t, organizations.DeleteOrganization(t.Context(), w.Operator.Store, id))
	}
	_, err = organizations.Delete(t.Context(), w.Operator.Store, b, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	read, err := erasures.Read(t.Context(), path)
	require.NoError(t, err)
	require.Len(t, read, 1, "one line, by the run that started the deletion")
	require.Equal(t, erasures.Organization, read[0].Kind)
	require.Equal(t, b.ID, read[0].ID)
}

// A batch reads as many pages at the end of a deletion as at its beginning, also while somebody
// reads an older snapshot, such as a backup. What is added behind it meanwhile goes, too.
func TestDeletionsDoNotSlowDown(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	conn, backup := modelstest.Conn(t, w.URL), modelstest.Conn(t, w.URL)
	modelstest.Execute(
		t,
		conn,
		`INSERT INTO transactions SELECT $1, gen_random_uuid(), gen_random_uuid(), n, 1, '2026-01-31', '10000001', '', '', 'CARD', 1, repeat('x', 100) FROM generate_series(1, 12000) n`,
		a.ID,
	)
	modelstest.Execute(
		t,
		conn,
		`INSERT INTO held_records (delivery_id, only_organization_id, record_index, count, disposition_date, cvr, reg_number, account_number, transfer_type, amount_dkk, raw_line)
		SELECT gen_random_uuid(), $1, n, 1, '2026-01-31', '10000001', '', '', 'CARD', 1, repeat('x', 100) FROM generate_series(1, 12000) n`,
		a.ID,
	)
	modelstest.Execute(t, conn, `VACUUM ANALYZE`)
	require.NoError(t, organizations.StartDeletion(t.Context(), w.Operator.Tenant(a.ID)))
	modelstest.Execute(t, backup, `BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT FROM organizations`)
	modelstest.Execute(t, conn, `SET ROLE dispo_operator`)
	// Of the organization's rows of two tables, how many pages each batch reads.
	const pagesRead = `SELECT sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::bigint FROM pg_statio_user_tables WHERE relname IN ('transactions', 'held_records')`
	var reached string
	batches, total := []int64{}, modelstest.Value[int64](t, conn, pagesRead)
	for range 24 {
		var erased int64
		require.NoError(
			t,
			conn.QueryRow(t.Context(), `SELECT erased, reached FROM organization_erase($1, 1000, nullif($2, '')::jsonb), pg_stat_force_next_flush()`, a.ID, reached).
				Scan(&erased, &reached),
		)
		now := modelstest.Value[int64](t, conn, pagesRead)
		batches, total = append(batches, now-total), now
	}
	require.Less(t, slices.Max(batches), 2*batches[0], batches)
	modelstest.ExecuteAt(
		t,
		w.URL,
		`INSERT INTO transactions SELECT $1, gen_random_uuid(), gen_random_uuid(), 0, 1, '2026-01-31', '10000000', '', '', 'CARD', 1, ''`,
		a.ID,
	)
	for erased := int64(1); erased > 0; {
		var err error
		erased, err = organizations.Erase(t.Context(), w.Operator.Store, a.ID, 1000, &reached)
		require.NoError(t, err)
	}
	require.Empty(t, rowsOf(t, conn, a.ID))
}

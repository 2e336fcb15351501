package erasures_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/erasures"
	"dispo/models/modelstest"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

// rowsOf returns the text of every row of an organization.
func rowsOf(t *testing.T, conn *pgx.Conn, id uuid.UUID) (text string) {
	t.Helper()
	for _, of := range append(modelstest.Column[string](t, conn, modelstest.TenantTables), "sessions WHERE organization_id = $1") {
		if rows := modelstest.Value[string](t, conn, `SELECT coalesce(string_agg(x::text, E'\n' ORDER BY x::text), '') FROM (SELECT * FROM `+of+`) x`, id); rows != "" {
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
	require.ErrorContains(t, modelstest.ErrorOf(erasures.Erase(t.Context(), w.Operator.Store, a.ID, 1)), "is not being deleted")
	path := filepath.Join(t.TempDir(), "erasures")
	w.Operator.KeepErasures(filepath.Join(path, "missing"))
	require.ErrorContains(t, modelstest.ErrorOf(erasures.Delete(t.Context(), w.Operator.Store, a, slog.New(slog.DiscardHandler))), "DISPO_ERASURES")
	require.NoError(t, service.Verify(t, text), "a deletion that cannot be remembered was started")

	tenant := w.Operator.Tenant(a.ID)
	require.NoError(t, tenant.StartDeletion(t.Context()))
	modelstest.Eventually(t, func() bool { return service.Verify(t, text) != nil })
	for range 10 {
		erased, err := erasures.Erase(t.Context(), w.Operator.Store, a.ID, 3)
		require.NoError(t, err)
		require.EqualValues(t, 3, erased)
		require.Equal(t, before, rowsOf(t, conn, b.ID))
		// Nobody's history gets half of a delivery.
		shares := modelstest.Column[int64](t, conn, `SELECT count(*) FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id WHERE t.organization_id = $1 GROUP BY f.id`, a.ID)
		for _, records := range shares {
			require.EqualValues(t, 7, records)
		}
	}
	require.NoError(t, tenant.Resume(t.Context()))
	require.NotZero(t, modelstest.Value[int](t, conn, `SELECT count(suspended_at) FROM organizations WHERE id = $1`, a.ID), "a deletion cannot be taken back")
	_, err := w.Operator.OrganizationBySlug(t.Context(), "a")
	modelstest.RequireKind(t, models.KindConflict, err)
	require.ErrorContains(t, err, "`dispo organization delete a --confirm a`")

	w.Operator.KeepErasures(path)
	started, err := w.Operator.OrganizationToDelete(t.Context(), "a")
	require.NoError(t, err)
	var logged strings.Builder
	users, err := erasures.Delete(t.Context(), w.Operator.Store, started, slog.New(slog.NewTextHandler(&logged, nil)))
	require.NoError(t, err)
	require.EqualValues(t, 1, users, "both@example.com belongs to b, too")
	require.Equal(t, 1, strings.Count(logged.String(), "\n"))
	require.Empty(t, rowsOf(t, conn, a.ID))
	require.Equal(t, before, rowsOf(t, conn, b.ID))
	require.Equal(t, []string{"a@example.com", "b@example.com", "both@example.com"}, modelstest.Column[string](t, conn, `SELECT email FROM users ORDER BY 1`))

	for _, id := range []uuid.UUID{a.ID, uuid.New()} { // gone already
		require.NoError(t, erasures.DeleteOrganization(t.Context(), w.Operator.Store, id))
	}
	_, err = erasures.Delete(t.Context(), w.Operator.Store, b, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	read, err := erasures.Read(path)
	require.NoError(t, err)
	require.Len(t, read, 1, "one line, by the run that started the deletion")
	require.Equal(t, erasures.Organization, read[0].Kind)
	require.Equal(t, b.ID, read[0].ID)
}

package database_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/modelstest"
)

// A writer whose server goes silent at the commit, or before the rollback, does not wait
// forever. After a commit it says that the outcome is not known.
func TestSilentServerEndsAWrite(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		fails  error // in the transaction
		expect string
	}{
		"commit":   {nil, "it is not known whether the changes were stored"},
		"rollback": {models.NewError(models.KindInvalid, "a bad line"), "a bad line"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := modelstest.NewWorld(t)
			a := w.Organization(t, "a")
			modelstest.ExecuteAt(t, w.URL,
				`CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(60); RETURN NULL; END';
				CREATE CONSTRAINT TRIGGER hang AFTER UPDATE ON organizations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hang()`)
			proxy := modelstest.NewProxy(t, w.URL)
			db := modelstest.Open(t, proxy.URL, database.Operator).DB()
			db.SetFinishTimeout(200 * time.Millisecond)
			done := make(chan error, 1)
			go func() {
				done <- db.Write(t.Context(), func(w *database.Writing) error {
					if err := takeID(t, w, a); err != nil { // stored before the commit
						return err
					}
					if row.fails != nil {
						proxy.Abandon()
					}
					return row.fails
				})
			}()
			require.ErrorContains(t, modelstest.Receive(t, done), row.expect)
		})
	}
}

// A writer that does nothing in its transaction, because its program was stopped or its
// machine is gone, loses its turn after a minute, or after what the database's URL says. The
// next one goes on.
func TestIdleWriterLosesItsTurn(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	for _, role := range []database.Role{database.Operator, database.Service} {
		var timeout string
		require.NoError(t, modelstest.Open(t, w.URL, role).DB().GORM(t.Context()).
			Raw(`SHOW idle_in_transaction_session_timeout`).Scan(&timeout).Error)
		require.Equal(t, "1min", timeout)
	}
	last := func() string {
		return modelstest.ValueAt[string](t, w.URL, `SELECT last_id::text FROM organizations WHERE id = $1`, a.ID)
	}
	before := last()
	idle := modelstest.Open(t, w.URL+"&idle_in_transaction_session_timeout=200", database.Operator).DB()
	require.Error(t, idle.Write(t.Context(), func(first *database.Writing) error {
		require.NoError(t, takeID(t, first, a))
		return w.Operator.DB().Write(t.Context(), func(second *database.Writing) error { return takeID(t, second, a) })
	}))
	require.Greater(t, last(), before)
}

// takeID takes an organization's turn, and its next id.
func takeID(t *testing.T, w *database.Writing, organization models.Organization) error {
	if err := w.TakeTurns(t.Context(), organization.ID); err != nil {
		return err
	}
	return modelstest.ErrorOf(w.Conn.Exec(t.Context(), `SELECT take_id($1)`, organization.ID))
}

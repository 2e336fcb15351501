package imports_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

// While a delivery is stored, also one that replaces another, its organizations can be
// suspended and resumed, and their settings change. Nobody waits for its commit.
func TestImportLeavesOrganizationsFree(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	b := w.Organization(t, "b", "10000001")
	text := modelstest.DeliveryCSV("10000001", 2_000)
	w.Import(t, imports.DeliveryOptions{Path: modelstest.File(t, "d.csv", text)})
	done := w.Import(t, imports.DeliveryOptions{
		Path: modelstest.File(t, "d.csv", text+modelstest.Record("10000001")), Repeated: imports.RepeatedReplace,
		Progress: func(done, total int64) {
			if done < total*9/10 {
				return // the file is read to check it
			}
			for _, organization := range []models.Organization{a, b} {
				tenant := w.Operator.Tenant(organization.ID)
				require.NoError(t, organizations.Suspend(modelstest.Context(t), tenant))
				require.NoError(t, organizations.Resume(modelstest.Context(t), tenant))
				settings, err := w.Service.Tenant(organization.ID).Settings(t.Context())
				require.NoError(t, err)
				settings.Name = "Renamed"
				require.NoError(t, organizations.Change(t.Context(), w.Service.Tenant(organization.ID), settings))
			}
		},
	})
	require.NotNil(t, done.Replaced)
	require.Equal(
		t,
		2,
		modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM organizations WHERE name = 'Renamed'
			AND transaction_count = 2001`),
	)
}

// Those who write for an organization take turns, and the next one's ids follow those of
// the one before, also if it began to wait before they were stored, and if they are far ahead
// of the clock. Deliveries arrive in that order, so whoever has seen the latest has missed none.
func TestWritersTakeTurns(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `UPDATE organizations SET last_id = 'f0000000-0000-7000-8000-000000000000'`)
	waited := make(chan error, 1)
	var first uuid.UUID
	var begun time.Time
	require.NoError(t, w.Operator.DB().Write(t.Context(), func(one *database.Writing) error {
		require.NoError(t, one.TakeTurns(t.Context(), a.ID))
		go func() {
			waited <- modelstest.ErrorOf(w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, modelstest.Record("10000001"))}))
		}()
		modelstest.EventuallyBlocked(t, w.URL, 1)
		begun = modelstest.Value[time.Time](t, conn, `SELECT clock_timestamp()`)
		return one.Conn.QueryRow(t.Context(), `SELECT take_id($1, 1000)`, a.ID).Scan(&first)
	}))
	require.NoError(t, modelstest.Receive(t, waited))
	stored := modelstest.Transactions(t, w.Service, a, "10000001")[0]
	last := modelstest.Value[uuid.UUID](t, conn, `SELECT last_id FROM organizations
		WHERE last_id = (SELECT change_id FROM delivery_files)`)
	for _, ids := range [][2]uuid.UUID{{first, stored.DeliveryFileID}, {stored.DeliveryFileID, stored.ID}, {stored.ID, last}} {
		require.Negative(t, bytes.Compare(ids[0][:], ids[1][:]))
	}
	require.True(t, stored.CreatedAt.After(begun))
	w.Companies(t, a, "10000002")
	added := modelstest.Value[uuid.UUID](t, conn, `SELECT id FROM companies WHERE cvr = '10000002'`)
	require.Positive(t, bytes.Compare(added[:], last[:]))
}

// However many records a file has, its ids do not run ahead of the clock. The id of a record
// depends on its line alone, so the last of a million lines stands for all of them.
func TestIDsOfAMillionRecordsStayWithTheClock(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	lines := modelstest.Record("10000001") + strings.Repeat("\n", 1_000_000-2) + modelstest.Record("10000001")
	w.Import(t, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, lines)})
	now := modelstest.ValueAt[int64](t, w.URL, `SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint`)
	stored := modelstest.Transactions(t, w.Service, a, "10000001")
	require.EqualValues(t, 1_000_000, stored[1].RecordIndex)
	last := modelstest.ValueAt[uuid.UUID](t, w.URL, `SELECT last_id FROM organizations WHERE id = $1`, a.ID)
	for _, id := range []uuid.UUID{stored[0].ID, stored[1].ID, last} {
		require.LessOrEqual(t, int64(binary.BigEndian.Uint64(id[:8])>>16), now)
	}
}

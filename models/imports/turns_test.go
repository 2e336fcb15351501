package imports_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// While a delivery is stored, also one that replaces another, its organizations can be
// suspended and resumed, and their settings change. Nobody waits for its commit.
func TestImportLeavesOrganizationsFree(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	b := w.Organization(t, "b", "10000001")
	text := modelstest.DeliveryCSV("10000001", 2_000)
	load(t, w, imports.DeliveryOptions{Path: modelstest.File(t, "d.csv", text)})
	done := load(t, w, imports.DeliveryOptions{
		Path: modelstest.File(t, "d.csv", text+modelstest.Record("10000001")), Repeated: imports.RepeatedReplace,
		Progress: func(done, total int64) {
			if done < total*9/10 {
				return // the file is read to check it
			}
			for _, organization := range []models.Organization{a, b} {
				tenant := w.Operator.Tenant(organization.ID)
				require.NoError(t, tenant.Suspend(modelstest.Context(t)))
				require.NoError(t, tenant.Resume(modelstest.Context(t)))
				settings, err := w.Service.Tenant(organization.ID).Settings(t.Context())
				require.NoError(t, err)
				settings.Name = "Renamed"
				require.NoError(t, w.Service.Tenant(organization.ID).OrganizationChange(t.Context(), settings))
			}
		},
	})
	require.NotNil(t, done.Replaced)
	require.Equal(t, 2, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM organizations WHERE name = 'Renamed' AND transaction_count = 2001`))
}

// Those who write for an organization take turns, and the next one's ids follow those of
// the one before, also if it began to wait before they were stored.
func TestWritersTakeTurns(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `UPDATE organizations SET last_id = '0fffffff-ffff-7000-8000-000000000000'`) // far ahead of the clock
	choose := func(*database.Writing) ([]uuid.UUID, error) { return []uuid.UUID{a.ID}, nil }
	var first, second uuid.UUID
	waited := make(chan error, 1)
	require.NoError(t, w.Operator.DB().Write(t.Context(), choose, func(one *database.Writing) error {
		go func() {
			waited <- w.Operator.DB().Write(t.Context(), choose, func(two *database.Writing) error {
				second = two.IDs(a.ID).Next()
				return nil
			})
		}()
		modelstest.Eventually(t, func() bool {
			return modelstest.Value[bool](t, conn, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`)
		})
		for range 1000 {
			first = one.IDs(a.ID).Next()
		}
		return nil
	}))
	require.NoError(t, modelstest.Receive(t, waited))
	require.Positive(t, bytes.Compare(second[:], first[:]))
}

// An organization's deliveries have arrived in the order in which they were stored, also if
// one began first and waited. So whoever has seen the latest has missed none.
func TestArrivalsAreInOrder(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	conn := modelstest.Conn(t, w.URL)
	waited := make(chan error, 1)
	var begun time.Time
	require.NoError(t, w.Operator.DB().Write(t.Context(), func(*database.Writing) ([]uuid.UUID, error) { return []uuid.UUID{a.ID}, nil }, func(*database.Writing) error {
		go func() {
			waited <- modelstest.ErrorOf(w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, modelstest.Record("10000001"))}))
		}()
		modelstest.Eventually(t, func() bool {
			return modelstest.Value[bool](t, conn, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')`)
		})
		begun = modelstest.Value[time.Time](t, conn, `SELECT clock_timestamp()`)
		return nil
	}))
	require.NoError(t, modelstest.Receive(t, waited))
	require.True(t, modelstest.Value[time.Time](t, conn, `SELECT created_at FROM delivery_files`).After(begun))
}

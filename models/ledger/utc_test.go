package ledger_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// Times are in UTC, whatever the machine's time zone, and days are midnight in UTC.
func TestTimesAreInUTC(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	w.Delivery(t, "10000001", 1)
	w.Key(t, a)
	tenant := w.Service.Tenant(a.ID)
	company, err := ledger.Company(t.Context(), tenant, "10000001")
	require.NoError(t, err)
	listed, err := keys.List(t.Context(), tenant)
	require.NoError(t, err)
	organizations, err := w.Operator.Organizations(t.Context())
	require.NoError(t, err)
	transaction := modelstest.Transactions(t, w.Service, a, "10000001")[0]
	for _, at := range []time.Time{company.CreatedAt, company.StartDate, modelstest.Companies(t, w.Service, a)[0].UpdatedAt, transaction.DispositionDate, listed[0].CreatedAt, organizations[0].CreatedAt} {
		require.Equal(t, time.UTC, at.Location())
	}
	require.Equal(t, "2026-01-31 00:00:00 +0000 UTC", transaction.DispositionDate.String())
}

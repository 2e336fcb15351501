package ledger_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
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
	for _, row := range []any{company, modelstest.Companies(t, w.Service, a)[0], transaction, listed[0].APIKey, organizations[0]} {
		value := reflect.ValueOf(row)
		for i := range value.NumField() {
			field := reflect.Indirect(value.Field(i))
			if !field.IsValid() {
				continue
			}
			if at, ok := field.Interface().(time.Time); ok {
				require.Equal(t, time.UTC, at.Location(), "%T.%s", row, value.Type().Field(i).Name)
			}
		}
	}
	require.Equal(t, "2026-01-31 00:00:00 +0000 UTC", transaction.DispositionDate.String())
	require.Equal(t, models.KeyActive, listed[0].State())
}

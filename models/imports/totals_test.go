package imports_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/imports"
	"dispo/models/modelstest"
	"dispo/models/sandbox"
)

// After every kind of write, all totals that are kept equal what they count: those of
// organizations, companies, days and files.
func TestTotalsAfterEveryWrite(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b, made := w.Organization(t, "a"), w.Organization(t, "b"), w.Sandbox(t, "made")
	w.Companies(t, a, "10000001", "10000002")
	text := modelstest.DeliveryCSV("10000001", 3) + strings.TrimPrefix(modelstest.DeliveryCSV("10000003", 2), modelstest.DeliveryHeader)
	options := imports.DeliveryOptions{Path: modelstest.File(t, "delivery.csv", text), SkipUnknown: true}
	var done imports.DeliveryResult
	load := func() (err error) {
		done, err = w.ImportDelivery(t.Context(), options)
		return err
	}
	count := func() int { return modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM transactions`) }
	days := count()
	for _, step := range []struct {
		name  string
		write func() error
		moved int // transactions
	}{
		{"import", load, 3},
		{"repeated import", load, 0},
		{"replace", func() error {
			options.Path = modelstest.File(t, "corrected.csv", text+modelstest.Record("10000002"))
			options.Repeated = imports.RepeatedReplace
			return load()
		}, 1},
		{"additional", func() error {
			options.Path = modelstest.File(t, "additional.csv", modelstest.DeliveryHeader+modelstest.Record("10000002"))
			options.Repeated = imports.RepeatedAdditional
			return load()
		}, 1},
		{"withdrawn from one", func() error {
			_, err := imports.Withdraw(t.Context(), w.Operator.DB(), done.ID, "test", &a)
			return err
		}, -1},
		{"imported again for one", func() error {
			options.Organization = &a
			return load()
		}, 1},
		{"held records assigned", func() error { w.Companies(t, b, "10000001", "10000003"); return nil }, 2},
		{"backfill", func() error {
			_, err := imports.Backfill(t.Context(), w.Operator.DB(), imports.BackfillOptions{Organization: b})
			return err
		}, 3},
		{"withdrawn from all", func() error {
			_, err := imports.Withdraw(t.Context(), w.Operator.DB(), done.ID, "test", nil)
			return err
		}, -1},
	} {
		before := count()
		require.NoError(t, step.write(), step.name)
		require.Equal(t, step.moved, count()-before, step.name)
		modelstest.RequireTotals(t, w.URL)
	}
	// On one of these days, the sandbox's delivery of the day before is withdrawn.
	for day := range 31 {
		require.NoError(t, sandbox.Fill(t.Context(), w.Service.Store, time.Now().AddDate(0, 0, 1+day)))
		modelstest.RequireTotals(t, w.URL)
	}
	require.Greater(t, count(), days)
	require.Equal(t, 1, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM withdrawn_files WHERE organization_id = $1`, made.ID))
}

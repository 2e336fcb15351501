package imports_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

func dated(cvr, date string) string {
	return strings.Replace(modelstest.Record(cvr), "2026-01-31", date, 1)
}

// Records of companies that no organization has are held. The import of such a company
// delivers them, in the order of the deliveries and of their records, after all that
// the organization has already, with the time of their arrival. Nobody else gets them.
func TestHeldRecordsArriveWithTheirCompany(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	w.Companies(t, a, "10000001")
	for _, lines := range [][]string{
		{dated("10000002", "2026-01-01"), dated("10000001", "2026-01-01"), dated("10000002", "2026-01-02")},
		{dated("10000003", "2026-01-03"), dated("10000002", "2026-01-03")},
	} {
		load(t, w, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, lines...), SkipUnknown: true})
	}
	groups, err := imports.Held(t.Context(), w.Operator.Store)
	require.NoError(t, err)
	require.Len(t, groups, 3)
	require.Equal(t, []any{"10000002", int64(2), "2469.00", (*string)(nil)}, []any{groups[0].CVR, groups[0].Records, groups[0].TotalAmountDKK, groups[0].Slug})
	earlier := modelstest.Transactions(t, w.Service, a, "10000001")

	imported := time.Now().Add(-time.Millisecond)
	done := loadCompanies(t, w, a, "cvr,name\n10000002,x\n")
	require.Equal(t, "a", done.Delivered.Slug)
	require.Equal(t, []any{int64(3), "3703.50"}, []any{done.Delivered.Records, done.Delivered.TotalAmountDKK})
	require.Zero(t, done.History)
	stored := modelstest.Transactions(t, w.Service, a, "10000002")
	require.Len(t, stored, 3)
	for i, expected := range []struct {
		index int64
		date  time.Time
	}{{1, day(2026, 1, 1)}, {3, day(2026, 1, 2)}, {2, day(2026, 1, 3)}} {
		require.Equal(t, expected.index, stored[i].RecordIndex)
		require.Equal(t, expected.date, stored[i].DispositionDate)
		require.True(t, stored[i].CreatedAt.After(imported))
		require.NotNil(t, stored[i].ProcessedAt)
		require.Greater(t, stored[i].ID.String(), earlier[0].ID.String())
	}

	// Another organization's company of that CVR has a history, which is not given away.
	done = loadCompanies(t, w, b, "cvr,name\n10000002,x\n10000003,x\n")
	require.EqualValues(t, 1, done.Delivered.Records)
	require.EqualValues(t, 3, done.History)
	requireIndexes(t, w, b, "10000002")
	requireIndexes(t, w, b, "10000003", 1)
}

// Records that an import for one organization holds wait for that organization alone.
func TestHeldRecordsOfOneOrganization(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	path := modelstest.DeliveryFile(t, modelstest.Record("10000001"))
	for range 2 {
		load(t, w, imports.DeliveryOptions{Path: path, Organization: &b, SkipUnknown: true})
	}
	groups, err := imports.Held(t.Context(), w.Operator.Store)
	require.NoError(t, err)
	require.Len(t, groups, 1)
	require.EqualValues(t, 1, groups[0].Records)
	require.Equal(t, "b", *groups[0].Slug)
	w.Companies(t, a, "10000001")
	requireIndexes(t, w, a, "10000001")
	w.Companies(t, b, "10000001")
	requireIndexes(t, w, b, "10000001", 1)
}

func backfilled(t *testing.T, w *modelstest.World, options imports.BackfillOptions) int64 {
	t.Helper()
	done, err := imports.Backfill(t.Context(), w.Operator.DB(), options)
	require.NoError(t, err)
	return done.Records
}

// A backfill delivers to an organization what others have of its companies and it has
// not, each once, within the given company and dates, and notes it in the audit log.
// What was withdrawn from the organization does not come back.
func TestBackfill(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b, c := w.Organization(t, "a"), w.Organization(t, "b"), w.Organization(t, "c")
	w.Companies(t, a, "10000001", "10000002")
	w.Companies(t, c, "10000001")
	var ids []uuid.UUID
	for _, date := range []string{"2026-01-01", "2026-01-02", "2026-01-03"} {
		done := load(t, w, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, dated("10000001", date), dated("10000002", date))})
		ids = append(ids, done.ID)
	}
	w.Companies(t, b, "10000001", "10000002", "10000003")
	backfill := func(options imports.BackfillOptions) int64 {
		t.Helper()
		options.Organization = b
		return backfilled(t, w, options)
	}
	from := day(2026, 1, 3)
	before := everything(t, w)
	require.EqualValues(t, 6, backfill(imports.BackfillOptions{DryRun: true}))
	require.Equal(t, before, everything(t, w))
	require.EqualValues(t, 1, backfill(imports.BackfillOptions{CVR: "10000001", From: &from}))
	require.EqualValues(t, 1, backfill(imports.BackfillOptions{From: &from}))
	_, err := imports.Withdraw(t.Context(), w.Operator.DB(), ids[2], "not yours", &b)
	require.NoError(t, err)
	require.EqualValues(t, 2, backfill(imports.BackfillOptions{CVR: "10000001"}))
	require.EqualValues(t, 2, backfill(imports.BackfillOptions{}))
	require.Zero(t, backfill(imports.BackfillOptions{}))
	requireIndexes(t, w, b, "10000001", 1, 1)
	requireIndexes(t, w, b, "10000002", 2, 2)
	entries, _, err := w.Service.Tenant(b.ID).AuditLog(t.Context(), models.AuditFilter{}, nil, 10)
	require.NoError(t, err)
	require.Len(t, entries, 5)
	require.Equal(t, []string{models.ActionDeliveryBackfill, "2 transactions of 2469.00 DKK from earlier deliveries"}, []string{entries[0].Action, entries[0].Subject})
	require.Equal(t, "1 transaction of 1234.50 DKK from earlier deliveries of the company 10000001 from 2026-01-03 on", entries[4].Subject)
	_, err = imports.Backfill(t.Context(), w.Operator.DB(), imports.BackfillOptions{Organization: b, CVR: "10000009"})
	modelstest.RequireKind(t, models.KindCompanyNotFound, err)
}

// A backfill reads what has arrived since the one before, and all of companies that are
// newer than it, but not what was there already.
func TestBackfillCostsWhatArrived(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001", "10000002"), w.Organization(t, "b", "10000001")
	c := w.Organization(t, "c", "10000009")
	const stored = 5_000
	path := modelstest.File(t, "delivery.csv", modelstest.DeliveryCSV("10000001", stored))
	load(t, w, imports.DeliveryOptions{Path: path, Organization: &a})
	other := modelstest.DeliveryFile(t, modelstest.Record("10000001"), modelstest.Record("10000002"))
	load(t, w, imports.DeliveryOptions{Path: other, Organization: &c})
	require.EqualValues(t, stored, backfilled(t, w, imports.BackfillOptions{Organization: b}))

	rows := modelstest.RowsRead(t, w.URL, func() {
		operator := modelstest.Open(t, w.URL, database.Operator)
		defer operator.Close()
		done, err := imports.Backfill(t.Context(), operator.DB(), imports.BackfillOptions{Organization: b})
		require.NoError(t, err)
		require.Zero(t, done.Records)
	})
	require.Less(t, rows["transactions"], int64(stored/10))

	// a gets an earlier delivery only now, and b a company of which a has records.
	load(t, w, imports.DeliveryOptions{Path: other, Organization: &a})
	require.EqualValues(t, 1, backfilled(t, w, imports.BackfillOptions{Organization: b}))
	w.Companies(t, b, "10000002")
	require.EqualValues(t, 1, backfilled(t, w, imports.BackfillOptions{Organization: b}))
	require.Zero(t, backfilled(t, w, imports.BackfillOptions{Organization: b}))
}

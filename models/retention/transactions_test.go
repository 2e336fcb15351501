package retention_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// A delivery whose last disposition date is older than transactions are kept goes from every
// organization, as a withdrawal, with what is held of it, and without a mail. One that is a day younger stays whole. Neither an import
// nor a backfill nor a company brings it back. Without the setting, it can be imported again.
func TestOldDeliveriesGo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b, c := w.organizations[0], w.organizations[1], w.Organization(t, "c")
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `INSERT INTO mail_senders (seen_at) VALUES (now())`)
	record := func(cvr string, daysAgo int) string {
		return cvr + ",1234,0012345678,CARD," + time.Now().UTC().AddDate(0, 0, -daysAgo).Format(time.DateOnly) + ",3,10.00\n"
	}
	imported := func(path string, options imports.DeliveryOptions) error {
		options.Path, options.SkipUnknown = path, true
		_, err := w.ImportDelivery(t.Context(), options)
		return err
	}
	old := modelstest.DeliveryFile(t, record("10000001", 50), record("10000001", 41), record("10000003", 41),
		record("10000004", 41))
	held := modelstest.DeliveryFile(t, record("10000005", 60)) // of which nobody has anything
	young := modelstest.DeliveryFile(t, record("10000001", 51), record("10000001", 40), record("10000004", 40))
	for _, path := range []string{old, held, young} {
		require.NoError(t, imported(path, imports.DeliveryOptions{}))
	}
	w.Companies(t, a, "10000003") // which gets a file of its own
	arrived := modelstest.Value[string](t, conn, `SELECT max(last_id::text) FROM organizations`)
	count := func(organization models.Organization, cvr string) int {
		return len(modelstest.Transactions(t, w.Service, organization, cvr))
	}
	require.Equal(t, []int{4, 4, 1}, []int{count(a, "10000001"), count(b, "10000001"), count(a, "10000003")})

	// As soon as the period is stored, nothing old arrives, also if it is still there.
	keep(t, w.URL, "transactions", "40d")
	w.Companies(t, c, "10000001", "10000004", "10000005")
	require.Equal(t, []int{1, 0}, []int{count(c, "10000004"), count(c, "10000005")}, "held records")
	_, err := imports.Backfill(t.Context(), w.Operator.DB(), imports.BackfillOptions{Organization: c})
	require.NoError(t, err)
	require.Equal(t, 2, count(c, "10000001"), "backfill")

	require.NoError(t, newKeeper(w.Service).Once(t.Context()))
	require.Equal(t, []int{2, 2, 0}, []int{count(a, "10000001"), count(b, "10000001"), count(a, "10000003")})
	require.Equal(
		t,
		[]string{"delivery.csv retention", "delivery.csv retention"},
		modelstest.Column[string](t, conn, `SELECT filename || ' ' || withdrawn_reason FROM deliveries
			WHERE withdrawn_at IS NOT NULL`),
	)
	require.Equal(
		t,
		"3 retention",
		modelstest.Value[string](t, conn, `SELECT concat_ws(' ', count(*), min(reason)) FROM withdrawn_files
			WHERE change_id > $1::text::uuid`, arrived),
	)
	require.Zero(
		t,
		modelstest.Value[int](t, conn, `SELECT (SELECT count(*) FROM mails) + (SELECT count(*) FROM held_records)
			+ (SELECT count(*) FROM organizations o JOIN withdrawn_files f ON f.organization_id = o.id
				WHERE o.last_id < f.change_id)`),
	)
	for organization, subject := range map[*models.Organization]string{&a: "delivery.csv: 3 transactions of 30.00 DKK. Reason: retention", &b: "delivery.csv: 2 transactions of 20.00 DKK. Reason: retention"} {
		entries := modelstest.AuditLog(t, w.Service.Tenant(organization.ID),
			models.AuditFilter{Action: models.ActionDeliveryWithdrawn})
		require.Len(t, entries, 1)
		require.Equal(t, []string{"schedule", subject}, []string{entries[0].UserEmail, entries[0].Subject})
	}
	require.Equal(
		t,
		"5 0",
		modelstest.Value[string](t, conn, `SELECT concat_ws(' ', count(*), count(*) FILTER (WHERE cvr <> ''))
			FROM withdrawn_totals`),
		"of each day, and of no company",
	)
	day := time.Now().UTC().AddDate(0, 0, -41).Truncate(24 * time.Hour)
	for from, files := range map[*time.Time]int{nil: 0, &day: 2} { // only who looks at the day is told
		withdrawals, err := ledger.Withdrawals(t.Context(), w.Service.Tenant(a.ID), "", from, from, 10)
		require.NoError(t, err)
		require.Len(t, withdrawals, files)
	}

	for _, repeated := range []imports.Repeated{imports.RepeatedRefuse, imports.RepeatedReplace, imports.RepeatedAdditional} {
		err := imported(old, imports.DeliveryOptions{Repeated: repeated})
		modelstest.RequireKind(t, models.KindConflict, err)
		require.ErrorContains(t, err,
			"delivery.csv is too old: its last disposition date is "+time.Now().UTC().AddDate(0, 0, -41).Format(time.DateOnly))
	}
	modelstest.RequireKind(t, models.KindConflict, imported(old, imports.DeliveryOptions{Organization: &a}))
	require.NoError(t, imported(young, imports.DeliveryOptions{}), "already imported")

	keep(t, w.URL, "transactions", "none")
	require.NoError(t, newKeeper(w.Service).Once(t.Context()))
	require.NoError(t, imported(old, imports.DeliveryOptions{}))
	require.Equal(t, 4, count(a, "10000001"))
	id := modelstest.Value[[16]byte](t, conn, `SELECT id FROM deliveries WHERE withdrawn_at IS NULL
		AND last_date < now() - interval '41 days'`)
	_, err = imports.Withdraw(t.Context(), w.Operator.DB(), id, "test", nil)
	require.NoError(t, err)
	require.Positive(t, modelstest.Value[int](t, conn, `SELECT count(*) FROM mails`), "an operator's are mailed")
}

// While an import runs, deliveries wait for the next time. Their changes come after all others, whatever the clock.
func TestWithdrawalsLeaveImportsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Delivery(t, "10000001", 3) // of January 2026
	importing := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, importing, `BEGIN; LOCK TABLE deliveries IN EXCLUSIVE MODE`)
	keep(t, w.URL, "transactions", "30d")
	keeper := newKeeper(w.Service)
	require.NoError(t, keeper.Once(t.Context()))
	require.Len(t, modelstest.Transactions(t, w.Service, w.organizations[0], "10000001"), 3)
	const last = "0fffffff-ffff-7fff-bfff-ffffffffffff" // the clock was ahead
	modelstest.Execute(t, importing, `UPDATE organizations SET last_id = $1`, last)
	modelstest.Execute(t, importing, `COMMIT`)
	require.NoError(t, keeper.Once(t.Context()))
	require.Len(
		t,
		modelstest.Column[string](t, importing, `SELECT change_id::text FROM withdrawn_files
			WHERE change_id > $1::text::uuid`, last),
		len(w.organizations),
	)
	for _, o := range w.organizations {
		require.Empty(t, modelstest.Transactions(t, w.Service, o, "10000001"))
	}
}

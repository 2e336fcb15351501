package ledger_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// A page of a ledger reads about as many index entries as it shows, for each type, and
// those of one day to know its position: at the newest, in the middle and at the oldest
// end alike, with each filter, and while an import is under way. A rare type or a small
// company costs no more. An amount is looked for in a bounded number of transactions.
func TestLedgerPagesReadOnlyTheirItems(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	conn := modelstest.Conn(t, w.URL)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	for _, organization := range []models.Organization{a, b} {
		w.Companies(t, organization, "10000001", "10000002", "10000003", "10000004")
	}
	const perDay, days, busy = 100, 120, 7_000
	const ids = `('ffff' || lpad(to_hex(n), 28, '0'))::uuid`
	modelstest.Execute(
		t,
		conn,
		`INSERT INTO deliveries (id, filename, layout, record_count, total_amount_dkk) VALUES ('ffff0000-0000-0000-0000-000000000000', 'delivery.csv', 'csv', 0, 0)`,
	)
	modelstest.Execute(t, conn,
		`INSERT INTO delivery_files (organization_id, id, delivery_id, last_id, filename, layout, first_date, last_date)
		SELECT o.id, d.id, d.id, 'ffffffff-0000-0000-0000-000000000000', 'delivery.csv', 'csv', '2024-01-01', '2026-12-31' FROM organizations o, deliveries d`)
	// Half is of a large company, a tenth of a type of its own, every thousandth of a small
	// company and of a rare type. The last day has as many as dozens of others.
	const insert = `INSERT INTO transactions SELECT o.id, ` + ids + `, 'ffff0000-0000-0000-0000-000000000000',
		n, 1, '2024-01-01'::date + least(n / $3::int, $4::int), CASE WHEN n % 1000 = 7 THEN '10000004' WHEN n % 2 = 0 THEN '10000001' WHEN n % 20 = 1 THEN '10000003' ELSE '10000002' END,
		'1234', '1', CASE WHEN n % 1000 = 9 THEN 'RARE' WHEN n % 10 = 3 THEN 'REFUND' ELSE 'CARD' END, n % 997, repeat('x', 100)
		FROM organizations o, generate_series($1::int, $2::int) n WHERE o.slug = 'a' OR n % 5 = 0 ORDER BY o.id, n`
	modelstest.Execute(t, conn, insert, 0, perDay*days+busy-1, perDay, days)
	modelstest.Recount(t, w.URL)
	modelstest.Execute(t, conn, `UPDATE organizations SET last_id = (SELECT max(last_id::text)::uuid FROM daily_totals)`)
	modelstest.Execute(t, conn, `VACUUM ANALYZE`)
	modelstest.Execute(t, conn, `SELECT pg_stat_force_next_flush()`)
	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, insert, perDay*days+busy, perDay*days+busy*5/4, perDay, days)

	services := openPlanModes(t, w)
	entries := func(filter ledger.TransactionFilter, cursor ledger.ItemCursor) int64 {
		return entriesRead(t, w, services, []string{"transactions", "daily_totals"}, func(store *modelstest.Instance) {
			require.NoError(t, modelstest.ErrorOf(ledger.Items(t.Context(), store.Tenant(a.ID), filter, cursor)))
		}) / int64(len(planModes))
	}
	watching := modelstest.Conn(t, w.URL)
	from, to, middle := day("2024-01-20"), day("2024-04-10"), day("2024-03-01")
	inBusy := ledger.Position{
		Day: day("2024-01-01").AddDate(0, 0, days),
		ID:  modelstest.Value[uuid.UUID](t, watching, `SELECT `+ids+` FROM (SELECT $1::int AS n) x`, perDay*days+busy/2),
	}
	for name, filter := range map[string]ledger.TransactionFilter{
		"none": {}, "dates": {From: &from, To: &to}, "type": {Type: "CARD"}, "rare type": {Type: "RARE"},
		"large company": {CVR: "10000001"}, "small company": {CVR: "10000004"}, "company and type": {CVR: "10000003", Type: "REFUND"}, "company and dates": {CVR: "10000002", From: &from},
	} {
		const limit = 50
		totals := modelstest.Value[int64](t, watching,
			`SELECT count(*) FROM daily_totals WHERE organization_id = $1 AND cvr = $2`, a.ID, filter.CVR)
		for place, cursor := range map[string]ledger.ItemCursor{
			"newest": {}, "oldest": {Oldest: true},
			"older": {OlderThan: &ledger.Position{Day: middle}}, "newer": {NewerThan: &ledger.Position{Day: middle}},
		} {
			cursor.Limit = limit
			most := 3*(limit+1)*2 + 2*perDay + 3*totals
			if filter.CVR != "" && place == "newest" {
				most += 2 * busy // the page is of the busy day
			}
			require.LessOrEqual(t, entries(filter, cursor), most, "%s, %s", name, place)
		}
		require.LessOrEqual(t, entries(filter, ledger.ItemCursor{Limit: limit, OlderThan: &inBusy}),
			3*(limit+1)*2+3*totals+2*busy, "%s, in the busy day", name)
	}
	for _, filter := range []ledger.TransactionFilter{{AmountFrom: "996.50", AmountTo: "996.50"}, {AmountFrom: "1.00"}, {AmountFrom: "5.00", CVR: "10000001"}, {AmountTo: "5.00", CVR: "10000004"},
		{Account: ledger.ParseAccount("1")}, {Account: ledger.ParseAccount("2")}} {
		require.LessOrEqual(t, entries(filter, ledger.ItemCursor{Limit: 50}), int64(2*100_000+10_000), "%+v", filter)
	}
}

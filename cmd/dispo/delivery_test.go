package main_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// deliveryID returns the id of the newest delivery.
func deliveryID(t testing.TB, url string) string {
	t.Helper()
	return modelstest.ValueAt[string](t, url, `SELECT id::text FROM deliveries ORDER BY number DESC LIMIT 1`)
}

// An operator sees the deliveries, what each organization has of them, and what is held.
func TestDeliveryListShowHeld(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.run(t, "delivery", "list")
	require.Equal(t, 0, r.status)
	require.Equal(t, "There are no deliveries yet: import one with `dispo import delivery FILE`.\n", r.err)
	require.Contains(t, w.run(t, "delivery", "held").err, "No records are held.")
	w.run(t, "import", "delivery", file(t, "first.csv", delivery(cvr))).requireDone(t)
	w.run(t, "import", "delivery", file(t, "second.csv", strings.ReplaceAll(delivery(cvr, noCVR), "CARD", "CASH")), "--skip-unknown").requireDone(t)
	id := deliveryID(t, w.URL)

	lines := strings.Split(w.run(t, "delivery", "list").requireDone(t), "\n")
	require.Len(t, lines, 3)
	require.Regexp(t, `^ID +FILE +LAYOUT +IMPORTED +RECORDS +ORGANIZATIONS +SUM +HELD +WITHDRAWN`, lines[0])
	require.Regexp(t, `^`+id+` +second\.csv +csv +\S+ \S+ +2 +1 +2\.00 +1 *$`, lines[1])
	require.Contains(t, lines[2], "first.csv")
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(w.run(t, "delivery", "list", "--json").out), &list))
	require.Len(t, list, 2)
	require.Equal(t, []any{id, "second.csv", 2.0, "2.00", 1.0, nil}, []any{list[0]["id"], list[0]["filename"], list[0]["records"], list[0]["totalAmountDkk"], list[0]["held"], list[0]["withdrawnAt"]})

	shown := w.run(t, "delivery", "show", id).requireDone(t)
	for _, part := range []string{id, "dates: 2026-01-31 to 2026-01-31", "file: 2 records of 2.00 DKK, 1 held", "acme"} {
		require.Contains(t, shown, part)
	}
	require.Regexp(t, `(?m)^`+noCVR+` +second\.csv +`+id+` +1 +1\.50 +any organization$`, w.run(t, "delivery", "held").requireDone(t))
	w.run(t, "delivery", "show", "x").requireRefused(t, 2, "dispo delivery list")
	w.run(t, "delivery", "show", "01900000-0000-7000-8000-000000000000").requireRefused(t, 1, "there is no delivery 01900000", "dispo delivery list")

	// The company arrives, and gets what was held. Another organization may get history.
	r = w.run(t, "import", "companies", file(t, "companies.csv", "cvr,name\n"+noCVR+",x\n"), "--organization", "acme")
	require.Equal(t, "companies.csv: 1 company inserted, 0 updated, 0 unchanged\ncompanies.csv: 1 record of 1.50 DKK delivered that had been held for new companies", r.requireDone(t))
	w.Organization(t, "bolt")
	r = w.run(t, "import", "companies", file(t, "companies.csv", "cvr,name\n"+noCVR+",x\n"), "--organization", "bolt")
	require.Equal(t, "Other organizations have at least 1 record of the new companies. `dispo delivery backfill --organization bolt` delivers them.\n", r.err)
	require.Equal(t, "bolt: 1 earlier record of 1.50 DKK delivered", w.run(t, "delivery", "backfill", "--organization", "bolt", "--from", "2026-01-01", "--cvr", noCVR).requireDone(t))
	w.run(t, "delivery", "backfill", "--organization", "bolt", "--from", "tomorrow").requireRefused(t, 2, "--from", "2027-01-31")
}

// A wrong import is found by a dry run, or withdrawn. Without a terminal, a withdrawal
// has to be confirmed by --yes.
func TestDeliveryWithdraw(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := file(t, "delivery.csv", delivery(cvr, cvr))
	before := rows(t, w.URL)
	r := w.run(t, "import", "delivery", path, "--dry-run")
	require.Equal(t, "delivery.csv: 2 records, 2 transactions would be stored for 1 organization\n  acme: 2 records of 2.00 DKK", r.requireDone(t))
	require.Equal(t, "This was a dry run: nothing was stored.\n", r.err)
	require.Equal(t, before, rows(t, w.URL))
	w.run(t, "import", "delivery", file(t, "bad.csv", delivery(noCVR)), "--dry-run").requireBadLines(t, "line 2: cvr: no organization has")

	w.run(t, "import", "delivery", path).requireDone(t)
	id := deliveryID(t, w.URL)
	w.run(t, "delivery", "withdraw", id, "--reason", "test").requireRefused(t, 2, "--yes")
	w.run(t, "delivery", "withdraw", id, "--reason", "a\nb", "--yes").requireRefused(t, 1, "one line")
	require.Equal(t, 2, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM transactions`))
	r = w.run(t, "delivery", "withdraw", id, "--reason", "wrong layout", "--yes")
	require.Equal(t, "acme: 2 transactions of 2.00 DKK withdrawn", r.requireDone(t))
	require.Equal(t, "Withdrew delivery.csv ("+id+"). It can be imported again.\n", r.err)
	require.Zero(t, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM transactions`))
	require.Contains(t, w.run(t, "delivery", "show", id).requireDone(t), ": wrong layout")
	w.run(t, "delivery", "withdraw", id, "--reason", "x", "--yes").requireRefused(t, 1, "was withdrawn on")
	w.run(t, "import", "delivery", path).requireDone(t)

	resent := file(t, "resent.csv", delivery(cvr, cvr, cvr))
	w.run(t, "import", "delivery", resent).requireRefused(t, 1, "resent.csv repeats 2 stored records (lines 2, 3), of delivery.csv", "--replace", "--additional")
	w.run(t, "import", "delivery", resent, "--replace", "--additional").requireRefused(t, 2, "--replace", "--additional")
	require.Regexp(t, `^resent\.csv: 3 records, 3 transactions stored for 1 organization; delivery\.csv \(.*\) with 2 records of .* DKK replaced$`, w.run(t, "import", "delivery", resent, "--replace").requireDone(t))
	require.Equal(t, 3, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM transactions`))
}

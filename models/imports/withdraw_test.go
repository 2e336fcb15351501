package imports_test

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// A withdrawal removes a delivery's transactions from every organization, and what is
// held of it. Totals, sums and data versions move, each organization's audit log says
// why, and other deliveries stay. Cursors stay valid. The delivery stays listed, and can
// be imported again.
func TestWithdraw(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b, c := w.Organization(t, "a"), w.Organization(t, "b"), w.Organization(t, "c")
	w.Companies(t, a, "10000001")
	w.Companies(t, b, "10000001", "10000002")
	w.Companies(t, c, "10000003")
	path := modelstest.DeliveryFile(t, modelstest.Record("10000001"), modelstest.Record("10000002"), modelstest.Record("10000009"))
	wrong := load(t, w, imports.DeliveryOptions{Path: path, SkipUnknown: true})
	w.Delivery(t, "10000001", 3)
	removed := modelstest.Transactions(t, w.Service, a, "10000001")[0].ID
	conn := modelstest.Conn(t, w.URL)
	version := func(organization models.Organization) int64 {
		return modelstest.Value[int64](t, conn, `SELECT data_version FROM organizations WHERE id = $1`, organization.ID)
	}
	before := []int64{version(a), version(b), version(c)}

	done, err := imports.Withdraw(t.Context(), w.Operator.DB(), wrong.ID, " wrong layout ", nil)
	require.NoError(t, err)
	require.EqualValues(t, 1, done.Held)
	require.Len(t, done.Shares, 2)
	require.Equal(t, []any{"b", int64(2), "2469.00"}, []any{done.Shares[1].Slug, done.Shares[1].Records, done.Shares[1].TotalAmountDKK})
	require.Greater(t, version(a), before[0])
	require.Greater(t, version(b), before[1])
	require.Equal(t, before[2], version(c))
	page, err := ledger.Transactions(t.Context(), w.Service.Tenant(a.ID), "10000001", ledger.Cursor{Limit: 10, After: &removed})
	require.NoError(t, err)
	require.Len(t, page.Items, 3)
	require.EqualValues(t, 3, page.Total)
	require.Equal(t, "3.03", page.Amount)
	requireIndexes(t, w, b, "10000002")
	for organization, expected := range map[*models.Organization]string{&a: "delivery.csv: 1 transaction of 1234.50 DKK. Reason: wrong layout", &b: "delivery.csv: 2 transactions of 2469.00 DKK. Reason: wrong layout"} {
		entries, _, err := w.Service.Tenant(organization.ID).AuditLog(t.Context(), models.AuditFilter{}, nil, 10)
		require.NoError(t, err)
		require.Len(t, entries, 1)
		require.Equal(t, []string{models.ActionDeliveryWithdrawn, expected}, []string{entries[0].Action, entries[0].Subject})
	}
	entries, _, err := w.Service.Tenant(c.ID).AuditLog(t.Context(), models.AuditFilter{}, nil, 10)
	require.NoError(t, err)
	require.Empty(t, entries)

	_, err = imports.Withdraw(t.Context(), w.Operator.DB(), wrong.ID, "again", nil)
	modelstest.RequireKind(t, models.KindConflict, err)
	deliveries, err := imports.List(t.Context(), w.Operator.Store)
	require.NoError(t, err)
	require.Len(t, deliveries, 2)
	require.Nil(t, deliveries[0].WithdrawnAt)
	require.Equal(t, "wrong layout", *deliveries[1].WithdrawnReason)

	again := load(t, w, imports.DeliveryOptions{Path: path, SkipUnknown: true})
	require.NotEqual(t, wrong.ID, again.ID)
	require.EqualValues(t, 3, again.Stored)
	require.EqualValues(t, 1, again.Held)
}

// A withdrawal from one organization leaves the others alone. The same delivery again
// changes nothing, unless it is imported for that organization.
func TestWithdrawFromOneOrganization(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b, c := w.Organization(t, "a"), w.Organization(t, "b"), w.Organization(t, "c")
	w.Companies(t, a, "10000001")
	w.Companies(t, b, "10000001")
	path := modelstest.DeliveryFile(t, modelstest.Record("10000001"), modelstest.Record("10000001"), modelstest.Record("10000009"))
	done := load(t, w, imports.DeliveryOptions{Path: path, SkipUnknown: true})
	_, err := imports.Withdraw(t.Context(), w.Operator.DB(), done.ID, "not theirs", &c)
	modelstest.RequireKind(t, models.KindConflict, err)
	_, err = imports.Withdraw(t.Context(), w.Operator.DB(), done.ID, "not theirs", &b)
	require.NoError(t, err)
	requireIndexes(t, w, a, "10000001", 1, 2)
	requireIndexes(t, w, b, "10000001")

	again := load(t, w, imports.DeliveryOptions{Path: path, SkipUnknown: true})
	requireResult(t, imports.DeliveryResult{Filename: "delivery.csv", Layout: "csv", Records: 3, Already: true, Lacking: 1}, again)
	// What is held of it stays held for others.
	w.Companies(t, b, "10000009")
	requireIndexes(t, w, b, "10000009")
	again = load(t, w, imports.DeliveryOptions{Path: path, Organization: &b})
	require.Equal(t, done.ID, again.ID)
	requireIndexes(t, w, b, "10000001", 1, 2)
	requireIndexes(t, w, b, "10000009", 3)
}

// A withdrawal needs a delivery and a reason of one line.
func TestWithdrawRefused(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	done := w.Delivery(t, "10000001", 1)
	for _, reason := range []string{"", " ", "a\nb", strings.Repeat("x", 501), "\xff"} {
		_, err := imports.Withdraw(t.Context(), w.Operator.DB(), done.ID, reason, nil)
		modelstest.RequireKind(t, models.KindInvalid, err)
	}
	_, err := imports.Withdraw(t.Context(), w.Operator.DB(), uuid.New(), "x", nil)
	modelstest.RequireKind(t, models.KindNotFound, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = imports.Withdraw(ctx, w.Operator.DB(), done.ID, "x", nil)
	require.Error(t, err)
	requireIndexes(t, w, a, "10000001", 1)
}

// A delivery that replaces another does not bring an organization back what was withdrawn
// from it alone, neither at once nor by a backfill or a held record, and says so. An import
// for that organization does.
func TestReplaceLeavesOutWithdrawn(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001"), w.Organization(t, "b", "10000001", "10000002")
	text := modelstest.Record("10000001") + modelstest.Record("10000002") + modelstest.Record("10000003")
	old := load(t, w, imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, text), SkipUnknown: true})
	require.NoError(t, modelstest.ErrorOf(imports.Withdraw(t.Context(), w.Operator.DB(), old.ID, "not theirs", &b)))
	var path string
	for range 2 { // the decision outlives a replacement
		text += strings.Replace(modelstest.Record("10000001"), "1234.50", strconv.Itoa(len(text))+".00", 1)
		path = modelstest.DeliveryFile(t, text)
		done := load(t, w, imports.DeliveryOptions{Path: path, SkipUnknown: true, Repeated: imports.RepeatedReplace})
		require.Equal(t, []string{"b"}, done.LeftOut)
		require.Zero(t, done.Others)
	}
	requireIndexes(t, w, a, "10000001", 1, 4, 5)
	w.Companies(t, b, "10000003")
	require.Zero(t, backfilled(t, w, imports.BackfillOptions{Organization: b}))
	for _, cvr := range []string{"10000001", "10000002", "10000003"} {
		requireIndexes(t, w, b, cvr)
	}
	load(t, w, imports.DeliveryOptions{Path: path, Organization: &b})
	requireIndexes(t, w, b, "10000001", 1, 4, 5)
	requireIndexes(t, w, b, "10000002", 2)
	requireIndexes(t, w, b, "10000003", 3)
}

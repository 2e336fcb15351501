package ledger_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// Read in pages in either direction, a ledger has every transaction that fits exactly
// once, the newest day first and within a day the latest id first. Each page knows its
// position, and the number and sum of all.
func TestLedger(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a", "10000001", "10000002", "10000003"), w.Organization(t, "b", "10000001", "10000004")
	all := randomTransactions(t, w, a)
	from, to, never := day("2026-01-03"), day("2026-02-04"), day("2027-01-01")

	for _, filter := range []ledger.TransactionFilter{
		{}, {From: &from}, {To: &to}, {From: &from, To: &to}, {From: &from, To: &from}, {From: &never},
		{Type: "CARD"}, {Type: `A "\type`}, {Type: "CARD", From: &from, To: &to}, {Type: "NONE"},
		{CVR: "10000001"}, {CVR: "10000002", From: &from, To: &to}, {CVR: "10000003", Type: "REFUND"}, {CVR: "10000004"},
		{AmountFrom: "100.00"}, {AmountTo: "-10.00"}, {AmountFrom: "0.00", AmountTo: "50.00", Type: "CARD"},
		{AmountFrom: "100.00", CVR: "10000001"}, {AmountFrom: "100.00", CVR: "10000001", Type: "CARD", From: &from}, {AmountFrom: "5000.00"},
	} {
		var expected []models.Transaction
		var amounts []ledger.Item
		for _, x := range all {
			if fits(filter, x) {
				expected, amounts = append(expected, x), append(amounts, ledger.Item{Transaction: x})
			}
		}
		read := func(cursor ledger.ItemCursor, at int) ledger.ItemPage {
			t.Helper()
			page, err := ledger.Items(t.Context(), w.Service.Tenant(a.ID), filter, cursor)
			require.NoError(t, err)
			require.EqualValues(t, len(expected), page.Count, "%+v", filter)
			require.Equal(t, ledger.SumItems(amounts), page.Amount, "%+v", filter)
			require.EqualValues(t, at, page.Newer, "%+v %+v", filter, cursor)
			require.Equal(t, at > 0, page.HasNewer)
			require.Equal(t, at+len(page.Items) < len(expected), page.HasOlder)
			for i, item := range page.Items {
				require.Equal(t, expected[at+i], item.Transaction, "%+v %+v", filter, cursor)
				require.Equal(t, "Company "+item.CVR, item.CompanyName)
			}
			return page
		}
		if len(expected) == 0 {
			require.Empty(t, read(ledger.ItemCursor{Limit: 7}, 0).Items)
			continue
		}
		const limit = 7
		at, page := 0, read(ledger.ItemCursor{Limit: limit}, 0)
		for page.HasOlder {
			at += len(page.Items)
			last := page.Items[len(page.Items)-1].Position()
			page = read(ledger.ItemCursor{Limit: limit, OlderThan: &last}, at)
		}
		require.Equal(t, len(expected), at+len(page.Items))
		at = max(0, len(expected)-limit)
		page = read(ledger.ItemCursor{Limit: limit, Oldest: true}, at)
		for page.HasNewer {
			at = max(0, at-limit)
			first := page.Items[0].Position()
			page = read(ledger.ItemCursor{Limit: limit, NewerThan: &first}, at)
		}
		require.Zero(t, at)
		// Positions beyond either end, and of no transaction.
		for _, edge := range []ledger.Position{{Day: day("2020-01-01")}, {Day: day("2030-01-01")}, {Day: from}} {
			at := slices.IndexFunc(expected,
				func(x models.Transaction) bool { return ledger.Item{Transaction: x}.Position().Compare(edge) < 0 })
			if at < 0 {
				at = len(expected)
			}
			read(ledger.ItemCursor{Limit: limit, OlderThan: &edge}, at)
			read(ledger.ItemCursor{Limit: limit, NewerThan: &edge}, max(0, at-limit))
		}
	}

	// Another organization's transactions count nowhere.
	page, err := ledger.Items(t.Context(), w.Service.Tenant(b.ID), ledger.TransactionFilter{CVR: "10000002"},
		ledger.ItemCursor{Limit: 7})
	require.NoError(t, err)
	require.Equal(t, ledger.ItemPage{Amount: "0.00"}, page)
	tenant := w.Service.Tenant(a.ID)
	fit := ledger.Ledger(t.Context(), tenant, ledger.TransactionFilter{From: &from}).Select("transactions.id")
	var counted int64
	require.NoError(t, tenant.DB(t.Context()).Table("(?) AS x", fit).Count(&counted).Error)
	require.EqualValues(t,
		len(slices.DeleteFunc(slices.Clone(all), func(x models.Transaction) bool { return x.DispositionDate.Before(from) })),
		counted)
}

// randomTransactions imports deliveries, and returns what an organization with three
// companies has of them, in a ledger's order.
func randomTransactions(t *testing.T, w *modelstest.World, a models.Organization) []models.Transaction {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	for range 3 {
		lines := make([]string, 60)
		for i := range lines {
			lines[i] = fmt.Sprintf("1000000%d,1234,%010d,%s,2026-%02d-%02d,3,%d.%02d\n", 1+random.IntN(4), random.IntN(1e9),
				[]string{"CARD", "REFUND", `A "\type`}[random.IntN(3)], 1+random.IntN(2), 1+random.IntN(9), random.IntN(400)-100,
				random.IntN(100))
			if strings.Contains(lines[i], `"`) {
				lines[i] = strings.Replace(lines[i], `A "\type`, `"A ""\type"`, 1)
			}
		}
		require.NoError(t, modelstest.ErrorOf(w.ImportDelivery(t.Context(), importsOf(modelstest.DeliveryFile(t, lines...)))))
	}
	all := slices.Concat(modelstest.Transactions(t, w.Service, a, "10000001"),
		modelstest.Transactions(t, w.Service, a, "10000002"), modelstest.Transactions(t, w.Service, a, "10000003"))
	slices.SortFunc(all, func(x, y models.Transaction) int {
		return ledger.Item{Transaction: y}.Position().Compare(ledger.Item{Transaction: x}.Position())
	})
	return all
}

func day(text string) time.Time {
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		panic(err)
	}
	return day
}

func fits(f ledger.TransactionFilter, x models.Transaction) bool {
	return (f.From == nil || !x.DispositionDate.Before(*f.From)) && (f.To == nil || !x.DispositionDate.After(*f.To)) &&
		(f.Type == "" || f.Type == x.TransferType) && (f.CVR == "" || f.CVR == x.CVR) &&
		(f.AmountFrom == "" || ledger.CompareAmounts(f.AmountFrom, x.AmountDKK) <= 0) && (f.AmountTo == "" || ledger.CompareAmounts(x.AmountDKK, f.AmountTo) <= 0)
}

func importsOf(path string) imports.DeliveryOptions {
	return imports.DeliveryOptions{Path: path, SkipUnknown: true}
}

package ledger_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// A page has the items directly after its cursor, or directly before it, in ascending
// order, whether the cursor is an item's id, a deleted item's, or any other. It says
// exactly whether items precede and follow it, and how many the list has.
func TestPages(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	require.NoError(t, modelstest.ErrorOf(w.ImportCompanies(t.Context(), a, modelstest.File(t, "companies.csv", modelstest.CompaniesCSV(10_000_000, 12)))))
	w.Companies(t, b, "10000000", "10000099")
	w.Delivery(t, "10000000", 14)
	w.Delivery(t, "10000001", 3)
	conn := modelstest.Conn(t, w.URL)
	deleted := modelstest.Column[uuid.UUID](t, conn, `DELETE FROM transactions WHERE cvr = '10000000' AND record_index IN (3, 9) RETURNING id`)
	modelstest.Recount(t, w.URL)

	tenant := w.Service.Tenant(a.ID)
	for name, list := range map[string]struct {
		count int
		read  func(ledger.Cursor) (ids []uuid.UUID, page ledger.Page[struct{}], err error)
	}{
		"companies": {12, func(cursor ledger.Cursor) ([]uuid.UUID, ledger.Page[struct{}], error) {
			page, err := ledger.Companies(t.Context(), tenant, cursor)
			var ids []uuid.UUID
			for _, item := range page.Items {
				ids = append(ids, item.ID)
			}
			return ids, ledger.Page[struct{}]{Total: page.Total, HasPrevious: page.HasPrevious, HasMore: page.HasMore}, err
		}},
		"transactions": {12, func(cursor ledger.Cursor) ([]uuid.UUID, ledger.Page[struct{}], error) {
			page, err := ledger.Transactions(t.Context(), tenant, "10000000", cursor)
			var ids []uuid.UUID
			for _, item := range page.Items {
				ids = append(ids, item.ID)
			}
			return ids, ledger.Page[struct{}]{Total: page.Total, HasPrevious: page.HasPrevious, HasMore: page.HasMore}, err
		}},
		"empty": {0, func(cursor ledger.Cursor) ([]uuid.UUID, ledger.Page[struct{}], error) {
			page, err := ledger.Transactions(t.Context(), tenant, "10000002", cursor)
			require.Empty(t, page.Items)
			return nil, ledger.Page[struct{}]{Total: page.Total, HasPrevious: page.HasPrevious, HasMore: page.HasMore}, err
		}},
	} {
		whole, _, err := list.read(ledger.Cursor{Limit: 100})
		require.NoError(t, err)
		require.Len(t, whole, list.count, name)
		require.True(t, slices.IsSortedFunc(whole, compareIDs))

		cursors := append([]uuid.UUID{uuid.Nil, uuid.Max, uuid.New()}, deleted...)
		cursors = append(cursors, whole...)
		for _, limit := range []int{1, 2, 5, 11, 12, 13, 100} {
			requirePage := func(from, to int, cursor ledger.Cursor) {
				t.Helper()
				ids, page, err := list.read(cursor)
				require.NoError(t, err)
				require.Equal(t, append([]uuid.UUID(nil), whole[from:to]...), ids, "%s: %+v", name, cursor)
				require.Equal(t, ledger.Page[struct{}]{Total: int64(len(whole)), HasPrevious: from > 0, HasMore: to < len(whole)}, page, "%s: %+v", name, cursor)
			}
			requirePage(0, min(limit, len(whole)), ledger.Cursor{Limit: limit})
			for _, cursor := range cursors {
				above, found := slices.BinarySearchFunc(whole, cursor, compareIDs)
				below := above
				if found {
					above++
				}
				requirePage(above, min(above+limit, len(whole)), ledger.Cursor{Limit: limit, After: &cursor})
				requirePage(max(0, below-limit), below, ledger.Cursor{Limit: limit, Before: &cursor})
			}
		}
	}
	_, err := ledger.Transactions(t.Context(), tenant, "10000099", ledger.Cursor{Limit: 1})
	modelstest.RequireKind(t, models.KindCompanyNotFound, err)
	require.Contains(t, err.Error(), "10000099")
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

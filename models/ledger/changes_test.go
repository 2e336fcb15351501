package ledger_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// changes reads all of an organization's changes after an id, page by page.
func changes(t *testing.T, w *modelstest.World, organization models.Organization, after *uuid.UUID) (all []ledger.Change) {
	t.Helper()
	cursor := ledger.Cursor{Limit: 2, After: after}
	for {
		page, err := ledger.Changes(t.Context(), w.Service.Tenant(organization.ID), cursor)
		require.NoError(t, err)
		all = append(all, page.Items...)
		if !page.HasMore {
			if after == nil {
				require.Len(t, all, int(page.Total))
			}
			return all
		}
		cursor.After = &all[len(all)-1].ID
	}
}

// A company that is new or has changed, a delivery that arrives and one that is withdrawn
// are a change each, in the order in which they happened and with all their fields. What
// leaves everything as it is makes none. A change's id is greater than those of the
// transactions that came with it.
func TestChanges(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	w.Companies(t, b, "10000001", "10000002")
	companies := func(lines ...string) {
		t.Helper()
		text := "cvr,name,status\n"
		for _, line := range lines {
			text += line + "\n"
		}
		_, err := w.ImportCompanies(t.Context(), a, modelstest.File(t, "companies.csv", text))
		require.NoError(t, err)
	}
	deliver := func(name string, options imports.DeliveryOptions, lines ...string) uuid.UUID {
		t.Helper()
		text := modelstest.DeliveryHeader
		for _, line := range lines {
			text += line + "\n"
		}
		options.Path = modelstest.File(t, name, text)
		done, err := w.ImportDelivery(t.Context(), options)
		require.NoError(t, err)
		return done.ID
	}
	records := func(corrected string) []string {
		return []string{"10000001,1234,1,CARD,2026-01-31,1,1000.00", "10000002,1234,1,CARD,2026-01-30,1,100.00", "10000001,1234,1,CARD,2026-02-02,1," + corrected,
			"10000003,1234,1,CARD,2026-01-31,1,7.25", "10000004,1234,1,CARD,2026-02-01,1,0.75"}
	}
	withdraw := func(id uuid.UUID, only *models.Organization) {
		t.Helper()
		_, err := imports.Withdraw(t.Context(), w.Operator.DB(), id, "wrong file", only)
		require.NoError(t, err)
	}
	company := func(cvr, status string) ledger.Change {
		return ledger.Change{Type: ledger.CompanyChanged, CVR: &cvr, Status: &status}
	}
	day := func(text string) *time.Time {
		day, err := time.Parse(time.DateOnly, text)
		require.NoError(t, err)
		return &day
	}
	arrived := func(filename string, count int64, amount, first, last string) ledger.Change {
		return ledger.Change{Type: ledger.DeliveryArrived, Filename: &filename, Transactions: &count, AmountDKK: &amount, FirstDate: day(first), LastDate: day(last)}
	}
	withdrawn := func(of ledger.Change, reason string) ledger.Change {
		of.Type, of.Reason = ledger.DeliveryWithdrawn, &reason
		return of
	}

	file := arrived("first.csv", 3, "1099.50", "2026-01-30", "2026-02-02")
	other := arrived("other.csv", 1, "5.00", "2026-01-31", "2026-01-31")
	var first, second, others uuid.UUID
	var last *uuid.UUID
	var known []ledger.Change
	for _, step := range []struct {
		name  string
		write func()
		want  []ledger.Change // after those of the step before
	}{
		{"nothing", func() {}, nil},
		{"new companies", func() { companies("10000001,One,CREATED", "10000002,Two,REGISTERED") },
			[]ledger.Change{company("10000001", "CREATED"), company("10000002", "REGISTERED")}},
		{"the same companies", func() { companies("10000001,One,CREATED", "10000002,Two,") }, nil},
		{"a changed company", func() { companies("10000001,One,REGISTERED", "10000002,Two,REGISTERED") },
			[]ledger.Change{company("10000001", "REGISTERED")}},
		{"a delivery, with records of the other organization's company and of nobody's", func() {
			first = deliver("first.csv", imports.DeliveryOptions{SkipUnknown: true}, records("-0.50")...)
		}, []ledger.Change{file}},
		{"the same delivery", func() {
			deliver("first.csv", imports.DeliveryOptions{SkipUnknown: true}, records("-0.50")...)
		}, nil},
		{"the records that were held for a new company", func() { companies("10000003,Three,CREATED") },
			[]ledger.Change{company("10000003", "CREATED"), arrived("first.csv", 1, "7.25", "2026-01-31", "2026-01-31")}},
		{"another organization's delivery", func() {
			others = deliver("other.csv", imports.DeliveryOptions{Organization: &b}, "10000001,1234,1,CARD,2026-01-31,1,5.00")
		}, nil},
		{"the backfill of it", func() {
			_, err := imports.Backfill(t.Context(), w.Operator.DB(), imports.BackfillOptions{Organization: a})
			require.NoError(t, err)
		}, []ledger.Change{other}},
		{"its withdrawal from one", func() { withdraw(others, &a) }, []ledger.Change{withdrawn(other, "wrong file")}},
		{"its return to that one", func() {
			deliver("other.csv", imports.DeliveryOptions{Organization: &a}, "10000001,1234,1,CARD,2026-01-31,1,5.00")
		}, []ledger.Change{other}},
		{"a replacement", func() {
			second = deliver("second.csv", imports.DeliveryOptions{Repeated: imports.RepeatedReplace, SkipUnknown: true}, records("-0.75")...)
		}, []ledger.Change{withdrawn(file, "replaced by second.csv"), withdrawn(arrived("first.csv", 1, "7.25", "2026-01-31", "2026-01-31"), "replaced by second.csv"),
			arrived("second.csv", 4, "1106.50", "2026-01-30", "2026-02-02")}},
		{"an additional delivery", func() {
			deliver("more.csv", imports.DeliveryOptions{Repeated: imports.RepeatedAdditional}, "10000002,1234,1,CARD,2026-01-30,1,100.00")
		}, []ledger.Change{arrived("more.csv", 1, "100.00", "2026-01-30", "2026-01-30")}},
		{"a withdrawal from all", func() { withdraw(second, nil) },
			[]ledger.Change{withdrawn(arrived("second.csv", 4, "1106.50", "2026-01-30", "2026-02-02"), "wrong file")}},
	} {
		before := time.Now().Add(-time.Second)
		step.write()
		got := changes(t, w, a, last)
		require.Len(t, got, len(step.want), step.name)
		for i, change := range got {
			if last != nil {
				require.Positive(t, bytes.Compare(change.ID[:], last[:]), step.name)
			}
			require.WithinRange(t, change.CreatedAt, before, time.Now().Add(time.Second), step.name)
			require.Equal(t, change.CVR == nil, change.DeliveryFileID != nil, step.name)
			known = append(known, change)
			last = &known[len(known)-1].ID
			if change.Type == ledger.DeliveryArrived {
				require.EqualValues(t, *change.Transactions, modelstest.ValueAt[int64](t, w.URL,
					`SELECT count(*) FROM transactions WHERE organization_id = $1 AND delivery_file_id = $2 AND id < $3`, a.ID, *change.DeliveryFileID, change.ID), step.name)
			}
			if change.Type == ledger.DeliveryWithdrawn {
				require.True(t, slices.ContainsFunc(known, func(x ledger.Change) bool {
					return x.Type == ledger.DeliveryArrived && *x.DeliveryFileID == *change.DeliveryFileID
				}), step.name)
			}
			if change.CVR != nil {
				require.Equal(t, change.CreatedAt.UTC(), modelstest.ValueAt[time.Time](t, w.URL, `SELECT updated_at FROM companies WHERE organization_id = $1 AND cvr = $2`, a.ID, *change.CVR).UTC(), step.name)
			}
			change.ID, change.CreatedAt, change.DeliveryFileID = uuid.Nil, time.Time{}, nil
			require.Equal(t, step.want[i], change, step.name)
		}
	}
	require.NotEqual(t, first, second)

	// Each company's newest change stays listed, each delivery's arrival until it is withdrawn.
	gone := map[uuid.UUID]bool{}
	for _, change := range known {
		if change.Type == ledger.DeliveryWithdrawn {
			gone[*change.DeliveryFileID] = true
		}
	}
	var want []ledger.Change
	for i, change := range known {
		if i != 0 && (change.Type != ledger.DeliveryArrived || !gone[*change.DeliveryFileID]) { // the first is the company that changed later
			want = append(want, change)
		}
	}
	require.Equal(t, want, changes(t, w, a, nil))
}

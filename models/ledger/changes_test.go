package ledger_test

import (
	"bytes"
	"slices"
	"strings"
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
func changes(
	t *testing.T, w *modelstest.World, organization models.Organization, after *uuid.UUID,
) (all []ledger.Change) {
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

// changing is an organization whose data changes, beside another one's.
type changing struct {
	*testing.T
	w    *modelstest.World
	a, b models.Organization
	seen []ledger.Change
}

func (c *changing) companies(lines ...string) {
	c.Helper()
	_, err := c.w.ImportCompanies(c.Context(), c.a,
		modelstest.File(c, "companies.csv", "cvr,name,status\n"+strings.Join(lines, "\n")+"\n"))
	require.NoError(c, err)
}

func (c *changing) deliver(name string, options imports.DeliveryOptions, lines ...string) uuid.UUID {
	c.Helper()
	options.Path = modelstest.File(c, name, modelstest.DeliveryHeader+strings.Join(lines, "\n")+"\n")
	done, err := c.w.ImportDelivery(c.Context(), options)
	require.NoError(c, err)
	return done.ID
}

func (c *changing) withdraw(id uuid.UUID, only *models.Organization) {
	c.Helper()
	_, err := imports.Withdraw(c.Context(), c.w.Operator.DB(), id, "wrong file", only)
	require.NoError(c, err)
}

// requireMore requires these changes after those that were seen, and no others.
func (c *changing) requireMore(step string, since time.Time, want []ledger.Change) {
	c.Helper()
	var last *uuid.UUID
	if len(c.seen) > 0 {
		last = &c.seen[len(c.seen)-1].ID
	}
	got := changes(c.T, c.w, c.a, last)
	require.Len(c, got, len(want), step)
	for i, change := range got {
		if last != nil {
			require.Positive(c, bytes.Compare(change.ID[:], last[:]), step)
		}
		require.WithinRange(c, change.CreatedAt, since, time.Now().Add(time.Second), step)
		require.Equal(c, change.CVR == nil, change.DeliveryFileID != nil, step)
		c.seen = append(c.seen, change)
		last = &c.seen[len(c.seen)-1].ID
		switch change.Type {
		case ledger.DeliveryArrived:
			require.EqualValues(c, *change.Transactions, modelstest.ValueAt[int64](c, c.w.URL,
				`SELECT count(*) FROM transactions WHERE organization_id = $1 AND delivery_file_id = $2 AND id < $3`, c.a.ID,
				*change.DeliveryFileID, change.ID), step)
		case ledger.DeliveryWithdrawn:
			require.True(c, slices.ContainsFunc(c.seen, func(x ledger.Change) bool {
				return x.Type == ledger.DeliveryArrived && *x.DeliveryFileID == *change.DeliveryFileID
			}), step)
		default:
			require.Equal(c, change.CreatedAt.UTC(), modelstest.ValueAt[time.Time](c, c.w.URL,
				`SELECT updated_at FROM companies WHERE organization_id = $1 AND cvr = $2`, c.a.ID, *change.CVR).UTC(), step)
		}
		change.ID, change.CreatedAt, change.DeliveryFileID = uuid.Nil, time.Time{}, nil
		require.Equal(c, want[i], change, step)
	}
}

func company(cvr, status string) ledger.Change {
	return ledger.Change{Type: ledger.CompanyChanged, CVR: &cvr, Status: &status}
}

func arrived(filename string, count int64, amount, first, last string) ledger.Change {
	from, to := day(first), day(last)
	return ledger.Change{
		Type:         ledger.DeliveryArrived,
		Filename:     &filename,
		Transactions: &count,
		AmountDKK:    &amount,
		FirstDate:    &from,
		LastDate:     &to,
	}
}

func withdrawn(of ledger.Change, reason string) ledger.Change {
	of.Type, of.Reason = ledger.DeliveryWithdrawn, &reason
	return of
}

// A company that is new or has changed, a delivery that arrives and one that is withdrawn
// are a change each, in the order in which they happened and with all their fields. What
// leaves everything as it is makes none. A change's id is greater than those of the
// transactions that came with it.
func TestChanges(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	c := &changing{T: t, w: w, a: w.Organization(t, "a"), b: w.Organization(t, "b")}
	w.Companies(t, c.b, "10000001", "10000002")
	records := func(corrected string) []string {
		return []string{
			"10000001,1234,1,CARD,2026-01-31,1,1000.00",
			"10000002,1234,1,CARD,2026-01-30,1,100.00",
			"10000001,1234,1,CARD,2026-02-02,1," + corrected,
			"10000003,1234,1,CARD,2026-01-31,1,7.25",
			"10000004,1234,1,CARD,2026-02-01,1,0.75",
		}
	}
	file := arrived("first.csv", 3, "1099.50", "2026-01-30", "2026-02-02")
	late := arrived("first.csv", 1, "7.25", "2026-01-31", "2026-01-31")
	other := arrived("other.csv", 1, "5.00", "2026-01-31", "2026-01-31")
	second := arrived("second.csv", 4, "1106.50", "2026-01-30", "2026-02-02")
	var replacement, others uuid.UUID
	for _, step := range []struct {
		name  string
		write func()
		want  []ledger.Change // after those of the step before
	}{
		{"nothing", func() {}, nil},
		{"new companies", func() { c.companies("10000001,One,CREATED", "10000002,Two,REGISTERED") },
			[]ledger.Change{company("10000001", "CREATED"), company("10000002", "REGISTERED")}},
		{"the same companies", func() { c.companies("10000001,One,CREATED", "10000002,Two,") }, nil},
		{"a changed company", func() { c.companies("10000001,One,REGISTERED", "10000002,Two,REGISTERED") },
			[]ledger.Change{company("10000001", "REGISTERED")}},
		{"a delivery, with records of the other organization's company and of nobody's", func() {
			c.deliver("first.csv", imports.DeliveryOptions{SkipUnknown: true}, records("-0.50")...)
		}, []ledger.Change{file}},
		{"the same delivery", func() {
			c.deliver("first.csv", imports.DeliveryOptions{SkipUnknown: true}, records("-0.50")...)
		}, nil},
		{"the records that were held for a new company", func() { c.companies("10000003,Three,CREATED") },
			[]ledger.Change{company("10000003", "CREATED"), late}},
		{"another organization's delivery", func() {
			others = c.deliver("other.csv", imports.DeliveryOptions{Organization: &c.b}, "10000001,1234,1,CARD,2026-01-31,1,5.00")
		}, nil},
		{"the backfill of it", func() {
			_, err := imports.Backfill(t.Context(), w.Operator.DB(), imports.BackfillOptions{Organization: c.a})
			require.NoError(t, err)
		}, []ledger.Change{other}},
		{"its withdrawal from one", func() { c.withdraw(others, &c.a) }, []ledger.Change{withdrawn(other, "wrong file")}},
		{"its return to that one", func() {
			c.deliver("other.csv", imports.DeliveryOptions{Organization: &c.a}, "10000001,1234,1,CARD,2026-01-31,1,5.00")
		}, []ledger.Change{other}},
		{"a replacement", func() {
			replacement = c.deliver("second.csv", imports.DeliveryOptions{Repeated: imports.RepeatedReplace, SkipUnknown: true}, records("-0.75")...)
		}, []ledger.Change{withdrawn(file, "replaced by second.csv"), withdrawn(late, "replaced by second.csv"), second}},
		{"an additional delivery", func() {
			c.deliver("more.csv", imports.DeliveryOptions{Repeated: imports.RepeatedAdditional}, "10000002,1234,1,CARD,2026-01-30,1,100.00")
		}, []ledger.Change{arrived("more.csv", 1, "100.00", "2026-01-30", "2026-01-30")}},
		{"a withdrawal from all", func() { c.withdraw(replacement, nil) }, []ledger.Change{withdrawn(second, "wrong file")}},
	} {
		before := time.Now().Add(-time.Second)
		step.write()
		c.requireMore(step.name, before, step.want)
	}

	// Each company's newest change stays listed, each delivery's arrival until it is withdrawn.
	gone := map[uuid.UUID]bool{}
	for _, change := range c.seen {
		if change.Type == ledger.DeliveryWithdrawn {
			gone[*change.DeliveryFileID] = true
		}
	}
	var want []ledger.Change
	for i, change := range c.seen {
		if i != 0 &&
			(change.Type != ledger.DeliveryArrived || !gone[*change.DeliveryFileID]) { // the first is the company that changed later
			want = append(want, change)
		}
	}
	require.Equal(t, want, changes(t, w, c.a, nil))
}

package ledger_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/modelstest"
)

// follower syncs as the documentation says: it keeps the last id that it has seen,
// and asks for the items after it.
type follower struct {
	name string
	read func(ctx context.Context, cursor ledger.Cursor) (ids []uuid.UUID, total int64, err error)
	last *uuid.UUID
	seen []uuid.UUID
}

func (f *follower) poll(ctx context.Context) (more bool, err error) {
	ids, _, err := f.read(ctx, ledger.Cursor{Limit: 37, After: f.last})
	if err != nil || len(ids) == 0 {
		return false, err
	}
	if f.last != nil && bytes.Compare(ids[0][:], f.last[:]) <= 0 {
		return false, fmt.Errorf("%s: %s came again after %s", f.name, ids[0], f.last)
	}
	f.seen = append(f.seen, ids...)
	f.last = &ids[len(ids)-1]
	return true, nil
}

// follow returns a follower of one of the organization's lists.
func follow[T any](store *modelstest.Instance, organization models.Organization, name string, id func(T) uuid.UUID,
	list func(ctx context.Context, tenant models.Tenant, cursor ledger.Cursor) (ledger.Page[T], error)) *follower {
	return &follower{name: organization.Slug + " " + name, read: func(ctx context.Context, cursor ledger.Cursor) ([]uuid.UUID, int64, error) {
		page, err := list(ctx, store.Tenant(organization.ID), cursor)
		ids := make([]uuid.UUID, len(page.Items))
		for i, item := range page.Items {
			ids[i] = id(item)
		}
		return ids, page.Total, err
	}}
}

func followTransactions(store *modelstest.Instance, organization models.Organization, cvr string) *follower {
	return follow(store, organization, cvr, func(x models.Transaction) uuid.UUID { return x.ID }, func(ctx context.Context, tenant models.Tenant, cursor ledger.Cursor) (ledger.Page[models.Transaction], error) {
		return ledger.Transactions(ctx, tenant, cvr, cursor)
	})
}

func followCompanies(store *modelstest.Instance, organization models.Organization) *follower {
	return follow(store, organization, "companies", func(x models.Company) uuid.UUID { return x.ID }, ledger.Companies)
}

func followChanges(store *modelstest.Instance, organization models.Organization) *follower {
	return follow(store, organization, "changes", func(x ledger.Change) uuid.UUID { return x.ID }, ledger.Changes)
}

// A client that keeps the last id it has seen, and asks for the items after it, gets
// every item once and misses none, while several programs import companies and
// deliveries at once, for one organization and for two.
func TestSyncMissesNothingDuringConcurrentImports(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	shared := []string{"10000001", "10000002", "10000003"}
	w.Companies(t, a, shared...)
	w.Companies(t, b, shared[1:]...)

	followers := []*follower{followCompanies(w.Service, a), followCompanies(w.Service, b), followChanges(w.Service, a), followChanges(w.Service, b)}
	for _, cvr := range shared {
		followers = append(followers, followTransactions(w.Service, a, cvr))
	}
	followers = append(followers, followTransactions(w.Service, b, shared[1]), followTransactions(w.Service, b, shared[2]))

	stores := []*modelstest.Instance{w.Operator, modelstest.Open(t, w.URL, database.Operator), modelstest.Open(t, w.URL, database.Operator)}
	const programs, rounds = 6, 5
	var importing, reading errgroup.Group
	for program := range programs {
		files := make([]string, rounds)
		for round := range files {
			if program%3 == 2 {
				files[round] = modelstest.File(t, "companies.csv", modelstest.CompaniesCSV(20_000_000+1000*program+100*round, 5+20*round))
			} else {
				files[round] = modelstest.File(t, "delivery.csv", modelstest.DeliveryCSV(shared[round%3], 1+40*((program+round)%5)))
			}
		}
		importing.Go(func() error {
			store := stores[program%len(stores)]
			for round, file := range files {
				var err error
				if program%3 == 2 {
					_, err = imports.Companies(t.Context(), store.DB(), imports.CompaniesOptions{Organization: []models.Organization{a, b}[round%2], Path: file})
				} else {
					_, err = imports.Delivery(t.Context(), store.DB(), imports.DeliveryOptions{Path: file})
				}
				if err != nil {
					return fmt.Errorf("program %d, round %d: %w", program, round, err)
				}
			}
			return nil
		})
	}
	done := make(chan struct{})
	for _, follower := range followers {
		reading.Go(func() error {
			for {
				last := false
				select {
				case <-done:
					last = true
				default:
				}
				more, err := follower.poll(t.Context())
				if err != nil || last && !more {
					return err
				}
			}
		})
	}
	assert.NoError(t, importing.Wait())
	close(done)
	require.NoError(t, reading.Wait())

	for _, follower := range followers {
		var stored []uuid.UUID
		cursor := ledger.Cursor{Limit: 100}
		for {
			ids, total, err := follower.read(t.Context(), cursor)
			require.NoError(t, err)
			if len(ids) == 0 {
				require.EqualValues(t, len(stored), total, follower.name)
				break
			}
			stored = append(stored, ids...)
			cursor.After = &ids[len(ids)-1]
		}
		require.Equal(t, stored, follower.seen, follower.name)
		require.Greater(t, len(stored), 40, follower.name)
		for i := 1; i < len(stored); i++ {
			require.Negative(t, bytes.Compare(stored[i-1][:], stored[i][:]), follower.name)
		}
	}
}

// An import continues from the organization's highest id ever, even if that came from
// a machine whose clock was a year ahead, and stores its own highest id for the next
// import.
func TestImportsContinueFromTheHighestID(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	conn := modelstest.Conn(t, w.URL)
	ahead := uuid.MustParse("f0000000-0000-7000-8000-000000000000")
	modelstest.Execute(t, conn, `UPDATE organizations SET last_id = $1`, ahead)

	last := ahead
	w.Companies(t, a, "10000001")
	for round := range 3 {
		w.Companies(t, a, fmt.Sprintf("2000000%d", round))
		w.Delivery(t, "10000001", 3)
		page, err := ledger.Transactions(t.Context(), w.Service.Tenant(a.ID), "10000001", ledger.Cursor{Limit: 100, After: &last})
		require.NoError(t, err)
		require.Len(t, page.Items, 3)
		require.Positive(t, bytes.Compare(page.Items[0].DeliveryFileID[:], last[:]))
		require.Positive(t, bytes.Compare(page.Items[0].ID[:], page.Items[0].DeliveryFileID[:]))
		last = modelstest.Value[uuid.UUID](t, conn, `SELECT change_id FROM delivery_files ORDER BY id DESC LIMIT 1`)
		require.Positive(t, bytes.Compare(last[:], page.Items[2].ID[:]))
		require.Equal(t, last, modelstest.Value[uuid.UUID](t, conn, `SELECT last_id FROM organizations`))
	}
	for _, company := range modelstest.Companies(t, w.Service, a) {
		require.Positive(t, bytes.Compare(company.ID[:], ahead[:]))
	}
}

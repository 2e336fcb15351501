package models_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// lock keeps every read of a table waiting, until it is released.
func lock(t *testing.T, w *modelstest.World, table string) (release func()) {
	t.Helper()
	conn := modelstest.Conn(t, w.URL)
	modelstest.Execute(t, conn, `BEGIN`)
	modelstest.Execute(t, conn, `LOCK TABLE `+table+` IN ACCESS EXCLUSIVE MODE`)
	return func() { modelstest.Execute(t, conn, `ROLLBACK`) }
}

const reading = `FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT %FROM companies c WHERE%' AND pid <> pg_backend_pid()`

// requireReading waits until so many connections read companies.
func requireReading(t *testing.T, conn *pgx.Conn, count int) {
	t.Helper()
	require.Eventually(t, func() bool { return modelstest.Value[int](t, conn, `SELECT count(*) `+reading) == count }, patience, time.Millisecond)
}

// requireWaiting waits until so many reads wait for a round.
func requireWaiting(t *testing.T, w *modelstest.World, count int) {
	t.Helper()
	require.Eventually(t, func() bool { return w.Service.WaitingReads() == count }, patience, time.Millisecond)
}

// begin reads for as long as the timeout allows, and tells how it ended.
func begin(t *testing.T, timeout time.Duration, read func(ctx context.Context) error) <-chan error {
	ended := make(chan error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		ended <- read(ctx)
	}()
	return ended
}

// Reads that come while there is no room for another round go together, on one
// connection: each one gets its own organization's rows, in the round as alone
// after a failed one, and one that fails, fails alone.
func TestReadsGoTogether(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Service.LimitRounds(1, time.Minute)
	conn := modelstest.Conn(t, w.URL)
	organizations := []models.Organization{w.Organization(t, "a"), w.Organization(t, "b"), w.Organization(t, "c")}
	cvr := func(i int) string { return fmt.Sprintf("1000000%d", i%len(organizations)) }
	for i, organization := range organizations {
		w.Companies(t, organization, cvr(i))
	}
	company := func(i int) func(context.Context) error {
		return func(ctx context.Context) error {
			company, err := w.Service.Tenant(organizations[i%len(organizations)].ID).Company(ctx, cvr(i))
			if err == nil && company.CVR != cvr(i) {
				return fmt.Errorf("%s instead of %s", company.CVR, cvr(i))
			}
			return err
		}
	}
	foreign := func(i int) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := w.Service.Tenant(organizations[i%len(organizations)].ID).Company(ctx, cvr(i+1))
			if models.ErrorKind(err) == models.KindCompanyNotFound {
				return nil
			}
			return fmt.Errorf("a foreign company: %w", err)
		}
	}
	list := func(i int) func(context.Context) error {
		return func(ctx context.Context) error {
			page, err := w.Service.Tenant(organizations[i%len(organizations)].ID).Companies(ctx, models.Cursor{Limit: 10})
			if err != nil || page.Total != 1 || len(page.Items) != 1 || page.Items[0].CVR != cvr(i) {
				return fmt.Errorf("%v, %w", page, err)
			}
			return nil
		}
	}
	unreadable := func(i int) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := w.Service.Tenant(organizations[i%len(organizations)].ID).Company(ctx, "\xff")
			if models.ErrorKind(err) == models.KindInternal {
				return nil
			}
			return fmt.Errorf("no text: %w", err)
		}
	}
	for _, row := range []struct {
		what  string
		reads []func(context.Context) error
	}{
		{"all well", []func(context.Context) error{company(0), company(1), list(2), foreign(0), list(0), company(2), foreign(1)}},
		{"one fails", []func(context.Context) error{company(1), company(1), list(2), unreadable(0), foreign(0), list(1), company(2)}},
	} {
		release := lock(t, w, "companies")
		first := begin(t, time.Minute, company(0))
		requireReading(t, conn, 1)
		var together []<-chan error
		for _, read := range row.reads {
			together = append(together, begin(t, time.Minute, read))
		}
		requireWaiting(t, w, len(row.reads))
		modelstest.Execute(t, conn, `SELECT pg_terminate_backend(pid) `+reading)
		requireKind(t, models.KindUnavailable, <-first)
		requireWaiting(t, w, 0)
		requireReading(t, conn, 1) // for all of them
		release()
		for i, ended := range together {
			require.NoError(t, <-ended, "%s: %d", row.what, i)
		}
	}
	require.NoError(t, <-begin(t, time.Minute, company(0)), "there is room again")
}

// A read ends at its own deadline, also while it waits for others or is asked for
// together with them, and takes none of theirs with it.
func TestReadsHaveTheirOwnDeadlines(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Service.LimitRounds(1, time.Minute)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001")
	conn := modelstest.Conn(t, w.URL)
	release := lock(t, w, "companies")
	read := func(ctx context.Context) error {
		_, err := w.Service.Tenant(a.ID).Company(ctx, "10000001")
		return err
	}
	first := begin(t, time.Minute, read)
	requireReading(t, conn, 1)
	requireKind(t, models.KindUnavailable, <-begin(t, 50*time.Millisecond, read)) // while it waits
	require.Empty(t, first)

	var long, short []<-chan error
	for range 3 {
		long, short = append(long, begin(t, time.Minute, read)), append(short, begin(t, 5*time.Second, read))
	}
	requireWaiting(t, w, 6)
	modelstest.Execute(t, conn, `SELECT pg_terminate_backend(pid) `+reading)
	requireKind(t, models.KindUnavailable, <-first)
	for _, ended := range short {
		requireKind(t, models.KindUnavailable, <-ended)
	}
	for _, ended := range long {
		require.Empty(t, ended)
	}
	release()
	for _, ended := range long {
		require.NoError(t, <-ended)
	}
}

// Reads that hang keep nobody else waiting, as long as there are connections; and
// a search, which may take long, never has others in its round.
func TestReadsThatHangKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001")
	conn := modelstest.Conn(t, w.URL)
	release := lock(t, w, "transactions")
	tenant := w.Service.Tenant(a.ID)
	var hanging []<-chan error
	const count = 5
	w.Service.LimitRounds(count, 10*time.Millisecond)
	for range count {
		hanging = append(hanging, begin(t, time.Minute, func(ctx context.Context) error {
			_, err := tenant.Transactions(ctx, "10000001", models.Cursor{Limit: 10})
			return err
		}))
	}
	require.Eventually(t, func() bool {
		return modelstest.Value[int](t, conn, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == count
	}, patience, time.Millisecond)
	_, err := tenant.Company(t.Context(), "10000001")
	require.NoError(t, err)
	w.Service.LimitRounds(count, time.Minute)
	_, err = tenant.CompanySearch(t.Context(), "company", "", models.Cursor{Limit: 10})
	require.NoError(t, err)
	for _, ended := range hanging {
		require.Empty(t, ended)
	}
	release()
	for _, ended := range hanging {
		require.NoError(t, <-ended)
	}
}

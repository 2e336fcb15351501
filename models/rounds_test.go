package models_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"dispo/models"
	"dispo/models/modelstest"
)

// lockCompanies keeps every read of companies waiting, until it is released.
func lockCompanies(t *testing.T, w *modelstest.World) (release func()) {
	t.Helper()
	conn := modelstest.Conn(t, w.URL)
	execute(t, conn, `BEGIN`)
	execute(t, conn, `LOCK TABLE companies IN ACCESS EXCLUSIVE MODE`)
	return func() { execute(t, conn, `ROLLBACK`) }
}

// readsUnderWay counts the connections that read companies.
func readsUnderWay(t *testing.T, conn *pgx.Conn) int {
	return one[int](t, conn, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
		AND query LIKE 'SELECT %FROM companies c WHERE%' AND pid <> pg_backend_pid()`)
}

// mostRounds is how many connections the service reads on at once.
func mostRounds(w *modelstest.World) int {
	return min(w.Service.Connections().Max*3/4, 2*runtime.GOMAXPROCS(0))
}

// However many reads come at once, they take few connections; each one gets its own
// organization's rows, and one that fails, fails alone.
func TestReadsGoTogether(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	watching := modelstest.Conn(t, w.URL)
	organizations := []models.Organization{w.Organization(t, "a"), w.Organization(t, "b"), w.Organization(t, "c")}
	cvr := func(i int) string { return fmt.Sprintf("1000000%d", i%len(organizations)) }
	for i, organization := range organizations {
		w.Companies(t, organization, cvr(i))
	}
	release := lockCompanies(t, w)
	var callers errgroup.Group
	for i := range 120 {
		tenant, own := w.Service.Tenant(organizations[i%len(organizations)].ID), cvr(i)
		callers.Go(func() error {
			switch i / len(organizations) % 4 {
			case 0:
				company, err := tenant.Company(t.Context(), own)
				if err != nil || company.CVR != own {
					return fmt.Errorf("%s: %s, %w", own, company.CVR, err)
				}
			case 1:
				page, err := tenant.Companies(t.Context(), models.Cursor{Limit: 10})
				if err != nil || len(page.Items) != 1 || page.Items[0].CVR != own || page.Total != 1 {
					return fmt.Errorf("%s: %v, %w", own, page, err)
				}
			case 2:
				if _, err := tenant.Company(t.Context(), cvr(i+1)); models.ErrorKind(err) != models.KindCompanyNotFound {
					return fmt.Errorf("a foreign company: %w", err)
				}
			case 3:
				if _, err := tenant.Company(t.Context(), "\xff"); models.ErrorKind(err) != models.KindInternal {
					return fmt.Errorf("no text: %w", err)
				}
			}
			return nil
		})
	}
	most := mostRounds(w)
	require.Eventually(t, func() bool { return readsUnderWay(t, watching) == most }, patience, time.Millisecond)
	for enough := time.Now().Add(200 * time.Millisecond); time.Now().Before(enough); {
		require.LessOrEqual(t, readsUnderWay(t, watching), most)
	}
	release()
	require.NoError(t, callers.Wait())
}

// A read ends at its own deadline, also while it waits for others or is asked for
// together with them, and takes none of theirs with it.
func TestReadsHaveTheirOwnDeadlines(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001")
	watching := modelstest.Conn(t, w.URL)
	release := lockCompanies(t, w)
	read := func(timeout time.Duration) <-chan error {
		failed := make(chan error, 1)
		go func() {
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			_, err := w.Service.Tenant(a.ID).Company(ctx, "10000001")
			failed <- err
		}()
		return failed
	}
	const long = time.Minute
	most := mostRounds(w)
	var first, later []<-chan error
	for range most {
		first = append(first, read(long))
	}
	require.Eventually(t, func() bool { return readsUnderWay(t, watching) == most }, patience, time.Millisecond)
	requireKind(t, models.KindUnavailable, <-read(50*time.Millisecond)) // while it waits
	for _, failed := range first {
		require.Empty(t, failed)
	}

	for range 3 {
		later = append(later, read(long), read(3*time.Second))
	}
	// The first ones fail, so that the later ones are asked for, together, and wait.
	execute(t, watching, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
		AND query LIKE 'SELECT %FROM companies c WHERE%' AND pid <> pg_backend_pid()`)
	for _, failed := range first {
		requireKind(t, models.KindUnavailable, <-failed)
	}
	for i := 1; i < len(later); i += 2 {
		requireKind(t, models.KindUnavailable, <-later[i])
	}
	release()
	for i := 0; i < len(later); i += 2 {
		require.NoError(t, <-later[i])
	}
}

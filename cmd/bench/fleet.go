package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/valyala/fasthttp"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/sync/errgroup"

	"dispo/models"
	"dispo/models/keys"
)

const (
	fleetCompanies = 3
	fleetRecords   = 60 // per company
)

// fleetCVR returns the CVR of a company of a fleet organization.
func fleetCVR(organization, company int) string {
	return fmt.Sprintf("%08d", 30_000_000+organization*fleetCompanies+company)
}

// fleetSQL creates the fleet's rows. Their ids are consecutive UUIDv7s of one
// moment in the past, a thousand of them reserved for each organization.
const fleetSQL = `
CREATE FUNCTION pg_temp.fleet_id(organization bigint, n bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
    RETURN ('019b0000000070008000' || lpad(to_hex(organization * 1000 + n), 12, '0'))::uuid;
CREATE FUNCTION pg_temp.fleet_cvr(organization bigint, n bigint) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN (30000000 + organization * 3 + n)::text;
SET work_mem = '128MB';
BEGIN;
INSERT INTO organizations (id, slug, name, last_id)
SELECT pg_temp.fleet_id(i, 0), 'fleet-' || i, 'Fleet ' || i, pg_temp.fleet_id(i, 999) FROM generate_series(0, %[1]d - 1) i;
INSERT INTO companies (organization_id, id, cvr, name, address, status, sender_reg_number, sender_account_number, default_amount_cents)
SELECT pg_temp.fleet_id(i, 0), pg_temp.fleet_id(i, 1 + j), pg_temp.fleet_cvr(i, j), 'Company ' || j || ' of fleet ' || i || ' ApS',
    'Storegade 1, 8000 Aarhus C', 'REGISTERED', '1234', '0000000001', 150000
FROM generate_series(0, %[1]d - 1) i, generate_series(0, 2) j ORDER BY i, j;
INSERT INTO deliveries (id, filename, layout, record_count, total_amount_dkk) VALUES (pg_temp.fleet_id(0, 9), 'fleet.csv', 'csv', 0, 0);
INSERT INTO delivery_files (organization_id, id, delivery_id, last_id, filename, layout, processed_at)
SELECT pg_temp.fleet_id(i, 0), pg_temp.fleet_id(i, 10), pg_temp.fleet_id(0, 9), pg_temp.fleet_id(i, 10), 'fleet.csv', 'csv', now() FROM generate_series(0, %[1]d - 1) i;
INSERT INTO transactions (organization_id, id, delivery_file_id, record_index, count, disposition_date, cvr, reg_number, account_number, transfer_type, amount_dkk, raw_line)
SELECT pg_temp.fleet_id(i, 0), pg_temp.fleet_id(i, 100 + j * %[2]d + k), pg_temp.fleet_id(i, 10), 1 + j * %[2]d + k, k, '2026-01-31',
    pg_temp.fleet_cvr(i, j), '1234', '0000000001', 'CARD', 1000 + k,
    pg_temp.fleet_cvr(i, j) || ',1234,0000000001,CARD,2026-01-31,' || k || ',' || 1000 + k || '.00'
FROM generate_series(0, %[1]d - 1) i, generate_series(0, 2) j, generate_series(0, %[2]d - 1) k ORDER BY i, j, k;
COMMIT`

// ensureFleet creates the fleet's organizations, companies, transactions and keys.
// It uses SQL, which takes a minute, because the commands would take an hour.
func (b *bench) ensureFleet(ctx context.Context) error {
	if b.fleetKeys != nil {
		return nil
	}
	progress("creating a fleet of %d organizations with %d transactions", b.fleetSize, b.fleetSize*fleetCompanies*fleetRecords)
	conn, err := b.connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	if _, err := conn.PgConn().Exec(ctx, fmt.Sprintf(fleetSQL, b.fleetSize, fleetRecords)).ReadAll(); err != nil {
		return err
	}
	keys, err := generateKeys(b.fleetSize)
	if err != nil {
		return err
	}
	if err := b.storeFleetKeys(ctx, conn, keys); err != nil {
		return err
	}
	b.fleetKeys = keys
	return b.psql(ctx, "dispo", "VACUUM ANALYZE")
}

// storeFleetKeys stores the keys with bcrypt's lowest cost and verifies each of them
// once, which stores its fingerprint. From then on the fingerprint decides.
func (b *bench) storeFleetKeys(ctx context.Context, conn *pgx.Conn, texts []string) error {
	hashes := make([]string, len(texts))
	if err := inParallel(ctx, len(texts), runtime.NumCPU(), func(i int) error {
		hash, err := bcrypt.GenerateFromPassword([]byte(texts[i]), bcrypt.MinCost)
		hashes[i] = string(hash)
		return err
	}); err != nil {
		return err
	}
	rows, err := conn.Query(ctx, `SELECT id FROM organizations WHERE slug LIKE 'fleet-%' ORDER BY id`)
	if err != nil {
		return err
	}
	organizations, err := pgx.CollectRows(rows, pgx.RowTo[uuid.UUID])
	if err != nil {
		return err
	}
	if _, err := conn.CopyFrom(ctx, pgx.Identifier{"api_keys"}, []string{"id", "organization_id", "lookup_id", "secret_hash", "hint", "name"},
		pgx.CopyFromSlice(len(texts), func(i int) ([]any, error) {
			return []any{uuid.Must(uuid.NewV7()), organizations[i], texts[i][lookupStart:lookupEnd], hashes[i], texts[i][len(texts[i])-4:], "bench"}, nil
		})); err != nil {
		return err
	}
	store, err := b.openStore(ctx)
	if err != nil {
		return err
	}
	defer store.DB().Close()
	verifier := keys.NewVerifier(store, quiet)
	return inParallel(ctx, len(texts), 8, func(i int) error {
		key, err := models.ParseKey(texts[i])
		if err != nil {
			return err
		}
		_, err = verifier.Verify(ctx, key, "")
		return err
	})
}

// inParallel calls f for each number below count, in at most workers goroutines at
// a time.
func inParallel(ctx context.Context, count, workers int, f func(i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(workers)
	for i := range count {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error { return f(i) })
	}
	return group.Wait()
}

const (
	fleetWarmUp = 5 * time.Second
	// fleetInterval is the time between two requests of one organization. It makes
	// 1,000 requests an hour, the default limit.
	fleetInterval = 3600 * time.Millisecond
)

// measureFleet sends requests of all organizations of the fleet, each at the highest
// rate that the default limits allow all day.
func (b *bench) measureFleet(ctx context.Context) error {
	if err := b.ensureFleet(ctx); err != nil {
		return err
	}
	metrics, err := freeAddress()
	if err != nil {
		return err
	}
	service, err := b.serve(ctx, "DISPO_METRICS_LISTEN="+metrics)
	if err != nil {
		return err
	}
	defer service.stop()
	traffic := newFleetTraffic(service, b.fleetKeys)
	loop := openLoop{
		address: service.address, rate: float64(b.fleetSize) / fleetInterval.Seconds(), workers: 256, warmUp: fleetWarmUp,
		prepare: traffic.prepare, answered: traffic.answered,
	}
	total, err := loop.runFor(ctx, b.duration)
	if err != nil {
		return err
	}
	memory, err := service.memory("VmRSS")
	if err != nil {
		return err
	}
	peak, err := service.memory("VmHWM")
	if err != nil {
		return err
	}
	heap, err := metric(metrics, "go_memstats_heap_alloc_bytes")
	if err != nil {
		return err
	}
	fmt.Printf("%d organizations, each with a request every %v, %.0f a second in total, default settings, for %v:\n", b.fleetSize, fleetInterval, loop.rate, b.duration)
	fmt.Printf("  answers: %v (aim: only 200 and 304); %.0f a second\n", total, total.rate())
	fmt.Printf("  latency since each was due: p50 %s, p99 %s (aim < 50), max %s\n", ms(total.percentile(0.5)), ms(total.percentile(0.99)), ms(total.percentile(1)))
	fmt.Printf("  resident memory of the service: %d MB, peak %d MB; heap in use: %.0f MB\n", memory, peak, heap/(1<<20))
	return nil
}

// fleetTraffic chooses the fleet's requests. Of ten requests, seven are for a page
// of transactions, two for a list of companies and one for a company. Half of them
// send the ETag of the organization's last answer on that path, if it has one.
type fleetTraffic struct {
	service *process
	keys    []string

	mu    sync.Mutex
	paths map[int]string    // of the requests in flight, by number
	etags map[string]string // by organization and path
}

func newFleetTraffic(service *process, texts []string) *fleetTraffic {
	return &fleetTraffic{service: service, keys: texts, paths: map[int]string{}, etags: map[string]string{}}
}

func (f *fleetTraffic) prepare(n int, request *fasthttp.Request) {
	organization := n % len(f.keys)
	company := "/companies/" + fleetCVR(organization, rand.IntN(fleetCompanies))
	path := company + "/transactions?limit=50"
	switch kind := rand.IntN(10); {
	case kind == 0:
		path = company
	case kind < 3:
		path = "/companies?limit=50"
	}
	call := call{url: f.service.url(path), key: f.keys[organization]}
	f.mu.Lock()
	f.paths[n] = path
	if rand.IntN(2) == 0 {
		call.etag = f.etags[f.etagKey(n, path)]
	}
	f.mu.Unlock()
	call.fill(request)
}

func (f *fleetTraffic) answered(n int, answer *fasthttp.Response) {
	etag := string(answer.Header.Peek("ETag"))
	f.mu.Lock()
	defer f.mu.Unlock()
	if etag != "" {
		f.etags[f.etagKey(n, f.paths[n])] = etag
	}
	delete(f.paths, n)
}

func (f *fleetTraffic) etagKey(n int, path string) string { return f.keys[n%len(f.keys)] + path }

package dashboard_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

func TestMeasureSearch(t *testing.T) {
	s := newSite(t)
	conn := modelstest.Conn(t, s.URL)
	a := s.Organization(t, "a")
	b := s.member(t, a, "owner@example.com", models.RoleOwner)
	const rows, companies, files = 300_000, 50_000, 3_000
	modelstest.Execute(t, conn, `INSERT INTO companies (organization_id, id, change_id, cvr, name)
		SELECT $1, ('0190' || lpad(to_hex(n), 28, '0'))::uuid, gen_random_uuid(), (20000000 + n)::text, 'Company ' || n FROM generate_series(0, $2::int) n`, a.ID, companies)
	modelstest.Execute(t, conn, `INSERT INTO delivery_files (organization_id, id, delivery_id, last_id, filename, layout)
		SELECT $1, ('0190' || lpad(to_hex(n), 28, '0'))::uuid, gen_random_uuid(), 'ffff0000-0000-0000-0000-000000000000', 'delivery-' || n || '.csv', 'csv' FROM generate_series(1, $2::int) n`, a.ID, files)
	modelstest.Execute(t, conn, `INSERT INTO transactions SELECT $1, ('ffff' || lpad(to_hex(n), 28, '0'))::uuid, ('0190' || lpad(to_hex(1), 28, '0'))::uuid,
		n, 1, '2026-11-20'::date - n / 500, (20000000 + (n::bigint * 7919) % $3::int)::text, '1234', '1', (ARRAY['CARD','CASH','FEE'])[1 + n % 3], (n::bigint * 7919 % 1000003)::numeric / 100, repeat('x', 100)
		FROM generate_series(0, $2::int) n`, a.ID, rows, companies)
	modelstest.Execute(t, conn, `INSERT INTO api_keys (id, organization_id, lookup_id, secret_hash, hint, name)
		SELECT gen_random_uuid(), $1, substr(md5(random()::text), 1, 12), '$2a$10$', 'abcd', 'Key ' || n FROM generate_series(1, 500) n`, a.ID)
	modelstest.Recount(t, s.URL)
	modelstest.Execute(t, conn, `UPDATE organizations SET last_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`)
	modelstest.Execute(t, conn, `VACUUM ANALYZE`)
	for _, q := range []string{"20012345", "2001", "Company 77", "Company 49999", "zzz", "a", "1.234,50", "1234.5", "100-200", "21.11.2026", "20.11.2026", "abcd", "Key 4", "delivery-2999", "12345678"} {
		var times []time.Duration
		for range 60 {
			start := time.Now()
			require.Equal(t, http.StatusOK, b.get("/search?"+url.Values{"q": {q}}.Encode()).StatusCode)
			times = append(times, time.Since(start))
		}
		slices.Sort(times)
		fmt.Printf("%-16s p50 %6.1f ms  p95 %6.1f ms\n", q, times[30].Seconds()*1000, times[56].Seconds()*1000)
	}
}

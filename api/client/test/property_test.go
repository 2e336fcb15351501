package client_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/api/apitest"
	"dispo/api/client"
	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/modelstest"
	"dispo/models/retention"
	"dispo/models/terms"
)

var errEnd = errors.New("the program ends")

// A program that follows the list of changes misses none: a copy that is said to be proved
// is exactly what the organization had at the version that it names. Meanwhile several
// writers at once import, replace, repeat and withdraw random deliveries of all and of one
// organization, import companies that free held records, and backfill; deliveries go by their
// age; and several copies are synced over two instances, of which one may be behind, by
// programs that end at any request. The instances may read on two replicas, which may be late.
// Once nothing changes any more, each copy is complete. DISPO_TEST_SEED repeats the writes.
func TestCopiesAreNeverWrong(t *testing.T) {
	t.Parallel()
	seed, _ := strconv.ParseUint(os.Getenv("DISPO_TEST_SEED"), 10, 64)
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Log("seed", seed)
	t.Run("one server", func(t *testing.T) {
		t.Parallel()
		w := modelstest.NewWorld(t)
		newProperty(t, seed, w, w.URL, "").run(modelstest.Rounds(10))
	})
	t.Run("replicas", func(t *testing.T) {
		t.Parallel()
		primary := modelstest.NewPrimary(t)
		replicas := []*modelstest.Node{primary.NewStandby(t, "one", nil), primary.NewStandby(t, "two", nil)}
		w := modelstest.OpenWorld(t, primary.URL, "")
		p := newProperty(t, seed, w, primary.URL, modelstest.Hosts(t, "prefer-standby", replicas...))
		p.replicas = replicas
		p.run(modelstest.Rounds(5))
		for _, instance := range p.instances {
			instance.DB().Replicas.Each(func(outcome string, count float64) {
				t.Logf("reads that were %s: %v", outcome, count)
			})
		}
		modelstest.RequireTotals(t, primary.URL)
	})
}

func (p *property) run(rounds int) {
	for range rounds {
		p.round()
	}
	for _, c := range p.copies {
		require.Positive(p, c.proofs)
	}
	p.Logf(
		"versions, arrivals, withdrawals, those by age, and changed companies: %s",
		modelstest.ValueAt[string](p, p.w.URL, `SELECT concat_ws(', ', (SELECT count(*) FROM shown),
		(SELECT sum(delivery_file_count) FROM organizations), (SELECT count(*) FROM withdrawn_files), (SELECT count(*) FROM withdrawn_files WHERE reason = 'retention'), (SELECT count(*) FROM companies WHERE change_id <> id))`),
	)
}

// What an organization has at each version of its data, as its transaction commits it.
const keepShown = `CREATE TABLE shown (organization_id uuid, version bigint, shows text, PRIMARY KEY (organization_id, version));
	CREATE FUNCTION keep_shown() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
	BEGIN
		INSERT INTO shown SELECT NEW.id, NEW.data_version, coalesce(string_agg(line, E'\n' ORDER BY line COLLATE "C"), '') FROM (
			SELECT concat_ws(' ', id, delivery_file_id, cvr, (amount_dkk * 100)::bigint) AS line FROM transactions WHERE organization_id = NEW.id
			UNION ALL SELECT concat_ws(' ', cvr, name, status) FROM companies WHERE organization_id = NEW.id) x;
		RETURN NULL;
	END
	$$;
	CREATE CONSTRAINT TRIGGER keep_shown AFTER UPDATE OF data_version ON organizations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keep_shown()`

type property struct {
	*testing.T
	w             *modelstest.World
	random        *rand.Rand
	organizations []models.Organization
	bases         []*url.URL // of the instances
	instances     []*modelstest.Instance
	proxy         *modelstest.Proxy  // before the second one
	replicas      []*modelstest.Node // that they read on
	copies        []*copied

	mu         sync.Mutex
	deliveries []delivered
	accounts   int
}

// delivered is a delivery that a writer has imported.
type delivered struct {
	id    uuid.UUID
	lines []string
	only  *models.Organization
}

// copied is a copy of an organization's data.
type copied struct {
	data
	path   string
	proofs int
}

func newProperty(t *testing.T, seed uint64, w *modelstest.World, address, replicas string) *property {
	p := &property{T: t, w: w, random: rand.New(rand.NewPCG(seed, 1)), proxy: modelstest.NewProxy(t, address)}
	modelstest.ExecuteAt(t, address, keepShown)
	for _, address := range []string{address, p.proxy.URL} {
		instance := modelstest.OpenConfig(
			t,
			database.Config{URL: address, ReadURL: replicas, Role: database.Service},
			modelstest.Secret,
		)
		modelstest.Eventually(t, instance.DB().Feed.Fresh)
		base, err := url.Parse(apitest.Serve(t, instance, 0))
		require.NoError(t, err)
		p.instances, p.bases = append(p.instances, instance), append(p.bases, base)
	}
	for _, slug := range []string{"a", "b"} {
		organization := w.Organization(t, slug)
		_, key := w.Key(t, organization)
		p.organizations = append(p.organizations, organization)
		for range 2 {
			p.copies = append(p.copies, &copied{data: data{w, organization, key, p.bases[0].String()}, path: newPath(t)})
		}
	}
	return p
}

// round lets writers work while programs sync, and then the programs alone until their
// copies are of the last version.
func (p *property) round() {
	if p.random.IntN(2) == 0 { // the second instance does not hear of changes at once
		p.proxy.Feed(modelstest.Hung)
		defer p.proxy.Feed(modelstest.Up)
	}
	for _, replica := range p.replicas {
		if p.random.IntN(2) == 0 {
			replica.Pause(p)
			defer replica.Resume(p)
		}
	}
	var writing, syncing sync.WaitGroup
	var resting atomic.Bool
	for range 1 + p.random.IntN(3) {
		writes := []func() error{p.write(), p.write(), p.write(), p.write(), p.write()}
		writing.Go(func() {
			for _, write := range writes {
				if err := write(); err != nil && models.ErrorKind(err) != models.KindConflict {
					p.Errorf("a write: %v", err)
				}
			}
		})
	}
	for _, c := range p.copies {
		syncing.Go(func() {
			for !resting.Load() {
				p.sync(c, 1+rand.IntN(8))
				time.Sleep(rand.N(20 * time.Millisecond)) // a pace: most syncs would find nothing
			}
			version := modelstest.ValueAt[string](
				p,
				p.w.URL,
				`SELECT data_version::text FROM organizations WHERE id = $1`,
				c.organization.ID,
			)
			modelstest.Eventually(p, func() bool { return p.sync(c, 0) == version || p.Failed() })
		})
	}
	writing.Wait()
	resting.Store(true)
	syncing.Wait()
	require.False(p, p.Failed())
}

// shows selects the version at which a copy is proved, and then its rows.
const shows = `SELECT version FROM copy
	UNION ALL SELECT concat_ws(' ', id, cardNetworkDeliveryFileId, cvr, amountOere) FROM transactions
	UNION ALL SELECT concat_ws(' ', cvr, name, status) FROM companies`

// sync runs a program that syncs a copy and ends at that request, before or after its answer,
// unless that is 0. Each request goes to any of the instances. It returns the version at
// which the copy is proved, or "". A proved copy must be what the organization had then.
func (p *property) sync(c *copied, endAt int) (version string) {
	ctx, cancel := context.WithCancelCause(p.Context())
	defer cancel(nil)
	requests, after := 0, rand.IntN(2) == 0
	transport := roundTripper(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.URL.Host = p.bases[rand.IntN(len(p.bases))].Host
		if requests++; requests == endAt && !after {
			cancel(errEnd)
		}
		response, err := http.DefaultTransport.RoundTrip(r)
		if requests == endAt {
			cancel(errEnd)
		}
		return response, err
	})
	program := c.client(p.T, c.baseURL, func(config *client.Config) { config.HTTP = &http.Client{Transport: transport} })
	if _, err := program.Sync(ctx, c.path); err != nil && context.Cause(ctx) == nil {
		p.Errorf("a sync: %v", err)
	}
	rows := query[string](p.T, c.path, shows)
	version, lines := rows[0], rows[1:]
	if version == "" {
		return ""
	}
	c.proofs++
	slices.Sort(lines)
	want := modelstest.ValueAt[string](
		p,
		p.w.URL,
		`SELECT coalesce((SELECT shows FROM shown WHERE organization_id = $1 AND version = $2::text::bigint), '')`,
		c.organization.ID,
		version,
	)
	if got := strings.Join(lines, "\n"); got != want {
		p.Errorf(
			"the copy of %s is proved at version %s, but it is wrong:\n%s\n\nwant:\n%s",
			c.organization.Slug,
			version,
			got,
			want,
		)
	}
	return version
}

var writtenCVRs = []string{"10000001", "10000002", "10000003", "10000004", "10000005"}

// write returns a random write.
func (p *property) write() func() error {
	organization := p.organizations[p.random.IntN(len(p.organizations))]
	var only *models.Organization
	if p.random.IntN(3) == 0 {
		only = &organization
	}
	switch p.random.IntN(10) {
	case 0, 1, 2:
		text := "cvr,name,status\n"
		for _, cvr := range writtenCVRs {
			if p.random.IntN(3) == 0 {
				text += fmt.Sprintf("%s,Name %d,%s\n", cvr, p.random.IntN(2), terms.Statuses[p.random.IntN(2)])
			}
		}
		path := modelstest.File(p, "companies.csv", text)
		return func() error { _, err := p.w.ImportCompanies(p.Context(), organization, path); return err }
	case 3:
		return func() error {
			_, err := imports.Backfill(p.Context(), p.w.Operator.DB(), imports.BackfillOptions{Organization: organization})
			return err
		}
	case 4, 5:
		if old, found := p.anyDelivery(); found {
			return func() error {
				_, err := imports.Withdraw(p.Context(), p.w.Operator.DB(), old.id, "test", only)
				return err
			}
		}
	case 6: // corrected
		if old, found := p.anyDelivery(); found && old.only == nil {
			return p.deliver(append(slices.Clone(old.lines[1:]), p.line()), nil, imports.RepeatedReplace)
		}
	case 8:
		return p.retire(time.Date(2026, 1, 1+p.random.IntN(20), 0, 0, 0, 0, time.UTC))
	case 7: // again, or a part of it
		if old, found := p.anyDelivery(); found {
			return p.deliver(
				old.lines[:1+p.random.IntN(len(old.lines))],
				only,
				[]imports.Repeated{imports.RepeatedRefuse, imports.RepeatedAdditional}[p.random.IntN(2)],
			)
		}
	}
	lines := []string{}
	for range 1 + p.random.IntN(5) {
		lines = append(lines, p.line())
	}
	return p.deliver(lines, only, imports.RepeatedRefuse)
}

// retire keeps deliveries since a day, once, and then all again, also if others are retiring.
func (p *property) retire(since time.Time) func() error {
	return func() error {
		for _, period := range []string{fmt.Sprintf("%dd", int(time.Since(since).Hours()/24)), "none"} {
			modelstest.ExecuteAt(p, p.w.URL, `UPDATE kept_periods SET period = $1 WHERE kind = 'transactions'`, period)
			if err := retention.New(p.w.Service.Store, retention.Periods{}, slog.New(slog.DiscardHandler)).
				Once(p.Context()); err != nil {
				return err
			}
		}
		return nil
	}
}

func (p *property) anyDelivery() (delivered, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.deliveries) == 0 {
		return delivered{}, false
	}
	return p.deliveries[p.random.IntN(len(p.deliveries))], true
}

// line returns a record that is like no other. Few amounts differ, so that sums are often
// the same.
func (p *property) line() string {
	p.accounts++
	return fmt.Sprintf(
		"%s,1234,%d,CARD,2026-01-%02d,1,%d.50\n",
		writtenCVRs[p.random.IntN(len(writtenCVRs))],
		p.accounts,
		1+p.random.IntN(28),
		1+p.random.IntN(2),
	)
}

func (p *property) deliver(lines []string, only *models.Organization, repeated imports.Repeated) func() error {
	options := imports.DeliveryOptions{
		Path:         modelstest.DeliveryFile(p, lines...),
		SkipUnknown:  true,
		Organization: only,
		Repeated:     repeated,
	}
	return func() error {
		done, err := p.w.ImportDelivery(p.Context(), options)
		if err == nil {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.deliveries = append(p.deliveries, delivered{done.ID, lines, only})
		}
		return err
	}
}

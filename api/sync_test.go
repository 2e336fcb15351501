package api_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
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

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// A client that follows the list of changes misses none: whenever it has read to the end at
// one version, its copy has the number and the sum of that version, and is what the
// organization had. It gets there when the writers rest. Meanwhile several
// writers at once import, replace, repeat and withdraw random deliveries of all and of one
// organization, import companies that free held records, and backfill. The clients read
// from two instances, of which one may be behind, and stop at any request. DISPO_TEST_SEED
// repeats a world.
func TestSyncByChanges(t *testing.T) {
	t.Parallel()
	const ofWorld = 25
	worlds := (modelstest.Rounds(ofWorld) + ofWorld - 1) / ofWorld
	first, _ := strconv.ParseUint(os.Getenv("DISPO_TEST_SEED"), 10, 64)
	if first == 0 {
		first = uint64(time.Now().UnixNano())
	} else {
		worlds = 1
	}
	for i := range worlds {
		seed := first + uint64(i)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			s := newSyncWorld(t, seed)
			for range ofWorld {
				s.round()
			}
			t.Logf("%d rounds, versions, arrivals, withdrawals and changed companies: %s; %d and %d proofs", ofWorld,
				modelstest.ValueAt[string](t, s.w.URL, `SELECT concat_ws(', ', (SELECT count(*) FROM shown), (SELECT sum(delivery_file_count) FROM organizations),
					(SELECT count(*) FROM withdrawn_files), (SELECT count(*) FROM companies WHERE change_id <> id))`), s.clients[0].proofs, s.clients[1].proofs)
		})
	}
}

// What an organization has at each version of its data, as its transaction commits it.
const keepShown = `CREATE TABLE shown (organization_id uuid, version bigint, shows text, PRIMARY KEY (organization_id, version));
	CREATE FUNCTION keep_shown() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
	BEGIN
		INSERT INTO shown SELECT NEW.id, NEW.data_version, coalesce(string_agg(line, E'\n' ORDER BY line COLLATE "C"), '') FROM (
			SELECT concat_ws(' ', id, delivery_file_id, cvr, amount_dkk) AS line FROM transactions WHERE organization_id = NEW.id
			UNION ALL SELECT concat_ws(' ', cvr, name, status) FROM companies WHERE organization_id = NEW.id) x;
		RETURN NULL;
	END
	$$;
	CREATE CONSTRAINT TRIGGER keep_shown AFTER UPDATE OF data_version ON organizations DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION keep_shown()`

type syncWorld struct {
	*testing.T
	w        *modelstest.World
	random   *rand.Rand
	tenants  []tenant
	services []*instance
	proxy    *modelstest.Proxy // before the second instance
	clients  []*syncClient

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

func newSyncWorld(t *testing.T, seed uint64) *syncWorld {
	w := modelstest.NewWorld(t)
	s := &syncWorld{T: t, w: w, random: rand.New(rand.NewPCG(seed, 1)), tenants: []tenant{newTenant(t, w, "a"), newTenant(t, w, "b")}}
	modelstest.ExecuteAt(t, w.URL, keepShown)
	s.proxy = modelstest.NewProxy(t, w.URL)
	for _, url := range []string{w.URL, s.proxy.URL} {
		s.services = append(s.services, serve(t, modelstest.OpenFollowing(t, url), settings{}))
	}
	for i, tenant := range s.tenants {
		s.clients = append(s.clients, &syncClient{syncWorld: s, tenant: tenant, random: rand.New(rand.NewPCG(seed, uint64(2+i))),
			companies: map[string]string{}, transactions: map[string]syncedTransaction{}, withdrawn: map[string]bool{}})
	}
	return s
}

// round lets writers work while clients sync, and then the clients alone until their
// copies are of the last version.
func (s *syncWorld) round() {
	if s.random.IntN(2) == 0 { // the second instance does not hear of changes at once
		s.proxy.Feed(modelstest.Hung)
		defer s.proxy.Feed(modelstest.Up)
	}
	var writing, syncing sync.WaitGroup
	var resting atomic.Bool
	for range 1 + s.random.IntN(3) {
		write := s.write()
		writing.Go(func() {
			if err := write(); err != nil && models.ErrorKind(err) != models.KindConflict {
				s.Errorf("a write: %v", err)
			}
		})
	}
	for _, client := range s.clients {
		syncing.Go(func() {
			for !resting.Load() {
				client.sync()
			}
			version := modelstest.ValueAt[string](s, s.w.URL, `SELECT data_version::text FROM organizations WHERE id = $1`, client.ID)
			modelstest.Eventually(s, func() bool { return client.sync() == version || s.Failed() })
		})
	}
	writing.Wait()
	resting.Store(true)
	syncing.Wait()
	require.False(s, s.Failed())
}

var syncCVRs = []string{"10000001", "10000002", "10000003", "10000004", "10000005"}

// write returns a random write.
func (s *syncWorld) write() func() error {
	organization := s.tenants[s.random.IntN(len(s.tenants))].Organization
	var only *models.Organization
	if s.random.IntN(3) == 0 {
		only = &organization
	}
	switch s.random.IntN(10) {
	case 0, 1, 2:
		text := "cvr,name,status\n"
		for _, cvr := range syncCVRs {
			if s.random.IntN(3) == 0 {
				text += fmt.Sprintf("%s,Name %d,%s\n", cvr, s.random.IntN(2), models.Statuses[s.random.IntN(2)])
			}
		}
		path := modelstest.File(s, "companies.csv", text)
		return func() error { _, err := s.w.ImportCompanies(s.Context(), organization, path); return err }
	case 3:
		return func() error {
			_, err := imports.Backfill(s.Context(), s.w.Operator.DB(), imports.BackfillOptions{Organization: organization})
			return err
		}
	case 4, 5:
		if old, found := s.anyDelivery(); found {
			return func() error {
				_, err := imports.Withdraw(s.Context(), s.w.Operator.DB(), old.id, "test", only)
				return err
			}
		}
	case 6: // corrected
		if old, found := s.anyDelivery(); found && old.only == nil {
			return s.deliver(append(slices.Clone(old.lines[1:]), s.line()), nil, imports.RepeatedReplace)
		}
	case 7: // again, or a part of it
		if old, found := s.anyDelivery(); found {
			return s.deliver(old.lines[:1+s.random.IntN(len(old.lines))], only, []imports.Repeated{imports.RepeatedRefuse, imports.RepeatedAdditional}[s.random.IntN(2)])
		}
	}
	lines := []string{}
	for range 1 + s.random.IntN(5) {
		lines = append(lines, s.line())
	}
	return s.deliver(lines, only, imports.RepeatedRefuse)
}

func (s *syncWorld) anyDelivery() (delivered, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.deliveries) == 0 {
		return delivered{}, false
	}
	return s.deliveries[s.random.IntN(len(s.deliveries))], true
}

// line returns a record that is like no other. Few amounts differ, so that sums are often
// the same.
func (s *syncWorld) line() string {
	s.accounts++
	return fmt.Sprintf("%s,1234,%d,CARD,2026-01-%02d,1,%d.50\n", syncCVRs[s.random.IntN(len(syncCVRs))], s.accounts, 1+s.random.IntN(28), 1+s.random.IntN(2))
}

func (s *syncWorld) deliver(lines []string, only *models.Organization, repeated imports.Repeated) func() error {
	options := imports.DeliveryOptions{Path: modelstest.DeliveryFile(s, lines...), SkipUnknown: true, Organization: only, Repeated: repeated}
	return func() error {
		done, err := s.w.ImportDelivery(s.Context(), options)
		if err == nil {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.deliveries = append(s.deliveries, delivered{done.ID, lines, only})
		}
		return err
	}
}

// syncClient keeps a copy of an organization's data as the documentation says.
type syncClient struct {
	*syncWorld
	tenant
	random *rand.Rand
	proofs int

	// The copy. What a client stores, it stores at once with its cursor.
	change, transaction string            // the last that were handled
	companies           map[string]string // by CVR
	transactions        map[string]syncedTransaction
	withdrawn           map[string]bool // files
}

type syncedTransaction struct{ ID, CardNetworkDeliveryFileID, CVR, AmountDKK string }

// line returns it as the history has it.
func (x syncedTransaction) line() string {
	return strings.Join([]string{x.ID, x.CardNetworkDeliveryFileID, x.CVR, x.AmountDKK}, " ")
}

type syncedCompany struct{ CVR, Name, Status, UpdatedAt string }

func (x syncedCompany) line() string { return strings.Join([]string{x.CVR, x.Name, x.Status}, " ") }

// errStopped ends a client's work where it is.
var errStopped = errors.New("stopped")

// syncPage is a page that a client has read.
type syncPage[T any] struct {
	Data []T
	Meta struct {
		Total   int
		HasMore bool
	}
	version, amount string
}

func syncRead(c *syncClient, path string, into any) (answer, error) {
	if c.random.IntN(40) == 0 {
		return answer{}, errStopped
	}
	got := c.services[c.random.IntN(len(c.services))].get(c.T, path, c.token)
	if got.status != 200 {
		c.Errorf("%s: %d %s", path, got.status, got.body)
		return got, errStopped
	}
	return got, json.Unmarshal(got.body, into)
}

func syncReadPage[T any](c *syncClient, path, after string) (page syncPage[T], err error) {
	path += fmt.Sprint("?limit=", []int{2, 7, 50, 100}[c.random.IntN(4)])
	if after != "" {
		path += "&after=" + after
	}
	got, err := syncRead(c, path, &page)
	page.version, page.amount = got.header.Get("X-Data-Version"), got.header.Get("X-Total-Amount-Dkk")
	return page, err
}

// sync reads what is new. It returns the version at which the copy is proven, or "". A
// proven copy must be what the organization had at that version.
func (c *syncClient) sync() string {
	version, err := c.readChanges()
	if err != nil {
		return ""
	}
	page, err := c.readTransactions()
	if err != nil || page.version != version {
		return ""
	}
	sum := new(big.Rat)
	lines := []string{}
	for _, x := range c.transactions {
		amount, _ := new(big.Rat).SetString(x.AmountDKK)
		sum.Add(sum, amount)
		lines = append(lines, x.line())
	}
	if len(c.transactions) != page.Meta.Total || sum.FloatString(2) != page.amount {
		c.Errorf("the copy of %s has %d transactions of %s DKK at version %s, but should have %d of %s DKK", c.Slug, len(c.transactions), sum.FloatString(2), version, page.Meta.Total, page.amount)
		return ""
	}
	c.proofs++
	for _, company := range c.companies {
		lines = append(lines, company)
	}
	slices.Sort(lines)
	want := modelstest.ValueAt[string](c.T, c.w.URL, `SELECT coalesce((SELECT shows FROM shown WHERE organization_id = $1 AND version = $2::text::bigint), '')`, c.ID, version)
	if got := strings.Join(lines, "\n"); got != want {
		c.Errorf("the copy of %s is proven at version %s, but it is wrong:\n%s\n\nwant:\n%s", c.Slug, version, got, want)
	}
	return version
}

// readChanges handles the changes to the last one. It returns the version of the last page.
func (c *syncClient) readChanges() (version string, err error) {
	for {
		page, err := syncReadPage[struct {
			ID, Type, CreatedAt, CardNetworkDeliveryFileID, CVR string
		}](c, "/api/v1/changes", c.change)
		if err != nil {
			return "", err
		}
		for _, change := range page.Data {
			switch change.Type {
			case "delivery.withdrawn":
				c.withdrawn[change.CardNetworkDeliveryFileID] = true
				for id, x := range c.transactions {
					if x.CardNetworkDeliveryFileID == change.CardNetworkDeliveryFileID {
						delete(c.transactions, id)
					}
				}
			case "company.changed":
				var company syncedCompany
				if _, err := syncRead(c, "/api/v1/companies/"+change.CVR, &company); err != nil {
					return "", err
				}
				// Another instance may be a moment behind, and the company may have changed
				// again. Then read the page again.
				if company.UpdatedAt != change.CreatedAt {
					return "", errStopped
				}
				c.companies[company.CVR] = company.line()
			}
			c.change = change.ID
		}
		if !page.Meta.HasMore {
			return page.version, nil
		}
	}
}

// readTransactions reads the transactions to the last one, and returns the last page.
func (c *syncClient) readTransactions() (page syncPage[syncedTransaction], err error) {
	for {
		if page, err = syncReadPage[syncedTransaction](c, "/api/v1/transactions", c.transaction); err != nil {
			return page, err
		}
		for _, x := range page.Data {
			c.transaction = x.ID
			if !c.withdrawn[x.CardNetworkDeliveryFileID] { // another instance may be a moment behind
				c.transactions[x.ID] = x
			}
		}
		if !page.Meta.HasMore {
			return page, nil
		}
	}
}

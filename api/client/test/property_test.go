package client_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/api/apitest"
	"dispo/api/client"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

var errEnd = errors.New("the program ends")

// A copy that is said to be proved is exactly the data of its version, whatever happens:
// deliveries arrive, are replaced and withdrawn, and companies arrive and change while
// several copies are synced over two instances by programs that end at random requests. Once
// nothing changes any more, each copy is complete.
func TestCopiesAreNeverWrong(t *testing.T) {
	t.Parallel()
	d := newData(t)
	second := apitest.Serve(t, modelstest.OpenFollowing(t, d.URL), 0)
	var targets []*url.URL
	for _, base := range []string{apitest.Serve(t, modelstest.OpenFollowing(t, d.URL), 0), second} {
		target, err := url.Parse(base)
		require.NoError(t, err)
		targets = append(targets, target)
	}
	transport := roundTripper(func(r *http.Request) (*http.Response, error) {
		r = r.Clone(r.Context())
		r.URL.Host = targets[rand.IntN(2)].Host
		return http.DefaultTransport.RoundTrip(r)
	})

	const snapshot = `SELECT data_version::text || coalesce((SELECT string_agg(t.id || (t.amount_dkk * 100)::bigint::text, ',' ORDER BY t.id) FROM transactions t WHERE t.organization_id = o.id), '') FROM organizations o WHERE id = $1`
	versions := map[string]string{}
	var mutex sync.Mutex // of versions; held while the data changes
	change := func(f func()) {
		mutex.Lock()
		defer mutex.Unlock()
		f()
		whole := modelstest.ValueAt[string](t, d.URL, snapshot, d.organization.ID)
		version := modelstest.ValueAt[string](t, d.URL, `SELECT data_version::text FROM organizations WHERE id = $1`, d.organization.ID)
		versions[version] = strings.TrimPrefix(whole, version)
	}
	change(func() {})
	changes := func() int {
		mutex.Lock()
		defer mutex.Unlock()
		return len(versions)
	}

	stop, changed := make(chan struct{}), sync.WaitGroup{}
	changed.Go(func() {
		var deliveries []uuid.UUID
		var texts []string
		deliver := func(text string) uuid.UUID {
			done, err := d.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.File(t, "delivery.csv", text), Repeated: imports.RepeatedReplace})
			require.NoError(t, err)
			return done.ID
		}
		for n := 0; ; n++ {
			select {
			case <-stop:
				return
			case <-time.After(rand.N(60 * time.Millisecond)):
			}
			change(func() {
				switch at := rand.IntN(max(1, len(deliveries))); {
				case rand.IntN(4) == 0:
					name := fmt.Sprintf("cvr,name\n%s,Name %d\n%08d,Company\n", cvrs[rand.IntN(4)], n, 20000000+rand.IntN(30))
					_, err := d.ImportCompanies(t.Context(), d.organization, modelstest.File(t, "companies.csv", name))
					require.NoError(t, err)
				case len(deliveries) > 0 && rand.IntN(3) == 0:
					_, err := imports.Withdraw(t.Context(), d.Operator.DB(), deliveries[at], "test", nil)
					require.NoError(t, err)
					deliveries, texts = append(deliveries[:at], deliveries[at+1:]...), append(texts[:at], texts[at+1:]...)
				case len(deliveries) > 0 && rand.IntN(4) == 0: // it is replaced
					texts[at] += fmt.Sprintf("%s,1234,%d,CARD,2026-01-31,1,%d.50\n", cvrs[rand.IntN(4)], n, n)
					deliveries[at] = deliver(texts[at])
				default:
					texts = append(texts, modelstest.DeliveryCSV(cvrs[rand.IntN(4)], 1+rand.IntN(5)))
					deliveries = append(deliveries, deliver(texts[len(texts)-1]))
				}
			})
		}
	})

	const copies = 12
	var syncing sync.WaitGroup
	compared := make([]int, copies)
	for i := range copies {
		path := newPath(t)
		round := func(endAt int) {
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			requests, after := 0, rand.IntN(2) == 0
			c := d.client(t, second, func(c *client.Config) {
				c.HTTP = &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
					if requests++; requests == endAt && !after {
						cancel(errEnd)
					}
					response, err := transport(r)
					if requests == endAt {
						cancel(errEnd)
					}
					return response, err
				})}
			})
			if _, err := c.Sync(ctx, path); context.Cause(ctx) == nil {
				require.NoError(t, err)
			}
			version := query[string](t, path, "SELECT version FROM copy")[0]
			mutex.Lock()
			expected, known := versions[version]
			mutex.Unlock()
			if !known { // it is not proved
				require.Empty(t, version)
				return
			}
			require.Equal(t, expected, strings.Join(query[string](t, path, "SELECT id || amountOere FROM transactions ORDER BY id"), ","))
			compared[i]++
		}
		syncing.Go(func() {
			for range modelstest.Rounds(300) / copies {
				seen := changes()
				modelstest.Eventually(t, func() bool { return changes() > seen })
				round(rand.IntN(8))
			}
		})
		defer func() { // once nothing changes
			before := compared[i]
			round(0)
			require.Equal(t, before+1, compared[i])
			d.requireCopy(t, path)
		}()
	}
	syncing.Wait()
	close(stop)
	changed.Wait()
	for _, times := range compared {
		require.Positive(t, times)
	}
}

package api_test

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// neighbours makes two organizations that have one company in common and one each
// to themselves, with transactions: 10000001 is a's, 10000002 both have, 10000003
// is b's, and 10000009 nobody's.
func neighbours(t *testing.T, w *modelstest.World) (a, b tenant) {
	t.Helper()
	a, b = newTenant(t, w, "a"), newTenant(t, w, "b")
	importCompanies(t, w, a.Organization, []string{"cvr", "name"}, []string{"10000001", "Name by a"}, []string{"10000002", "Common, by a"})
	importCompanies(t, w, b.Organization, []string{"cvr", "name"}, []string{"10000002", "Common, by b"}, []string{"10000003", "Name by b"})
	for _, organization := range []models.Organization{a.Organization, b.Organization} {
		for _, cvr := range map[string][]string{"a": {"10000001", "10000002"}, "b": {"10000002", "10000003"}}[organization.Slug] {
			path := modelstest.File(t, "delivery-of-"+organization.Slug+".csv", modelstest.DeliveryCSV(cvr, 5))
			_, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: path, Organization: &organization})
			require.NoError(t, err)
		}
	}
	return a, b
}

// A company that another organization has is answered to the byte like one that
// nobody has, and so are its transactions.
func TestForeignCompanyIsNotThere(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := neighbours(t, w)
	service := serve(t, w.Service, settings{})
	for _, row := range []struct {
		tenant
		foreign string
	}{{a, "10000003"}, {b, "10000001"}} {
		for _, path := range []string{"/api/v1/companies/%s", "/api/v1/companies/%s/transactions", "/api/v1/companies/%s/transactions?limit=1&before=ffffffff-ffff-ffff-ffff-ffffffffffff"} {
			for _, method := range []string{"GET", "HEAD"} {
				foreign := service.send(t, method, fmt.Sprintf(path, row.foreign), withKey(row.token))
				nobodys := service.send(t, method, fmt.Sprintf(path, "10000009"), withKey(row.token))
				require.Equal(t, 404, foreign.status)
				require.Equal(t, 404, nobodys.status)
				require.Equal(t, strings.ReplaceAll(string(nobodys.body), "10000009", row.foreign), string(foreign.body))
				require.Equal(t, names(nobodys.header), names(foreign.header))
				require.Equal(t, nobodys.header.Get("Content-Length"), foreign.header.Get("Content-Length"))
			}
			foreign := service.get(t, fmt.Sprintf(path, row.foreign), row.token)
			foreign.requireError(t, 404, "COMPANY_NOT_FOUND", row.foreign)
		}
	}
}

func names(header http.Header) map[string]int {
	count := map[string]int{}
	for name, values := range header {
		count[name] = len(values)
	}
	return count
}

// Where two organizations have the same company, each reads its own: its fields,
// its ids, its files and its transactions, and none of the other's.
func TestCommonCompanyIsEachOnesOwn(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := neighbours(t, w)
	service := serve(t, w.Service, settings{})
	for range 3 { // over connections that have worked for the other one before
		seen := map[string]string{}
		for _, x := range []tenant{a, b} {
			for _, path := range paths[3:] {
				got := service.get(t, strings.ReplaceAll(path, "10000001", "10000002"), x.token)
				got.requireOK(t)
				require.NotRegexp(t, map[string]string{"a": `by b|-of-b|10000003`, "b": `by a|-of-a|10000001`}[x.Slug], string(got.body))
				for _, id := range regexp.MustCompile(`"(id|cardNetworkDeliveryFileId)":"([^"]*)"`).FindAllStringSubmatch(string(got.body), -1) {
					if owner, ok := seen[id[2]]; ok {
						require.Equal(t, x.Slug, owner)
					}
					seen[id[2]] = x.Slug
				}
			}
			page := service.get(t, "/api/v1/companies/10000002/transactions", x.token).object(t)
			require.Len(t, page["data"], 5)
			require.EqualValues(t, "5", page["meta"].(object)["total"])
			companies := service.get(t, "/api/v1/companies", x.token).object(t)
			require.Len(t, companies["data"], 2)
			require.EqualValues(t, "2", companies["meta"].(object)["total"])
		}
	}
}

// An id that is another organization's, or of another thing, is a cursor like one
// that is nobody's: it is compared with the caller's own items, and tells nothing.
func TestForeignCursorTellsNothing(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := neighbours(t, w)
	service := serve(t, w.Service, settings{})
	ids := selectIDs(t, w, `SELECT id FROM companies UNION ALL SELECT id FROM transactions UNION ALL SELECT id FROM delivery_files
		UNION ALL SELECT id FROM organizations UNION ALL SELECT id FROM api_keys`)
	require.Len(t, ids, 4+20+4+2+2)
	for _, x := range []tenant{a, b} {
		for path, query := range map[string]string{
			paths[3]: `SELECT id FROM companies WHERE organization_id = $1 ORDER BY id`,
			"/api/v1/companies/10000002/transactions": `SELECT id FROM transactions WHERE organization_id = $1 AND cvr = '10000002' ORDER BY id`,
		} {
			l := listed{path: path, service: service, key: x.token}
			all := selectIDs(t, w, query, x.ID)
			for _, id := range ids {
				at, own := slices.BinarySearchFunc(all, id, compareIDs)
				l.requirePage(t, l.get(t, fmt.Sprintf("?limit=2&before=%s", id)), all, max(0, at-2), at, 2)
				if own {
					at++
				}
				l.requirePage(t, l.get(t, fmt.Sprintf("?limit=2&after=%s", id)), all, at, min(at+2, len(all)), 2)
			}
		}
	}
}

func compareIDs(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }

// crowd is organizations whose every text tells whose it is.
type crowd []tenant

var ownMark = regexp.MustCompile(`tenant-(\d+)-`)

func newCrowd(t *testing.T, w *modelstest.World, size int) crowd {
	t.Helper()
	crowd := make(crowd, size)
	for i := range crowd {
		crowd[i] = newTenant(t, w, fmt.Sprintf("tenant-%d", i))
		mark := fmt.Sprintf("tenant-%d-", i)
		importCompanies(t, w, crowd[i].Organization, []string{"cvr", "name", "address"},
			[]string{"20000000", mark + "common", strings.Repeat(mark, 1+i)}, []string{fmt.Sprintf("1000000%d", i), mark + "own", mark + "address"})
		var text strings.Builder
		text.WriteString("cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n")
		for record := range 3 + i {
			fmt.Fprintf(&text, "20000000,1234,%d,%srecord,2026-01-31,%d,%d.00\n", i, mark, record, record)
		}
		path := modelstest.File(t, mark+"delivery.csv", text.String())
		_, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: path, Organization: &crowd[i].Organization})
		require.NoError(t, err)
	}
	return crowd
}

// question is a request in somebody's name, and how its answer is known.
type question struct {
	asker  int
	id     string
	path   string
	header http.Header
	status int
	texts  []string // in the answer
	marks  int      // how often the asker's mark stands in it
}

// random makes up a question.
func (c crowd) random(number int) question {
	asker := rand.IntN(len(c))
	id := fmt.Sprintf("q-%d-%d", asker, number)
	q := question{asker: asker, id: id, header: with("X-API-Key", c[asker].token, "X-Request-Id", id, "User-Agent", fmt.Sprintf("agent-%d-%06d", asker, number))}
	other := (asker + 1 + rand.IntN(len(c)-1)) % len(c)
	switch rand.IntN(8) {
	case 0:
		q.path, q.status, q.texts, q.marks = "/api/v1/companies/20000000", 200, []string{`"cvr":"20000000"`}, 2+asker
	case 1:
		q.path, q.status, q.texts, q.marks = fmt.Sprintf("/api/v1/companies/1000000%d", asker), 200, []string{fmt.Sprintf(`"cvr":"1000000%d"`, asker)}, 2
	case 2:
		limit := 2 + rand.IntN(99)
		q.path, q.status, q.texts, q.marks = fmt.Sprintf("/api/v1/companies?limit=%d", limit), 200, []string{`"total":2`, fmt.Sprintf(`"self":"/api/v1/companies?limit=%d"`, limit)}, 4+asker
	case 3:
		q.path, q.status, q.texts, q.marks = "/api/v1/companies/20000000/transactions", 200, []string{fmt.Sprintf(`"total":%d,`, 3+asker)}, 3*(3+asker)
	case 4:
		q.path, q.status, q.texts = fmt.Sprintf("/api/v1/companies/1000000%d", other), 404, []string{fmt.Sprintf("CVR 1000000%d ", other)}
	case 5:
		q.path, q.status, q.texts = fmt.Sprintf("/api/v1/companies/3%07d/transactions", number%10_000_000), 404, []string{fmt.Sprintf("CVR 3%07d ", number%10_000_000)}
	case 6:
		q.path, q.status, q.texts = fmt.Sprintf("/api/v1/companies/%d", number%1000), 400, []string{"8 digits"}
	default:
		q.path, q.status, q.texts = "/api/v1/companies/20000000", 401, []string{"invalid"}
		q.header.Set("X-API-Key", otherSecret(c[asker].token))
	}
	return q
}

// judge fails the test where the answer is not the one to the question. It may be
// called from any goroutine.
func (q question) judge(t testing.TB, a answer) {
	t.Helper()
	good := a.status == q.status && a.header.Get("X-Request-Id") == q.id
	for _, text := range q.texts {
		good = good && strings.Contains(string(a.body), text)
	}
	marks := ownMark.FindAllStringSubmatch(string(a.body), -1)
	for _, mark := range marks {
		good = good && mark[1] == fmt.Sprint(q.asker)
	}
	if !good || len(marks) != q.marks {
		t.Errorf("%s by %d, %s, was answered with %d, %s: %s", q.path, q.asker, q.id, a.status, a.header.Get("X-Request-Id"), a.body)
	}
}

// Many organizations at once, over connections that they share: every answer is
// the one to its request and holds its organization's data alone, each
// organization's requests are counted as its own, and what is noted of a key's
// use is of that key.
func TestCrowdIsKeptApart(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	crowd := newCrowd(t, w, 6)
	store := modelstest.Open(t, w.URL, models.Service)
	const minute = 100_000
	service := serve(t, store, settings{minute: minute})
	service.client.Transport = &http.Transport{MaxConnsPerHost: 4, MaxIdleConnsPerHost: 4}

	var counts [6]atomic.Int64
	var asking sync.WaitGroup
	for worker := range 12 {
		asking.Go(func() {
			for i := range 150 {
				q := crowd.random(worker*1000 + i)
				if q.status != 401 {
					counts[q.asker].Add(1)
				}
				q.judge(t, service.send(t, "GET", q.path, q.header))
			}
		})
	}
	asking.Wait()
	for i, x := range crowd {
		left := service.send(t, "GET", "/api/v1/companies", with("X-API-Key", x.token, "User-Agent", fmt.Sprintf("agent-%d-last", i)))
		left.requireLimit(t, "minute", minute, minute-counts[i].Load()-1)
	}
	for i := range crowd { // what is overwritten afterwards was copied before
		service.send(t, "GET", "/api/v1/companies", with("X-API-Key", "bad", "User-Agent", fmt.Sprintf("nobody-%d-xxx", i)))
	}
	store.Close() // writes what is still to be written
	for i, x := range crowd {
		require.Equal(t, fmt.Sprintf("agent-%d-last", i), selectOne[string](t, w, `SELECT last_used_user_agent FROM api_keys WHERE id = $1`, x.key.ID))
	}
}

// Requests of many organizations that are sent over one connection all at once,
// before the first is answered, are answered in their order, each with its own.
func TestPipelinedCrowdIsKeptApart(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	crowd := newCrowd(t, w, 4)
	service := serve(t, w.Service, settings{})
	for line := range 3 {
		t.Run(fmt.Sprint(line), func(t *testing.T) {
			t.Parallel()
			conn := service.dial(t)
			questions := make([]question, 100)
			requests := make([]*http.Request, len(questions))
			for i := range questions {
				questions[i] = crowd.random(line*1000 + i)
				request, err := http.NewRequest("GET", "http://"+service.address+questions[i].path, nil)
				require.NoError(t, err)
				request.Header = questions[i].header
				requests[i] = request
			}
			var writing sync.WaitGroup
			writing.Go(func() { write(t, conn, requests...) })
			from := bufio.NewReader(conn)
			for i, q := range questions {
				q.judge(t, readAnswer(t, from, requests[i]))
			}
			writing.Wait()
		})
	}
}

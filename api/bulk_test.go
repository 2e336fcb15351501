package api_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

const allTransactionsPath = "/api/v1/transactions"

// inBulk requests transactions in bulk.
func (i *instance) inBulk(t testing.TB, method, query, key, accept string, pairs ...string) answer {
	t.Helper()
	return i.send(t, method, allTransactionsPath+query,
		headers(append([]string{"X-API-Key", key, "Accept", accept}, pairs...)...))
}

// objects decodes lines of JSON.
func objects(t *testing.T, lines []byte) (found []object) {
	t.Helper()
	for line := range bytes.Lines(lines) {
		require.True(t, bytes.HasSuffix(line, []byte("\n")))
		found = append(found, answer{body: line}.object(t))
	}
	return found
}

const transactionHeading = "id,cardNetworkDeliveryFileId,recordIndex,cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk,rawLine,createdAt,updatedAt,filename,processedAt"

// A bulk read has exactly what the pages after its cursor have, of transactions over all
// companies, of one day or of one company, or of companies, in their order: as NDJSON with a
// last line that proves it, and as CSV with the same columns. Its headers say the number, the
// sum and the last id before the body, to HEAD too. What was withdrawn, and what others have,
// is not in it.
func TestBulk(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := newTenant(t, w, "a"), newTenant(t, w, "b")
	w.Companies(t, a.Organization, "10000001", "10000002")
	w.Companies(t, b.Organization, "10000001", "10000003")
	importCompanies(t, w, a.Organization, []string{"cvr", "name", "address", "defaultAmountCents"},
		[]string{"10000004", `A, "B"`, "", "125"}, []string{"10000005", "Ærø", "Vej 1", ""})
	service := serve(t, w.Service, settings{})
	for n := range 5 {
		var lines []string
		for i := range 40 {
			lines = append(lines, fmt.Sprintf("1000000%d,1234,%d%d,%s,2026-01-3%d,1,-%d.25\n", 1+i%2, n, i,
				[]string{"CARD", "\"FEE,\"\"x\"\"\"", "CASH"}[i%3], (i/7+n)%2, i*n))
		}
		importDelivery(t, w, fmt.Sprintf("delivery %d.csv", n),
			"cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n"+strings.Join(lines, ""))
	}
	delivery := modelstest.ValueAt[uuid.UUID](t, w.URL, `SELECT id FROM deliveries WHERE filename = 'delivery 3.csv'`)
	_, err := imports.Withdraw(t.Context(), w.Operator.DB(), delivery, "test", nil)
	require.NoError(t, err)
	requireCaughtUp(t, w, a)
	own := selectKeys(t, w, `SELECT id FROM transactions WHERE organization_id = $1 ORDER BY id`, a.ID)
	gone := modelstest.ValueAt[uuid.UUID](t, w.URL, `SELECT id FROM withdrawn_files WHERE organization_id = $1`, a.ID)
	companies := selectKeys(t, w, `SELECT id FROM companies WHERE organization_id = $1 ORDER BY id`, a.ID)
	cursors, few := []string{
		"", uuid.Nil.String(), own[0], own[17], own[39], own[40], own[130], gone.String(), own[159],
		uuid.Max.String(),
	}, []string{
		"", own[17], uuid.Max.String(),
	}
	const companyHeading = "id,cvr,name,address,startDate,endDate,status,senderRegNumber,senderAccountNumber,receiverRegNumber,receiverAccountNumber,defaultAmountCents,createdAt,updatedAt"
	for _, list := range []struct {
		path, query, heading string
		cursors              []string
	}{
		{allTransactionsPath, "&limit=1000", transactionHeading, cursors},
		{allTransactionsPath, "&limit=1000&dispositionDate=2026-01-30", transactionHeading, few},
		{allTransactionsPath, "&limit=1000&dispositionDate=2026-01-31", transactionHeading, few},
		{allTransactionsPath, "&limit=1000&dispositionDate=2026-02-01", transactionHeading, few},
		{"/api/v1/companies/10000001/transactions", "&limit=100", transactionHeading, cursors},
		{"/api/v1/companies/10000004/transactions", "&limit=100", transactionHeading, few},
		{"/api/v1/companies", "&limit=100", companyHeading, []string{"", uuid.Nil.String(), companies[0], companies[2], companies[3], uuid.Max.String()}},
	} {
		for _, after := range list.cursors {
			query := "?x=1" + list.query
			if after != "" {
				query += "&after=" + after
			}
			page := service.get(t, list.path+query, a.token)
			wanted, sum, last := page.object(t)["data"].([]any), new(big.Rat), ""
			for _, item := range wanted {
				amount, _ := new(big.Rat).SetString(fmt.Sprint(cmp.Or(item.(object)["amountDkk"], any("0"))))
				sum.Add(sum, amount)
				last = item.(object)["id"].(string)
			}
			meta, total := object{"count": json.Number(fmt.Sprint(len(wanted))), "lastId": orNull(last)}, ""
			if list.heading == transactionHeading {
				total = sum.FloatString(2)
				meta["amountDkk"] = total
			}
			path := list.path + regexp.MustCompile("&limit=[0-9]+").ReplaceAllString(query, "")
			inBulk := func(method, accept string, pairs ...string) answer {
				return service.send(t, method, path, headers(append([]string{"X-API-Key", a.token, "Accept", accept}, pairs...)...))
			}

			got := inBulk("GET", "application/x-ndjson")
			got.requireOK(t)
			lines := objects(t, got.body)
			require.Equal(t, object{"meta": meta}, lines[len(wanted)], path)
			require.Len(t, lines, len(wanted)+1)
			for i := range wanted {
				require.Equal(t, wanted[i], any(lines[i]), path)
			}
			require.Equal(t, []string{
				fmt.Sprint(len(wanted)), total, last, page.header.Get("X-Data-Version"),
				"X-API-Key, Accept-Encoding, Accept", page.header.Get("Vary"),
			}, []string{
				got.header.Get("X-Total-Count"), got.header.Get("X-Total-Amount-Dkk"),
				got.header.Get("X-Last-Id"), got.header.Get("X-Data-Version"), got.header.Get("Vary"),
				got.header.Get("Vary"),
			}, path)

			table := inBulk("GET", "text/csv")
			table.requireOK(t)
			records, err := csv.NewReader(bytes.NewReader(table.body)).ReadAll()
			require.NoError(t, err)
			require.Len(t, records, len(wanted)+1)
			require.Equal(t, list.heading, strings.Join(records[0], ","))
			for i := range wanted {
				for column, name := range records[0] {
					require.Equal(t, fmt.Sprint(cmp.Or(wanted[i].(object)[name], any(""))), records[i+1][column], name)
				}
			}

			for accept, full := range map[string]answer{"application/x-ndjson": got, "text/csv": table} {
				head := inBulk("HEAD", accept)
				require.Empty(t, head.body)
				for _, name := range []string{"X-Total-Count", "X-Total-Amount-Dkk", "X-Last-Id", "X-Data-Version", "ETag", "Content-Type"} {
					require.Equal(t, full.header.Values(name), head.header.Values(name), name)
				}
				same := inBulk("GET", accept, "If-None-Match", full.header.Get("ETag"), "Prefer", "wait=50")
				require.Equal(t, http.StatusNotModified, same.status)
				require.Empty(t, same.header.Get("Preference-Applied"))
				for _, coding := range []string{"gzip", "zstd"} {
					if after != "" {
						break // coding knows nothing of cursors
					}
					coded := inBulk("GET", accept, "Accept-Encoding", "br, "+coding)
					require.Equal(t, coding, coded.header.Get("Content-Encoding"))
					require.Equal(t, string(full.body), string(decoded(t, coding, coded.body)))
				}
			}
			require.NotEqual(t, got.header.Get("ETag"), table.header.Get("ETag"))
		}
	}
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// Only who prefers NDJSON or CSV reads in bulk. There limit and before are refused, and
// everything else as on pages.
func TestBulkParameters(t *testing.T) {
	t.Parallel()
	_, a, service := start(t, settings{})
	for accept, media := range map[string]string{
		"": "application/json", "*/*": "application/json", "text/html": "application/json", "application/json, text/csv": "application/json",
		"text/csv;q=0.5, application/json": "application/json", "text/html, */*;q=0.8": "application/json",
		"application/x-ndjson": "application/x-ndjson", "text/csv": "text/csv", "application/json;q=0.5, text/csv": "text/csv",
		"Text/CSV": "text/csv", "text/csv; charset=utf-8": "text/csv", `text/csv;charset=UTF-8;header="a,b" ; Q=0.9, application/json;q=0.8`: "text/csv",
		"application/json;q=0, */*": "application/x-ndjson", "text/csv;q=0, */*;q=0.1": "application/json", "text/csv, application/x-ndjson;q=0.9\napplication/json": "text/csv",
		"application/json;q=0.3\ntext/csv;q=0.4": "text/csv", "text/*, application/json;q=0.9": "text/csv", "text/*;q=0.9, text/csv;q=0.1, application/*;q=0.2": "application/json",
		"text/csv;q=0": "application/json", "text/csv;q=2, application/json;q=0.1": "application/json",
	} {
		header := headers("X-API-Key", a.token)
		header["Accept"] = strings.Split(accept, "\n")
		got := service.send(t, "GET", allTransactionsPath, header)
		got.requireOK(t)
		require.Equal(t, media, got.header.Get("Content-Type"), accept)
	}
	for query, want := range map[string]struct {
		status         int
		code, mentions string
	}{
		"?limit=10":                    {422, "VALIDATION_ERROR", "limit"},
		"?before=" + uuid.Max.String(): {422, "VALIDATION_ERROR", "before"},
		"?after=x":                     {400, "BAD_REQUEST", "after"},
		"?dispositionDate=2026-02-30":  {400, "BAD_REQUEST", "dispositionDate"},
	} {
		service.inBulk(t, "GET", query, a.token, "text/csv").requireError(t, want.status, want.code, want.mentions)
		for _, list := range []string{"/api/v1/companies", "/api/v1/companies/10000001/transactions"} {
			if !strings.Contains(query, "dispositionDate") { // unknown there
				service.send(t, "GET", list+query, headers("X-API-Key", a.token, "Accept", "application/x-ndjson")).
					requireError(t, want.status, want.code, want.mentions)
			}
		}
	}
	for _, accept := range []string{"text/csv", "application/json"} { // neither has a bulk read, or a media type to refuse
		got := service.send(t, "GET", "/api/v1/days", headers("X-API-Key", a.token, "Accept", accept))
		require.Equal(t, "application/json", got.header.Get("Content-Type"))
	}
	service.inBulk(t, "GET", "", "dispo_wrong", "text/csv").requireError(t, 401, "UNAUTHORIZED", "malformed")
}

// A bulk read counts as 20 requests. HEAD, 304 and what is refused count as one, and a
// second one at a time, on any instance, counts as none.
func TestBulkIsCounted(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	w.Companies(t, a.Organization, "10000001")
	w.Delivery(t, "10000001", 3)
	proxy := modelstest.NewProxy(t, w.URL)
	service := serve(t, modelstest.Open(t, proxy.URL, database.Service), settings{minute: 70})
	other := serve(t, modelstest.OpenFollowing(t, w.URL), settings{minute: 70})
	left := func(got answer) string { return got.header.Get("X-RateLimit-Remaining") }

	first := service.inBulk(t, "GET", "", a.token, "text/csv")
	first.requireOK(t)
	require.Equal(t, "50", left(first))
	require.Equal(t, "49", left(service.inBulk(t, "HEAD", "", a.token, "text/csv")))
	require.Equal(t, "48",
		left(service.inBulk(t, "GET", "", a.token, "text/csv", "If-None-Match", first.header.Get("ETag"))))
	require.Equal(t, "47", left(service.inBulk(t, "GET", "?limit=1", a.token, "text/csv")))

	proxy.Hold("transactions.raw_line")
	running := make(chan answer)
	go func() { running <- service.inBulk(t, "GET", "?after="+uuid.Nil.String(), a.token, "text/csv") }()
	modelstest.Eventually(t, proxy.Holding)
	for _, at := range []*instance{service, other} {
		refused := at.inBulk(t, "GET", "?after="+uuid.Nil.String(), a.token, "application/x-ndjson")
		refused.requireError(t, 429, "RATE_LIMIT_EXCEEDED", "in bulk already")
		require.Equal(t, map[*instance]string{service: "27", other: "70"}[at], left(refused))
	}
	proxy.Hold("")
	require.Equal(t, "27", left(<-running))
	again := other.inBulk(t, "GET", "", a.token, "application/x-ndjson")
	again.requireOK(t)
	require.Equal(t, "50", left(again))
	require.Equal(t, "7", left(service.inBulk(t, "GET", "?after="+uuid.Max.String(), a.token, "text/csv")))
	full := service.inBulk(t, "GET", "?after="+uuid.Max.String(), a.token, "text/csv")
	full.requireError(t, 429, "RATE_LIMIT_EXCEEDED")
	require.Equal(t, "7", left(full), "a bulk read that is refused counts as none")
}

// readSlowly begins a bulk read of megabytes, and reads nothing but its headers. rest reads
// on, and returns how much was sent and why that was all.
func readSlowly(t *testing.T, service *instance, key string) (response *http.Response, rest func() (int64, error)) {
	t.Helper()
	conn := service.dial(t)
	require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(1<<16)) // else the whole answer may fit into it
	_, err := fmt.Fprintf(conn,
		"GET %s HTTP/1.1\r\nHost: localhost\r\nAccept: application/x-ndjson\r\nX-API-Key: %s\r\n\r\n", allTransactionsPath,
		key)
	require.NoError(t, err)
	response, err = http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	if response.StatusCode == http.StatusServiceUnavailable { // the connections are busy on a slow machine
		return readSlowly(t, service, key)
	}
	require.Equal(t, http.StatusOK, response.StatusCode)
	return response, func() (int64, error) { return io.Copy(io.Discard, response.Body) }
}

// A key that is revoked, paused or bound to other addresses ends its bulk read, before the first byte
// with 401, and later by cutting the connection. So does a client that reads nothing for
// the downloads' patience, and a place that cannot be renewed for ten seconds. Then the organization may read in bulk again.
// The access log says how much was sent.
func TestBulkEnds(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := newTenant(t, w, "a")
	w.Companies(t, a.Organization, "10000001")
	w.Delivery(t, "10000001", 40_000)
	proxy := modelstest.NewProxy(t, w.URL)
	access := &modelstest.Log{}
	service := serve(t, modelstest.Open(t, proxy.URL, database.Service), settings{patience: time.Hour, access: access})
	received := map[string]int64{} // by request
	ended := func() bool {
		return modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM running_tasks`) == 0
	}
	key := func() (uuid.UUID, string) {
		created, token := w.Key(t, a.Organization)
		return created.ID, token
	}

	id, token := key()
	proxy.Hold("transactions.raw_line")
	early := make(chan answer)
	go func() { early <- service.inBulk(t, "GET", "", token, "text/csv") }()
	modelstest.Eventually(t, proxy.Holding)
	_, err := keys.Pause(t.Context(), w.Service.Tenant(a.ID), id)
	require.NoError(t, err)
	(<-early).requireError(t, 401, "UNAUTHORIZED", "paused")
	proxy.Hold("")

	for _, end := range []func(context.Context, models.Tenant, uuid.UUID) (keys.Detail, error){keys.Revoke, bindElsewhere} {
		id, token = key()
		cut, rest := readSlowly(t, service, token)
		_, err = end(t.Context(), w.Service.Tenant(a.ID), id)
		require.NoError(t, err)
		modelstest.Eventually(t, ended)
		sent, err := rest()
		require.Error(t, err, "%d bytes", sent)
		received[cut.Header.Get("X-Request-Id")] = sent
	}

	_, rest := readSlowly(t, service, a.token)
	modelstest.ExecuteAt(t, w.URL, `UPDATE running_tasks SET id = gen_random_uuid()`) // so it cannot be renewed
	modelstest.Eventually(t, func() bool { return strings.Contains(service.log.String(), "did not answer for seconds") })
	sent, err := rest()
	require.Error(t, err, "%d bytes", sent)
	modelstest.ExecuteAt(t, w.URL, `DELETE FROM running_tasks`)

	impatient := serve(t, w.Service, settings{patience: time.Second, access: access})
	silent, rest := readSlowly(t, impatient, a.token)
	modelstest.Eventually(t, ended)
	sent, err = rest()
	require.Error(t, err, "%d bytes", sent)
	received[silent.Header.Get("X-Request-Id")] = sent
	whole := impatient.inBulk(t, "GET", "", a.token, "application/x-ndjson")
	whole.requireOK(t)

	for id, sent := range received {
		modelstest.Eventually(t, func() bool { return len(access.Records("request_id", id)) == 1 })
		logged := access.Records("request_id", id)[0]["bytes"]
		require.GreaterOrEqual(t, logged, float64(sent))
		require.Less(t, logged, float64(len(whole.body)))
	}
}

// A bulk read for which the server has no room is a 503 that tells a program what it can do,
// and when. It counts as none, and the log has the cause.
func TestBulkWithoutRoom(t *testing.T) {
	_, a, service := start(t, settings{minute: 70})
	t.Setenv("TMPDIR", t.TempDir()+"/missing")
	got := service.inBulk(t, "GET", "", a.token, "text/csv")
	got.requireError(t, 503, "SERVICE_UNAVAILABLE", "in a minute", "in pages")
	require.NotContains(t, string(got.body), "period")
	require.Equal(t, "60", got.header.Get("Retry-After"))
	got.requireLimit(t, "minute", 70, 70)
	require.Contains(t, service.log.String(), "missing/dispo-")
}

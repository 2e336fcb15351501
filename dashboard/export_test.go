package dashboard_test

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"dispo/api/download"
	"dispo/api/server"
	"dispo/dashboard"
	"dispo/models"
	"dispo/models/database"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

// exportSite has an organization with two companies and three transactions, and a browser
// of its owner.
func exportSite(t *testing.T, config ...dashboard.Config) (*site, models.Organization, *browser) {
	t.Helper()
	s, a, b := ownerSite(t, config...)
	_, err := s.ImportCompanies(t.Context(), a, modelstest.File(t, "companies.csv",
		"cvr;name;address;startDate;senderRegNumber;senderAccountNumber;defaultAmountCents\n"+
			"20000001;=Æbler & Pærer A/S;Gade 1, 7100 Vejle;2017-11-03;0012;0000000345;-1050\n20000002;Øl;;;;;\n"))
	require.NoError(t, err)
	s.deliver(t, "delivery.csv", "20000001,0012,0000000345,CARD,2026-10-01,3,1234.50\n",
		"20000001,0012,0000000345,=cmd,2026-10-02,0,-0.07\n", "20000002,0034,12345678,CARD,2026-11-30,1,999999999999.99\n")
	return s, a, b
}

func readCSV(t *testing.T, text string, separator rune) [][]string {
	t.Helper()
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma = separator
	rows, err := reader.ReadAll()
	require.NoError(t, err)
	return rows
}

// column returns the values below a heading.
func column(t *testing.T, rows [][]string, title string) (values []string) {
	t.Helper()
	at := slices.Index(rows[0], title)
	require.GreaterOrEqual(t, at, 0, "no column %s in %v", title, rows[0])
	for _, row := range rows[1:] {
		values = append(values,
			append(row, make([]string, len(rows[0]))...)[at]) // workbooks leave out empty cells at the end
	}
	return values
}

// exported returns the rows of a file that a member downloads.
func (b *browser) exported(path string, header http.Header) [][]string {
	b.t.Helper()
	a := b.do(http.MethodGet, path, nil, header)
	require.Equal(b.t, http.StatusOK, a.StatusCode, path)
	require.Equal(b.t, "no-store", a.Header.Get("Cache-Control"))
	switch a.Header.Get("Content-Type") {
	case "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":
		require.EqualValues(b.t, len(a.body), a.ContentLength)
		file, err := excelize.OpenReader(strings.NewReader(a.body))
		require.NoError(b.t, err)
		rows, err := file.GetRows(file.GetSheetName(0), excelize.Options{RawCellValue: true})
		require.NoError(b.t, err)
		return rows
	case "text/csv; charset=utf-8":
		if text, danish := strings.CutPrefix(a.body, "\ufeff"); danish {
			require.Equal(b.t, strings.Count(text, "\n"), strings.Count(text, "\r\n"))
			return readCSV(b.t, text, ';')
		}
		return readCSV(b.t, a.body, ',')
	}
	require.Fail(b.t, a.Header.Get("Content-Type"))
	return nil
}

// values is what files have below their headings, separated by |.
type values []struct{ path, heading, want string }

func (v values) require(b *browser, language string) {
	b.t.Helper()
	for _, row := range v {
		got := column(b.t, b.exported(row.path, http.Header{"Accept-Language": {language}}), row.heading)
		require.Equal(b.t, row.want, strings.Join(got, "|"), "%s: %s", row.path, row.heading)
	}
}

// What is downloaded of lists.
func TestExports(t *testing.T) {
	t.Parallel()
	s, o, b := exportSite(t)
	b.requireNothingOfHead(t)
	b.requireForms(t)
	b.requireLinks(t, o)
	s.requireDeliveries(t, b, o)
	s.requireFiltered(t, b, o)
}

// The Danish CSV has what e-conomic reads, and no formulas. A workbook has real numbers and
// dates, a sum, and a length. The API's CSV has the API's fields and values, and changes none.
// Headings and the file's name are in the reader's language, except in the API's form. How each
// kind of value is written is tested beside export.Writer.
func (b *browser) requireForms(t *testing.T) {
	t.Helper()
	values{
		{"/transactions/export?format=csv-da", "Disposition date", "30-11-2026|02-10-2026|01-10-2026"},
		{"/transactions/export?format=csv-da", "Amount, DKK", "999999999999,99|-0,07|1234,50"},
		{"/transactions/export?format=csv-da", "Company", "Øl|'=Æbler & Pærer A/S|'=Æbler & Pærer A/S"},
		{"/companies/export?format=csv-da", "Default amount, DKK", "-10,50|"},
		{"/companies/export?format=csv-da", "To", "|"},
		{"/transactions/export?format=xlsx", "Disposition date", "46356|46297|46296|Sum of this sheet"},
		{"/transactions/export?format=xlsx", "Amount, DKK", "999999999999.99|-0.07|1234.5|1000000001234.42"},
		{"/transactions/export?format=xlsx", "Registration number", "0034|0012|0012|"},
		{"/transactions/export?format=csv", "amountDkk", "999999999999.99|-0.07|1234.50"},
		{"/transactions/export?format=csv&to=2026-10-01", "rawLine", "20000001,0012,0000000345,CARD,2026-10-01,3,1234.50"},
		{"/companies/export?format=csv", "name", "=Æbler & Pærer A/S|Øl"},
		{"/companies/export?format=csv", "endDate", "9999-12-31|9999-12-31"},
		{"/companies/export?format=csv", "defaultAmountCents", "-1050|"},
	}.require(b, "en")
	require.Equal(
		t,
		[]string{"id", "cardNetworkDeliveryFileId", "recordIndex", "cvr", "regNumber", "accountNumber", "transferType",
			"dispositionDate", "count", "amountDkk", "rawLine", "createdAt", "updatedAt", "filename", "processedAt"},
		b.exported("/transactions/export?format=csv", nil)[0],
	)
	values{
		{"/transactions/export?format=csv-da&from=2026-11-01", "Beløb i kr.", "999999999999,99"},
		{"/transactions/export?format=csv&from=2026-11-01", "amountDkk", "999999999999.99"},
	}.require(b, "da")
	inDanish := http.Header{"Accept-Language": {"da"}}
	file := b.do(http.MethodGet, "/transactions/export?format=csv-da&from=2026-11-01", nil, inDanish)
	require.Equal(t, `attachment; filename="Organization a transaktioner fra 2026-11-01.csv"`,
		file.Header.Get("Content-Disposition"))
	require.Contains(t, b.do(http.MethodGet, "/transactions?from=x", nil, inDanish).text("#from-error"),
		"Indtast en dato som dag.måned.år")
}

// A file has what the page's filter selects, over all pages, and its name and the audit
// log say what that is. A filter that is not valid exports nothing.
func (s *site) requireFiltered(t *testing.T, b *browser, o models.Organization) {
	t.Helper()
	s.Companies(t, o, "20000003")
	s.Delivery(t, "20000003", 120)
	for query, want := range map[string]struct {
		rows int
		name string
	}{
		"":                                {125, "Organization a transactions all dates"},
		"&from=2026-10-01&to=2026-10-31":  {3, "Organization a transactions 2026-10-01 to 2026-10-31"},
		"&from=2026-11-01":                {1, "Organization a transactions from 2026-11-01"},
		"&to=2026-10-01&cvr=DK20000001":   {1, "Organization a 20000001 transactions to 2026-10-01"},
		"&type=CARD&amount=1000..":        {2, "Organization a CARD transactions of at least 1000.00 all dates"},
		"&type=nothing":                   {0, "Organization a nothing transactions all dates"},
		"&cvr=20000009&before=0&after=xx": {0, "Organization a 20000009 transactions all dates"},
	} {
		require.Len(t, b.exported("/transactions/export?format=csv"+query, nil), 1+want.rows, query)
		require.Contains(t, b.last.Header.Get("Content-Disposition"), `filename="`+want.name+` for programs.csv"`, query)
	}
	require.Len(t, b.exported("/companies/20000003/export?format=csv&from=2026-01-01", nil), 121)
	require.Len(t, b.exported("/companies/export?format=csv&q=20000003", nil), 2)
	require.Len(t, b.exported("/companies/export?format=csv&status=REJECTED", nil), 1)
	for _, path := range []string{"/transactions/export", "/transactions/export?format=pdf", "/transactions/export?format=csv&from=tomorrow", "/companies/export?format="} {
		a := b.get(path)
		require.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, path)
		require.Empty(t, a.Header.Get("Content-Disposition"), path)
	}
	b.get("/transactions/export?format=xlsx&from=1.10.2026&type=CARD&amount=1..5")
	require.Contains(t, b.get("/settings/audit-log").text("tbody tr:first-child"),
		"Downloaded transactions Excel (XLSX), from 2026-10-01, type CARD, amount 1..5")
}

// Deliveries are exported with what was withdrawn, and a delivery with its records.
func (s *site) requireDeliveries(t *testing.T, b *browser, o models.Organization) {
	t.Helper()
	second := s.deliver(t, "second.csv", dayLine("20000002", "CARD", "2026-10-01", "5.00"),
		dayLine("20000002", "FEE", "2026-09-30", "-7.25"))
	s.withdraw(t, s.deliver(t, "=third.csv", dayLine("20000002", "CARD", "2026-10-01", "6.00")), "sent twice")
	values{
		{"/deliveries/export?format=csv", "filename", "=third.csv|second.csv|delivery.csv"},
		{"/deliveries/export?format=csv", "recordCount", "1|2|3"},
		{"/deliveries/export?format=csv", "totalAmountDkk", "6.00|-2.25|1000000001234.42"},
		{"/deliveries/export?format=csv", "withdrawnReason", "sent twice||"},
		{"/deliveries/export?format=csv-da", "File", "'=third.csv|second.csv|delivery.csv"},
		{"/deliveries/export?format=csv-da", "First disposition date", "01-10-2026|30-09-2026|01-10-2026"},
	}.require(b, "en")
	a := b.get("/deliveries/" + s.fileID(t, o, second.ID) + "/export?format=csv")
	require.Contains(t, a.Header.Get("Content-Disposition"),
		`filename="Organization a second.csv transactions for programs.csv"`)
	require.Equal(t, []string{"5.00", "-7.25"}, column(t, readCSV(t, a.body, ','), "amountDkk"))
	require.Contains(t, b.get("/settings/audit-log").text("tbody tr:first-child"),
		"Downloaded transactions CSV for programs, as in the API, delivery second.csv")
	withdrawn := column(t, b.exported("/deliveries/export?format=csv", nil), "id")[0]
	require.Equal(t, http.StatusConflict, b.get("/deliveries/"+withdrawn+"/export?format=csv").StatusCode)
}

// Every list links to its files, with the filter of the page. A filter that is not valid
// has no files.
func (b *browser) requireLinks(t *testing.T, o models.Organization) {
	t.Helper()
	delivery := "/deliveries/" + b.site.fileID(t, o)
	for page, want := range map[string]string{
		"/transactions": "/transactions/export?format=%s", "/transactions?type=CARD&from=1.10.2026&at=oldest": "/transactions/export?format=%s&from=2026-10-01&type=CARD",
		"/companies/20000001?to=2026-10-01": "/companies/20000001/export?format=%s&to=2026-10-01", "/companies?q=%C3%98l": "/companies/export?format=%s&q=%%C3%%98l",
		"/companies": "/companies/export?format=%s", "/deliveries": "/deliveries/export?format=%s", delivery: delivery + "/export?format=%s",
		"/transactions?from=x": "", "/transactions?type=none": "",
	} {
		links := b.get(page).page.Find(".download a")
		if want == "" {
			require.Zero(t, links.Length(), page)
			continue
		}
		require.Equal(t, 3, links.Length(), page)
		for i, format := range []string{"xlsx", "csv-da", "csv"} {
			link := links.Eq(i).AttrOr("href", "")
			require.Equal(t, fmt.Sprintf(want, format), link, page)
			require.Equal(t, http.StatusOK, b.get(link).StatusCode, link)
		}
	}
}

// A HEAD request reads and notes nothing, and leaves the connection usable.
func (b *browser) requireNothingOfHead(t *testing.T) {
	t.Helper()
	for _, format := range []string{"csv", "xlsx"} {
		a := b.do(http.MethodHead, "/transactions/export?format="+format, nil, nil)
		require.Equal(t, http.StatusOK, a.StatusCode)
		require.Contains(t, a.Header.Get("Content-Disposition"), "attachment")
		require.NotContains(t, b.get("/settings/audit-log").text("tbody"), "Downloaded")
	}
}

// raw sends a request over a connection of its own, with the browser's cookies.
func (b *browser) raw(protocol, path string) net.Conn {
	b.t.Helper()
	at, err := url.Parse(b.site.url)
	require.NoError(b.t, err)
	conn, err := net.Dial("tcp", at.Host)
	require.NoError(b.t, err)
	b.t.Cleanup(func() { _ = conn.Close() })
	request, err := http.NewRequest(http.MethodGet, b.site.url+path, nil)
	require.NoError(b.t, err)
	var cookies []string
	for _, cookie := range b.http.Jar.Cookies(at) {
		cookies = append(cookies, cookie.String())
	}
	_, err = fmt.Fprintf(conn, "GET %s %s\r\nHost: %s\r\nCookie: %s\r\n\r\n", request.URL.RequestURI(), protocol, at.Host,
		strings.Join(cookies, "; "))
	require.NoError(b.t, err)
	return conn
}

// The server's write timeout, which bounds other answers, does not end a download. A client
// that cannot tell a part of a file from all of it (HTTP/1.0) gets the length.
func TestExportIsExemptFromWriteTimeout(t *testing.T) {
	t.Parallel()
	s, _, b := exportSite(t)
	answer, err := http.ReadResponse(bufio.NewReader(b.raw("HTTP/1.0", "/transactions/export?format=csv")), nil)
	require.NoError(t, err)
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.EqualValues(t, len(body), answer.ContentLength)
	require.Equal(t, 4, bytes.Count(body, []byte("\n")))
	hasty := serve(t, s.World, dashboard.Config{}, time.Nanosecond)
	b = b.at(hasty)
	for _, format := range []string{"csv", "xlsx"} {
		require.Equal(t, http.StatusOK, b.get("/transactions/export?format="+format).StatusCode)
	}
	require.Error(t, modelstest.ErrorOf(b.http.Get(hasty.url+"/companies")), "the timeout works")
}

// Without room for the temporary file, the user gets a page that says so, and the log
// gets the cause.
func TestExportWithoutRoom(t *testing.T) {
	var log bytes.Buffer
	_, _, b := ownerSite(t, dashboard.Config{Log: slog.New(slog.NewJSONHandler(&log, nil))})
	t.Setenv("TMPDIR", t.TempDir()+"/missing")
	a := b.get("/companies/export?format=xlsx")
	require.Equal(t, http.StatusServiceUnavailable, a.StatusCode)
	require.Contains(t, a.text(), "The server has no room for this file")
	require.Contains(t, log.String(), "missing/dispo-")
}

// readingExports counts the connections that are reading an export.
const readingExports = `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle'
	AND query LIKE '%transactions.raw_line%' AND pid <> pg_backend_pid()`

// blockRows makes every read of transactions wait until release is called.
func blockRows(t *testing.T, s *site) (release func()) {
	t.Helper()
	conn := modelstest.Conn(t, s.URL)
	modelstest.Execute(t, conn, `BEGIN; LOCK TABLE transactions IN ACCESS EXCLUSIVE MODE`)
	return func() { modelstest.Execute(t, conn, `ROLLBACK`) }
}

// While nothing is sent, an error is answered with the error page. A client that leaves ends
// the reading of rows, and counts as neither a failure of the service nor of the database.
func TestExportBeforeTheFirstRow(t *testing.T) {
	t.Parallel()
	answered, log := make(chan int, 100), &modelstest.Log{}
	s, _, b := exportSite(t, dashboard.Config{
		Log: slog.New(slog.NewTextHandler(log, nil)),
		Observer: server.Observer{Measure: func(route string, status int, _ time.Duration) {
			if strings.HasSuffix(route, "/export") {
				answered <- status
			}
		}},
	})
	defer blockRows(t, s)()
	for _, format := range []string{"csv", "xlsx"} {
		conn := b.raw("HTTP/1.1", "/transactions/export?format="+format)
		s.waitFor(t, 1, readingExports)
		s.execute(t, strings.Replace(readingExports, "count(*)", "pg_terminate_backend(pid)", 1))
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
		require.Equal(t, "5", answer.Header.Get("Retry-After"))
		require.Empty(t, answer.Header.Get("Content-Disposition"))
		require.Equal(t, http.StatusServiceUnavailable, <-answered)

		conn = b.raw("HTTP/1.1", "/transactions/export?format="+format)
		s.waitFor(t, 1, readingExports)
		require.NoError(t, conn.Close())
		s.waitFor(t, 0, readingExports)
		require.Less(t, <-answered, http.StatusInternalServerError, "the client's doing")
	}
	require.Equal(t, 2, strings.Count(log.String(), "page failed"), "only the database's")
	require.NotContains(t, b.get("/settings/audit-log").text("tbody"), "Downloaded", "nothing was sent")
}

// fill gives the company 20000002 so many transactions that a file of them does not fit
// into the buffers between the server and a client that does not read.
func (s *site) fill(t *testing.T) {
	t.Helper()
	s.execute(t, `INSERT INTO transactions (organization_id, id, delivery_file_id, record_index, cvr, reg_number,
		account_number, transfer_type, disposition_date, count, amount_dkk, raw_line)
		SELECT organization_id, lpad(to_hex(n), 32, '0')::uuid, delivery_file_id, 1000 + n, cvr, reg_number, account_number,
		transfer_type, disposition_date, count, 0, repeat('x', 1000) FROM transactions, generate_series(1, 30000) n
		WHERE cvr = '20000002'`)
	t.Cleanup(func() { s.execute(t, `DELETE FROM transactions WHERE record_index > 1000`) }) // no total counts them
}

// A user downloads one file at a time, so that one member's unread downloads do not keep
// others of the organization waiting. A download whose client stands still is ended, and
// the user's next one gets its turn. A part of a file never looks whole.
func TestUnreadDownloads(t *testing.T) {
	t.Parallel()
	s, o, kari := exportSite(t)
	s.fill(t)
	ole := s.member(t, o, "ole@a.example", terms.Viewer)
	const reading = `SELECT count(*) FROM audit_log WHERE action = 'transactions.export'`
	kari.raw("HTTP/1.1", "/transactions/export?format=csv")
	kari.raw("HTTP/1.1", "/transactions/export?format=csv")
	s.waitFor(t, 1, reading)
	require.Equal(t, http.StatusOK, ole.get("/companies/export?format=csv").StatusCode)

	kari = kari.at(serveImpatiently(t, s.World))
	unread := kari.raw("HTTP/1.1", "/transactions/export?format=csv")
	s.waitFor(t, 2, reading)
	modelstest.Eventually(t, func() bool { return kari.get("/companies/export?format=csv").StatusCode == http.StatusOK })
	answer, err := http.ReadResponse(bufio.NewReader(unread), nil)
	require.NoError(t, err)
	require.Error(t, modelstest.ErrorOf(io.Copy(io.Discard, answer.Body)))
}

// serveImpatiently serves with the patience of a second for clients of downloads.
func serveImpatiently(t *testing.T, world *modelstest.World) *site {
	t.Helper()
	downloads := download.NewMaker(3)
	downloads.Patience = time.Second
	return serve(t, world, dashboard.Config{Downloads: downloads})
}

// A user who downloads already, and everybody while too many others do, is refused kindly
// after a while. The connections of downloads are not the pages'.
func TestExportsAtOnce(t *testing.T) {
	t.Parallel()
	world := modelstest.NewWorld(t)
	world.Service = modelstest.OpenConfig(t,
		database.Config{URL: world.URL, Role: database.Service, MaxConnections: 16, Serving: true}, modelstest.Secret)
	s := serveImpatiently(t, world)
	var browsers []*browser
	for _, slug := range []string{"a", "b", "c", "d"} {
		browsers = append(browsers, s.member(t, s.Organization(t, slug), "kari@"+slug+".example", terms.Viewer))
	}
	release := blockRows(t, s)
	for n, format := range []string{"csv", "xlsx", "csv"} {
		browsers[n].raw("HTTP/1.1", "/transactions/export?format="+format)
		s.waitFor(t, n+1, readingExports)
	}
	for n, reason := range map[int]string{0: "are downloading other files", 3: "Others are downloading"} {
		refused := browsers[n].get("/transactions/export?format=csv")
		require.Equal(t, http.StatusServiceUnavailable, refused.StatusCode)
		require.NotEmpty(t, refused.Header.Get("Retry-After"))
		require.Contains(t, refused.text(), reason)
	}
	require.NotContains(t, browsers[3].get("/settings/audit-log").text("tbody"), "Downloaded",
		"what was refused is not noted")
	require.Equal(t, http.StatusOK, browsers[3].get("/companies").StatusCode)
	release()
	s.waitFor(t, 0, readingExports)
	require.Equal(t, http.StatusOK, browsers[3].get("/transactions/export?format=csv").StatusCode)
}

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/valyala/fasthttp"
)

var (
	oneCompany        = "/companies/" + largest
	fiftyCompanies    = "/companies?limit=50"
	fiftyTransactions = oneCompany + "/transactions?limit=50"
	allTransactions   = "/transactions?limit=1000"
)

// row is a row of a table of rates.
type row struct {
	name           string
	aim            float64 // lowest ratio to the baseline
	ours, baseline []call  // which the clients cycle through
}

// compare measures the service and a baseline in turn, round by round, so that a slow
// moment of the machine affects both.
func (b *bench) compare(baseline string, rows []row) {
	var measured []rates
	for _, row := range rows {
		result := rates{name: row.name, aim: row.aim}
		for range b.rounds {
			result.ours, result.baseline = append(result.ours, b.rate(row.ours)), append(result.baseline, b.rate(row.baseline))
		}
		measured = append(measured, result)
	}
	printRates(baseline, measured...)
}

// rates are what was measured for a row of a table, in each round.
type rates struct {
	name           string
	aim            float64
	ours, baseline []float64
}

// printRates prints rows with the medians of the rates and of the rounds' ratios.
func printRates(baseline string, rows ...rates) {
	table := newTable("ours", baseline, "ratio", "aim")
	defer table.Flush()
	for _, row := range rows {
		ratios := make([]float64, len(row.ours))
		for i := range ratios {
			ratios[i] = row.ours[i] / row.baseline[i]
		}
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%.2f\t>= %.2f\t\n", row.name, median(row.ours), median(row.baseline), median(ratios), row.aim)
	}
}

// measureReads measures reads that query the database, beside handlers written by hand on
// pgx. The clients request different pages, because the service shares equal reads.
func (b *bench) measureReads() {
	b.ensureRecords()
	service, baseline := b.serve(uncached...), b.serveBaseline()
	defer service.stop()
	defer baseline.stop()
	var companies, others []string
	for i := range companiesPerOrganization {
		companies, others = append(companies, "/companies/"+companyCVR(0, i)), append(others, "/companies/"+companyCVR(i, 0))
	}
	var rows []row
	add := func(name string, aim float64, paths []string, organization func(i int) int) {
		row := row{name: name, aim: aim}
		for i, path := range paths {
			ours, byHand := b.call(service, organization(i), path), call{url: baseline.site + "/pgx/" + b.organizations[organization(i)] + path}
			answer, other := fetch(ours), fetch(byHand)
			if !reflect.DeepEqual(decode(answer), decode(other)) {
				must(0, fmt.Errorf("the answers to %s differ, ours first:\n%.2000s\n%.2000s", path, answer.Body(), other.Body()))
			}
			row.ours, row.baseline = append(row.ours, ours), append(row.baseline, byHand)
		}
		rows = append(rows, row)
	}
	first, each := func(int) int { return 0 }, func(i int) int { return i }
	add("one company", 0.5, companies, first)
	add("50 companies", 0.9, b.after(fiftyCompanies, 0, 40), first)
	add("50 transactions, at the start", 0.9, b.after(fiftyTransactions, 0, 40), first)
	add("50 transactions, deep", 0.9, b.after(fiftyTransactions, b.records/2*9/10, 40), first)
	add("1,000 transactions, of all companies, deep", 0.8, b.after(allTransactions, b.records/4, 40), first)
	add("one company, another organization each time", 0.5, others, each)
	fmt.Println("reads, each from the database, in requests a second:")
	b.compare("by hand on pgx", rows)
}

// measureRepeated measures answers that the service may send from memory, and 304 to
// callers that already have the answer, beside bare handlers that send as many bytes.
func (b *bench) measureRepeated() {
	b.ensureRecords()
	service, baseline := b.serve(unlimited...), b.serveBaseline()
	defer service.stop()
	defer baseline.stop()
	notModified := call{url: baseline.site + "/not-modified", status: fasthttp.StatusNotModified}
	var rows []row
	add := func(name, path string) {
		full := b.call(service, 0, path)
		answer := fetch(full) // from now on the service remembers it
		unchanged := full
		unchanged.etag, unchanged.status = string(answer.Header.Peek("ETag")), fasthttp.StatusNotModified
		same := call{url: fmt.Sprintf("%s/bytes/%d", baseline.site, len(answer.Body()))}
		rows = append(rows, row{name, 0.5, []call{full}, []call{same}}, row{name + ", unchanged", 0.55, []call{unchanged}, []call{notModified}})
	}
	add("one company", oneCompany)
	add("50 companies", fiftyCompanies)
	add("50 transactions, at the start", fiftyTransactions)
	fmt.Println("repeated answers, with the service's default memory for them, in requests a second:")
	b.compare("bare Fiber, same bytes", rows)
}

// measureDepth compares pages deep in the largest company's list with its first pages.
func (b *bench) measureDepth() {
	b.ensureRecords()
	service := b.serve(uncached...)
	defer service.stop()
	pages := func(offset int) (calls []call) {
		for _, path := range b.after(fiftyTransactions, offset, 200) {
			calls = append(calls, b.call(service, 0, path))
		}
		return calls
	}
	const aim = 1 / 1.1 // the time for a page may be 1.1 times as long
	fmt.Printf("pages of 50 transactions of a company with %d, in requests a second:\n", b.records/2)
	b.compare("at the start", []row{{"in the middle", aim, pages(b.records / 4), pages(0)}, {"at the end", aim, pages(b.records/2 - 300), pages(0)}})
}

// measureBulk compares a bulk read of all transactions of an organization with psql's \copy
// of the same values.
func (b *bench) measureBulk() {
	b.ensureRecords()
	service := b.serve(unlimited...)
	defer service.stop()
	result, rows := rates{name: "bulk read", aim: 0.5}, 0.0
	copying := fmt.Sprintf(`\copy (SELECT t.id, delivery_file_id, record_index, cvr, reg_number, account_number, transfer_type, disposition_date, count, amount_dkk, raw_line,
		f.created_at, f.created_at, filename, processed_at FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = delivery_file_id
		WHERE t.organization_id = '%s' ORDER BY t.id) TO '%s'`, b.organizations[0], filepath.Join(b.directory, "bulk"))
	for range b.rounds {
		start := time.Now()
		b.psql("dispo", strings.ReplaceAll(copying, "\n\t\t", " "))
		copied := time.Since(start).Seconds()
		start, rows = time.Now(), readBulk(b.call(service, 0, "/transactions"))
		result.ours, result.baseline = append(result.ours, rows/time.Since(start).Seconds()), append(result.baseline, rows/copied)
	}
	fmt.Printf("transactions a second, of %.0f in NDJSON; peak memory of the service %d MB:\n", rows, peakMemory(service.stop()))
	printRates(`psql \copy`, result)
}

// readBulk reads all of an organization's transactions, and returns how many they are.
func readBulk(c call) float64 {
	request := must(http.NewRequest(http.MethodGet, c.url, nil))
	request.Header = http.Header{"X-Api-Key": {c.key}, "Accept": {"application/x-ndjson"}, "Accept-Encoding": {"identity"}}
	answer, err := http.DefaultClient.Do(request)
	must(0, err)
	defer answer.Body.Close()
	rows := -1 // the last line is about the others
	lines := bufio.NewScanner(answer.Body)
	for lines.Scan() {
		rows++
	}
	must(0, lines.Err())
	if count := answer.Header.Get("X-Total-Count"); count != strconv.Itoa(rows) {
		must(0, fmt.Errorf("%d lines for %s transactions: %s", rows, count, answer.Status))
	}
	return float64(rows)
}

// call returns a call to the service by an organization.
func (b *bench) call(service *process, organization int, path string) call {
	return call{url: service.url(path), key: b.keys[organization]}
}

// after returns the paths of pages of the first organization that follow each other's first
// items: those after as many ids, from the one at offset.
func (b *bench) after(list string, offset, count int) (paths []string) {
	rows := "transactions WHERE cvr = '" + largest + "' AND"
	if list == fiftyCompanies {
		rows = "companies WHERE"
	}
	for _, id := range strings.Fields(b.psql("dispo", fmt.Sprintf(`SELECT id FROM %s organization_id = '%s' ORDER BY id OFFSET %d LIMIT %d`,
		rows, b.organizations[0], offset, count))) {
		paths = append(paths, list+"&after="+id)
	}
	return paths
}

// decode decodes a JSON body, keeping numbers as they are written.
func decode(answer *fasthttp.Response) (value any) {
	decoder := json.NewDecoder(bytes.NewReader(answer.Body()))
	decoder.UseNumber()
	must(0, decoder.Decode(&value))
	return value
}

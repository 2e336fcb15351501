package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
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

// compare measures rows, and prints each with its requests a second, the baseline's, and
// the median of the rounds' ratios.
func (b *bench) compare(baseline string, rows []row) {
	table := newTable("ours", baseline, "ratio", "aim")
	for _, row := range rows {
		ours, other := b.race(row.ours, row.baseline)
		ratios := make([]float64, len(ours))
		for i := range ratios {
			ratios[i] = ours[i] / other[i]
		}
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%.2f\t>= %.2f\t\n", row.name, median(ours), median(other), median(ratios), row.aim)
	}
	must(0, table.Flush())
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
	for _, spec := range []struct {
		name   string
		aim    float64
		paths  []string
		others bool // the i-th path is requested for the i-th organization, else all for the first
	}{
		{"one company", 0.5, companies, false},
		{"50 companies", 0.9, after(fiftyCompanies, b.companyIDs(40)), false},
		{"50 transactions, at the start", 0.9, after(fiftyTransactions, b.transactionIDs(0, 40)), false},
		{"50 transactions, deep", 0.9, after(fiftyTransactions, b.transactionIDs(b.records/2*9/10, 40)), false},
		{"1,000 transactions, of all companies, deep", 0.8, after(allTransactions, b.transactionIDs(b.records/4, 40)), false},
		{"one company, another organization each time", 0.5, others, true},
	} {
		row := row{name: spec.name, aim: spec.aim}
		for i, path := range spec.paths {
			if !spec.others {
				i = 0
			}
			ours, byHand := b.call(service, i, path), call{url: baseline.site() + "/pgx/" + b.organizations[i] + path}
			answer, other := fetch(ours), fetch(byHand)
			if !reflect.DeepEqual(decode(answer), decode(other)) {
				must(0, fmt.Errorf("the answers to %s differ, ours first:\n%.2000s\n%.2000s", path, answer.Body(), other.Body()))
			}
			ours.size = len(answer.Body())
			row.ours, row.baseline = append(row.ours, ours), append(row.baseline, byHand)
		}
		rows = append(rows, row)
	}
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
	notModified := call{url: baseline.site() + "/not-modified", status: fasthttp.StatusNotModified}
	var rows []row
	for _, spec := range []struct{ name, path string }{
		{"one company", oneCompany}, {"50 companies", fiftyCompanies}, {"50 transactions, at the start", fiftyTransactions},
	} {
		full := b.call(service, 0, spec.path)
		answer := fetch(full) // from now on the service remembers it
		unchanged := full
		unchanged.etag, unchanged.status = string(answer.Header.Peek("ETag")), fasthttp.StatusNotModified
		full.size = len(answer.Body())
		rows = append(rows, row{spec.name, 0.5, []call{full}, []call{bareBytes(baseline, full.size)}},
			row{spec.name + ", unchanged", 0.55, []call{unchanged}, []call{notModified}})
	}
	fmt.Println("repeated answers, with the service's default memory for them, in requests a second:")
	b.compare("bare Fiber, same bytes", rows)
}

// measureDepth compares pages deep in the largest company's list with its first pages.
func (b *bench) measureDepth() {
	b.ensureRecords()
	service := b.serve(uncached...)
	defer service.stop()
	pages := func(offset int) (calls []call) {
		for _, path := range after(fiftyTransactions, b.transactionIDs(offset, 200)) {
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
	var ours, copied, ratios []float64
	var rows int
	copying := fmt.Sprintf(`\copy (SELECT t.id, delivery_file_id, record_index, cvr, reg_number, account_number, transfer_type, disposition_date, count, amount_dkk, raw_line,
		f.created_at, f.created_at, filename, processed_at FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = delivery_file_id
		WHERE t.organization_id = '%s' ORDER BY t.id) TO '%s'`, b.organizations[0], filepath.Join(b.directory, "bulk"))
	for range b.rounds {
		start := time.Now()
		b.psql("dispo", strings.ReplaceAll(copying, "\n\t\t", " "))
		copied = append(copied, time.Since(start).Seconds())
		start, rows = time.Now(), service.readBulk(b.keys[0])
		ours = append(ours, time.Since(start).Seconds())
		ratios = append(ratios, copied[len(copied)-1]/ours[len(ours)-1])
	}
	fmt.Printf("transactions a second, of %d in NDJSON; peak memory of the service %s:\n", rows, service.peakMemory())
	table := newTable("ours", `psql \copy`, "ratio", "aim")
	fmt.Fprintf(table, "bulk read\t%.0f\t%.0f\t%.2f\t>= 0.50\t\n", float64(rows)/median(ours), float64(rows)/median(copied), median(ratios))
	must(0, table.Flush())
}

// readBulk reads all of an organization's transactions, and returns how many they are.
func (p *process) readBulk(key string) (rows int) {
	request := must(http.NewRequest(http.MethodGet, p.url("/transactions"), nil))
	request.Header.Set("X-API-Key", key)
	request.Header.Set("Accept", "application/x-ndjson")
	answer, err := (&http.Client{Transport: &http.Transport{DisableCompression: true}}).Do(request)
	must(0, err)
	defer answer.Body.Close()
	chunk := make([]byte, 1<<18)
	for {
		n, err := answer.Body.Read(chunk)
		rows += bytes.Count(chunk[:n], []byte("\n"))
		if err == io.EOF {
			break
		}
		must(0, err)
	}
	if count := answer.Header.Get("X-Total-Count"); count != strconv.Itoa(rows-1) {
		must(0, fmt.Errorf("%d lines for %s transactions: %s", rows, count, answer.Status))
	}
	return rows - 1
}

// peakMemory returns the most memory that a process has used.
func (p *process) peakMemory() string {
	for line := range strings.Lines(string(must(os.ReadFile(fmt.Sprintf("/proc/%d/status", p.command.Process.Pid))))) {
		if peak, found := strings.CutPrefix(line, "VmHWM:"); found {
			return strings.TrimSpace(peak)
		}
	}
	return "unknown"
}

// call returns a call to the service by an organization.
func (b *bench) call(service *process, organization int, path string) call {
	return call{url: service.url(path), key: b.keys[organization]}
}

// bareBytes returns a call that the baseline answers with size constant bytes.
func bareBytes(baseline *process, size int) call {
	return call{url: fmt.Sprintf("%s/bytes/%d", baseline.site(), size), size: size}
}

// after returns the paths of the pages after these ids.
func after(list string, ids []string) (paths []string) {
	for _, id := range ids {
		paths = append(paths, list+"&after="+id)
	}
	return paths
}

// companyIDs returns the ids of the first organization's first companies.
func (b *bench) companyIDs(count int) []string {
	return strings.Fields(b.psql("dispo", fmt.Sprintf(`SELECT id FROM companies WHERE organization_id = '%s' ORDER BY id LIMIT %d`, b.organizations[0], count)))
}

// transactionIDs returns the ids of transactions of the largest company, in order.
func (b *bench) transactionIDs(offset, count int) []string {
	return strings.Fields(b.psql("dispo", fmt.Sprintf(`SELECT id FROM transactions WHERE organization_id = '%s' AND cvr = '%s' ORDER BY id OFFSET %d LIMIT %d`,
		b.organizations[0], largest, offset, count)))
}

// decode decodes a JSON body, keeping numbers as they are written.
func decode(answer *fasthttp.Response) (value any) {
	decoder := json.NewDecoder(bytes.NewReader(answer.Body()))
	decoder.UseNumber()
	must(0, decoder.Decode(&value))
	return value
}

package main

import (
	"bufio"
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
	ofLargest         = "transactions WHERE cvr = '" + largest + "'"
)

// measureReads measures reads that query the database, beside handlers written by hand on
// pgx. The clients request different pages, because the service shares equal reads.
func (b *bench) measureReads() {
	service, baseline := b.serve(uncached...), b.serveBaseline()
	defer func() { fmt.Printf("peak memory of the service %d MB\n", peakMemory(service.stop())) }()
	defer baseline.stop()
	var companies, others []string
	for i := range companiesPerOrganization {
		companies, others = append(companies, "/companies/"+companyCVR(0, i)), append(others, "/companies/"+companyCVR(i, 0))
	}
	// The i-th path is requested by organization i * step.
	read := func(name string, aim float64, step int, paths []string) row {
		var ours, byHand []call
		for i, path := range paths {
			organization := i * step
			ours = append(ours, service.call(b.keys[organization], path))
			byHand = append(byHand, call{url: baseline.site + "/pgx/" + b.organizations[organization] + path})
			var answer, other any
			must(0, json.Unmarshal(fetch(ours[i]).Body(), &answer))
			must(0, json.Unmarshal(fetch(byHand[i]).Body(), &other))
			if !reflect.DeepEqual(answer, other) {
				must(0, fmt.Errorf("the answers to %s differ, ours first:\n%v\n%v", path, answer, other))
			}
		}
		return row{name, aim, b.rate(ours...), b.rate(byHand...)}
	}
	fmt.Println("reads, each from the database, in requests a second:")
	compare(b.rounds, "by hand on pgx", read("one company", 0.6, 0, companies),
		read("50 companies", 0.9, 0, b.after(fiftyCompanies, "companies WHERE true", 0, 40)),
		read("50 transactions, at the start", 0.75, 0, b.after(fiftyTransactions, ofLargest, 0, 40)),
		read("50 transactions, deep", 0.75, 0, b.after(fiftyTransactions, ofLargest, b.records/2*9/10, 40)),
		read("1,000 transactions, of all companies, deep", 0.8, 0,
			b.after("/transactions?limit=1000", ofLargest, b.records/4, 40)),
		read("one company, another organization each time", 0.55, 1, others))
}

// measureRepeated measures answers that the service may send from memory, and 304 to
// callers that already have the answer, beside bare handlers that send as many bytes.
func (b *bench) measureRepeated() {
	service, baseline := b.serve(unlimited...), b.serveBaseline()
	defer service.stop()
	defer baseline.stop()
	var rows []row
	add := func(name, path string) {
		full := service.call(b.keys[0], path)
		answer := fetch(full) // from now on the service remembers it
		same := call{url: fmt.Sprintf("%s/bytes/%d", baseline.site, len(answer.Body()))}
		unchanged := call{url: full.url, status: fasthttp.StatusNotModified,
			headers: map[string]string{"X-API-Key": b.keys[0], "If-None-Match": string(answer.Header.Peek("ETag"))}}
		notModified := call{url: baseline.site + "/not-modified", status: fasthttp.StatusNotModified}
		rows = append(rows, row{name, 0.5, b.rate(full), b.rate(same)},
			row{name + ", unchanged", 0.55, b.rate(unchanged), b.rate(notModified)})
	}
	add("one company", oneCompany)
	add("50 companies", fiftyCompanies)
	add("50 transactions, at the start", fiftyTransactions)
	fmt.Println("repeated answers, with the service's default memory for them, in requests a second:")
	compare(b.rounds, "bare Fiber, same bytes", rows...)
}

// measureDepth compares pages deep in the largest company's list, which may take 1.1 times
// as long, with its first pages.
func (b *bench) measureDepth() {
	service := b.serve(uncached...)
	defer service.stop()
	pages := func(offset int) func() float64 {
		var calls []call
		for _, path := range b.after(fiftyTransactions, ofLargest, offset, 200) {
			calls = append(calls, service.call(b.keys[0], path))
		}
		return b.rate(calls...)
	}
	fmt.Printf("pages of 50 transactions of a company with %d, in requests a second:\n", b.records/2)
	compare(b.rounds, "at the start", row{"in the middle", 1 / 1.1, pages(b.records / 4), pages(0)},
		row{"at the end", 1 / 1.1, pages(b.records/2 - 300), pages(0)})
}

// measureBulk compares a bulk read of all transactions of an organization with psql's \copy
// of the same values.
func (b *bench) measureBulk() {
	service := b.serve(unlimited...)
	defer service.stop()
	rows := 0
	read := func() float64 {
		request := must(http.NewRequest(http.MethodGet, service.site+"/api/v1/transactions", nil))
		request.Header = http.Header{
			"X-Api-Key":       {b.keys[0]},
			"Accept":          {"application/x-ndjson"},
			"Accept-Encoding": {"identity"},
		}
		start := time.Now()
		answer, err := http.DefaultClient.Do(request)
		must(0, err)
		defer answer.Body.Close()
		lines := bufio.NewScanner(answer.Body)
		for rows = -1; lines.Scan(); { // the last line is about the others
			rows++
		}
		must(0, lines.Err())
		if count := answer.Header.Get("X-Total-Count"); count != strconv.Itoa(rows) {
			must(0, fmt.Errorf("%d lines for %s transactions: %s", rows, count, answer.Status))
		}
		return float64(rows) / time.Since(start).Seconds()
	}
	copying := fmt.Sprintf(
		`\copy (SELECT t.id, delivery_file_id, record_index, cvr, reg_number, account_number, transfer_type, disposition_date, count, amount_dkk, raw_line,
		f.created_at, f.created_at, filename, processed_at FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = delivery_file_id
		WHERE t.organization_id = '%s' ORDER BY t.id) TO '%s'`,
		b.organizations[0],
		filepath.Join(b.directory, "bulk"),
	)
	fmt.Println("transactions a second, in NDJSON:")
	compare(b.rounds, `psql \copy`, row{"bulk read", 0.5, read, func() float64 {
		start := time.Now()
		b.psql("postgres", copying)
		return float64(rows) / time.Since(start).Seconds()
	}})
	fmt.Printf("%d transactions; peak memory of the service %d MB\n", rows, peakMemory(service.stop()))
}

// after returns the paths of pages of the first organization's list that follow each
// other's first items: those after as many of its rows, from the one at offset.
func (b *bench) after(list, rows string, offset, count int) []string {
	return strings.Fields(b.psql("postgres",
		fmt.Sprintf(`SELECT '%s&after=' || id FROM %s AND organization_id = '%s' ORDER BY id OFFSET %d LIMIT %d`,
			list, rows, b.organizations[0], offset, count)))
}

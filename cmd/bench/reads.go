package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/valyala/fasthttp"
)

const fiftyCompanies = "/companies?limit=50"

var (
	oneCompany        = "/companies/" + largest
	fiftyTransactions = oneCompany + "/transactions?limit=50"
)

// row is a row of a table of rates.
type row struct {
	name           string
	aim            float64 // lowest ratio to the baseline
	ours, baseline []call  // which the clients cycle through
}

// compare measures rows, and prints each with its requests a second, the baseline's, and
// their ratio.
func (b *bench) compare(baseline string, rows []row) {
	table := newTable("ours", baseline, "ratio", "aim")
	for _, row := range rows {
		ours, other := b.race(row.ours, row.baseline)
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%.2f\t>= %.2f\t\n", row.name, median(ours), median(other), medianRatio(ours, other), row.aim)
	}
	must(0, table.Flush())
}

// measureReads measures reads that query the database every time, beside handlers written
// by hand on pgx.
func (b *bench) measureReads() {
	b.ensureRecords()
	service, baseline := b.serve(uncached...), b.serveBaseline()
	defer service.stop()
	defer baseline.stop()
	var another []string
	for i := range organizationCount {
		another = append(another, "/companies/"+companyCVR(i, 0))
	}
	var rows []row
	for _, spec := range []struct {
		name  string
		aim   float64
		paths []string // the i-th is requested for the i-th organization
	}{
		{"one company", 0.5, []string{oneCompany}},
		{"50 companies", 0.9, []string{fiftyCompanies}},
		{"50 transactions, at the start", 0.9, []string{fiftyTransactions}},
		{"50 transactions, deep", 0.9, []string{fiftyTransactions + "&after=" + b.transactionIDs(b.records/2*9/10, 1)[0]}},
		{"one company, another organization each time", 0.5, another},
	} {
		row := row{name: spec.name, aim: spec.aim}
		for i, path := range spec.paths {
			ours, byHand, answer := b.pair(service, baseline, i, path)
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
	notModified := call{url: "http://" + baseline.address + "/not-modified", status: fasthttp.StatusNotModified}
	var rows []row
	for _, spec := range []struct{ name, path string }{
		{"one company", oneCompany}, {"50 companies", fiftyCompanies}, {"50 transactions, at the start", fiftyTransactions},
	} {
		b.pair(service, baseline, 0, spec.path) // from now on the service remembers the answer
		full, _, answer := b.pair(service, baseline, 0, spec.path)
		unchanged := full
		full.size = len(answer.Body())
		unchanged.etag, unchanged.status = string(answer.Header.Peek("ETag")), fasthttp.StatusNotModified
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
		for _, id := range b.transactionIDs(offset, 200) {
			calls = append(calls, call{url: service.url(fiftyTransactions + "&after=" + id), key: b.keys[0]})
		}
		return calls
	}
	const aim = 1 / 1.1 // the time for a page may be 1.1 times as long
	fmt.Printf("pages of 50 transactions of a company with %d, in requests a second:\n", b.records/2)
	b.compare("at the start", []row{{"in the middle", aim, pages(b.records / 4), pages(0)}, {"at the end", aim, pages(b.records/2 - 300), pages(0)}})
}

// call returns a call to the service by an organization.
func (b *bench) call(service *process, organization int, path string) call {
	return call{url: service.url(path), key: b.keys[organization]}
}

// bareBytes returns a call that the baseline answers with size constant bytes.
func bareBytes(baseline *process, size int) call {
	return call{url: fmt.Sprintf("http://%s/bytes/%d", baseline.address, size), size: size}
}

// transactionIDs returns the ids of transactions of the largest company, in order.
func (b *bench) transactionIDs(offset, count int) []string {
	return strings.Fields(b.psql("dispo", fmt.Sprintf(`SELECT id FROM transactions WHERE organization_id = '%s' AND cvr = '%s' ORDER BY id OFFSET %d LIMIT %d`,
		b.organizations[0], largest, offset, count)))
}

// pair returns the same call to the service and to the handlers written by hand, and the
// service's answer. It fails unless both bodies decode to the same JSON value.
func (b *bench) pair(service, baseline *process, organization int, path string) (ours, byHand call, answer *fasthttp.Response) {
	ours = b.call(service, organization, path)
	byHand = call{url: "http://" + baseline.address + "/pgx/" + b.organizations[organization] + path}
	answer, other := must(fetch(ours)), must(fetch(byHand))
	if !reflect.DeepEqual(decode(answer), decode(other)) {
		must(0, fmt.Errorf("the answers to %s differ, ours first:\n%.2000s\n%.2000s", path, answer.Body(), other.Body()))
	}
	return ours, byHand, answer
}

// decode decodes a JSON body, keeping numbers as they are written.
func decode(answer *fasthttp.Response) (value any) {
	decoder := json.NewDecoder(bytes.NewReader(answer.Body()))
	decoder.UseNumber()
	must(0, decoder.Decode(&value))
	return value
}

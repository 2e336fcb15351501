package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
)

// readRow is one row of the table: calls to the service and to both baselines.
type readRow struct {
	name                       string
	aim                        float64 // lowest ratio to the handler written by hand
	service, byHand, bareBytes []call
}

// measureReads measures reads that query the database every time.
func (b *bench) measureReads(ctx context.Context) error {
	if err := b.ensureRecords(ctx); err != nil {
		return err
	}
	service, baseline, err := b.serveBoth(ctx, uncached...)
	if err != nil {
		return err
	}
	defer service.stop()
	defer baseline.stop()
	rows, err := b.readRows(ctx, service, baseline)
	if err != nil {
		return err
	}
	fmt.Println("reads, each from the database:")
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\trequests/s\t(a) by hand on pgx\tratio to (a)\taim\t(b) bare bytes\tratio to (b)\t")
	for _, row := range rows {
		rates, err := b.race(ctx, row.service, row.byHand, row.bareBytes)
		if err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
		service, byHand, bareBytes := rates[0], rates[1], rates[2]
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%.2f\t>= %.2f\t%.0f\t%.2f\t\n", row.name, median(service), median(byHand),
			medianRatio(service, byHand), row.aim, median(bareBytes), medianRatio(service, bareBytes))
	}
	return table.Flush()
}

func (b *bench) readRows(ctx context.Context, service, baseline *process) ([]readRow, error) {
	deep, err := b.deepTransaction(ctx)
	if err != nil {
		return nil, err
	}
	company := "/companies/" + companyCVR(0, 0)
	var perOrganization []string
	for i := range organizationCount {
		perOrganization = append(perOrganization, "/companies/"+companyCVR(i, 0))
	}
	var rows []readRow
	for _, spec := range []struct {
		name  string
		aim   float64
		paths []string // the i-th is requested for the i-th organization
	}{
		{"one company", 0.75, []string{company}},
		{"50 companies", 1, []string{"/companies?limit=50"}},
		{"50 transactions, at the start", 1, []string{company + "/transactions?limit=50"}},
		{"50 transactions, deep", 1, []string{company + "/transactions?limit=50&after=" + deep}},
		{"one company, another organization each time", 0.6, perOrganization},
	} {
		row := readRow{name: spec.name, aim: spec.aim}
		for i, path := range spec.paths {
			own, byHand := b.call(service, i, path), b.byHandCall(baseline, i, path)
			answer, err := fetchEqual(own, byHand)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", spec.name, err)
			}
			own.size = len(answer.Body())
			row.service, row.byHand = append(row.service, own), append(row.byHand, byHand)
			row.bareBytes = append(row.bareBytes, bareBytesCall(baseline, own.size))
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// call returns a call to the service by a base organization.
func (b *bench) call(service *process, organization int, path string) call {
	return call{url: service.url(path), key: b.keys[organization]}
}

// byHandCall returns the same call to the handlers written by hand.
func (b *bench) byHandCall(baseline *process, organization int, path string) call {
	return call{url: "http://" + baseline.address + "/pgx/" + b.organizations[organization].String() + path}
}

// bareBytesCall returns a call that the baseline answers with size constant bytes.
func bareBytesCall(baseline *process, size int) call {
	return call{url: fmt.Sprintf("http://%s/bytes/%d", baseline.address, size), size: size}
}

// deepTransaction returns the id of the transaction at nine tenths of the largest
// company's list.
func (b *bench) deepTransaction(ctx context.Context) (id string, err error) {
	conn, err := b.connect(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, `SELECT id::text FROM transactions WHERE organization_id = $1 AND cvr = $2 ORDER BY id OFFSET $3 LIMIT 1`,
		b.organizations[0], companyCVR(0, 0), b.records/largestShare*9/10).Scan(&id)
	return id, err
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"text/tabwriter"
)

// row is one line of the table: the service against both baselines.
type row struct {
	name                  string
	service, byHand, bare []call
}

// measureReads asks for what is read from the database every time.
func (w *world) measureReads(ctx context.Context) error {
	if err := w.ensureRecords(ctx); err != nil {
		return err
	}
	service, baseline, err := w.serveBoth(ctx, forgetful...)
	if err != nil {
		return err
	}
	defer service.stop()
	defer baseline.stop()
	rows, err := w.readRows(ctx, service, baseline)
	if err != nil {
		return err
	}
	fmt.Println("reads, each from the database:")
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\trequests/s\t(a) by hand on pgx\tratio to (a)\taim\t(b) bare bytes\tratio to (b)\t")
	for _, row := range rows {
		rates, err := w.race(ctx, row.service, row.byHand, row.bare)
		if err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
		own, byHand, bare := rates[0], rates[1], rates[2]
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%.2f\t>= 1.0\t%.0f\t%.2f\t\n", row.name, median(own), median(byHand),
			medianRatio(own, byHand), median(bare), medianRatio(own, bare))
	}
	return table.Flush()
}

func (w *world) readRows(ctx context.Context, service, baseline *process) ([]row, error) {
	deep, err := w.deepTransaction(ctx)
	if err != nil {
		return nil, err
	}
	cvr := cvrOf(0, 0)
	var rows []row
	for _, r := range []struct{ name, path string }{
		{"one company", "/companies/" + cvr},
		{"50 companies", "/companies?limit=50"},
		{"50 transactions, at the start", "/companies/" + cvr + "/transactions?limit=50"},
		{"50 transactions, deep", "/companies/" + cvr + "/transactions?limit=50&after=" + deep},
	} {
		row, err := w.readRow(r.name, service, baseline, []string{r.path}, 0)
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	var paths []string
	for i := range organizationCount {
		paths = append(paths, "/companies/"+cvrOf(i, 0))
	}
	row, err := w.readRow("one company, another organization each time", service, baseline, paths, 1)
	return append(rows, row), err
}

// readRow makes a row of calls to these paths, the n-th of them by the
// organization n*step, and sees that the service and the handlers by hand agree.
func (w *world) readRow(name string, service, baseline *process, paths []string, step int) (row, error) {
	row := row{name: name}
	for n, path := range paths {
		own := call{url: service.url(path), key: w.keys[n*step]}
		byHand := call{url: "http://" + baseline.address + "/pgx/" + w.organizations[n*step].String() + path}
		size, err := compare(own, byHand)
		if err != nil {
			return row, fmt.Errorf("%s: %w", name, err)
		}
		own.size = size
		row.service, row.byHand = append(row.service, own), append(row.byHand, byHand)
		row.bare = append(row.bare, bareBytes(baseline, size))
	}
	return row, nil
}

// bareBytes is the call that is answered by so many bytes, and nothing is done
// for them.
func bareBytes(baseline *process, size int) call {
	return call{url: fmt.Sprintf("http://%s/bytes/%d", baseline.address, size), size: size}
}

// deepTransaction gives the id that nine tenths of the first company's
// transactions lie before.
func (w *world) deepTransaction(ctx context.Context) (id string, err error) {
	conn, err := w.connect(ctx)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, `SELECT id::text FROM transactions WHERE organization_id = $1 AND cvr = $2 ORDER BY id OFFSET $3 LIMIT 1`,
		w.organizations[0], cvrOf(0, 0), w.records/bigShare*9/10).Scan(&id)
	return id, err
}

// compare sees that the service and the handler by hand answer the same, and
// gives how many bytes the service's answer has.
func compare(own, byHand call) (int, error) {
	ours, err := fetch(own)
	if err != nil {
		return 0, err
	}
	theirs, err := fetch(byHand)
	if err != nil {
		return 0, err
	}
	first, err := compact(ours.Body())
	if err != nil {
		return 0, err
	}
	second, err := compact(theirs.Body())
	if err != nil {
		return 0, err
	}
	// The handler by hand makes no links but these, and repeats no cursor.
	if first > 2*second || second > 2*first {
		return 0, fmt.Errorf("the service answers %d bytes, the baseline %d", first, second)
	}
	return len(ours.Body()), nil
}

// compact gives the length of a JSON text without what may differ in spelling.
func compact(text []byte) (int, error) {
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return 0, err
	}
	again, err := json.Marshal(value)
	return len(again), err
}

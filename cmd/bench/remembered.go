package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
)

// rememberedRow is one row of the table: a call to the service and one to bare
// Fiber.
type rememberedRow struct {
	name          string
	aim           float64 // lowest ratio to bare Fiber
	service, bare call
}

// measureRemembered measures answers that the service may send from memory, and
// 304 to callers that already have the answer.
func (b *bench) measureRemembered(ctx context.Context) error {
	if err := b.ensureRecords(ctx); err != nil {
		return err
	}
	service, baseline, err := b.serveBoth(ctx, unlimited...)
	if err != nil {
		return err
	}
	defer service.stop()
	defer baseline.stop()
	rows, err := b.rememberedRows(service, baseline)
	if err != nil {
		return err
	}
	fmt.Println("repeated answers, with the service's default memory for them:")
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\trequests/s\tbare Fiber, same bytes\tratio\taim\t")
	for _, row := range rows {
		rates, err := b.race(ctx, []call{row.service}, []call{row.bare})
		if err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
		service, bare := rates[0], rates[1]
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%.2f\t>= %.2f\t\n", row.name, median(service), median(bare), medianRatio(service, bare), row.aim)
	}
	return table.Flush()
}

func (b *bench) rememberedRows(service, baseline *process) ([]rememberedRow, error) {
	company := "/companies/" + companyCVR(0, 0)
	var rows []rememberedRow
	for _, spec := range []struct{ name, path string }{
		{"one company", company},
		{"50 companies", "/companies?limit=50"},
		{"50 transactions, at the start", company + "/transactions?limit=50"},
	} {
		full := b.call(service, 0, spec.path)
		if _, err := fetch(full); err != nil { // from now on the service remembers the answer
			return nil, fmt.Errorf("%s: %w", spec.name, err)
		}
		answer, err := fetchEqual(full, b.byHandCall(baseline, 0, spec.path))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", spec.name, err)
		}
		full.size = len(answer.Body())
		etag := string(answer.Header.Peek("ETag"))
		if etag == "" {
			return nil, fmt.Errorf("%s: the answer has no ETag", spec.name)
		}
		unchanged := call{url: full.url, key: full.key, etag: etag, status: 304}
		rows = append(rows,
			rememberedRow{spec.name, 0.5, full, bareBytesCall(baseline, full.size)},
			rememberedRow{spec.name + ", unchanged", 0.6, unchanged, call{url: "http://" + baseline.address + "/not-modified", status: 304}})
	}
	return rows, nil
}

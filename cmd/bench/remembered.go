package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"
)

// measureRemembered asks for what the service may remember: answers that repeat,
// and those that the caller has already.
func (w *world) measureRemembered(ctx context.Context) error {
	if err := w.ensureRecords(ctx); err != nil {
		return err
	}
	service, baseline, err := w.serveBoth(ctx, unlimited...)
	if err != nil {
		return err
	}
	defer service.stop()
	defer baseline.stop()
	fmt.Println("answers that repeat, of a service with its default memory for them:")
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\trequests/s\tbare Fiber, same bytes\tratio\taim\t")
	line := func(name string, own, bare call) error {
		rates, err := w.race(ctx, []call{own}, []call{bare})
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%.2f\t>= 0.6\t\n", name, median(rates[0]), median(rates[1]), medianRatio(rates[0], rates[1]))
		return nil
	}
	for _, r := range []struct{ name, path string }{
		{"one company", "/companies/" + cvrOf(0, 0)},
		{"50 companies", "/companies?limit=50"},
		{"50 transactions, at the start", "/companies/" + cvrOf(0, 0) + "/transactions?limit=50"},
	} {
		own := call{url: service.url(r.path), key: w.keys[0]}
		answer, err := fetch(own)
		if err != nil {
			return err
		}
		own.size = len(answer.Body())
		if err := line(r.name, own, bareBytes(baseline, own.size)); err != nil {
			return err
		}
		own.etag, own.status, own.size = string(answer.Header.Peek("ETag")), 304, 0
		if own.etag == "" {
			fmt.Fprintf(table, "%s, unchanged\tno ETag\t\t\t>= 0.6\t\n", r.name)
			continue
		}
		if err := line(r.name+", unchanged", own, call{url: "http://" + baseline.address + "/nothing", status: 304}); err != nil {
			return err
		}
	}
	return table.Flush()
}

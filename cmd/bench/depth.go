package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"text/tabwriter"
	"time"

	"github.com/valyala/fasthttp"
)

// position is a place in a company's list of transactions.
type position struct {
	name      string
	cvr       string
	cursors   []string // each request uses a random one as after
	times     []time.Duration
	allocated float64 // bytes that the service allocates per request
}

// measureDepth compares pages at several positions in the big company's
// transactions with pages of a company that has few.
func (b *bench) measureDepth(ctx context.Context) error {
	if err := b.ensureBig(ctx); err != nil {
		return err
	}
	const near, full = 200, 50
	positions := []*position{{name: "small", cvr: smallCVR}, {name: "start", cvr: bigCVR}, {name: "middle", cvr: bigCVR}, {name: "end", cvr: bigCVR}}
	for i, span := range []struct{ offset, limit int }{
		{0, smallRecords - full}, {0, near}, {b.bigRecords/2 - near/2, near}, {b.bigRecords - full - near, near},
	} {
		var err error
		if positions[i].cursors, err = b.transactionIDs(ctx, positions[i].cvr, span.offset, span.limit); err != nil {
			return err
		}
	}
	metrics, err := freeAddress()
	if err != nil {
		return err
	}
	service, err := b.serve(ctx, append([]string{"DISPO_METRICS_LISTEN=" + metrics}, uncached...)...)
	if err != nil {
		return err
	}
	defer service.stop()
	client := &pageClient{service: service, key: b.big.key, http: newClient("http://"+service.address, 1), answer: fasthttp.AcquireResponse()}
	defer client.http.CloseIdleConnections()
	if err := client.fetchInTurn(ctx, positions, b.length); err != nil {
		return err
	}
	for _, position := range positions {
		position.times = nil // the first pass warms the caches
	}
	if err := client.fetchInTurn(ctx, positions, time.Duration(b.rounds)*b.length); err != nil {
		return err
	}
	for _, position := range positions {
		if err := client.measureAllocations(position, metrics); err != nil {
			return err
		}
	}
	peak, err := service.memory("VmHWM")
	if err != nil {
		return err
	}
	fmt.Printf("pages of 50 transactions of a company with %d, compared with one with %d, one client:\n", b.bigRecords, smallRecords)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\tp50\tratio to small\taim\tallocated per request\tratio to small\t")
	small := positions[0]
	for _, position := range positions {
		fmt.Fprintf(table, "%s\t%s\t%.2f\t<= 1.1\t%.0f B\t%.2f\t\n", position.name, ms(median(position.times)),
			ratio(median(position.times), median(small.times)), position.allocated, position.allocated/small.allocated)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Printf("  peak memory of the service: %d MB\n", peak)
	return nil
}

// pageClient requests one page after the other.
type pageClient struct {
	service *process
	key     string
	http    *fasthttp.HostClient
	request fasthttp.Request
	answer  *fasthttp.Response
}

// fetchInTurn requests pages at every position in turn, so that a slow moment of
// the machine affects all of them.
func (c *pageClient) fetchInTurn(ctx context.Context, positions []*position, length time.Duration) error {
	for end := time.Now().Add(length); time.Now().Before(end) && ctx.Err() == nil; {
		for _, position := range positions {
			elapsed, err := c.fetch(position)
			if err != nil {
				return err
			}
			position.times = append(position.times, elapsed)
		}
	}
	return ctx.Err()
}

// fetch requests one page and returns the time it took.
func (c *pageClient) fetch(position *position) (time.Duration, error) {
	page := call{
		url: c.service.url("/companies/" + position.cvr + "/transactions?limit=50&after=" + position.cursors[rand.IntN(len(position.cursors))]),
		key: c.key,
	}
	c.request.Reset()
	page.fill(&c.request)
	start := time.Now()
	if err := c.http.DoTimeout(&c.request, c.answer, requestTimeout); err != nil {
		return 0, err
	}
	return time.Since(start), page.check(c.answer)
}

// measureAllocations measures how much the service allocates per page.
func (c *pageClient) measureAllocations(position *position, metrics string) error {
	const requests, name = 1000, "go_memstats_alloc_bytes_total"
	before, err := metric(metrics, name)
	if err != nil {
		return err
	}
	for range requests {
		if _, err := c.fetch(position); err != nil {
			return err
		}
	}
	after, err := metric(metrics, name)
	position.allocated = (after - before) / requests
	return err
}

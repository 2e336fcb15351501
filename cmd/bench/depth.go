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

// place is where in a company's transactions pages are asked for.
type place struct {
	name  string
	cvr   string
	after []string // ids to ask after, one of them each time
	times []time.Duration
	bytes float64 // that the service allocates a request
}

// measureDepth asks for pages anywhere in the big company's transactions, and for
// pages of a company with few.
func (w *world) measureDepth(ctx context.Context) error {
	if err := w.ensureBig(ctx); err != nil {
		return err
	}
	const near, full = 200, 50
	places := []*place{{name: "small", cvr: smallCVR}, {name: "start", cvr: bigCVR}, {name: "middle", cvr: bigCVR}, {name: "end", cvr: bigCVR}}
	for i, span := range []struct{ offset, limit int }{
		{0, smallRecords - full}, {0, near}, {w.bigRecords/2 - near/2, near}, {w.bigRecords - full - near, near},
	} {
		var err error
		if places[i].after, err = w.transactionIDs(ctx, places[i].cvr, span.offset, span.limit); err != nil {
			return err
		}
	}
	metrics, err := freeAddress()
	if err != nil {
		return err
	}
	service, err := w.serve(ctx, append([]string{"DISPO_METRICS_LISTEN=" + metrics}, forgetful...)...)
	if err != nil {
		return err
	}
	defer service.stop()
	asker := &pageAsker{service: service, key: w.big.key, client: clientOf("http://"+service.address, 1), answer: fasthttp.AcquireResponse()}
	defer asker.client.CloseIdleConnections()
	if err := asker.inTurn(ctx, places, w.length); err != nil {
		return err
	}
	for _, place := range places {
		place.times = nil // so far the caches were warmed
	}
	if err := asker.inTurn(ctx, places, time.Duration(w.rounds)*w.length); err != nil {
		return err
	}
	for _, place := range places {
		if err := asker.allocated(place, metrics); err != nil {
			return err
		}
	}
	most, err := service.memory("VmHWM")
	if err != nil {
		return err
	}
	fmt.Printf("pages of 50 of a company with %d transactions, against one with %d, one client:\n", w.bigRecords, smallRecords)
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "\tp50\tratio to small\taim\tallocated a request\tratio to small\t")
	small := places[0]
	for _, place := range places {
		fmt.Fprintf(table, "%s\t%s\t%.2f\t<= 1.1\t%.0f B\t%.2f\t\n", place.name, ms(median(place.times)),
			ratio(median(place.times), median(small.times)), place.bytes, place.bytes/small.bytes)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Printf("  the service held %d MB at most\n", most)
	return nil
}

// pageAsker is one client that asks for one page after the other.
type pageAsker struct {
	service *process
	key     string
	client  *fasthttp.HostClient
	request fasthttp.Request
	answer  *fasthttp.Response
}

// inTurn asks at every place in turn, so that what disturbs one disturbs all.
func (a *pageAsker) inTurn(ctx context.Context, places []*place, length time.Duration) error {
	for end := time.Now().Add(length); time.Now().Before(end) && ctx.Err() == nil; {
		for _, place := range places {
			took, err := a.ask(place)
			if err != nil {
				return err
			}
			place.times = append(place.times, took)
		}
	}
	return ctx.Err()
}

func (a *pageAsker) ask(place *place) (time.Duration, error) {
	page := call{
		url: a.service.url("/companies/" + place.cvr + "/transactions?limit=50&after=" + place.after[rand.IntN(len(place.after))]),
		key: a.key,
	}
	a.request.Reset()
	page.fill(&a.request)
	start := time.Now()
	if err := a.client.DoTimeout(&a.request, a.answer, answerTimeout); err != nil {
		return 0, err
	}
	return time.Since(start), page.check(a.answer)
}

// allocated measures what the service allocates for a page there.
func (a *pageAsker) allocated(place *place, metrics string) error {
	const requests, name = 1000, "go_memstats_alloc_bytes_total"
	before, err := metric(metrics, name)
	if err != nil {
		return err
	}
	for range requests {
		if _, err := a.ask(place); err != nil {
			return err
		}
	}
	after, err := metric(metrics, name)
	place.bytes = (after - before) / requests
	return err
}

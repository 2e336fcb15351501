package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/sync/errgroup"
)

const requestTimeout = 30 * time.Second

// call is a request and what its answer must be.
type call struct {
	url    string
	key    string // API key; empty for a baseline
	etag   string // sent as If-None-Match unless empty
	status int    // expected status; 0 means 200
	size   int    // expected bytes of body; 0 means any
}

func (c call) fill(request *fasthttp.Request) {
	request.Reset()
	request.SetRequestURI(c.url)
	if c.key != "" {
		request.Header.Set("X-API-Key", c.key)
	}
	if c.etag != "" {
		request.Header.Set("If-None-Match", c.etag)
	}
}

func (c call) check(answer *fasthttp.Response) error {
	status := c.status
	if status == 0 {
		status = fasthttp.StatusOK
	}
	if answer.StatusCode() != status || c.size > 0 && len(answer.Body()) != c.size {
		return fmt.Errorf("%s: status %d, %d bytes: %.200s", c.url, answer.StatusCode(), len(answer.Body()), answer.Body())
	}
	return nil
}

// fetch makes the call once and checks the answer.
func fetch(c call) (*fasthttp.Response, error) {
	request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	c.fill(request)
	if err := fasthttp.DoTimeout(request, answer, requestTimeout); err != nil {
		return nil, err
	}
	return answer, c.check(answer)
}

// load sends requests from many clients.
type load struct {
	address string
	clients int                                          // connections
	rate    float64                                      // requests a second of all clients together; 0 is as many as are answered
	count   int                                          // of requests; 0 is any number
	prepare func(n int, request *fasthttp.Request)       // n counts from 0
	check   func(n int, answer *fasthttp.Response) error // may be nil; an error ends the load
}

// run sends requests until ctx is done. With a rate, a request's time begins when it is
// due, so that a slow answer also counts against the requests that it delays.
func (l load) run(ctx context.Context) (tally, error) {
	client := &fasthttp.HostClient{Addr: l.address, MaxConns: l.clients, MaxIdleConnDuration: time.Minute}
	defer client.CloseIdleConnections()
	group, ctx := errgroup.WithContext(ctx)
	tallies := make([]tally, l.clients)
	started := time.Now()
	for i := range tallies {
		group.Go(func() error { return l.send(ctx, client, started, i, &tallies[i]) })
	}
	err := group.Wait()
	total := tally{statuses: map[int]int{}, elapsed: time.Since(started)}
	for _, t := range tallies {
		total.times = append(total.times, t.times...)
		for status, count := range t.statuses {
			total.statuses[status] += count
		}
	}
	return total, err
}

// send sends the requests of one client.
func (l load) send(ctx context.Context, client *fasthttp.HostClient, started time.Time, n int, t *tally) error {
	t.statuses = map[int]int{}
	request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	for ; ctx.Err() == nil && (l.count == 0 || n < l.count); n += l.clients {
		at := time.Now()
		if l.rate > 0 {
			due := started.Add(time.Duration(float64(n) / l.rate * float64(time.Second)))
			if wait := due.Sub(at); wait > 0 {
				time.Sleep(wait)
				due = time.Now() // a sleep may end late
			}
			at = due
		}
		l.prepare(n, request)
		if err := client.DoTimeout(request, answer, requestTimeout); err != nil {
			t.statuses[0]++
			continue
		}
		t.times = append(t.times, time.Since(at))
		t.statuses[answer.StatusCode()]++
		if l.check != nil {
			if err := l.check(n, answer); err != nil {
				return err
			}
		}
	}
	return nil
}

// runFor runs for some time.
func (l load) runFor(ctx context.Context, length time.Duration) (tally, error) {
	limited, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	return l.run(limited)
}

// beside measures while a load is under way, and returns the answers to the load.
func (b *bench) beside(l load, measure func()) (answers tally) {
	ctx, stop := context.WithCancel(b.ctx)
	defer stop()
	var running errgroup.Group
	running.Go(func() (err error) {
		answers, err = l.run(ctx)
		return err
	})
	time.Sleep(time.Second) // until the load is at its full height
	measure()
	stop()
	must(0, running.Wait())
	return answers
}

// race measures calls to the service and to a baseline in turn, round by round, so that a
// slow moment of the machine affects both. It returns the requests a second of each round.
func (b *bench) race(ours, baseline []call) (rates, baselineRates []float64) {
	measure := func(calls []call) float64 {
		total := must(load{
			address: host(calls[0].url), clients: b.clients,
			prepare: func(n int, request *fasthttp.Request) { calls[n%len(calls)].fill(request) },
			check:   func(n int, answer *fasthttp.Response) error { return calls[n%len(calls)].check(answer) },
		}.runFor(b.ctx, b.length))
		return float64(len(total.times)) / total.elapsed.Seconds()
	}
	for range b.rounds {
		rates, baselineRates = append(rates, measure(ours)), append(baselineRates, measure(baseline))
	}
	return rates, baselineRates
}

// host returns the address in a URL.
func host(url string) string {
	address, _, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	return address
}

// tally counts the answers to requests. Requests without an answer have the status 0.
type tally struct {
	times    []time.Duration
	statuses map[int]int
	elapsed  time.Duration
}

// failed returns how many requests were not answered with 200.
func (t tally) failed() (count int) {
	for status, n := range t.statuses {
		if status != fasthttp.StatusOK {
			count += n
		}
	}
	return count
}

// String lists the statuses with their counts.
func (t tally) String() string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(t.statuses)) {
		parts = append(parts, fmt.Sprintf("%d × %d", t.statuses[status], status))
	}
	return strings.Join(parts, ", ")
}

// percentile returns the value below which the given part of all values lies, 0 without
// values.
func percentile[T float64 | time.Duration](values []T, part float64) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)]
}

// median returns the middle value, or the higher of the two in the middle.
func median[T float64 | time.Duration](values []T) T { return percentile(values, 0.5) }

// medianRatio returns the median of the rounds' ratios a/b.
func medianRatio(a, b []float64) float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = a[i] / b[i]
	}
	return median(ratios)
}

// ms formats a duration in milliseconds.
func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond)) }

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

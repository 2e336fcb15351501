package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/sync/errgroup"
)

const requestTimeout = 30 * time.Second

// call is a request, and what its answer must be.
type call struct {
	url     string
	key     string // API key
	etag    string // sent as If-None-Match
	from    string // sent as X-Forwarded-For
	cookies string
	form    string // fields of a form; empty for a GET
	status  int    // expected status; 0 means 200
	size    int    // expected bytes of body; 0 means any
}

func (c call) fill(request *fasthttp.Request) {
	request.Reset()
	request.SetRequestURI(c.url)
	for _, header := range [...][2]string{{"X-API-Key", c.key}, {"If-None-Match", c.etag}, {"X-Forwarded-For", c.from}, {"Cookie", c.cookies}} {
		if header[1] != "" {
			request.Header.Set(header[0], header[1])
		}
	}
	if c.form != "" {
		request.Header.SetMethod(fasthttp.MethodPost)
		request.Header.SetContentType("application/x-www-form-urlencoded")
		request.SetBodyString(c.form)
	}
}

func (c call) check(answer *fasthttp.Response) error {
	if answer.StatusCode() != max(c.status, fasthttp.StatusOK) || c.size > 0 && len(answer.Body()) != c.size {
		return fmt.Errorf("%s: status %d, %d bytes: %.200s", c.url, answer.StatusCode(), len(answer.Body()), answer.Body())
	}
	return nil
}

// fetch makes the call once and checks the answer.
func fetch(c call) *fasthttp.Response {
	var request fasthttp.Request
	answer := &fasthttp.Response{}
	c.fill(&request)
	must(0, fasthttp.DoTimeout(&request, answer, requestTimeout))
	must(0, c.check(answer))
	return answer
}

// load sends calls from many clients.
type load struct {
	clients int              // connections
	rate    float64          // calls a second of all clients together; 0 is as many as are answered
	pause   time.Duration    // of a client after each answer
	count   int              // of calls; 0 is any number
	strict  bool             // an answer that is not as expected ends the load with an error
	call    func(n int) call // n counts from 0
}

// run sends calls for some time, or until ctx is done if that is 0. With a rate, a call's
// time begins when it is due, so that slow answers also count against the calls that they
// delay.
func (l load) run(ctx context.Context, length time.Duration) (total tally, err error) {
	if length > 0 {
		limited, cancel := context.WithTimeout(ctx, length)
		defer cancel()
		ctx = limited
	}
	client := &fasthttp.Client{MaxConnsPerHost: l.clients, MaxIdleConnDuration: time.Minute}
	defer client.CloseIdleConnections()
	total.statuses = map[int]int{}
	var mu sync.Mutex
	var next atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	started := time.Now()
	send := func() error {
		var request fasthttp.Request
		var answer fasthttp.Response
		for ctx.Err() == nil {
			n := int(next.Add(1)) - 1
			if l.count > 0 && n >= l.count {
				break
			}
			at := time.Now()
			if l.rate > 0 {
				due := started.Add(time.Duration(float64(n) / l.rate * float64(time.Second)))
				if due.After(at) {
					time.Sleep(due.Sub(at))
					due = time.Now() // a sleep may end late
				}
				at = due
			}
			call := l.call(n)
			call.fill(&request)
			err := client.DoTimeout(&request, &answer, requestTimeout)
			took := time.Since(at)
			mu.Lock()
			if err != nil {
				total.statuses[0]++
			} else {
				total.statuses[answer.StatusCode()]++
				total.times = append(total.times, took)
				err = call.check(&answer)
			}
			if err != nil {
				total.failed++
			}
			mu.Unlock()
			if err != nil && l.strict {
				return err
			}
			time.Sleep(l.pause)
		}
		return nil
	}
	for range l.clients {
		group.Go(send)
	}
	err = group.Wait()
	total.elapsed = time.Since(started)
	return total, err
}

// beside measures while a load is under way, and returns the answers to the load.
func (b *bench) beside(l load, measure func()) (answers tally) {
	ctx, stop := context.WithCancel(b.ctx)
	defer stop()
	var running errgroup.Group
	running.Go(func() (err error) {
		answers, err = l.run(ctx, 0)
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
		total := must(load{clients: 16, strict: true, call: func(n int) call { return calls[n%len(calls)] }}.run(b.ctx, b.length))
		return float64(len(total.times)) / total.elapsed.Seconds()
	}
	for range b.rounds {
		rates, baselineRates = append(rates, measure(ours)), append(baselineRates, measure(baseline))
	}
	return rates, baselineRates
}

// tally counts the answers to requests. Requests without an answer have the status 0.
type tally struct {
	times    []time.Duration
	statuses map[int]int
	failed   int // were not answered as expected
	elapsed  time.Duration
}

func (t tally) p50() time.Duration { return median(t.times) }
func (t tally) p99() time.Duration { return percentile(t.times, 0.99) }

// String lists the statuses with their counts.
func (t tally) String() string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(t.statuses)) {
		parts = append(parts, fmt.Sprintf("%d × %d", t.statuses[status], status))
	}
	return strings.Join(parts, ", ")
}

// percentile returns the value below which a part of all values lies, 0 without values.
func percentile[T float64 | time.Duration](values []T, part float64) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)]
}

// median returns the middle value, or the higher of the two in the middle.
func median[T float64 | time.Duration](values []T) T { return percentile(values, 0.5) }

// ms formats a duration in milliseconds.
func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond)) }

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

const requestTimeout = 30 * time.Second

// call is a request, and the status that its answer must have.
type call struct {
	url     string
	key     string // API key
	etag    string // sent as If-None-Match
	from    string // sent as X-Forwarded-For
	cookies string
	form    string // fields of a form; empty for a GET
	status  int    // 0 means 200
}

// send makes the call and checks the answer. Without one, the status is 0.
func (c call) send(client *fasthttp.Client, answer *fasthttp.Response) (status int, err error) {
	request := fasthttp.AcquireRequest()
	defer fasthttp.ReleaseRequest(request)
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
	if err := client.DoTimeout(request, answer, requestTimeout); err != nil {
		return 0, err
	}
	if status = answer.StatusCode(); status != cmp.Or(c.status, fasthttp.StatusOK) {
		err = fmt.Errorf("%s: status %d: %.200s", c.url, status, answer.Body())
	}
	return status, err
}

// fetch makes the call once.
func fetch(c call) *fasthttp.Response {
	answer := &fasthttp.Response{}
	_, err := c.send(&fasthttp.Client{}, answer)
	return must(answer, err)
}

// load sends calls from many clients.
type load struct {
	name    string           // for its row of a table, if it has one
	clients int              // connections
	rate    float64          // calls a second of all clients together; 0 is as many as are answered
	count   int              // of calls; 0 is any number
	call    func(n int) call // n counts from 0
}

// run sends calls until the time is over or ctx is done. With a rate, a call's time begins
// when it is due, so that slow answers also count against the calls that they delay.
func (l load) run(ctx context.Context, atMost time.Duration) tally {
	ctx, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	client := &fasthttp.Client{MaxConnsPerHost: l.clients, MaxIdleConnDuration: time.Minute}
	defer client.CloseIdleConnections()
	total := tally{name: l.name, statuses: map[int]int{}}
	var mu sync.Mutex
	var next atomic.Int64
	var clients sync.WaitGroup
	started := time.Now()
	for range l.clients {
		clients.Go(func() {
			var answer fasthttp.Response
			for ctx.Err() == nil {
				n := int(next.Add(1)) - 1
				if l.count > 0 && n >= l.count {
					return
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
				status, err := l.call(n).send(client, &answer)
				took := time.Since(at)
				mu.Lock()
				total.statuses[status]++
				if status > 0 {
					total.times = append(total.times, took)
				}
				if err != nil {
					total.failed, total.err = total.failed+1, cmp.Or(total.err, err)
				}
				mu.Unlock()
			}
		})
	}
	clients.Wait()
	total.elapsed = time.Since(started)
	return total
}

// beside measures while a load is under way, and returns the answers to the load.
func (b *bench) beside(l load, measure func()) (answers tally) {
	ctx, stop := context.WithCancel(b.ctx)
	defer stop()
	var running sync.WaitGroup
	running.Go(func() { answers = l.run(ctx, time.Hour) })
	time.Sleep(time.Second) // until the load is at its full height
	measure()
	stop()
	running.Wait()
	return answers
}

// rate returns how many of these calls a second are answered, each as it must be.
func (b *bench) rate(calls []call) float64 {
	total := load{clients: 16, call: func(n int) call { return calls[n%len(calls)] }}.run(b.ctx, b.length)
	must(0, total.err)
	return float64(len(total.times)) / total.elapsed.Seconds()
}

// tally counts the answers to requests. Requests without an answer have the status 0.
type tally struct {
	name     string // the load's
	times    []time.Duration
	statuses map[int]int
	failed   int   // were not answered as expected
	err      error // of the first of these
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

func median[T float64 | time.Duration](values []T) T { return percentile(values, 0.5) }

// ms formats a duration in milliseconds.
func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond)) }

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

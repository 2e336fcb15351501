package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

const requestTimeout = 30 * time.Second

// call is a request, and the status that its answer must have.
type call struct {
	url     string
	headers map[string]string
	form    string // fields of a form; empty for a GET
	status  int    // 0 means 200
}

// send makes the call and checks the answer. Without one, the status is 0.
func (c call) send(client *fasthttp.Client, answer *fasthttp.Response) (status int, err error) {
	request := fasthttp.AcquireRequest()
	defer fasthttp.ReleaseRequest(request)
	request.SetRequestURI(c.url)
	for name, value := range c.headers {
		request.Header.Set(name, value)
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
	call    func(n int) call // n counts from 0
}

// run sends calls until the time is over or ctx is done, at least one from each client.
// With a rate, a call's time begins when it is due, so that slow answers also count against
// the calls that they delay.
func (l load) run(ctx context.Context, atMost time.Duration) tally {
	ctx, cancel := context.WithTimeout(ctx, atMost)
	defer cancel()
	client := &fasthttp.Client{MaxConnsPerHost: l.clients, MaxIdleConnDuration: time.Minute}
	defer client.CloseIdleConnections()
	total := tally{statuses: map[int]int{}}
	var mu sync.Mutex
	var next atomic.Int64
	var clients sync.WaitGroup
	started := time.Now()
	for range l.clients {
		clients.Go(func() {
			var answer fasthttp.Response
			for more := true; more; more = ctx.Err() == nil {
				n, at := int(next.Add(1))-1, time.Now()
				if l.rate > 0 {
					at = started.Add(time.Duration(float64(n) / l.rate * float64(time.Second)))
					if wait := time.Until(at); wait > 0 {
						time.Sleep(wait)
						at = time.Now() // a sleep may end late
					}
				}
				status, err := l.call(n).send(client, &answer)
				took := time.Since(at).Seconds() * 1000
				mu.Lock()
				total.statuses[status]++
				total.times = append(total.times, took)
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

// tally counts the answers to requests. Requests without an answer have the status 0.
type tally struct {
	times    []float64 // in milliseconds
	statuses map[int]int
	failed   int   // were not answered as expected
	err      error // of the first of these
	elapsed  time.Duration
}

// row is a row of a table of rates. Its functions measure one round, in requests or records
// a second.
type row struct {
	name           string
	aim            float64 // lowest ratio to the baseline
	ours, baseline func() float64
}

// compare measures the service and a baseline in turn, round by round, so that a slow
// moment of the machine affects both. It prints the medians of the rates and of the
// rounds' ratios.
func compare(rounds int, baseline string, rows ...row) {
	table := newTable("ours", baseline, "ratio", "aim")
	defer table.Flush()
	for _, row := range rows {
		var ours, others, ratios []float64
		for i := range rounds {
			ours, others = append(ours, row.ours()), append(others, row.baseline())
			ratios = append(ratios, ours[i]/others[i])
		}
		fmt.Fprintf(table, "%s\t%.0f\t%.0f\t%.2f\t>= %.2f\t\n", row.name, median(ours), median(others), median(ratios),
			row.aim)
	}
}

// rate measures how many calls a second are answered, each as it must be. The clients
// cycle through the calls.
func (b *bench) rate(calls ...call) func() float64 {
	return func() float64 {
		total := load{clients: 16, call: func(n int) call { return calls[n%len(calls)] }}.run(b.ctx, b.length)
		must(0, total.err)
		return float64(len(total.times)) / total.elapsed.Seconds()
	}
}

// besides runs loads side by side: alone, then beside each of the attacks. It prints how
// long their answers took.
func (b *bench) besides(loads, attacks []load) {
	table := newTable("quiet p50", "p99", "during p50", "p99", "ratio of p50", "ratio of p99", "aim", "failed")
	defer table.Flush()
	measure := func() []tally {
		results := make([]tally, len(loads))
		var all sync.WaitGroup
		for i, load := range loads {
			all.Go(func() { results[i] = load.run(b.ctx, time.Duration(b.rounds)*b.length) })
		}
		all.Wait()
		return results
	}
	quiet := measure()
	for _, attack := range attacks {
		answers := make(chan tally)
		ctx, stop := context.WithCancel(b.ctx)
		go func() { answers <- attack.run(ctx, time.Hour) }()
		time.Sleep(time.Second) // until the attack is at its full height
		during := measure()
		stop()
		log.Printf("%s, answers by status %v", attack.name, (<-answers).statuses)
		fmt.Fprintf(table, "beside %s:\t\t\t\t\t\t\t\t\t\n", attack.name)
		for i, load := range loads {
			before, after := quiet[i].times, during[i].times
			p50, p99, p50During, p99During := median(before), percentile(before, 0.99), median(after), percentile(after, 0.99)
			fmt.Fprintf(table, "%s\t%.2f ms\t%.2f ms\t%.2f ms\t%.2f ms\t%.1f\t%.1f\t<= 2\t%d of %d\t\n",
				load.name, p50, p99, p50During, p99During, p50During/p50, p99During/p99, during[i].failed, len(after))
		}
	}
}

// percentile returns the value below which a part of all values lies.
func percentile(values []float64, part float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)]
}

func median(values []float64) float64 { return percentile(values, 0.5) }

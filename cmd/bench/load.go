package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
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
		status = 200
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

// closedLoop runs clients that cycle through the calls, each sending its next
// request as soon as the last one is answered. It returns the requests a second.
func closedLoop(ctx context.Context, calls []call, clients int, length time.Duration) (float64, error) {
	var count atomic.Int64
	var failure atomic.Pointer[error]
	var running sync.WaitGroup
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	client := newClient(calls[0].url, clients)
	defer client.CloseIdleConnections()
	start := time.Now()
	for i := range clients {
		running.Go(func() {
			requests := make([]*fasthttp.Request, len(calls))
			for j, call := range calls {
				requests[j] = fasthttp.AcquireRequest()
				call.fill(requests[j])
			}
			answer := fasthttp.AcquireResponse()
			for n := i * len(calls) / clients; ctx.Err() == nil; n++ {
				j := n % len(calls)
				err := client.DoTimeout(requests[j], answer, requestTimeout)
				if err == nil {
					err = calls[j].check(answer)
				}
				if err != nil {
					failure.Store(&err)
					cancel()
					return
				}
				count.Add(1)
			}
		})
	}
	running.Wait()
	if err := failure.Load(); err != nil {
		return 0, *err
	}
	return float64(count.Load()) / time.Since(start).Seconds(), nil
}

// newClient returns a client for the host of a URL.
func newClient(url string, connections int) *fasthttp.HostClient {
	request := fasthttp.AcquireRequest()
	request.SetRequestURI(url)
	return &fasthttp.HostClient{Addr: string(request.URI().Host()), MaxConns: connections, MaxIdleConnDuration: time.Minute}
}

// race measures the contenders in turn, round by round, so that a slow moment of
// the machine affects all of them. It returns the rates of each contender.
func (b *bench) race(ctx context.Context, contenders ...[]call) ([][]float64, error) {
	rates := make([][]float64, len(contenders))
	for range b.rounds {
		for i, calls := range contenders {
			rate, err := closedLoop(ctx, calls, b.clients, b.length)
			if err != nil {
				return nil, err
			}
			rates[i] = append(rates[i], rate)
		}
	}
	return rates, ctx.Err()
}

// median returns the middle value, or the higher of the two in the middle.
func median[T float64 | time.Duration](values []T) T { return percentile(values, 0.5) }

// percentile returns the value below which the given part of all values lies, 0
// without values.
func percentile[T float64 | time.Duration](values []T, part float64) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)]
}

// medianRatio returns the median of the rounds' ratios a/b.
func medianRatio(a, b []float64) float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = a[i] / b[i]
	}
	return median(ratios)
}

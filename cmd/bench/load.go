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

const answerTimeout = 30 * time.Second

// call is a request, and what its answer has to be.
type call struct {
	url    string
	key    string // none: of a baseline
	etag   string // none: unconditional
	status int    // 0: 200
	size   int    // bytes of the body; 0: any
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
	wanted := c.status
	if wanted == 0 {
		wanted = 200
	}
	if answer.StatusCode() != wanted || c.size > 0 && len(answer.Body()) != c.size {
		return fmt.Errorf("%s: status %d, %d bytes: %.200s", c.url, answer.StatusCode(), len(answer.Body()), answer.Body())
	}
	return nil
}

// fetch makes the call once.
func fetch(c call) (*fasthttp.Response, error) {
	request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	c.fill(request)
	if err := fasthttp.DoTimeout(request, answer, answerTimeout); err != nil {
		return nil, err
	}
	return answer, c.check(answer)
}

// ask is a closed loop: so many clients make the calls in turn, each as fast as
// it is answered. It gives requests a second.
func ask(ctx context.Context, calls []call, clients int, length time.Duration) (float64, error) {
	var count atomic.Int64
	var failure atomic.Pointer[error]
	var working sync.WaitGroup
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	client := clientOf(calls[0].url, clients)
	defer client.CloseIdleConnections()
	start := time.Now()
	for i := range clients {
		working.Go(func() {
			requests := make([]*fasthttp.Request, len(calls))
			for j, call := range calls {
				requests[j] = fasthttp.AcquireRequest()
				call.fill(requests[j])
			}
			answer := fasthttp.AcquireResponse()
			for n := i * len(calls) / clients; ctx.Err() == nil; n++ {
				at := n % len(calls)
				err := client.DoTimeout(requests[at], answer, answerTimeout)
				if err == nil {
					err = calls[at].check(answer)
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
	working.Wait()
	if err := failure.Load(); err != nil {
		return 0, *err
	}
	return float64(count.Load()) / time.Since(start).Seconds(), nil
}

func clientOf(url string, connections int) *fasthttp.HostClient {
	request := fasthttp.AcquireRequest()
	request.SetRequestURI(url)
	return &fasthttp.HostClient{Addr: string(request.URI().Host()), MaxConns: connections, MaxIdleConnDuration: time.Minute}
}

// race lets the contenders be asked in turn, round by round, so that a slow
// moment of the machine meets all of them. It gives each one's rates.
func (w *world) race(ctx context.Context, contenders ...[]call) ([][]float64, error) {
	rates := make([][]float64, len(contenders))
	for range w.rounds {
		for i, calls := range contenders {
			rate, err := ask(ctx, calls, w.clients, w.length)
			if err != nil {
				return nil, err
			}
			rates[i] = append(rates[i], rate)
		}
	}
	return rates, ctx.Err()
}

// median is the middle one of some figures, or the higher one of the two there.
func median[T float64 | time.Duration](values []T) T { return percentile(values, 0.5) }

// percentile gives the figure that a part of all lie below.
func percentile[T float64 | time.Duration](values []T, part float64) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(int(part*float64(len(sorted))), len(sorted)-1)]
}

// medianRatio is the median of the rounds' ratios.
func medianRatio(own, other []float64) float64 {
	ratios := make([]float64, len(own))
	for i := range own {
		ratios[i] = own[i] / other[i]
	}
	return median(ratios)
}

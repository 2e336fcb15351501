package main

import (
	"context"
	"dispo/models/keys"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

const (
	knownKeys = 20  // used before the new keys
	newKeys   = 300 // all used for the first time at once
)

// measureNewSecret starts the service with another secret, under which no stored
// fingerprint is valid, so that bcrypt has to verify every key. It measures how
// long that takes, and how much it slows requests with keys verified before.
func (b *bench) measureNewSecret(ctx context.Context) error {
	calls, err := b.createKeys(ctx, knownKeys+newKeys)
	if err != nil {
		return err
	}
	service, err := b.serve(ctx, append([]string{secretSetting("another secret of thirty-two bytes or more")}, unlimited...)...)
	if err != nil {
		return err
	}
	defer service.stop()
	for i := range calls {
		calls[i].url = service.url(calls[i].url)
	}
	known, unknown := calls[:knownKeys], calls[knownKeys:]
	for _, call := range known {
		if tally := fetchRetrying(ctx, call); tally.statuses[200] == 0 {
			return errors.Join(fmt.Errorf("the service did not accept a key: %v", tally), tally.err)
		}
	}
	loop := openLoop{address: service.address, rate: 100, workers: 64, prepare: func(n int, request *fasthttp.Request) { known[n%len(known)].fill(request) }}
	quiet, err := loop.runFor(ctx, b.openLoopLength()/2)
	if err != nil {
		return err
	}
	if err := quiet.requireStatus(200); err != nil {
		return err
	}
	first := newTally()
	var elapsed time.Duration
	meanwhile, err := loop.runDuring(ctx, func() error {
		start := time.Now()
		var mu sync.Mutex
		var sending sync.WaitGroup
		for _, call := range unknown {
			sending.Go(func() {
				tally := fetchRetrying(ctx, call)
				mu.Lock()
				defer mu.Unlock()
				first.add(tally)
			})
		}
		sending.Wait()
		elapsed = time.Since(start)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	fmt.Printf("first requests of %d keys at once, to a service with a new secret, verified with bcrypt:\n", newKeys)
	fmt.Printf("  %.2f s until the last 200; answers: %v (aim: no 401)\n", elapsed.Seconds(), first)
	fmt.Printf("  %d keys verified before, %.0f requests a second: p50 %s, p99 %s before; p50 %s, p99 %s meanwhile; answers: %v\n", knownKeys, loop.rate,
		ms(quiet.percentile(0.5)), ms(quiet.percentile(0.99)), ms(meanwhile.percentile(0.5)), ms(meanwhile.percentile(0.99)), meanwhile)
	return nil
}

// createKeys creates keys as the service does, with bcrypt at its full cost. It
// returns calls with a path instead of a URL.
func (b *bench) createKeys(ctx context.Context, count int) ([]call, error) {
	progress("creating %d keys", count)
	store, err := b.openStore(ctx)
	if err != nil {
		return nil, err
	}
	defer store.DB().Close()
	calls := make([]call, count)
	return calls, inParallel(ctx, count, 4, func(i int) error {
		organization := i % organizationCount
		_, key, err := keys.Create(ctx, store.Tenant(b.organizations[organization]), keys.NewKey{Name: "bench"})
		calls[i] = call{url: "/companies/" + companyCVR(organization, 0), key: key}
		return err
	})
}

// fetchRetrying repeats a call until its answer is not 503, and returns the tally of
// all answers.
func fetchRetrying(ctx context.Context, c call) tally {
	total := newTally()
	for {
		status, retryAfter, err := fetchRetryAfter(ctx, c)
		if err != nil {
			total.errors, total.err = 1, err
			return total
		}
		total.statuses[status]++
		if status != 503 {
			return total
		}
		select {
		case <-ctx.Done():
			return total
		case <-time.After(retryAfter):
		}
	}
}

// fetchRetryAfter makes a call once and returns the status and the answer's
// Retry-After, one second if it has none.
func fetchRetryAfter(ctx context.Context, c call) (status int, retryAfter time.Duration, err error) {
	if err := ctx.Err(); err != nil {
		return 0, 0, err
	}
	request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	c.fill(request)
	if err := fasthttp.DoTimeout(request, answer, requestTimeout); err != nil {
		return 0, 0, err
	}
	seconds, err := strconv.Atoi(string(answer.Header.Peek("Retry-After")))
	if err != nil {
		seconds = 1
	}
	return answer.StatusCode(), time.Duration(seconds) * time.Second, nil
}

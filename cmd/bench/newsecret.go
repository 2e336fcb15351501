package main

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/valyala/fasthttp"

	"dispo/models"
)

const (
	knownKeys = 20  // were used before the others come
	otherKeys = 300 // come at once
)

// measureNewSecret starts the service with another secret, under which no
// fingerprint is known, so that bcrypt decides on every key; and sees what keys
// that it knows already feel of that.
func (w *world) measureNewSecret(ctx context.Context) error {
	calls, err := w.realKeys(ctx, knownKeys+otherKeys)
	if err != nil {
		return err
	}
	service, err := w.serve(ctx, append([]string{secretSetting("another secret of thirty-two bytes or more")}, unlimited...)...)
	if err != nil {
		return err
	}
	defer service.stop()
	for i := range calls {
		calls[i].url = service.url(calls[i].url)
	}
	known, others := calls[:knownKeys], calls[knownKeys:]
	for _, call := range known {
		if tally := askUntilGood(ctx, call); tally.statuses[200] == 0 {
			return fmt.Errorf("a key is not accepted: %s: %w", tally.answers(), tally.err)
		}
	}
	loop := openLoop{address: service.address, rate: 100, workers: 64, prepare: func(n int, request *fasthttp.Request) { known[n%len(known)].fill(request) }}
	quiet, err := loop.runFor(ctx, w.phase()/2)
	if err != nil {
		return err
	}
	if err := quiet.all(200); err != nil {
		return err
	}
	first := tally{statuses: map[int]int{}}
	var took time.Duration
	meanwhile, err := loop.during(ctx, func() error {
		start := time.Now()
		var mu sync.Mutex
		var asking sync.WaitGroup
		for _, call := range others {
			asking.Go(func() {
				mine := askUntilGood(ctx, call)
				mu.Lock()
				defer mu.Unlock()
				first.add(mine)
			})
		}
		asking.Wait()
		took = time.Since(start)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	fmt.Printf("first requests of %d keys at once, to a service with a new secret, so that bcrypt decides:\n", otherKeys)
	fmt.Printf("  %.2f s until the last of them had its 200; %d of 401 (aim 0), %d of 503; all answers: %s\n", took.Seconds(), first.statuses[401], first.statuses[503], first.answers())
	fmt.Printf("  %d known keys, %.0f requests a second: p50 %s, p99 %s quiet; p50 %s, p99 %s meanwhile; answers: %s\n", knownKeys, loop.rate,
		ms(quiet.p(0.5)), ms(quiet.p(0.99)), ms(meanwhile.p(0.5)), ms(meanwhile.p(0.99)), meanwhile.answers())
	return nil
}

// realKeys makes keys as the service does, with bcrypt at its full cost, and
// gives calls with their paths.
func (w *world) realKeys(ctx context.Context, count int) ([]call, error) {
	say("making %d keys", count)
	store, err := w.store(ctx)
	if err != nil {
		return nil, err
	}
	defer store.Close()
	calls := make([]call, count)
	return calls, inParallel(ctx, count, 4, func(i int) error {
		organization := i % organizationCount
		_, key, err := store.Tenant(w.organizations[organization]).KeyCreate(ctx, models.NewAPIKey{Name: "bench"})
		calls[i] = call{url: "/companies/" + cvrOf(organization, 0), key: key}
		return err
	})
}

// askUntilGood repeats a call for as long as the service asks to come again
// later. It gives all that it was answered.
func askUntilGood(ctx context.Context, c call) tally {
	all := tally{statuses: map[int]int{}}
	for {
		status, again, err := askPatiently(ctx, c)
		if err != nil {
			all.errors, all.err = 1, err
			return all
		}
		all.statuses[status]++
		if status != 503 {
			return all
		}
		select {
		case <-ctx.Done():
			return all
		case <-time.After(again):
		}
	}
}

// askPatiently asks once, and gives how long to wait before the next time.
func askPatiently(ctx context.Context, c call) (status int, again time.Duration, err error) {
	if err := ctx.Err(); err != nil {
		return 0, 0, err
	}
	request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	c.fill(request)
	if err := fasthttp.DoTimeout(request, answer, answerTimeout); err != nil {
		return 0, 0, err
	}
	seconds, err := strconv.Atoi(string(answer.Header.Peek("Retry-After")))
	if err != nil {
		seconds = 1
	}
	return answer.StatusCode(), time.Duration(seconds) * time.Second, nil
}

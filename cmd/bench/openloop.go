package main

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

// openLoop sends requests at a steady rate, whether or not the answers keep up. It
// measures each request from the time it was due, so that a slow answer also counts
// against the requests that it delays.
type openLoop struct {
	address string
	rate    float64 // requests a second
	workers int     // connections
	warmUp  time.Duration
	drop    bool // drop requests that no worker is free for, instead of sending them late

	prepare  func(n int, request *fasthttp.Request) // n counts from 0
	answered func(n int, answer *fasthttp.Response) // may be nil
}

// run sends until ctx is done, and waits for the last answers.
func (l openLoop) run(ctx context.Context) tally {
	client := &fasthttp.HostClient{Addr: l.address, MaxConns: l.workers, MaxIdleConnDuration: time.Minute}
	defer client.CloseIdleConnections()
	due := make(chan int, l.workers)
	start := time.Now()
	countFrom := start.Add(l.warmUp)
	tallies := make([]tally, l.workers)
	var working sync.WaitGroup
	for i := range tallies {
		tallies[i] = newTally()
		working.Go(func() { l.work(client, start, countFrom, due, &tallies[i]) })
	}
	l.dispatch(ctx, start, due)
	working.Wait()
	total := newTally()
	total.elapsed = time.Since(countFrom)
	for _, t := range tallies {
		total.add(t)
	}
	return total
}

// work sends the requests that are due.
func (l openLoop) work(client *fasthttp.HostClient, start, countFrom time.Time, due <-chan int, t *tally) {
	request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
	for n := range due {
		request.Reset()
		l.prepare(n, request)
		err := client.DoTimeout(request, answer, requestTimeout)
		dueAt := l.dueAt(start, n)
		elapsed := time.Since(dueAt)
		if err == nil && l.answered != nil {
			l.answered(n, answer)
		}
		switch {
		case dueAt.Before(countFrom):
		case err != nil:
			t.errors++
			t.err = err
		default:
			t.times = append(t.times, elapsed)
			t.statuses[answer.StatusCode()]++
		}
	}
}

// runFor runs for some time after the warm-up.
func (l openLoop) runFor(ctx context.Context, length time.Duration) (tally, error) {
	limited, cancel := context.WithTimeout(ctx, l.warmUp+length)
	defer cancel()
	return l.run(limited), ctx.Err()
}

// runDuring runs while f does. f begins after the warm-up.
func (l openLoop) runDuring(ctx context.Context, f func() error) (tally, error) {
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		defer cancel()
		time.Sleep(l.warmUp)
		done <- f()
	}()
	total := l.run(working)
	return total, <-done
}

// dueAt returns when the n-th request is due.
func (l openLoop) dueAt(start time.Time, n int) time.Time {
	return start.Add(time.Duration(float64(n) / l.rate * float64(time.Second)))
}

// dispatch sends the numbers of the requests to due as they become due. It locks
// its thread and sleeps with sleepUntil, because Go's timers may fire a millisecond
// late, which is as long as some answers take.
func (l openLoop) dispatch(ctx context.Context, start time.Time, due chan<- int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(due)
	for n := 0; ctx.Err() == nil; n++ {
		sleepUntil(l.dueAt(start, n))
		if !l.drop {
			due <- n
			continue
		}
		select {
		case due <- n:
		default:
		}
	}
}

package main

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/valyala/fasthttp"
)

// openLoop sends requests at a steady rate, whether or not the answers keep up,
// and takes each one's time from when it was due to be sent: an answer that is
// late makes those behind it late, and that is counted.
type openLoop struct {
	address string
	rate    float64 // a second
	workers int     // connections
	warmUp  time.Duration
	drop    bool // what no worker is free for, instead of sending it late

	prepare  func(n int, request *fasthttp.Request) // the n-th, counted from 0
	answered func(n int, answer *fasthttp.Response) // may be nil
}

// tally is what became of an open loop's requests, the warm-up's left out.
type tally struct {
	times    []time.Duration
	statuses map[int]int
	errors   int // no answer at all
	err      error
	took     time.Duration
}

// run goes on until ctx is done, and waits for the last answers.
func (l openLoop) run(ctx context.Context) tally {
	client := &fasthttp.HostClient{Addr: l.address, MaxConns: l.workers, MaxIdleConnDuration: time.Minute}
	defer client.CloseIdleConnections()
	due := make(chan int, l.workers)
	start := time.Now()
	counted := start.Add(l.warmUp)
	tallies := make([]tally, l.workers)
	var working sync.WaitGroup
	for i := range tallies {
		working.Go(func() {
			mine := &tallies[i]
			mine.statuses = map[int]int{}
			request, answer := fasthttp.AcquireRequest(), fasthttp.AcquireResponse()
			for n := range due {
				request.Reset()
				l.prepare(n, request)
				err := client.DoTimeout(request, answer, answerTimeout)
				at := l.at(start, n)
				took := time.Since(at)
				if err == nil && l.answered != nil {
					l.answered(n, answer)
				}
				switch {
				case at.Before(counted):
				case err != nil:
					mine.errors++
					mine.err = err
				default:
					mine.times = append(mine.times, took)
					mine.statuses[answer.StatusCode()]++
				}
			}
		})
	}
	l.dispatch(ctx, start, due)
	working.Wait()
	all := tally{statuses: map[int]int{}, took: time.Since(counted)}
	for _, mine := range tallies {
		all.add(mine)
	}
	return all
}

// runFor goes on for some time after the warm-up.
func (l openLoop) runFor(ctx context.Context, length time.Duration) (tally, error) {
	limited, cancel := context.WithTimeout(ctx, l.warmUp+length)
	defer cancel()
	return l.run(limited), ctx.Err()
}

// during goes on while f does, which begins after the warm-up.
func (l openLoop) during(ctx context.Context, f func() error) (tally, error) {
	working, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() {
		defer cancel()
		time.Sleep(l.warmUp)
		done <- f()
	}()
	all := l.run(working)
	return all, <-done
}

// at is when the n-th request is due.
func (l openLoop) at(start time.Time, n int) time.Time {
	return start.Add(time.Duration(float64(n) / l.rate * float64(time.Second)))
}

// dispatch hands requests out as they become due. It has a thread to itself: Go's
// own timers may come a millisecond late, which is as long as some answers take.
func (l openLoop) dispatch(ctx context.Context, start time.Time, due chan<- int) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(due)
	for n := 0; ctx.Err() == nil; n++ {
		sleepUntil(l.at(start, n))
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

func (t *tally) add(other tally) {
	t.times = append(t.times, other.times...)
	for status, count := range other.statuses {
		t.statuses[status] += count
	}
	t.errors += other.errors
	if t.err == nil {
		t.err = other.err
	}
}

// rate is how many answers a second there were.
func (t tally) rate() float64 { return float64(len(t.times)) / t.took.Seconds() }

func (t tally) p(part float64) time.Duration { return percentile(t.times, part) }

// all is an error unless every answer had one of the statuses.
func (t tally) all(statuses ...int) error {
	if t.errors > 0 {
		return fmt.Errorf("%d requests got no answer: %w", t.errors, t.err)
	}
	for status, count := range t.statuses {
		if !slices.Contains(statuses, status) {
			return fmt.Errorf("%d answers had the status %d", count, status)
		}
	}
	return nil
}

// answers lists the statuses with their counts.
func (t tally) answers() string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(t.statuses)) {
		parts = append(parts, fmt.Sprintf("%d of %d", t.statuses[status], status))
	}
	return strings.Join(append(parts, fmt.Sprintf("%d without an answer", t.errors)), ", ")
}

// ms writes a time in milliseconds.
func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond)) }

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

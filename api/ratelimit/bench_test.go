package ratelimit

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"
)

// plainCounters is the baseline: one lock around a map of counts.
type plainCounters struct {
	sync.Mutex
	counts map[string]int64
}

func (p *plainCounters) take(key string) int64 {
	p.Lock()
	defer p.Unlock()
	p.counts[key]++
	return p.counts[key]
}

func benchmarkKeys() []string {
	keys := make([]string, 1000)
	for i := range keys {
		keys[i] = "0198c0de-0000-7000-8000-" + strconv.Itoa(100000000000+i)
	}
	return keys
}

// BenchmarkTake measures a request that is allowed and one that is refused, with
// both windows in memory. x-plain is the ratio to a locked map of counts.
func BenchmarkTake(b *testing.B) {
	for _, c := range []struct {
		name   string
		minute int64
	}{{"allowed", maxLimit}, {"refused", 1}} {
		b.Run(c.name, func(b *testing.B) {
			limits := openLimits(b, Config{Minute: c.minute, Hour: maxLimit, minuteLength: time.Hour})
			keys := benchmarkKeys()
			for _, key := range keys {
				limits.Take(context.Background(), key)
			}
			plain := &plainCounters{counts: map[string]int64{}}
			for i := range 10_000 {
				plain.take(keys[i%len(keys)])
			}
			start := time.Now()
			for i := range b.N {
				plain.take(keys[i%len(keys)])
			}
			baseline := time.Since(start)

			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				limits.Take(context.Background(), keys[i%len(keys)])
			}
			b.ReportMetric(float64(b.Elapsed())/float64(baseline), "x-plain")
		})
	}
}

// BenchmarkTakeParallel measures the same on all cores, for many keys and for one.
func BenchmarkTakeParallel(b *testing.B) {
	for _, c := range []struct {
		name string
		keys []string
	}{{"many keys", benchmarkKeys()}, {"one key", benchmarkKeys()[:1]}} {
		b.Run(c.name, func(b *testing.B) {
			limits := openLimits(b, Config{Minute: maxLimit, Hour: maxLimit})
			plain := &plainCounters{counts: map[string]int64{}}
			start := time.Now()
			inParallel(b, func(i int) { plain.take(c.keys[i%len(c.keys)]) })
			baseline := time.Since(start)

			b.ReportAllocs()
			b.ResetTimer()
			inParallel(b, func(i int) { limits.Take(context.Background(), c.keys[i%len(c.keys)]) })
			b.ReportMetric(float64(b.Elapsed())/float64(baseline), "x-plain")
		})
	}
}

func inParallel(b *testing.B, do func(i int)) {
	b.RunParallel(func(pb *testing.PB) {
		for i := 0; pb.Next(); i++ {
			do(i)
		}
	})
}

// BenchmarkTakeShared measures an allowed request with both windows in a Redis on
// the same machine: two round trips.
func BenchmarkTakeShared(b *testing.B) {
	limits := openLimits(b, Config{Minute: maxLimit, Hour: maxLimit, RedisURL: startRedis(b).url()})
	b.ReportAllocs()
	for b.Loop() {
		limits.Take(context.Background(), "organization")
	}
}

// BenchmarkHeaders measures the header values of one answer.
func BenchmarkHeaders(b *testing.B) {
	limits := openLimits(b, Config{})
	decision := limits.Take(context.Background(), "organization")
	b.ReportAllocs()
	for b.Loop() {
		decision.SetHeaders(func(string, string) {})
	}
}

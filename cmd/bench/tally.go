package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// tally counts the answers to an open loop's requests, without those of the warm-up.
type tally struct {
	times    []time.Duration
	statuses map[int]int
	errors   int   // requests without an answer
	err      error // one of their errors
	elapsed  time.Duration
}

func newTally() tally { return tally{statuses: map[int]int{}} }

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

// rate returns the answers a second.
func (t tally) rate() float64 { return float64(len(t.times)) / t.elapsed.Seconds() }

func (t tally) percentile(part float64) time.Duration { return percentile(t.times, part) }

// requireStatus returns an error unless every request got an answer with this
// status.
func (t tally) requireStatus(status int) error {
	if t.errors > 0 {
		return fmt.Errorf("%d requests got no answer: %w", t.errors, t.err)
	}
	for other, count := range t.statuses {
		if other != status {
			return fmt.Errorf("%d answers had the status %d", count, other)
		}
	}
	return nil
}

// String lists the statuses with their counts.
func (t tally) String() string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(t.statuses)) {
		parts = append(parts, fmt.Sprintf("%d × %d", t.statuses[status], status))
	}
	return strings.Join(append(parts, fmt.Sprintf("%d errors", t.errors)), ", ")
}

// ms formats a duration in milliseconds.
func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond)) }

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

package main

import (
	"context"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"time"

	"dispo/models"
)

// sampler is a slog.Handler that keeps the log short while one thing happens again and
// again. Of warnings and errors it logs the first of each kind in a minute, counts the
// others, and logs their number in "repeated" when the minute is over.
type sampler struct {
	slog.Handler
	*samples
}

const (
	sampleWindow = time.Minute
	sampleFirst  = 10   // of a kind: enough for the request ids of a rare failure
	sampleKinds  = 1000 // that are told apart; beyond them, records of one message are of one kind
)

type samples struct {
	mu     sync.Mutex
	counts map[string]int // by message, event, address and error
}

func newSampler(to slog.Handler) *sampler { return &sampler{to, &samples{counts: map[string]int{}}} }

func (s *sampler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return &sampler{s.Handler.WithAttrs(attributes), s.samples}
}

// withDigits matches ports, ids and addresses in the text of an error.
var withDigits = regexp.MustCompile(`[\pL\pN_-]*\pN[\pL\pN_-]*`)

func (s *sampler) Handle(ctx context.Context, record slog.Record) error {
	if record.Level < slog.LevelWarn {
		return s.Handler.Handle(ctx, record)
	}
	kind := record.Message + "\n"
	record.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case models.EventKey, models.EventAddressKey:
			kind += a.Value.String() + " "
		case "error":
			kind += withDigits.ReplaceAllString(a.Value.String(), "#")
		}
		return true
	})
	s.mu.Lock()
	if len(s.counts) == 0 {
		time.AfterFunc(sampleWindow, s.flush)
	}
	if _, known := s.counts[kind]; !known && len(s.counts) >= sampleKinds {
		kind = record.Message + "\nmany"
	}
	s.counts[kind]++
	repeats := s.counts[kind] > sampleFirst
	s.mu.Unlock()
	if repeats {
		return nil
	}
	return s.Handler.Handle(ctx, record)
}

// flush logs how many records were not logged, and begins a new minute.
func (s *sampler) flush() {
	s.mu.Lock()
	counts := s.counts
	s.counts = map[string]int{}
	s.mu.Unlock()
	for kind, count := range counts {
		if count > sampleFirst {
			message, of, _ := strings.Cut(kind, "\n")
			slog.New(s.Handler).Warn(message, "of", strings.TrimSpace(of), "repeated", count-sampleFirst)
		}
	}
}

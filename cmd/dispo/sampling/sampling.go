// Package sampling keeps a log short while one thing happens again and again.
package sampling

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// Window is how long repetitions are counted before they are logged.
const Window = time.Minute

// mostSubjects is how many subjects of a kind are logged apart within a window. The
// rest are logged as one, so that an attack from many addresses cannot fill the log.
const mostSubjects = 100

// Key says which records are repetitions of each other: those of the same kind and
// subject. Records of the kind "" are all logged.
type Key struct {
	Kind, Subject string
	First         int // how many are logged at once; 0 means one
}

// Handler is a slog.Handler that logs the first records of a key at once. It counts
// those that follow within Window, and then logs the first one again with their
// number in the attribute "repeated". The attribute "many" marks a line that stands
// for the subjects beyond those that are logged apart.
type Handler struct {
	next slog.Handler
	of   func(slog.Record) Key
	*counts
}

// counts is shared by the handlers that With makes.
type counts struct {
	mu       sync.Mutex
	seen     map[Key]*repetition
	subjects map[string]int // by kind
	timer    *time.Timer    // nil while nothing is counted
}

type repetition struct {
	first    slog.Record
	next     slog.Handler
	more     int // that may be logged at once
	repeated int
	many     bool // stands for several subjects
}

// New returns a handler that passes on to next what it logs. of returns the key of
// a record.
func New(next slog.Handler, of func(slog.Record) Key) *Handler {
	return &Handler{next: next, of: of, counts: &counts{seen: map[Key]*repetition{}, subjects: map[string]int{}}}
}

// Enabled implements slog.Handler.
func (h *Handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (h *Handler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return &Handler{h.next.WithAttrs(attributes), h.of, h.counts}
}

// WithGroup implements slog.Handler.
func (h *Handler) WithGroup(name string) slog.Handler {
	return &Handler{h.next.WithGroup(name), h.of, h.counts}
}

// Handle implements slog.Handler.
func (h *Handler) Handle(ctx context.Context, record slog.Record) error {
	if key := h.of(record); key.Kind != "" && h.repeats(key, record) {
		return nil
	}
	return h.next.Handle(ctx, record)
}

// repeats counts the record, and reports whether it is a repetition.
func (h *Handler) repeats(key Key, record slog.Record) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	more := key.First - 1
	key.First = 0
	known := h.seen[key]
	many := known == nil && h.subjects[key.Kind] >= mostSubjects
	if many {
		key.Subject = ""
		known = h.seen[key]
	}
	if known != nil && known.more > 0 {
		known.more--
		return false
	}
	if known != nil {
		known.repeated++
		return true
	}
	h.seen[Key{Kind: strings.Clone(key.Kind), Subject: strings.Clone(key.Subject)}] = &repetition{first: kept(record), next: h.next, more: more, many: many}
	h.subjects[strings.Clone(key.Kind)]++
	if h.timer == nil {
		h.timer = time.AfterFunc(Window, h.Flush)
	}
	return false
}

// kept copies a record whose texts may be in a buffer that is used again.
func kept(record slog.Record) slog.Record {
	whole := slog.NewRecord(record.Time, record.Level, strings.Clone(record.Message), record.PC)
	record.Attrs(func(a slog.Attr) bool {
		if a.Value.Kind() == slog.KindString {
			a = slog.String(a.Key, strings.Clone(a.Value.String()))
		}
		whole.AddAttrs(a)
		return true
	})
	return whole
}

// Flush logs the repetitions that were counted, for example at the end of the
// program. What was repeated goes on being counted.
func (c *counts) Flush() {
	c.mu.Lock()
	var repeated []*repetition
	for key, r := range c.seen {
		if r.repeated == 0 {
			delete(c.seen, key)
			c.subjects[key.Kind]--
			continue
		}
		repeated = append(repeated, &repetition{first: r.first, next: r.next, repeated: r.repeated, many: r.many})
		r.repeated = 0
	}
	if c.timer != nil {
		c.timer.Stop()
		c.timer = nil
	}
	if len(c.seen) > 0 {
		c.timer = time.AfterFunc(Window, c.Flush)
	}
	c.mu.Unlock()
	for _, r := range repeated {
		again := r.first.Clone()
		again.Time = time.Now()
		again.AddAttrs(slog.Int("repeated", r.repeated))
		if r.many {
			again.AddAttrs(slog.Bool("many", true))
		}
		_ = r.next.Handle(context.Background(), again)
	}
}

package sampling

import (
	"context"
	"hash/maphash"
	"log/slog"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	// Of each kind of error the log gets this many in a period, and then their number.
	// That is enough for the request ids of a rare failure, which people report.
	logged = 10
	period = 10 * time.Second

	// kindsMax bounds the memory. All kinds beyond it count as one.
	kindsMax = 1000
)

// Errors is a slog.Handler that keeps a flood of equal failures out of the log: while
// the database is away, every request fails for the same reason. It passes on the first errors of each kind in a period,
// and at its end a record with the number of those that it left out. It passes on all
// records below slog.LevelError. Errors are of one kind if their messages are equal, and
// their attributes "error" are equal but for numbers and ids in them.
type Errors struct {
	next slog.Handler
	*sampler
}

// NewErrors returns a handler that passes records on to next. The caller must call Flush at
// the end.
func NewErrors(next slog.Handler) *Errors {
	return &Errors{next, &sampler{seed: maphash.MakeSeed(), period: period}}
}

// sampler is what all handlers of one log share.
type sampler struct {
	seed   maphash.Seed
	period time.Duration

	mu    sync.Mutex
	since time.Time // when the period started
	kinds map[uint64]*kind
}

// kind is what happened of one kind of error in the period.
type kind struct {
	count  int
	first  slog.Record
	logger slog.Handler // of first
}

// Enabled implements slog.Handler.
func (h *Errors) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (h *Errors) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &Errors{h.next.WithAttrs(attrs), h.sampler}
}

// WithGroup implements slog.Handler.
func (h *Errors) WithGroup(name string) slog.Handler {
	return &Errors{h.next.WithGroup(name), h.sampler}
}

// Handle implements slog.Handler.
func (h *Errors) Handle(ctx context.Context, record slog.Record) error {
	if record.Level >= slog.LevelError && !h.admit(record, h.next) {
		return nil
	}
	return h.next.Handle(ctx, record)
}

// admit counts an error, and reports whether it goes to the log.
func (s *sampler) admit(record slog.Record, logger slog.Handler) bool {
	key := s.kindOf(record)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kinds == nil {
		s.kinds, s.since = map[uint64]*kind{}, time.Now()
		time.AfterFunc(s.period, s.Flush)
	}
	if s.kinds[key] == nil && len(s.kinds) >= kindsMax {
		key = 0
	}
	k := s.kinds[key]
	if k == nil {
		k = &kind{first: record.Clone(), logger: logger}
		s.kinds[key] = k
	}
	k.count++
	return k.count <= logged
}

// Flush ends the period: it logs what was left out.
func (s *sampler) Flush() {
	s.mu.Lock()
	kinds, since := s.kinds, s.since
	s.kinds = nil
	s.mu.Unlock()
	for _, k := range kinds {
		if k.count <= logged {
			continue
		}
		record := slog.NewRecord(time.Now(), k.first.Level, "more errors of one kind were left out of the log", 0)
		record.AddAttrs(slog.Int("count", k.count-logged), slog.Time("since", since), slog.String("message", k.first.Message))
		k.first.Attrs(func(attr slog.Attr) bool {
			if attr.Key == "error" {
				record.AddAttrs(attr)
			}
			return true
		})
		_ = k.logger.Handle(context.Background(), record)
	}
}

// kindOf returns the kind of an error.
func (s *sampler) kindOf(record slog.Record) uint64 {
	var hash maphash.Hash
	hash.SetSeed(s.seed)
	_, _ = hash.WriteString(record.Message)
	record.Attrs(func(attr slog.Attr) bool {
		if attr.Key == "error" {
			writeWords(&hash, attr.Value.String())
		}
		return true
	})
	return hash.Sum64()
}

// writeWords hashes the text without numbers, such as ports and the addresses in a
// stack, and without ids: each word with a digit in it counts as the same.
func writeWords(hash *maphash.Hash, text string) {
	start, digits := 0, false
	for i := 0; i <= len(text); i++ {
		if i < len(text) {
			c := text[i]
			if '0' <= c && c <= '9' {
				digits = true
				continue
			}
			if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '-' || c == '_' || c >= utf8.RuneSelf {
				continue
			}
		}
		if !digits {
			_, _ = hash.WriteString(text[start:i])
		}
		if i < len(text) {
			_ = hash.WriteByte(text[i])
		}
		start, digits = i+1, false
	}
}

package main

import (
	"bytes"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"dispo/api/server"
	"dispo/models"
)

const (
	accessLogWait = 100 * time.Millisecond // before lines are written together
	accessLogMost = 4 << 20                // bytes that wait; about 8,000 lines
	accessLogEnd  = 2 * time.Second        // for the last lines, when the service stops
)

// accessLog writes the access log in the background, so that a reader who is slow holds up
// nobody's request. Lines that find no room are dropped, and counted.
type accessLog struct {
	to      io.Writer
	dropped atomic.Int64

	mu      sync.Mutex
	waiting []byte
	writing sync.Mutex // held to write, before mu
}

// newAccessLog returns a log that writes a JSON object a line, without keys, and what writes
// the last lines.
func newAccessLog(to io.Writer) (log *slog.Logger, lines *accessLog) {
	lines = &accessLog{to: to}
	return slog.New(
		slog.NewJSONHandler(lines, &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if a.Key == slog.LevelKey || a.Key == slog.MessageKey ||
				a.Value.Kind() == slog.KindString && a.Value.String() == "" {
				return slog.Attr{}
			}
			return models.MaskLog(groups, a)
		}}),
	), lines
}

// newObserver returns the observer of all requests, which writes the access log if that is on.
func newObserver(e *environment) (observer server.Observer, lines *accessLog) {
	log, lines := newAccessLog(e.streams.out.to) // dropped lines are counted, and no failure of the service
	observer.TrustedProxies = server.Proxies(e.settings.TrustedProxies)
	if e.settings.AccessLog == "on" {
		observer.Access = log
	}
	return observer, lines
}

// Write takes a line.
func (l *accessLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting)+len(line) > accessLogMost {
		l.dropped.Add(1)
		return len(line), nil
	}
	if len(l.waiting) == 0 {
		time.AfterFunc(accessLogWait, l.flush)
	}
	l.waiting = append(l.waiting, line...)
	return len(line), nil
}

func (l *accessLog) flush() {
	l.writing.Lock()
	defer l.writing.Unlock()
	l.mu.Lock()
	lines := slices.Clone(l.waiting)
	l.waiting = l.waiting[:0]
	l.mu.Unlock()
	if written, err := l.to.Write(lines); err != nil { // nobody reads it any more
		l.dropped.Add(int64(bytes.Count(lines[written:], []byte("\n"))))
	}
}

// close writes the last lines, unless nobody reads them.
func (l *accessLog) close() {
	written := make(chan struct{})
	go func() { l.flush(); close(written) }()
	select {
	case <-written:
	case <-time.After(accessLogEnd):
	}
}

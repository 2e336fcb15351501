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
	accessLogWait   = 100 * time.Millisecond // before lines are written together
	accessLogMost   = 4 << 20                // bytes that wait; about 8,000 lines
	accessLogEnd    = 2 * time.Second        // for the last lines, when the service stops
	accessLogReport = 10 * time.Second       // before the service's log says how many lines were dropped
)

// accessLog writes the access log in the background, so that a reader who is slow holds up
// nobody's request. Lines that find no room are dropped, and counted.
type accessLog struct {
	to         io.Writer
	log        *slog.Logger
	dropped    atomic.Int64
	unreported atomic.Int64 // dropped lines of which the service's log does not know yet

	mu      sync.Mutex
	waiting []byte     // until it is written
	writing sync.Mutex // held to write, before mu
}

// newAccessLog returns a log that writes a JSON object a line, without keys, and what writes
// the last lines.
func newAccessLog(to io.Writer, service *slog.Logger) (log *slog.Logger, lines *accessLog) {
	lines = &accessLog{to: to, log: service}
	options := &slog.HandlerOptions{ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
		if a.Key == slog.LevelKey || a.Key == slog.MessageKey ||
			a.Value.Kind() == slog.KindString && a.Value.String() == "" {
			return slog.Attr{}
		}
		return models.MaskLog(groups, a)
	}}
	return slog.New(slog.NewJSONHandler(lines, options)), lines
}

// newObserver returns the observer of all requests, which writes the access log if that is on.
func newObserver(e *environment) (observer server.Observer, lines *accessLog) {
	log, lines := newAccessLog(e.streams.out.to, e.log) // dropped lines are counted, and no failure of the service
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
		l.drop(1)
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
	l.mu.Unlock()
	if written, err := l.to.Write(lines); err != nil { // nobody reads it any more
		l.drop(bytes.Count(lines[written:], []byte("\n")))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting = slices.Delete(l.waiting, 0, len(lines)); len(l.waiting) > 0 {
		time.AfterFunc(accessLogWait, l.flush)
	}
}

// drop counts lines that are dropped, and lets the service's log say so: not at once, because
// that may have the same reader.
func (l *accessLog) drop(lines int) {
	l.dropped.Add(int64(lines))
	if l.unreported.Add(int64(lines)) == int64(lines) {
		time.AfterFunc(accessLogReport, l.report)
	}
}

func (l *accessLog) report() {
	if lines := l.unreported.Swap(0); lines > 0 {
		l.log.Warn("lines of the access log were dropped, because nobody read them in time", "lines", lines)
	}
}

// close writes the last lines. Those that nobody reads are dropped.
func (l *accessLog) close() {
	written := make(chan struct{})
	go func() { l.flush(); close(written) }()
	select {
	case <-written:
	case <-time.After(accessLogEnd):
		l.mu.Lock()
		l.drop(bytes.Count(l.waiting, []byte("\n")))
		l.mu.Unlock()
	}
	l.report()
}

package ratelimit

import "time"

// window is a length of time and how much may be counted in it under one key.
type window struct {
	name   string
	limit  int64
	length time.Duration
}

// usage is where one key stands in one window.
type usage struct {
	used  int64 // more than the window's limit where something was refused
	reset int64 // when the window ends, Unix nanoseconds
}

func (w *window) exhausted(u usage) bool { return u.used >= w.limit }

// remaining is what may still be counted, never less than nothing.
func (w *window) remaining(u usage) int64 { return max(0, w.limit-u.used) }

// wait is the whole seconds from now, Unix nanoseconds, after which the window
// is over: rounded up, because a client that came a fraction early would be
// refused again; at least 1; and never more than the window is long, even
// where the reset itself is known only to the second.
func (w *window) wait(u usage, now int64) int64 {
	return max(1, min(ceilSeconds(u.reset-now), ceilSeconds(int64(w.length))))
}

// ceilSeconds turns nanoseconds, 0 or more, into seconds.
func ceilSeconds(nanoseconds int64) int64 {
	return (nanoseconds + int64(time.Second) - 1) / int64(time.Second)
}

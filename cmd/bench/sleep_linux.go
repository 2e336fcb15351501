package main

import (
	"syscall"
	"time"
)

// sleepUntil sleeps by the kernel's own clock: time.Sleep rounds up to whole
// milliseconds where nothing else goes on.
func sleepUntil(at time.Time) {
	// More than once where a signal wakes it early.
	for wait := time.Until(at); wait > 0; wait = time.Until(at) {
		span := syscall.NsecToTimespec(int64(wait))
		_ = syscall.Nanosleep(&span, nil)
	}
}

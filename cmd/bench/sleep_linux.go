package main

import (
	"syscall"
	"time"
)

// sleepUntil sleeps with a system call, because time.Sleep rounds up to whole
// milliseconds on an idle machine.
func sleepUntil(at time.Time) {
	// A signal may wake it early.
	for wait := time.Until(at); wait > 0; wait = time.Until(at) {
		span := syscall.NsecToTimespec(int64(wait))
		_ = syscall.Nanosleep(&span, nil)
	}
}

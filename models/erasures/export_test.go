package erasures

import (
	"context"
	"errors"
	"time"

	"dispo/models/disk"
)

// SetPatience changes how long a deletion waits, and returns what it was.
func SetPatience(to time.Duration) (before time.Duration) {
	before, patience = patience, to
	return before
}

// Silence makes files unresponsive, as on a mount that is gone, until the returned function is
// called. They may take a moment to answer meanwhile.
func Silence() (end func()) {
	before, ended := fileTime, make(chan struct{})
	fileTime = 10 * time.Millisecond
	if err := inTime(context.Background(), func() error { <-ended; return nil }); !errors.Is(err, disk.ErrSilent) {
		panic("it has answered")
	}
	return func() { fileTime = before; close(ended) }
}

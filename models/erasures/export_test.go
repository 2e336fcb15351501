package erasures

import "time"

// Erase is erase.
var Erase = erase

// SetPatience changes how long a deletion waits, and returns what it was.
func SetPatience(to time.Duration) (before time.Duration) {
	before, patience = patience, to
	return before
}

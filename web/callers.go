package web

import "time"

// CallerView is whoever uses a key: a client's name at an address.
type CallerView struct {
	Address     string // empty for all other callers, if a key has too many to list
	UserAgent   string // the latest one, as sent; empty if the client sent none
	FirstSeen   time.Time
	LastSeen    time.Time
	LastRefused time.Time // the latest request answered 401; zero if there was none
	Requests    int64     // including refused ones
	Refused     int64     // answered 401, because the key is revoked, expired or paused
}

// other reports whether this is not one caller, but all those that are not listed.
func (c CallerView) other() bool { return c.Address == "" }

// name is the client's name at the start of a sentence or a row.
func (c CallerView) name(f Frame) string {
	switch {
	case c.other():
		return f.T("Other callers")
	case c.UserAgent == "":
		return f.T("An unnamed client")
	}
	return f.Client(c.UserAgent)
}

package keys

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/models"
)

// callersKept bounds the callers of a key in a batch. key_callers_add bounds them in
// the table.
const callersKept = 100

// What is kept in memory of the requests that were let in.
const (
	servedPending = 5_000 // of all callers, until the next write
	servedLength  = 400   // bytes of a path with its parameters, as it is stored
	servedCut     = 1_000 // the same, in memory
)

// senders counts the requests of each key's callers since the last write.
type senders struct {
	uses   map[sender]*use
	perKey map[uuid.UUID]int
	served int // requests kept, of all uses
}

// sender is a caller as it sends its requests: its user agent still has versions.
type sender struct {
	keyID     uuid.UUID
	address   string // "" for those beyond callersKept
	userAgent string // as sent, cut to userAgentLength
}

type use struct {
	organizationID        uuid.UUID
	address, userAgent    string // of the latest request, as they are stored
	firstSeen             time.Time
	lastUsed, lastRefused time.Time // zero if there was none
	requests, refused     int64     // refused: answered 401
	rows                  int64     // of the data that was sent
	served                []served  // the newest that were let in
	oldest                int       // the oldest of served, once it is full
	path                  string    // of the latest of served
}

func newSenders(size int) senders {
	return senders{uses: make(map[sender]*use, size), perKey: make(map[uuid.UUID]int, size)}
}

// count counts a request, and keeps it if it was let in. For a caller that it knows, it
// allocates only to keep.
func (s *senders) count(caller Caller, request Request, now time.Time) {
	id := sender{caller.KeyID, request.Address, request.UserAgent[:min(len(request.UserAgent), userAgentLength)]}
	u := s.uses[id]
	if u == nil {
		address, userAgent := strings.Clone(request.Address), strings.Clone(
			models.Storable(request.UserAgent, userAgentLength))
		id = sender{caller.KeyID, address, strings.Clone(id.userAgent)}
		if s.perKey[id.keyID] >= callersKept {
			id = sender{keyID: caller.KeyID}
		}
		if u = s.uses[id]; u == nil {
			u = &use{organizationID: caller.OrganizationID, firstSeen: now}
			s.perKey[id.keyID]++
			s.uses[id] = u
		}
		u.address, u.userAgent = address, userAgent
	}
	u.requests++
	if request.Status == 401 {
		u.refused++
		u.lastRefused = now
		return
	}
	u.lastUsed = now
	u.rows += request.Rows
	room := s.served < servedPending
	if request.Status != 429 && u.keep(request, now, room) {
		s.served++
	}
}

// lastUses returns the latest use of each key that was accepted.
func (s senders) lastUses() map[uuid.UUID]*use {
	last := make(map[uuid.UUID]*use, len(s.perKey))
	for id, u := range s.uses {
		if l := last[id.keyID]; !u.lastUsed.IsZero() && (l == nil || u.lastUsed.After(l.lastUsed)) {
			last[id.keyID] = u
		}
	}
	return last
}

// served is a request that was let in.
type served struct {
	at     time.Time
	path   string // as sent: mask it before it is stored
	status int
	rows   int64
	bulk   bool
}

// keep remembers a request instead of the oldest one, or beside it if there is room. It
// reports whether it took room, and allocates nothing if the path is the one before.
func (u *use) keep(request Request, now time.Time, room bool) (taken bool) {
	taken = room && len(u.served) < ServedKept
	if !taken && len(u.served) == 0 {
		return false
	}
	var buffer [256]byte
	path := request.shown(buffer[:0])
	if path = path[:min(len(path), servedCut)]; u.path != string(path) {
		u.path = string(path)
	}
	one := served{now, u.path, request.Status, request.Rows, request.Bulk}
	if taken {
		u.served = append(u.served, one)
		return true
	}
	u.served[u.oldest] = one
	u.oldest = (u.oldest + 1) % len(u.served)
	return false
}

// shown appends the path, and the parameters that say which part of the data was asked for.
func (r Request) shown(to []byte) []byte {
	to = append(to, r.Path...)
	mark := byte('?')
	for rest := r.Query; rest != ""; {
		var parameter string
		parameter, rest, _ = strings.Cut(rest, "&")
		switch name, _, _ := strings.Cut(parameter, "="); name {
		case "after", "limit", "dispositionDate":
			to = append(append(to, mark), parameter...)
			mark = '&'
		}
	}
	return to
}

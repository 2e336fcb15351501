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

// callers counts the requests of each key's callers since the last write.
type callers struct {
	uses   map[sender]*use
	perKey map[uuid.UUID]int
}

// sender is a caller as it sends its requests: its user agent still has versions.
type sender struct {
	keyID     uuid.UUID
	address   string // "" for those beyond callersKept
	userAgent string // as sent, cut to userAgentLength
}

// use is what a caller did.
type use struct {
	organizationID        uuid.UUID
	address, userAgent    string // of the latest request, as they are stored
	firstSeen             time.Time
	lastUsed, lastRefused time.Time // zero if there was none
	requests, refused     int64     // refused: answered 401
}

func newCallers(size int) callers {
	return callers{uses: make(map[sender]*use, size), perKey: make(map[uuid.UUID]int, size)}
}

// count counts a request. It allocates nothing for a caller that it knows.
func (c callers) count(caller models.Caller, request Request, now time.Time) {
	id := sender{caller.KeyID, request.Address, request.UserAgent[:min(len(request.UserAgent), userAgentLength)]}
	u, known := c.uses[id]
	if !known {
		u = c.add(id, caller.OrganizationID, request, now)
	}
	u.requests++
	if request.Status == 401 {
		u.refused++
		u.lastRefused = now
	} else {
		u.lastUsed = now
	}
}

// add returns the use of a new caller, or that of the other callers if there is no
// room.
func (c callers) add(id sender, organizationID uuid.UUID, request Request, now time.Time) *use {
	address, userAgent := strings.Clone(request.Address), strings.Clone(models.Storable(request.UserAgent, userAgentLength))
	id = c.room(id)
	u := c.uses[id]
	if u == nil {
		u = &use{organizationID: organizationID, firstSeen: now}
		c.perKey[id.keyID]++
		c.uses[sender{id.keyID, strings.Clone(id.address), strings.Clone(id.userAgent)}] = u
	}
	u.address, u.userAgent = address, userAgent
	return u
}

func (c callers) room(id sender) sender {
	if c.perKey[id.keyID] >= callersKept {
		return sender{keyID: id.keyID}
	}
	return id
}

func (u *use) lastSeen() time.Time { return later(u.lastUsed, u.lastRefused) }

// merge adds what the same caller did.
func (u *use) merge(other *use) {
	if other.lastSeen().After(u.lastSeen()) {
		u.address, u.userAgent = other.address, other.userAgent
	}
	if other.firstSeen.Before(u.firstSeen) {
		u.firstSeen = other.firstSeen
	}
	u.lastUsed, u.lastRefused = later(u.lastUsed, other.lastUsed), later(u.lastRefused, other.lastRefused)
	u.requests, u.refused = u.requests+other.requests, u.refused+other.refused
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// takeBack adds callers that could not be written.
func (c callers) takeBack(others callers) {
	for id, other := range others.uses {
		if c.uses[id] == nil {
			id = c.room(id)
		}
		if u := c.uses[id]; u != nil {
			u.merge(other)
			continue
		}
		c.uses[id] = other
		c.perKey[id.keyID]++
	}
}

// lastUses returns the latest use of each key that was accepted.
func (c callers) lastUses() map[uuid.UUID]*use {
	last := make(map[uuid.UUID]*use, len(c.perKey))
	for id, u := range c.uses {
		if l := last[id.keyID]; !u.lastUsed.IsZero() && (l == nil || u.lastUsed.After(l.lastUsed)) {
			last[id.keyID] = u
		}
	}
	return last
}

// callerID is a caller as it is stored.
type callerID struct {
	keyID           uuid.UUID
	address, client string
}

// named returns the uses by callers as they are stored.
func (c callers) named() map[callerID]use {
	named := make(map[callerID]use, len(c.uses))
	for sender, u := range c.uses {
		id := callerID{keyID: sender.keyID}
		if sender.address != "" {
			id.address, id.client = u.address, ClientName(u.userAgent)
		}
		merged := *u
		if known, ok := named[id]; ok {
			merged.merge(&known)
		}
		named[id] = merged
	}
	return named
}

package keys

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/models"
)

// What is kept of the requests that were let in. served_requests_add keeps as many.
const (
	ServedKept    = 200   // of each caller of a key, the newest
	servedPending = 5_000 // of all callers, until the next write
	servedLength  = 400   // of a path with its parameters, in bytes
	servedCut     = 1_000 // the same, in memory
)

// ServedRequest is a request that was let in. Its address and client stand in the KeyCaller
// that it names.
type ServedRequest struct {
	OrganizationID uuid.UUID
	KeyID          uuid.UUID
	ID             uuid.UUID
	At             time.Time
	Address        string
	Client         string
	UserAgent      string // as sent; empty for a caller that is not listed
	Path           string // with the parameters after, limit and dispositionDate alone
	Status         int
	RowCount       int64 // of the data that was sent
}

// TableName is the requests' table.
func (ServedRequest) TableName() string { return "served_requests" }

// Served returns a key's newest requests that were let in, before the id of one if it is
// given, and whether there are older ones. A caller, if it is not nil, has the address and the
// client that are wanted. Requests that are too old are left out, also if they are not deleted yet.
func Served(
	ctx context.Context, tenant models.Tenant, keyID uuid.UUID, caller *KeyCaller, before *uuid.UUID, limit int,
) (requests []ServedRequest, more bool, err error) {
	query := tenant.DB(ctx).Where("key_id = ? AND at >= kept_before('requests')", keyID).Order("id DESC").Limit(limit + 1)
	if caller != nil {
		query = query.Where("address = ? AND client = ?", caller.Address, caller.Client)
	}
	if before != nil {
		query = query.Where("id < ?", *before)
	}
	requests, err = models.Find[ServedRequest](query)
	return requests[:min(len(requests), limit)], len(requests) > limit, err
}

// ServedDays returns for how many days these requests are kept.
func ServedDays(ctx context.Context, tenant models.Tenant) (days int, err error) {
	err = tenant.DB(ctx).Raw(`SELECT now()::date - kept_before('requests')::date`).Scan(&days).Error
	return days, models.Wrap(err)
}

// served is such a request in memory.
type served struct {
	at     time.Time
	path   string // as sent: mask it before it is stored
	status int
	rows   int64
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
	one := served{now, u.path, request.Status, request.Rows}
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

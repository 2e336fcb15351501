package keys

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// ServedKept is how many requests that were let in are kept of each caller of a key, the newest.
// served_requests_add keeps as many.
const ServedKept = 200

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
	Bulk           bool  // all of it at once, not a page
}

// TableName is the requests' table.
func (ServedRequest) TableName() string { return "served_requests" }

// Served returns a key's newest requests that were let in, before the id of one if it is
// given, and whether there are older ones. A caller, if it is not nil, has the address and the
// client that are wanted. Requests that are too old are left out, also if they are not deleted yet.
func Served(
	ctx context.Context, tenant models.Tenant, keyID uuid.UUID, caller *KeyCaller, before *uuid.UUID, limit int,
) (requests []ServedRequest, more bool, err error) {
	query := servedBy(tenant.DB(ctx), keyID, caller).Limit(limit + 1)
	if before != nil {
		query = query.Where("id < ?", *before)
	}
	requests, err = models.Find[ServedRequest](query)
	return requests[:min(len(requests), limit)], len(requests) > limit, err
}

// EachServed calls f with all that Served returns, of one moment.
func EachServed(
	ctx context.Context, tenant models.Tenant, keyID uuid.UUID, caller *KeyCaller, f func(*ServedRequest) error,
) error {
	return models.ReadSnapshot(ctx, tenant, func(s database.Snapshot) error {
		query := servedBy(tenant.DB(ctx).Model(&ServedRequest{}), keyID, caller)
		return database.Each(s, query.Clauses(database.Columns("*")), f)
	})
}

func servedBy(db *gorm.DB, keyID uuid.UUID, caller *KeyCaller) *gorm.DB {
	query := db.Where("key_id = ? AND at >= kept_before('requests')", keyID).Order("id DESC")
	if caller != nil {
		query = query.Where("address = ? AND client = ?", caller.Address, caller.Client)
	}
	return query
}

// ServedDays returns for how many days these requests are kept.
func ServedDays(ctx context.Context, tenant models.Tenant) (days int, err error) {
	err = tenant.DB(ctx).Raw(`SELECT now()::date - kept_before('requests')::date`).Scan(&days).Error
	return days, models.Wrap(err)
}

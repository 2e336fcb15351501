package usage

import (
	"context"
	"time"

	"github.com/google/uuid"

	"dispo/models"
)

// Hour is the requests made with one key in one hour.
type Hour struct {
	OrganizationID uuid.UUID
	Hour           time.Time // its start
	KeyID          uuid.UUID
	Requests       int64 // including refused ones
	Refused        int64
}

// TableName is the hours' table.
func (Hour) TableName() string { return "key_usage" }

// Query says which of an organization's requests to count: those from Since and
// before Until, by the hour or by the day in UTC, of one key or of all.
type Query struct {
	Since, Until time.Time
	ByDay        bool
	KeyID        *uuid.UUID
}

// Count is the requests in one hour or day.
type Count struct {
	Start    time.Time
	Requests int64 // including refused ones
	Refused  int64
}

// Counts returns the hours or days that had requests, in order.
func Counts(ctx context.Context, tenant models.Tenant, wanted Query) ([]Count, error) {
	unit := "hour"
	if wanted.ByDay {
		unit = "day"
	}
	query := tenant.DB(ctx).Model(&Hour{}).
		Select("date_trunc(?, hour, 'UTC') AS start, sum(requests)::bigint AS requests, sum(refused)::bigint AS refused", unit).
		Where("hour >= ? AND hour < ?", wanted.Since, wanted.Until)
	if wanted.KeyID != nil {
		query = query.Where("key_id = ?", *wanted.KeyID)
	}
	var counts []Count
	err := query.Group("start").Order("start").Find(&counts).Error
	return counts, models.Wrap(err)
}

// KeyCount is the requests made with one key.
type KeyCount struct {
	models.APIKey
	Requests int64 // including refused ones
	Refused  int64
}

// ByKey returns the requests of each key from since and before until, the newest
// key first. Revoked keys are included only if they had requests.
func ByKey(ctx context.Context, tenant models.Tenant, since, until time.Time) ([]KeyCount, error) {
	used := tenant.DB(ctx).Model(&Hour{}).Select("key_id, sum(requests)::bigint AS requests, sum(refused)::bigint AS refused").
		Where("hour >= ? AND hour < ?", since, until).Group("key_id")
	var counts []KeyCount
	err := tenant.DB(ctx).Model(&models.APIKey{}).
		Select("api_keys.*, coalesce(u.requests, 0) AS requests, coalesce(u.refused, 0) AS refused").
		Joins("LEFT JOIN (?) AS u ON u.key_id = api_keys.id", used).
		Where("api_keys.revoked_at IS NULL OR u.requests > 0").Order("api_keys.id DESC").Find(&counts).Error
	return counts, models.Wrap(err)
}

package models

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// UsageQuery says which requests are counted: of the organization's, those from
// Since and before Until, by the hour or by the day in UTC, of one key or of all.
type UsageQuery struct {
	Since, Until time.Time
	ByDay        bool
	KeyID        *uuid.UUID
}

// UsageCount is the requests in one hour or day.
type UsageCount struct {
	Start    time.Time
	Requests int64 // refused ones among them
	Refused  int64
}

// Usage gives the hours or days that had requests, in order.
func (t Tenant) Usage(ctx context.Context, wanted UsageQuery) ([]UsageCount, error) {
	unit := "hour"
	if wanted.ByDay {
		unit = "day"
	}
	query := t.store.db.WithContext(t.bind(ctx)).Table("key_usage").
		Select("date_trunc(?, hour, 'UTC') AS start, sum(requests)::bigint AS requests, sum(refused)::bigint AS refused", unit).
		Where("organization_id = ? AND hour >= ? AND hour < ?", t.organizationID, wanted.Since, wanted.Until)
	if wanted.KeyID != nil {
		query = query.Where("key_id = ?", *wanted.KeyID)
	}
	var counts []UsageCount
	err := query.Group("start").Order("start").Find(&counts).Error
	return counts, wrap(err)
}

// KeyUsage is the requests made with one key.
type KeyUsage struct {
	APIKey
	Requests int64 // refused ones among them
	Refused  int64
}

// UsageByKey gives the requests of each key from a time and before another; the
// newest key first, and of those that are revoked only the used ones.
func (t Tenant) UsageByKey(ctx context.Context, since, until time.Time) ([]KeyUsage, error) {
	var usage []KeyUsage
	err := t.store.db.WithContext(t.bind(ctx)).Raw(`SELECT k.*, u.requests, u.refused
		FROM api_keys k, LATERAL (
			SELECT coalesce(sum(requests), 0)::bigint AS requests, coalesce(sum(refused), 0)::bigint AS refused
			FROM key_usage u WHERE u.organization_id = k.organization_id AND u.key_id = k.id AND u.hour >= ? AND u.hour < ?
		) u
		WHERE k.organization_id = ? AND (k.revoked_at IS NULL OR u.requests > 0) ORDER BY k.id DESC`,
		since, until, t.organizationID).Scan(&usage).Error
	return usage, wrap(err)
}

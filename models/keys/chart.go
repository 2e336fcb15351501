package keys

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

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

// dayOf is the start of an hour's day, in UTC.
const dayOf = "date_trunc('day', hour, 'UTC')"

// hours returns a query on the hours that are to be counted, of all keys.
func (q Query) hours(ctx context.Context, tenant models.Tenant) *gorm.DB {
	return tenant.DB(ctx).Model(&Hour{}).Where("hour >= ? AND hour < ?", q.Since, q.Until)
}

// Counts returns the hours or days that had requests, in order.
func Counts(ctx context.Context, tenant models.Tenant, wanted Query) ([]Count, error) {
	query, start := wanted.hours(ctx, tenant), "hour"
	if wanted.ByDay {
		start = dayOf
	}
	if wanted.KeyID != nil {
		query = query.Where("key_id = ?", *wanted.KeyID)
	}
	var counts []Count
	err := query.Select(start + " AS start, sum(requests)::bigint AS requests, sum(refused)::bigint AS refused").
		Group("start").Order("start").Find(&counts).Error
	return counts, models.Wrap(err)
}

// KeyCount is the requests made with one key.
type KeyCount struct {
	KeyID    uuid.UUID
	Requests int64 // including refused ones
	Refused  int64
}

// ByKey returns the requests of each key, whatever the query's KeyID. Keys without
// requests are left out.
func ByKey(ctx context.Context, tenant models.Tenant, wanted Query) (map[uuid.UUID]KeyCount, error) {
	var counted []KeyCount
	err := wanted.hours(ctx, tenant).Select("key_id, sum(requests)::bigint AS requests, sum(refused)::bigint AS refused").Group("key_id").Find(&counted).Error
	byKey := make(map[uuid.UUID]KeyCount, len(counted))
	for _, count := range counted {
		byKey[count.KeyID] = count
	}
	return byKey, models.Wrap(err)
}

// DaysByKey returns the requests of each key in each of the last days, in UTC; the last
// is the day of now. Keys without requests are left out.
func DaysByKey(ctx context.Context, tenant models.Tenant, now time.Time, days int) (map[uuid.UUID][]int64, error) {
	first := now.UTC().Truncate(24*time.Hour).AddDate(0, 0, 1-days)
	var counted []struct {
		KeyID    uuid.UUID
		Start    time.Time
		Requests int64
	}
	err := Query{Since: first, Until: first.AddDate(0, 0, days)}.hours(ctx, tenant).
		Select("key_id, " + dayOf + " AS start, sum(requests)::bigint AS requests").Group("key_id, start").Find(&counted).Error
	if err != nil {
		return nil, models.Wrap(err)
	}
	byKey := map[uuid.UUID][]int64{}
	for _, day := range counted {
		if byKey[day.KeyID] == nil {
			byKey[day.KeyID] = make([]int64, days)
		}
		byKey[day.KeyID][int(day.Start.Sub(first)/(24*time.Hour))] = day.Requests
	}
	return byKey, nil
}

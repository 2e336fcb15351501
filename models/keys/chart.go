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

// Day is the requests made with one key in one day, in UTC.
type Day struct {
	OrganizationID uuid.UUID
	Day            time.Time // its start
	KeyID          uuid.UUID
	Requests       int64 // including refused ones
	Refused        int64
}

// TableName is the days' table.
func (Day) TableName() string { return "key_usage_days" }

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

// rows returns a query on the hours or days that are to be counted, of all keys, and the
// name of the column that says when they start.
func (q Query) rows(ctx context.Context, tenant models.Tenant) (rows *gorm.DB, start string) {
	rows, start = tenant.DB(ctx).Model(&Hour{}), "hour"
	if q.ByDay {
		rows, start = tenant.DB(ctx).Model(&Day{}), "day"
	}
	return rows.Where(start+" >= ? AND "+start+" < ?", q.Since, q.Until), start
}

// Counts returns the hours or days that had requests, in order.
func Counts(ctx context.Context, tenant models.Tenant, wanted Query) ([]Count, error) {
	query, start := wanted.rows(ctx, tenant)
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
	rows, _ := wanted.rows(ctx, tenant)
	var counted []KeyCount
	err := rows.Select("key_id, sum(requests)::bigint AS requests, sum(refused)::bigint AS refused").Group("key_id").Find(&counted).Error
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
	rows, _ := Query{Since: first, Until: first.AddDate(0, 0, days), ByDay: true}.rows(ctx, tenant)
	var counted []Day
	if err := rows.Find(&counted).Error; err != nil {
		return nil, models.Wrap(err)
	}
	byKey := map[uuid.UUID][]int64{}
	for _, day := range counted {
		if byKey[day.KeyID] == nil {
			byKey[day.KeyID] = make([]int64, days)
		}
		byKey[day.KeyID][int(day.Day.Sub(first)/(24*time.Hour))] = day.Requests
	}
	return byKey, nil
}

package keys

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

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
// before Until, by the hour or by the day, of one key or of all. Days are those of Since's
// time zone. An hour belongs to the day in which it begins.
type Query struct {
	Since, Until time.Time
	ByDay        bool
	KeyID        *uuid.UUID
}

// Count is the requests in one hour or day.
type Count struct {
	Start    time.Time // of a day, midnight in UTC in every time zone
	Requests int64     // including refused ones
	Refused  int64
}

// start returns what an hour is counted in: itself, or its day in the query's time zone.
func (q Query) start() clause.Expr {
	if q.ByDay {
		return gorm.Expr("(hour AT TIME ZONE (SELECT known_zone(?)))::date", q.Since.Location().String())
	}
	return gorm.Expr("hour")
}

// hours returns a query on the hours that are to be counted, of all keys.
func (q Query) hours(ctx context.Context, tenant models.Tenant) *gorm.DB {
	return tenant.DB(ctx).Model(&Hour{}).Where("hour >= ? AND hour < ?", q.Since, q.Until)
}

// Counts returns the hours or days that had requests, in order.
func Counts(ctx context.Context, tenant models.Tenant, wanted Query) ([]Count, error) {
	query := wanted.hours(ctx, tenant)
	if wanted.KeyID != nil {
		query = query.Where("key_id = ?", *wanted.KeyID)
	}
	return models.Find[Count](
		query.Select("? AS start, sum(requests)::bigint AS requests, sum(refused)::bigint AS refused", wanted.start()).
			Group("start").Order("start"),
	)
}

// KeyCount is the requests made with one key.
type KeyCount struct {
	KeyID    uuid.UUID
	Requests int64 // including refused ones
	Refused  int64
}

// ByKey returns the requests of each key. It ignores the query's KeyID. Keys without
// requests are left out.
func ByKey(ctx context.Context, tenant models.Tenant, wanted Query) (map[uuid.UUID]KeyCount, error) {
	counted, err := models.Find[KeyCount](wanted.hours(ctx, tenant).
		Select("key_id, sum(requests)::bigint AS requests, sum(refused)::bigint AS refused").Group("key_id"))
	byKey := make(map[uuid.UUID]KeyCount, len(counted))
	for _, count := range counted {
		byKey[count.KeyID] = count
	}
	return byKey, err
}

// DaysByKey returns the requests of each key in each of the last days of now's time zone; the
// last is the day of now. Keys without requests are left out.
func DaysByKey(ctx context.Context, tenant models.Tenant, now time.Time, days int) (map[uuid.UUID][]int64, error) {
	first := time.Date(now.Year(), now.Month(), now.Day()+1-days, 0, 0, 0, 0, time.UTC)
	since := time.Date(first.Year(), first.Month(), first.Day(), 0, 0, 0, 0, now.Location())
	query := Query{Since: since, Until: since.AddDate(0, 0, days), ByDay: true}
	counted, err := models.Find[struct {
		KeyID    uuid.UUID
		Start    time.Time
		Requests int64
	}](query.hours(ctx, tenant).Select("key_id, ? AS start, sum(requests)::bigint AS requests", query.start()).Group("key_id, start"))
	if err != nil {
		return nil, err
	}
	byKey := map[uuid.UUID][]int64{}
	for _, day := range counted {
		if byKey[day.KeyID] == nil {
			byKey[day.KeyID] = make([]int64, days)
		}
		if n := int(day.Start.Sub(first) / (24 * time.Hour)); n >= 0 &&
			n < days { // a midnight that is left out moves a bound by an hour
			byKey[day.KeyID][n] = day.Requests
		}
	}
	return byKey, nil
}

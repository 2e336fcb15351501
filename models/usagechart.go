package models

import (
	"context"
	"time"

	"github.com/google/uuid"
)

// HourUsage is the organization's requests in one hour.
type HourUsage struct {
	Hour     time.Time
	Requests int64 // refused ones among them
	Refused  int64
}

// UsageByHour gives the hours since a time that had requests, in order.
func (t Tenant) UsageByHour(ctx context.Context, since time.Time) ([]HourUsage, error) {
	var usage []HourUsage
	err := t.store.db.WithContext(t.bind(ctx)).Table("key_usage").
		Select("hour, sum(requests)::bigint AS requests, sum(refused)::bigint AS refused").
		Where("organization_id = ? AND hour >= ?", t.organizationID, since).Group("hour").Order("hour").Find(&usage).Error
	return usage, wrap(err)
}

// DayUsage is the requests made with one key on one day, in UTC.
type DayUsage struct {
	Day      time.Time
	KeyID    uuid.UUID
	KeyName  string
	Requests int64 // refused ones among them
	Refused  int64
}

// UsageByDay gives the days since a time on which keys were used, in order of
// day and key.
func (t Tenant) UsageByDay(ctx context.Context, since time.Time) ([]DayUsage, error) {
	var usage []DayUsage
	err := t.store.db.WithContext(t.bind(ctx)).Table("key_usage AS u").
		Select("date_trunc('day', u.hour, 'UTC') AS day, u.key_id, k.name AS key_name, sum(u.requests)::bigint AS requests, sum(u.refused)::bigint AS refused").
		Joins("JOIN api_keys k ON k.id = u.key_id").
		Where("u.organization_id = ? AND u.hour >= ?", t.organizationID, since).
		Group("day, u.key_id, k.name").Order("day, u.key_id").Find(&usage).Error
	return usage, wrap(err)
}

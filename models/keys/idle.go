package keys

import (
	"context"
	"time"

	"dispo/models"
)

const (
	day = 24 * time.Hour
	// IdleWindow is how far back a key's idle times count.
	IdleWindow = 90 * day
	// leastIdle and mostIdle bound how long a key has to be idle.
	leastIdle = time.Hour
	mostIdle  = 35 * day
	// idleTimesNeeded is how many idle times are enough to judge by.
	idleTimesNeeded = 3
)

// IdleTimes is how long a key has been idle between its requests, and what follows from
// that: if it is idle for longer than ever, whatever used it has stopped.
type IdleTimes struct {
	LastUsed time.Time // zero if the key was never used
	Since    time.Time // the first hour of use in the last 90 days, but not before the key was made
	// Count is how many idle times ended in the last 90 days. Longest is the longest of
	// them; of several, the latest. An idle time is the time between two consecutive hours
	// with requests. An idle time that is still open does not count.
	Count   int
	Longest IdleTime
}

// IdleTime is a time without requests, from one hour with requests to the next.
type IdleTime struct{ From, To time.Time }

// Length returns how long the idle time was, in whole hours.
func (i IdleTime) Length() time.Duration { return i.To.Sub(i.From) }

// Known reports whether there were enough idle times to judge by.
func (i IdleTimes) Known() bool { return i.Count >= idleTimesNeeded }

// Enough returns how long the key has to be unused before it is safe to revoke: its
// longest idle time, but at least an hour and at most 35 days, and 35 days if there were
// fewer than three idle times.
func (i IdleTimes) Enough() time.Duration {
	if !i.Known() {
		return mostIdle
	}
	return min(max(i.Longest.Length(), leastIdle), mostIdle)
}

// SafeFrom returns when the key has been idle long enough if the key is not used again. It is
// zero if the key was never used.
func (i IdleTimes) SafeFrom() time.Time {
	if i.LastUsed.IsZero() {
		return time.Time{}
	}
	return i.LastUsed.Add(i.Enough())
}

// LongEnough reports whether the key has been unused for longer than it needs to be, or
// was never used.
func (i IdleTimes) LongEnough(now time.Time) bool { return now.After(i.SafeFrom()) }

// IdleTimesOf returns the idle times of a key with requests in these hours, in order, at a
// time. Hours from before the last 90 days only say when the first idle time began.
func IdleTimesOf(hours []time.Time, lastUsed, now time.Time) IdleTimes {
	idle := IdleTimes{LastUsed: lastUsed}
	if len(hours) > 0 {
		idle.Since = hours[0]
	}
	for i := 1; i < len(hours); i++ {
		between := IdleTime{hours[i-1], hours[i]}
		if between.To.Before(now.Add(-IdleWindow)) {
			continue
		}
		idle.Count++
		if between.Length() >= idle.Longest.Length() {
			idle.Longest = between
		}
	}
	return idle
}

// IdleTimesOfKey returns the key's idle times now.
func IdleTimesOfKey(ctx context.Context, tenant models.Tenant, key Key, now time.Time) (IdleTimes, error) {
	if key.LastUsedAt == nil {
		return IdleTimes{}, nil
	}
	since := now.Add(-IdleWindow)
	db := tenant.DB(ctx)
	before := tenant.DB(ctx).Model(&Hour{}).Select("max(hour)").Where("key_id = ? AND hour < ?", key.ID, since)
	var hours []time.Time
	err := db.Model(&Hour{}).
		Where("key_id = ? AND hour >= coalesce((?), ?)", key.ID, before, since).
		Order("hour").
		Pluck("hour", &hours).
		Error
	if err != nil {
		return IdleTimes{}, models.Wrap(err)
	}
	idle := IdleTimesOf(hours, *key.LastUsedAt, now)
	if idle.Since.Before(key.CreatedAt) {
		idle.Since = key.CreatedAt // which was within the first hour
	}
	return idle, nil
}

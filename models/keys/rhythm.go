package keys

import (
	"context"
	"time"

	"dispo/models"
)

const (
	day = 24 * time.Hour
	// RhythmWindow is how far back a key's pauses count.
	RhythmWindow = 90 * day
	// leastSilence and mostSilence bound the silence that a key needs.
	leastSilence = time.Hour
	mostSilence  = 35 * day
	// pausesNeeded is how many pauses show a rhythm.
	pausesNeeded = 3
)

// Rhythm is how long a key has been silent between its requests, and what follows from
// that: after a longer silence than ever, whatever used the key has stopped.
type Rhythm struct {
	LastUsed time.Time // zero if the key was never used
	// Pauses is how many pauses ended in the last 90 days. Longest is the longest of
	// them; of several, the latest. A pause is the time between two consecutive hours
	// with requests. A pause that is still open does not count.
	Pauses  int
	Longest Gap
}

// Gap is a time without requests, from one hour with requests to the next.
type Gap struct{ From, To time.Time }

// Length returns how long the pause was, in whole hours.
func (p Gap) Length() time.Duration { return p.To.Sub(p.From) }

// Known reports whether there were enough pauses to tell the key's rhythm.
func (r Rhythm) Known() bool { return r.Pauses >= pausesNeeded }

// Silence returns how long the key has to be unused before it is safe to revoke: its
// longest pause, but at least an hour and at most 35 days, and 35 days if there were
// fewer than three pauses.
func (r Rhythm) Silence() time.Duration {
	if !r.Known() {
		return mostSilence
	}
	return min(max(r.Longest.Length(), leastSilence), mostSilence)
}

// SafeFrom returns when the silence is long enough if the key is not used again. It is
// zero if the key was never used.
func (r Rhythm) SafeFrom() time.Time {
	if r.LastUsed.IsZero() {
		return time.Time{}
	}
	return r.LastUsed.Add(r.Silence())
}

// Silent reports whether the key has been unused for longer than it needs to be, or
// was never used.
func (r Rhythm) Silent(now time.Time) bool { return now.After(r.SafeFrom()) }

// RhythmOf returns the rhythm of a key with requests in these hours, in order, at a
// time. Hours from before the last 90 days only say when the first pause began.
func RhythmOf(hours []time.Time, lastUsed, now time.Time) Rhythm {
	rhythm := Rhythm{LastUsed: lastUsed}
	for i := 1; i < len(hours); i++ {
		pause := Gap{hours[i-1], hours[i]}
		if pause.To.Before(now.Add(-RhythmWindow)) {
			continue
		}
		rhythm.Pauses++
		if pause.Length() >= rhythm.Longest.Length() {
			rhythm.Longest = pause
		}
	}
	return rhythm
}

// KeyRhythm returns the key's rhythm now.
func KeyRhythm(ctx context.Context, tenant models.Tenant, key models.APIKey, now time.Time) (Rhythm, error) {
	if key.LastUsedAt == nil {
		return Rhythm{}, nil
	}
	since := now.Add(-RhythmWindow)
	db := tenant.DB(ctx)
	before := tenant.DB(ctx).Model(&Hour{}).Select("max(hour)").Where("key_id = ? AND hour < ?", key.ID, since)
	var hours []time.Time
	err := db.Model(&Hour{}).Where("key_id = ? AND hour >= coalesce((?), ?)", key.ID, before, since).Order("hour").Pluck("hour", &hours).Error
	if err != nil {
		return Rhythm{}, models.Wrap(err)
	}
	return RhythmOf(hours, *key.LastUsedAt, now), nil
}

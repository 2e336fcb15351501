package keys

import (
	"context"
	"time"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/terms"
)

// CallersWindow is how far back a key's callers count.
const CallersWindow = 30 * day

// Use is what shows whether something still works with a key.
type Use struct {
	IdleTimes
	Callers  []Move // of the last 30 days, the latest first
	Replaced bool   // there is a successor to which they can move
}

// UseOf returns the use of a key until now.
func UseOf(ctx context.Context, t models.Tenant, key Detail, now time.Time) (use Use, err error) {
	successor := uuid.Nil // matches no caller
	if use.Replaced = key.SuccessorID != nil; use.Replaced {
		successor = *key.SuccessorID
	}
	if use.IdleTimes, err = IdleTimesOfKey(ctx, t, key.Key, now); err != nil {
		return use, err
	}
	use.Callers, err = Moves(ctx, t, key.ID, successor, now.Add(-CallersWindow))
	return use, err
}

// Pending counts the callers that have neither moved nor been dismissed.
func (u Use) Pending() (pending int64) {
	for _, caller := range u.Callers {
		if !caller.Moved() && !caller.Dismissed() {
			pending++
		}
	}
	return pending
}

// Unknown reports whether idle time alone does not prove that every caller stopped: one has not
// moved to the key's successor; or, without a successor, there are several, of which a
// frequent one hides how rarely another calls.
func (u Use) Unknown() bool {
	pending := u.Pending()
	return pending > 1 || u.Replaced && pending > 0
}

// MayBeNeeded reports whether something may still work with the key.
func (u Use) MayBeNeeded(now time.Time) bool { return u.Unknown() || !u.LongEnough(now) }

// Rotation is how far the replacement of a key is, by what was seen.
type Rotation struct {
	Old       Detail
	Successor *Detail // active or paused; nil if there is none
	Use               // of Old; only with a Successor
}

// RotationOf returns the rotation of a key. Errors: KindNotFound.
func RotationOf(ctx context.Context, t models.Tenant, id uuid.UUID, now time.Time) (r Rotation, err error) {
	if r.Old, err = Get(ctx, t, id); err != nil || r.Old.SuccessorID == nil {
		return r, err
	}
	successor, err := Get(ctx, t, *r.Old.SuccessorID)
	if err != nil {
		return r, err
	}
	r.Successor = &successor
	r.Use, err = UseOf(ctx, t, r.Old, now)
	return r, err
}

func (r Rotation) used() bool { return r.Successor != nil && r.Successor.LastUsedAt != nil }

// Updated reports whether the successor has been used, or each caller is dismissed.
func (r Rotation) Updated() bool {
	return r.used() || r.Successor != nil && len(r.Callers) > 0 && r.Pending() == 0
}

// Ready reports whether the successor has been used and is not paused, and each caller has
// moved or is dismissed.
func (r Rotation) Ready() bool {
	return r.used() && r.Successor.State() != terms.KeyPaused && r.Pending() == 0
}

// Safe reports whether it is Ready, and the old key has been unused for long enough, or has
// expired.
func (r Rotation) Safe(now time.Time) bool {
	return r.Ready() && (r.LongEnough(now) || r.Old.State() == terms.KeyExpired)
}

// Steps returns the states of the four steps: to create a successor, to update what uses the
// old key, to see that the successor works, and to revoke the old key. Each is "done", "now",
// "later", or "skipped" for good. People may go ahead to one, from 1 to 4, or to none, 0. Those
// before it that are not done are "unseen".
func (r Rotation) Steps(ahead int) (states [4]string) {
	if r.Successor == nil {
		ahead = 0
	}
	revoked, before := r.Old.State() == terms.KeyRevoked, true
	for i, done := range []bool{r.Successor != nil, r.Updated(), r.Ready(), revoked} {
		switch {
		case done:
			states[i] = "done"
		case revoked && (i != 2 || r.Successor == nil):
			states[i] = "skipped"
		case revoked, ahead == i+1, before && ahead <= i: // when revoked, it is still seen who has moved
			states[i] = "now"
		case i < ahead:
			states[i] = "unseen"
		default:
			states[i] = "later"
		}
		before = before && done
	}
	return states
}

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
// that: if it is idle for longer than ever, its callers have stopped.
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
		Pluck("hour", &hours).Error
	if err != nil {
		return IdleTimes{}, models.Wrap(err)
	}
	idle := IdleTimesOf(hours, *key.LastUsedAt, now)
	if idle.Since.Before(key.CreatedAt) {
		idle.Since = key.CreatedAt // which was within the first hour
	}
	return idle, nil
}

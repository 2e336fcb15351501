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
// "later", or "skipped" for good. People may go ahead to one, from 1 to 4, or to none, 0.
func (r Rotation) Steps(ahead int) (states [4]string) {
	revoked, before := r.Old.State() == terms.KeyRevoked, true
	for i, done := range []bool{r.Successor != nil, r.Updated(), r.Ready(), revoked} {
		switch {
		case done:
			states[i] = "done"
		case revoked && (i != 2 || r.Successor == nil):
			states[i] = "skipped"
		case revoked, before, ahead == i+1 && r.Successor != nil: // when revoked, it is still seen who has moved
			states[i] = "now"
		default:
			states[i] = "later"
		}
		before = before && done
	}
	return states
}

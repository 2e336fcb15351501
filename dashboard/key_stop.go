package dashboard

import (
	"time"

	"dispo/dashboard/site"
	"dispo/models/keys"
	"dispo/models/terms"
	"dispo/web"
)

// keyStopView is the view of a page that asks before the key in the path stops working.
func keyStopView(r *site.Request) (web.KeyStopView, error) {
	view := web.KeyStopView{Frame: r.Frame, LastActive: true}
	tenant := r.Tenant()
	listed, shown, err := listedKey(r, tenant)
	if err != nil {
		return view, err
	}
	for _, key := range listed {
		if key.ID != r.ID && key.State() == terms.KeyActive {
			view.LastActive = false
		}
	}
	view.Key = keyRow(shown)
	now := r.Now
	counts, err := keys.Counts(r.Context(), tenant,
		keys.Query{Since: now.Add(-24 * time.Hour).Truncate(time.Hour), Until: now, KeyID: &r.ID})
	if err != nil {
		return view, err
	}
	for _, count := range counts {
		view.RequestsLastDay += count.Requests - count.Refused
		view.RefusedLastDay += count.Refused
	}
	use, err := keys.UseOf(r.Context(), tenant, shown, now)
	view.IdleTime, view.Callers = idleTimeOf(use.IdleTimes), rotationCallers(use)
	view.Unknown, view.Safe = use.Unknown(), !use.MayBeNeeded(now)
	return view, err
}

// stopsKeyInUse reports whether a form stops a key that may be in use. A key that seems unused
// is stopped without the password, because stopping a stolen key has to be fast.
func stopsKeyInUse(r *site.Request) (bool, error) {
	key, err := keys.Get(r.Context(), r.Tenant(), r.ID)
	if err != nil || key.State() != terms.KeyActive {
		return false, err
	}
	use, err := keys.UseOf(r.Context(), r.Tenant(), key, r.Now)
	return use.MayBeNeeded(r.Now), err
}

// delaysOrStopsKey is stopsKeyInUse for a change of schedule. A key that has one always asks,
// because a later day lets it work on.
func delaysOrStopsKey(r *site.Request) (bool, error) {
	key, err := keys.Get(r.Context(), r.Tenant(), r.ID)
	if err == nil && key.RevokesAt != nil {
		return true, nil
	}
	return stopsKeyInUse(r)
}

func keyRevoke(r *site.Request) error {
	key, err := keys.Revoke(r.Context(), r.Tenant(), r.ID)
	if err != nil {
		return err
	}
	return r.Done("/settings/api-keys/"+key.ID.String(),
		r.T("Key {key} is revoked. Requests with it are refused.", "key", key.Subject()))
}

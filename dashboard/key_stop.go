package dashboard

import (
	"time"

	"dispo/models/keys"
	"dispo/models/terms"
	"dispo/web"
)

// keyStopView is the view of a page that asks before the key in the path stops working.
func (h *handler) keyStopView(r *request) (web.KeyStopView, error) {
	view := web.KeyStopView{Frame: r.frame, LastActive: true}
	tenant := h.tenant(r)
	listed, shown, err := listedKey(r, tenant)
	if err != nil {
		return view, err
	}
	for _, key := range listed {
		if key.ID != r.id && key.State() == terms.KeyActive {
			view.LastActive = false
		}
	}
	view.Key = keyRow(shown)
	now := r.frame.Now
	counts, err := keys.Counts(
		r.context(),
		tenant,
		keys.Query{Since: now.Add(-24 * time.Hour).Truncate(time.Hour), Until: now, KeyID: &r.id},
	)
	if err != nil {
		return view, err
	}
	for _, count := range counts {
		view.RequestsLastDay += count.Requests
	}
	use, err := keys.UseOf(r.context(), tenant, shown, now)
	view.IdleTime, view.Callers = idleTimeOf(use.IdleTimes), rotationCallers(use)
	view.Unknown, view.Safe = use.Unknown(), !use.MayBeNeeded(now)
	return view, err
}

func (h *handler) keyRevoke(r *request) error {
	key, err := keys.Revoke(r.context(), h.tenant(r), r.id)
	if err != nil {
		return err
	}
	return h.done(
		r,
		"/settings/api-keys/"+key.ID.String(),
		r.frame.T("Key {key} is revoked. Requests with it are refused.", "key", key.Subject()),
	)
}

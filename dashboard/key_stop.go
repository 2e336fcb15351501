package dashboard

import (
	"time"

	"github.com/a-h/templ"

	"dispo/models"
	"dispo/models/keys"
	"dispo/web"
)

// keyStopForm shows a page that asks before the key in the path stops working.
func (h *handler) keyStopForm(page func(web.KeyStopView) templ.Component) func(*visit) error {
	return func(v *visit) error {
		view, err := h.keyStopView(v)
		if err != nil {
			return err
		}
		return v.show(page(view))
	}
}

func (h *handler) keyStopView(v *visit) (web.KeyStopView, error) {
	view := web.KeyStopView{Frame: v.frame, LastActive: true}
	id, err := v.id()
	if err != nil {
		return view, err
	}
	tenant := h.tenant(v)
	listed, err := tenant.Keys(v.UserContext())
	if err != nil {
		return view, err
	}
	var shown *models.KeyDetail
	for i, key := range listed {
		if key.ID == id {
			shown = &listed[i]
		} else if key.State() == models.KeyActive {
			view.LastActive = false
		}
	}
	if shown == nil {
		return view, models.NewError(models.KindNotFound, "There is no such key.")
	}
	view.Key = keyRow(*shown)
	now := v.frame.Now
	counts, err := keys.Counts(v.UserContext(), tenant, keys.Query{Since: now.Add(-24 * time.Hour).Truncate(time.Hour), Until: now, KeyID: &id})
	if err != nil {
		return view, err
	}
	for _, count := range counts {
		view.RequestsLastDay += count.Requests
	}
	rhythm, callers, err := h.keyUse(v, *shown)
	if err != nil {
		return view, err
	}
	view.Silence, view.Callers = silenceOf(rhythm), callers
	return view, nil
}

func (h *handler) keyRevoke(v *visit) error {
	id, err := v.id()
	if err != nil {
		return err
	}
	tenant := h.tenant(v)
	key, err := tenant.Key(v.UserContext(), id)
	if err != nil {
		return err
	}
	return h.confirmedIfInUse(v, key, func(v *visit) error {
		if _, err := tenant.KeyRevoke(v.UserContext(), id); err != nil {
			return err
		}
		return h.done(v, "/settings/api-keys", v.frame.T("Key “{key}” is revoked. Requests with it are refused from now on.", "key", key.Name))
	})
}

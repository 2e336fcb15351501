package dashboard

import (
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/keys"
	"dispo/web"
)

const (
	keyRefusalsShown = 20
	keyEntriesShown  = 50
)

// keyUse returns what tells whether something still works with a key: its rhythm, and
// its callers, each with whether it has moved to the key's successor.
func (h *handler) keyUse(r *request, key keys.Detail) (rhythm keys.Rhythm, callers []web.RotationCaller, err error) {
	rhythm, err = keys.KeyRhythm(r.context(), h.tenant(r), key.APIKey, r.frame.Now)
	if err != nil {
		return rhythm, nil, err
	}
	successor := uuid.Nil // matches no caller
	if key.SuccessorID != nil {
		successor = *key.SuccessorID
	}
	moves, err := keys.Moves(r.context(), h.tenant(r), key.ID, successor, r.frame.Now.Add(-callersSince))
	for _, move := range moves {
		callers = append(callers, web.RotationCaller{
			CallerView: callerView(move.KeyCaller), Client: move.Client, NewKeyUsed: move.NewKeyUsed, Moved: move.Moved(), Dismissed: move.DismissedAt != nil,
		})
	}
	return rhythm, callers, err
}

func silenceOf(rhythm keys.Rhythm) web.Silence {
	silence := web.Silence{Needed: rhythm.Silence(), Until: rhythm.SafeFrom()}
	if rhythm.Known() {
		silence.From, silence.To = rhythm.Longest.From, rhythm.Longest.To
	}
	return silence
}

// endOfDay returns the end of a day, YYYY-MM-DD, in the organization's time zone.
func endOfDay(day string, zone *time.Location) (time.Time, error) {
	start, err := time.ParseInLocation(time.DateOnly, day, zone)
	return *endOf(start), err
}

func (h *handler) keyShow(r *request) error { return h.showKey(r, fiber.StatusOK, web.KeyForms{}) }

// showKey shows the page of the key in the path. The forms are those with errors.
func (h *handler) showKey(r *request, status int, forms web.KeyForms) error {
	id, err := r.id()
	if err != nil {
		return err
	}
	tenant := h.tenant(r)
	listed, err := keys.List(r.context(), tenant)
	if err != nil {
		return err
	}
	view := web.KeyView{Frame: r.frame, KeyForms: forms}
	var shown *keys.Detail
	for i := range listed {
		if listed[i].ID == id {
			shown = &listed[i]
		}
	}
	if shown == nil {
		return models.NewError(models.KindNotFound, "There is no such key.")
	}
	view.Key, view.TestedAt = keyRow(*shown), timeOf(shown.TestedAt)
	for _, key := range listed {
		switch {
		case shown.SuccessorOf != nil && *shown.SuccessorOf == key.ID:
			view.Predecessors = append(view.Predecessors, keyRow(key))
		case key.SuccessorOf != nil && *key.SuccessorOf == id:
			view.Successors = append(view.Successors, keyRow(key))
		}
	}
	if err := h.fillKeyUse(r, tenant, id, &view); err != nil {
		return err
	}
	entries, err := tenant.AuditLogOfKey(r.context(), id, keyEntriesShown)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		row := auditRow(entry)
		row.KeyID = "" // the page that is shown
		view.Log = append(view.Log, row)
	}
	return r.showAs(status, web.KeyPage(view))
}

// fillKeyUse fills in the key's requests.
func (h *handler) fillKeyUse(r *request, tenant models.Tenant, id uuid.UUID, view *web.KeyView) error {
	by := web.ChartBy(r.query("by"))
	if by != web.ByHour {
		by = web.ByDay
	}
	chart, query := chartOf(r, by)
	query.KeyID, chart.KeyID = &id, id.String()
	counts, err := keys.Counts(r.context(), tenant, query)
	if err != nil {
		return err
	}
	chart.Bars = bars(query, counts)
	view.Chart = chart
	callers, err := keys.Callers(r.context(), tenant, id, r.frame.Now.Add(-callersSince))
	if err != nil {
		return err
	}
	for _, c := range callers {
		view.Callers = append(view.Callers, callerView(c))
	}
	refused, err := keys.Refusals(r.context(), tenant, &id, keyRefusalsShown)
	for _, one := range refused {
		view.Refusals = append(view.Refusals, refusal(one))
	}
	return err
}

// changeKey makes a change to the key in the path, and shows the key's page with the
// notice. If the change is rejected, reject shows why.
func (h *handler) changeKey(r *request, change func(models.Tenant, uuid.UUID) (notice string, err error), reject func(error) web.KeyForms) error {
	id, err := r.id()
	if err != nil {
		return err
	}
	notice, err := change(h.tenant(r), id)
	if models.ErrorKind(err) == models.KindInvalid && reject != nil {
		return h.showKey(r, fiber.StatusUnprocessableEntity, reject(err))
	}
	if err != nil {
		return err
	}
	return h.done(r, "/settings/api-keys/"+id.String(), notice)
}

func (h *handler) keyDescribe(r *request) error {
	name, note := strings.TrimSpace(r.typed("name")), r.typed("note")
	return h.changeKey(r, func(tenant models.Tenant, id uuid.UUID) (string, error) {
		_, err := keys.Describe(r.context(), tenant, id, name, note)
		return r.frame.T("Saved."), err
	}, func(err error) web.KeyForms {
		forms := web.KeyForms{Described: true, Name: web.Field{Value: name}, Note: web.Field{Value: note, Error: r.message(err)}}
		if keys.CheckName(name) != nil {
			forms.Name.Error, forms.Note.Error = forms.Note.Error, ""
		}
		return forms
	})
}

func (h *handler) keyExpire(r *request) error {
	day := r.typed("expires_on")
	return h.changeKey(r, func(tenant models.Tenant, id uuid.UUID) (string, error) {
		end, err := endOfDay(day, r.frame.Zone)
		if err != nil {
			return "", models.NewError(models.KindInvalid, "Choose the last day.")
		}
		_, err = keys.Expire(r.context(), tenant, id, end)
		return r.frame.T("The key expires after {day}.", "day", r.frame.Date(end.AddDate(0, 0, -1))), err
	}, func(err error) web.KeyForms {
		return web.KeyForms{ExpiresOn: web.Field{Value: day, Error: r.message(err)}}
	})
}

func (h *handler) keyPause(r *request) error {
	return h.changeKey(r, func(tenant models.Tenant, id uuid.UUID) (string, error) {
		key, err := keys.Pause(r.context(), tenant, id)
		return r.frame.T("Key “{key}” is paused. Requests with it are refused until you resume it.", "key", key.Name), err
	}, nil)
}

func (h *handler) keyResume(r *request) error {
	return h.changeKey(r, func(tenant models.Tenant, id uuid.UUID) (string, error) {
		key, err := keys.Resume(r.context(), tenant, id)
		return r.frame.T("Key “{key}” works again.", "key", key.Name), err
	}, nil)
}

// keySchedule schedules the key to be revoked, as the field when says: quiet, after some
// days without use, or date.
func (h *handler) keySchedule(r *request) error {
	when, days, day := r.typed("when"), r.typed("quiet_days"), r.typed("revoke_on")
	return h.changeKey(r, func(tenant models.Tenant, id uuid.UUID) (string, error) {
		if when == "date" {
			end, err := endOfDay(day, r.frame.Zone)
			if err != nil {
				return "", models.NewError(models.KindInvalid, "Choose the last day on which the key works.")
			}
			_, err = keys.RevokeAt(r.context(), tenant, id, end)
			return r.frame.T("The key will be revoked after {day}.", "day", r.frame.Date(end.AddDate(0, 0, -1))), err
		}
		n, err := strconv.Atoi(strings.TrimSpace(days))
		if err != nil {
			n = 0
		}
		_, err = keys.RevokeAfterQuiet(r.context(), tenant, id, n)
		return r.frame.T("The key will be revoked once it has been unused for {n} × 24 hours.", "n", n), err
	}, func(err error) web.KeyForms {
		forms := web.KeyForms{When: when, QuietDays: web.Field{Value: days}, RevokeOn: web.Field{Value: day}}
		if when == "date" {
			forms.RevokeOn.Error = r.message(err)
		} else {
			forms.QuietDays.Error = r.message(err)
		}
		return forms
	})
}

func (h *handler) keyUnschedule(r *request) error {
	return h.changeKey(r, func(tenant models.Tenant, id uuid.UUID) (string, error) {
		_, err := keys.Unschedule(r.context(), tenant, id)
		return r.frame.T("The scheduled revocation is canceled."), err
	}, nil)
}

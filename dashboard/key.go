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

// confirmedIfInUse is confirmed for a change that may stop what still works with the key:
// an active key that has not been unused for longer than ever before, or of whose callers
// that says too little.
func (h *handler) confirmedIfInUse(v *visit, key models.KeyDetail, change func(*visit) error) error {
	rhythm, callers, err := h.keyUse(v, key)
	if err != nil {
		return err
	}
	if key.State() == models.KeyActive && (!rhythm.Silent(v.frame.Now) || web.Unknown(callers, key.SuccessorID != nil)) {
		change = h.confirmed(change)
	}
	return change(v)
}

// keyUse returns what tells whether something still works with a key: its rhythm, and
// its callers, each with whether it has moved to the key's successor.
func (h *handler) keyUse(v *visit, key models.KeyDetail) (rhythm keys.Rhythm, callers []web.RotationCaller, err error) {
	rhythm, err = keys.KeyRhythm(v.UserContext(), h.tenant(v), key.APIKey, v.frame.Now)
	if err != nil {
		return rhythm, nil, err
	}
	successor := uuid.Nil // matches no caller
	if key.SuccessorID != nil {
		successor = *key.SuccessorID
	}
	moves, err := keys.Moves(v.UserContext(), h.tenant(v), key.ID, successor, v.frame.Now.Add(-callersSince))
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

func (h *handler) keyShow(v *visit) error { return h.showKey(v, fiber.StatusOK, web.KeyForms{}) }

// showKey shows the page of the key in the path. The forms are those with errors.
func (h *handler) showKey(v *visit, status int, forms web.KeyForms) error {
	id, err := v.id()
	if err != nil {
		return err
	}
	tenant := h.tenant(v)
	keys, err := tenant.Keys(v.UserContext())
	if err != nil {
		return err
	}
	view := web.KeyView{Frame: v.frame, KeyForms: forms}
	var shown *models.KeyDetail
	for i := range keys {
		if keys[i].ID == id {
			shown = &keys[i]
		}
	}
	if shown == nil {
		return models.NewError(models.KindNotFound, "There is no such key.")
	}
	view.Key, view.TestedAt = keyRow(*shown), timeOf(shown.TestedAt)
	for _, key := range keys {
		switch {
		case shown.SuccessorOf != nil && *shown.SuccessorOf == key.ID:
			view.Predecessors = append(view.Predecessors, keyRow(key))
		case key.SuccessorOf != nil && *key.SuccessorOf == id:
			view.Successors = append(view.Successors, keyRow(key))
		}
	}
	if err := h.fillKeyUse(v, tenant, id, &view); err != nil {
		return err
	}
	entries, err := tenant.AuditLogOfKey(v.UserContext(), id, keyEntriesShown)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		row := auditRow(entry)
		row.KeyID = "" // the page that is shown
		view.Log = append(view.Log, row)
	}
	return v.showAs(status, web.KeyPage(view))
}

// fillKeyUse fills in the key's requests.
func (h *handler) fillKeyUse(v *visit, tenant models.Tenant, id uuid.UUID, view *web.KeyView) error {
	by := web.ChartBy(v.Query("by"))
	if by != web.ByHour {
		by = web.ByDay
	}
	chart, query := chartOf(v, by)
	query.KeyID, chart.KeyID = &id, id.String()
	counts, err := keys.Counts(v.UserContext(), tenant, query)
	if err != nil {
		return err
	}
	chart.Bars = bars(query, counts)
	view.Chart = chart
	callers, err := keys.Callers(v.UserContext(), tenant, id, v.frame.Now.Add(-callersSince))
	if err != nil {
		return err
	}
	for _, c := range callers {
		view.Callers = append(view.Callers, callerView(c))
	}
	refused, err := keys.Refusals(v.UserContext(), tenant, &id, keyRefusalsShown)
	for _, r := range refused {
		view.Refusals = append(view.Refusals, refusal(r))
	}
	return err
}

// changeKey makes a change to the key in the path, and shows the key's page with the
// notice. If the change is rejected, reject shows why.
func (h *handler) changeKey(v *visit, harmful bool, change func(models.Tenant, uuid.UUID) (notice string, err error), reject func(error) web.KeyForms) error {
	id, err := v.id()
	if err != nil {
		return err
	}
	key, err := h.tenant(v).Key(v.UserContext(), id)
	if err != nil {
		return err
	}
	run := func(v *visit) error {
		notice, err := change(h.tenant(v), id)
		if models.ErrorKind(err) == models.KindInvalid && reject != nil {
			return h.showKey(v, fiber.StatusUnprocessableEntity, reject(err))
		}
		if err != nil {
			return err
		}
		return h.done(v, "/settings/api-keys/"+id.String(), notice)
	}
	if harmful {
		return h.confirmedIfInUse(v, key, run)
	}
	return run(v)
}

func (h *handler) keyDescribe(v *visit) error {
	name, note := strings.TrimSpace(v.typed("name")), v.typed("note")
	return h.changeKey(v, false, func(tenant models.Tenant, id uuid.UUID) (string, error) {
		_, err := tenant.KeyDescribe(v.UserContext(), id, name, note)
		return v.frame.T("Saved."), err
	}, func(err error) web.KeyForms {
		forms := web.KeyForms{Described: true, Name: web.Field{Value: name}, Note: web.Field{Value: note, Error: v.message(err)}}
		if models.CheckKeyName(name) != nil {
			forms.Name.Error, forms.Note.Error = forms.Note.Error, ""
		}
		return forms
	})
}

func (h *handler) keyExpire(v *visit) error {
	day := v.typed("expires_on")
	return h.changeKey(v, true, func(tenant models.Tenant, id uuid.UUID) (string, error) {
		end, err := endOfDay(day, v.frame.Zone)
		if err != nil {
			return "", models.NewError(models.KindInvalid, "Choose the last day.")
		}
		_, err = tenant.KeyExpire(v.UserContext(), id, end)
		return v.frame.T("The key expires after {day}.", "day", v.frame.Date(end.AddDate(0, 0, -1))), err
	}, func(err error) web.KeyForms {
		return web.KeyForms{ExpiresOn: web.Field{Value: day, Error: v.message(err)}}
	})
}

func (h *handler) keyPause(v *visit) error {
	return h.changeKey(v, true, func(tenant models.Tenant, id uuid.UUID) (string, error) {
		key, err := tenant.KeyPause(v.UserContext(), id)
		return v.frame.T("Key “{key}” is paused. Requests with it are refused until you resume it.", "key", key.Name), err
	}, nil)
}

func (h *handler) keyResume(v *visit) error {
	return h.changeKey(v, false, func(tenant models.Tenant, id uuid.UUID) (string, error) {
		key, err := tenant.KeyResume(v.UserContext(), id)
		return v.frame.T("Key “{key}” works again.", "key", key.Name), err
	}, nil)
}

// keySchedule schedules the key to be revoked, as the field when says: quiet, after some
// days without use, or date.
func (h *handler) keySchedule(v *visit) error {
	when, days, day := v.typed("when"), v.typed("quiet_days"), v.typed("revoke_on")
	return h.changeKey(v, true, func(tenant models.Tenant, id uuid.UUID) (string, error) {
		if when == "date" {
			end, err := endOfDay(day, v.frame.Zone)
			if err != nil {
				return "", models.NewError(models.KindInvalid, "Choose the last day on which the key works.")
			}
			_, err = tenant.KeyRevokeAt(v.UserContext(), id, end)
			return v.frame.T("The key will be revoked after {day}.", "day", v.frame.Date(end.AddDate(0, 0, -1))), err
		}
		n, err := strconv.Atoi(strings.TrimSpace(days))
		if err != nil {
			n = 0
		}
		_, err = tenant.KeyRevokeAfterQuiet(v.UserContext(), id, n)
		return v.frame.T("The key will be revoked once it has been unused for {n} × 24 hours.", "n", n), err
	}, func(err error) web.KeyForms {
		forms := web.KeyForms{When: when, QuietDays: web.Field{Value: days}, RevokeOn: web.Field{Value: day}}
		if when == "date" {
			forms.RevokeOn.Error = v.message(err)
		} else {
			forms.QuietDays.Error = v.message(err)
		}
		return forms
	})
}

func (h *handler) keyUnschedule(v *visit) error {
	return h.changeKey(v, false, func(tenant models.Tenant, id uuid.UUID) (string, error) {
		_, err := tenant.KeyRevokeUnschedule(v.UserContext(), id)
		return v.frame.T("The scheduled revocation is canceled."), err
	}, nil)
}

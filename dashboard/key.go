package dashboard

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/terms"
	"dispo/web"
)

const (
	keyRefusalsShown = 20
	keyEntriesShown  = 50
)

func rotationCallers(use keys.Use) (callers []web.RotationCaller) {
	for _, move := range use.Callers {
		callers = append(callers, web.RotationCaller{
			CallerView: callerView(move.KeyCaller), Client: move.Client, NewKeyUsed: move.NewKeyUsed,
			Moved: move.Moved(), Dismissed: move.Dismissed(), Returned: move.Returned(),
		})
	}
	return callers
}

func idleTimeOf(idle keys.IdleTimes) web.IdleTime {
	shown := web.IdleTime{Needed: idle.Enough(), Until: idle.SafeFrom(), InUseSince: idle.Since}
	if idle.Known() {
		shown.From, shown.To = idle.Longest.From, idle.Longest.To
	}
	return shown
}

// endOfDay returns the end of a day, YYYY-MM-DD, in the organization's time zone.
func endOfDay(day string, zone *time.Location) (time.Time, error) {
	start, err := time.ParseInLocation(time.DateOnly, day, zone)
	return *endOf(start), err
}

func (h *handler) keyShow(r *request) error { return h.showKey(r, fiber.StatusOK, web.KeyForms{}) }

// listedKey returns all keys, and the one in the path.
func listedKey(r *request, tenant models.Tenant) (all []keys.Detail, key keys.Detail, err error) {
	all, err = keys.List(r.context(), tenant)
	if err != nil {
		return nil, key, err
	}
	i := slices.IndexFunc(all, func(k keys.Detail) bool { return k.ID == r.id })
	if i < 0 {
		return nil, key, keys.ErrNotFound
	}
	return all, all[i], nil
}

// showKey shows the page of the key in the path. The forms are those with errors.
func (h *handler) showKey(r *request, status int, forms web.KeyForms) error {
	tenant := h.tenant(r)
	listed, shown, err := listedKey(r, tenant)
	if err != nil {
		return err
	}
	view := web.KeyView{Frame: r.frame, KeyForms: forms, Key: keyRow(shown), TestedAt: valueOf(shown.TestedAt)}
	for _, key := range listed {
		switch {
		case shown.SuccessorOf != nil && *shown.SuccessorOf == key.ID:
			old := keyRow(key)
			markRotation(&old, &view.Key)
			view.Predecessors = append(view.Predecessors, old)
		case key.SuccessorOf != nil && *key.SuccessorOf == r.id:
			successor := keyRow(key)
			markRotation(&view.Key, &successor)
			view.Successors = append(view.Successors, successor)
		}
	}
	if err := h.fillKeyUse(r, tenant, &view); err != nil {
		return err
	}
	entries, more, err := tenant.AuditLog(r.context(), models.AuditFilter{KeyID: r.id}, nil, keyEntriesShown)
	if err != nil {
		return err
	}
	view.MoreLog = more
	for _, entry := range entries {
		row := auditRow(entry)
		row.KeyID = "" // the page that is shown
		view.Log = append(view.Log, row)
	}
	return r.showAs(status, web.KeyPage(view))
}

// fillKeyUse fills in the key's requests.
func (h *handler) fillKeyUse(r *request, tenant models.Tenant, view *web.KeyView) error {
	by := web.ChartBy(r.query("by"))
	if by != web.ByHour {
		by = web.ByDay
	}
	chart, query := chartOf(r, by)
	query.KeyID, chart.KeyID = &r.id, r.id.String()
	counts, err := keys.Counts(r.context(), tenant, query)
	if err != nil {
		return err
	}
	chart.Bars = bars(query, counts)
	view.Chart = chart
	callers, err := keys.Callers(r.context(), tenant, r.id, r.frame.Now.Add(-keys.CallersWindow))
	if err != nil {
		return err
	}
	for _, c := range callers {
		view.Callers = append(view.Callers, callerView(c))
	}
	served, more, err := keys.Served(r.context(), tenant, r.id, nil, nil, keyServedShown)
	if err != nil {
		return err
	}
	view.Served, view.MoreServed = servedRows(served), more
	refused, err := keys.Refusals(r.context(), tenant, &r.id, keyRefusalsShown)
	for _, one := range refused {
		view.Refusals = append(view.Refusals, refusal(one))
	}
	return err
}

// changeKey makes a change to the key in the path, and shows the key's page, or the page
// of the rotation that the form is on, with what was changed. If the change is rejected,
// reject shows why.
func (h *handler) changeKey(
	r *request,
	change func(models.Tenant) (key keys.Detail, notice string, err error),
	reject func(error) web.KeyForms,
) error {
	key, notice, err := change(h.tenant(r))
	if models.ErrorKind(err) == models.KindInvalid && reject != nil {
		return h.showKey(r, fiber.StatusUnprocessableEntity, reject(err))
	}
	if err != nil {
		return err
	}
	if key.State() == terms.KeyRevoked {
		notice = r.frame.T("Nothing was changed: key {key} is revoked.", "key", key.Subject())
	}
	page := "/settings/api-keys/" + r.id.String()
	if old, err := uuid.Parse(r.typed("rotating")); err == nil {
		page = rotationPath(old)
	}
	return h.done(r, page, notice)
}

func (h *handler) keyDescribe(r *request) error {
	name, note := strings.TrimSpace(r.typed("name")), r.typed("note")
	return h.changeKey(r, func(tenant models.Tenant) (keys.Detail, string, error) {
		_, err := keys.Describe(r.context(), tenant, r.id, name, note)
		return keys.Detail{}, r.frame.T("Saved."), err // whatever its state
	}, func(err error) web.KeyForms {
		forms := web.KeyForms{
			Described: true,
			Name:      web.Field{Value: name},
			Note:      web.Field{Value: note, Error: r.message(err)},
		}
		if keys.CheckName(name) != nil {
			forms.Name.Error, forms.Note.Error = forms.Note.Error, ""
		}
		return forms
	})
}

func (h *handler) keyExpire(r *request) error {
	day := r.typed("expires_on")
	return h.changeKey(r, func(tenant models.Tenant) (keys.Detail, string, error) {
		end, err := endOfDay(day, r.frame.Zone)
		if err != nil {
			return keys.Detail{}, "", models.NewError(models.KindInvalid, "Choose the last day.")
		}
		key, err := keys.Expire(r.context(), tenant, r.id, end)
		return key, r.frame.T("The key expires after {day}.", "day", r.frame.Date(end.AddDate(0, 0, -1))), err
	}, func(err error) web.KeyForms {
		return web.KeyForms{ExpiresOn: web.Field{Value: day, Error: r.message(err)}}
	})
}

func (h *handler) keyPause(r *request) error {
	return h.changeKey(r, func(tenant models.Tenant) (keys.Detail, string, error) {
		key, err := keys.Pause(r.context(), tenant, r.id)
		return key, r.expiredOr(
			key,
			r.frame.T("Key {key} is paused. Requests with it are refused until you resume it.", "key", key.Subject()),
		), err
	}, nil)
}

func (h *handler) keyResume(r *request) error {
	return h.changeKey(r, func(tenant models.Tenant) (keys.Detail, string, error) {
		key, err := keys.Resume(r.context(), tenant, r.id)
		return key, r.expiredOr(key, r.frame.T("Key {key} works again.", "key", key.Subject())), err
	}, nil)
}

// expiredOr is the notice of pausing or resuming a key, which may have expired meanwhile.
func (r *request) expiredOr(key keys.Detail, notice string) string {
	if key.State() == terms.KeyExpired {
		return r.frame.T("Key {key} has expired. Requests with it are refused.", "key", key.Subject())
	}
	return notice
}

// keySchedule schedules the key to be revoked, as the field when says: idle, after some
// days without use, or date.
func (h *handler) keySchedule(r *request) error {
	when, days, day := r.typed("when"), r.typed("idle_days"), r.typed("revoke_on")
	return h.changeKey(r, func(tenant models.Tenant) (keys.Detail, string, error) {
		if when == "date" {
			end, err := endOfDay(day, r.frame.Zone)
			if err != nil {
				return keys.Detail{}, "", models.NewError(models.KindInvalid, "Choose the last day on which the key works.")
			}
			key, err := keys.RevokeAt(r.context(), tenant, r.id, end)
			return key, r.frame.T("The key will be revoked after {day}.", "day", r.frame.Date(end.AddDate(0, 0, -1))), err
		}
		n, err := strconv.Atoi(strings.TrimSpace(days))
		if err != nil {
			n = 0
		}
		key, err := keys.RevokeAfterIdle(r.context(), tenant, r.id, n)
		return key, r.frame.N(
			int64(n),
			"The key will be revoked once it has been unused for {n} day.",
			"The key will be revoked once it has been unused for {n} days.",
		), err
	}, func(err error) web.KeyForms {
		forms := web.KeyForms{When: when, IdleDays: web.Field{Value: days}, RevokeOn: web.Field{Value: day}}
		if when == "date" {
			forms.RevokeOn.Error = r.message(err)
		} else {
			forms.IdleDays.Error = r.message(err)
		}
		return forms
	})
}

func (h *handler) keyUnschedule(r *request) error {
	return h.changeKey(r, func(tenant models.Tenant) (keys.Detail, string, error) {
		key, err := keys.Unschedule(r.context(), tenant, r.id)
		return key, r.frame.T("The scheduled revocation is canceled."), err
	}, nil)
}

package dashboard

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/i18n"
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

func keyShow(r *site.Request) error { return showKey(r, fiber.StatusOK, web.KeyForms{}) }

// listedKey returns all keys, and the one in the path.
func listedKey(r *site.Request, tenant models.Tenant) (all []keys.Detail, key keys.Detail, err error) {
	all, err = keys.List(r.Context(), tenant)
	if err != nil {
		return nil, key, err
	}
	i := slices.IndexFunc(all, func(k keys.Detail) bool { return k.ID == r.ID })
	if i < 0 {
		return nil, key, keys.ErrNotFound
	}
	return all, all[i], nil
}

// showKey shows the page of the key in the path. The forms are those with errors.
func showKey(r *site.Request, status int, forms web.KeyForms) error {
	tenant := r.Tenant()
	listed, shown, err := listedKey(r, tenant)
	if err != nil {
		return err
	}
	calling, err := keys.StillCalling(r.Context(), tenant, r.Now)
	if err != nil {
		return err
	}
	view := web.KeyView{Frame: r.Frame, Show: r.Query("show"), KeyForms: forms, Key: keyRow(shown),
		TestedAt: valueOf(shown.TestedAt)}
	view.Key.Calling = callerViews(calling[r.ID])
	if forms != (web.KeyForms{}) {
		view.Show = "settings"
	}
	for _, key := range listed {
		switch {
		case shown.SuccessorOf != nil && *shown.SuccessorOf == key.ID:
			old := keyRow(key)
			markRotation(&old, &view.Key)
			view.Predecessors = append(view.Predecessors, old)
		case key.SuccessorOf != nil && *key.SuccessorOf == r.ID:
			successor := keyRow(key)
			markRotation(&view.Key, &successor)
			view.Successors = append(view.Successors, successor)
		}
	}
	switch view.Show {
	case "settings":
		err = fillKeyNetworks(r, tenant, shown.Key, &view)
	case "history":
		err = fillKeyLog(r, tenant, &view)
	default:
		if view.Show != "callers" {
			view.Show = ""
		}
		err = fillKeyUse(r, tenant, &view)
	}
	if err != nil {
		return err
	}
	return r.ShowAs(status, web.KeyPage(view))
}

func fillKeyLog(r *site.Request, tenant models.Tenant, view *web.KeyView) error {
	entries, more, err := tenant.AuditLog(r.Context(), models.AuditFilter{KeyID: r.ID}, nil, keyEntriesShown)
	view.MoreLog = more
	for _, entry := range entries {
		row := auditRow(entry)
		row.KeyID = "" // the page that is shown
		view.Log = append(view.Log, row)
	}
	return err
}

// fillKeyUse fills in the key's requests.
func fillKeyUse(r *site.Request, tenant models.Tenant, view *web.KeyView) error {
	by := web.ChartBy(r.Query("by"))
	if by != web.ByHour {
		by = web.ByDay
	}
	chart, query := chartOf(r, by)
	query.KeyID, chart.KeyID = &r.ID, r.ID.String()
	counts, err := keys.Counts(r.Context(), tenant, query)
	if err != nil {
		return err
	}
	chart.Bars = bars(query, counts)
	view.Chart = chart
	callers, err := keys.Callers(r.Context(), tenant, r.ID, r.Now.Add(-keys.CallersWindow))
	if err != nil {
		return err
	}
	view.Callers = callerViews(callers)
	served, more, err := keys.Served(r.Context(), tenant, r.ID, nil, nil, keyServedShown)
	if err != nil {
		return err
	}
	view.MoreServed = more
	if view.Served, err = servedRows(r, served); err != nil {
		return err
	}
	refused, err := keys.Refusals(r.Context(), tenant, &r.ID, keyRefusalsShown)
	for _, one := range refused {
		view.Refusals = append(view.Refusals, refusal(one))
	}
	return err
}

// changeKey makes a change to the key in the path, and shows the key's page, or the page
// of the rotation that the form is on, with what was changed. If the change is rejected,
// reject shows why.
func changeKey(
	r *site.Request,
	change func(models.Tenant) (key keys.Detail, notice string, err error),
	reject func(error) web.KeyForms,
) error {
	key, notice, err := change(r.Tenant())
	if models.ErrorKind(err) == models.KindInvalid && reject != nil {
		return showKey(r, fiber.StatusUnprocessableEntity, reject(err))
	}
	if err != nil {
		return err
	}
	if key.State() == terms.KeyRevoked {
		notice = r.T("Nothing was changed: key {key} is revoked.", "key", key.Subject())
	}
	page := "/settings/api-keys/" + r.ID.String()
	if old, err := uuid.Parse(r.Typed("rotating")); err == nil {
		page = rotationPath(old)
	}
	return r.Done(page, notice)
}

func keyDescribe(r *site.Request) error {
	name, note := strings.TrimSpace(r.Typed("name")), r.Typed("note")
	return changeKey(r, func(tenant models.Tenant) (keys.Detail, string, error) {
		_, err := keys.Describe(r.Context(), tenant, r.ID, name, note)
		return keys.Detail{}, r.T("Saved."), err // in every state
	}, func(err error) web.KeyForms {
		forms := web.KeyForms{
			Name: web.Field{Value: name},
			Note: web.Field{Value: note, Error: r.Message(err)},
		}
		if keys.CheckName(name) != nil {
			forms.Name.Error, forms.Note.Error = forms.Note.Error, ""
		}
		return forms
	})
}

func keyExpire(r *site.Request) error {
	day := r.Typed("expires_on")
	return changeKey(r, func(tenant models.Tenant) (keys.Detail, string, error) {
		end, err := i18n.EndOfDate(day, r.Zone)
		if err != nil {
			return keys.Detail{}, "", models.NewError(models.KindInvalid, "Choose the last day.")
		}
		key, err := keys.Expire(r.Context(), tenant, r.ID, end)
		return key, r.T("The key expires after {day}.", "day", r.Date(end.Add(-time.Nanosecond))), err
	}, func(err error) web.KeyForms {
		return web.KeyForms{ExpiresOn: web.Field{Value: day, Error: r.Message(err)}}
	})
}

// keyDismiss dismisses what still calls the key in the path though it has expired.
func keyDismiss(r *site.Request) error {
	return changeKey(r, func(tenant models.Tenant) (key keys.Detail, notice string, err error) {
		calling, err := keys.StillCalling(r.Context(), tenant, r.Now)
		if err == nil {
			key, err = keys.Get(r.Context(), tenant, r.ID)
		}
		for _, caller := range calling[r.ID] {
			if err == nil {
				err = keys.CallerDismiss(r.Context(), tenant, key.Key, caller.Address, caller.Client)
			}
		}
		return key, r.T("Dismissed. Pages name the key again only if something else calls it."), err
	}, nil)
}

func keyPause(r *site.Request) error {
	return changeKey(r, func(tenant models.Tenant) (keys.Detail, string, error) {
		key, err := keys.Pause(r.Context(), tenant, r.ID)
		return key, expiredOr(r, key,
			r.T("Key {key} is paused. Requests with it are refused until you resume it.", "key", key.Subject())), err
	}, nil)
}

func keyResume(r *site.Request) error {
	return changeKey(r, func(tenant models.Tenant) (keys.Detail, string, error) {
		key, err := keys.Resume(r.Context(), tenant, r.ID)
		return key, expiredOr(r, key, r.T("Key {key} works again.", "key", key.Subject())), err
	}, nil)
}

// expiredOr is the notice of pausing or resuming a key, which may have expired meanwhile.
func expiredOr(r *site.Request, key keys.Detail, notice string) string {
	if key.State() == terms.KeyExpired {
		return r.T("Key {key} has expired. Requests with it are refused.", "key", key.Subject())
	}
	return notice
}

// keySchedule schedules the key to be revoked, as the field when says: idle, after some
// days without use, or date.
func keySchedule(r *site.Request) error {
	when, days, day := r.Typed("when"), r.Typed("idle_days"), r.Typed("revoke_on")
	return changeKey(r, func(tenant models.Tenant) (keys.Detail, string, error) {
		if when == "date" {
			end, err := i18n.EndOfDate(day, r.Zone)
			if err != nil {
				return keys.Detail{}, "", models.NewError(models.KindInvalid, "Choose the last day on which the key works.")
			}
			key, err := keys.RevokeAt(r.Context(), tenant, r.ID, end)
			return key, r.T("The key will be revoked after {day}.", "day", r.Date(end.Add(-time.Nanosecond))), err
		}
		n, err := strconv.Atoi(strings.TrimSpace(days))
		if err != nil {
			n = 0
		}
		key, err := keys.RevokeAfterIdle(r.Context(), tenant, r.ID, n)
		return key, r.N(int64(n), "The key will be revoked once it has been unused for {n} day.",
			"The key will be revoked once it has been unused for {n} days."), err
	}, func(err error) web.KeyForms {
		forms := web.KeyForms{IdleDays: web.Field{Value: days}, RevokeOn: web.Field{Value: day}}
		if when == "date" {
			forms.RevokeOn.Error = r.Message(err)
		} else {
			forms.IdleDays.Error = r.Message(err)
		}
		return forms
	})
}

func keyUnschedule(r *site.Request) error {
	return changeKey(r, func(tenant models.Tenant) (keys.Detail, string, error) {
		key, err := keys.Unschedule(r.Context(), tenant, r.ID)
		return key, r.T("The scheduled revocation is canceled."), err
	}, nil)
}

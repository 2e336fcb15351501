package dashboard

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/keys"
	"dispo/web"
)

// callersSince is how far back the old key's callers are compared.
const callersSince = 30 * 24 * time.Hour

// rotationView returns the state of a key's rotation.
func (h *handler) rotationView(v *visit, id uuid.UUID) (web.RotationView, error) {
	tenant := h.tenant(v)
	old, err := tenant.Key(v.UserContext(), id)
	if err != nil {
		return web.RotationView{}, err
	}
	view := web.RotationView{Frame: v.frame, Old: keyRow(old), Step: stepOf(v), BaseURL: h.baseURL()}
	view.KeyFields = web.KeyFields{Name: web.Field{Value: old.Name}, Expires: expiryRule(old.APIKey, v.frame.Zone), Nonce: h.newNonce(v)}
	if view.Expires.Value == "date" {
		view.ExpiresOn.Value = time.Now().In(v.frame.Zone).AddDate(0, 0, lifeInDays(old.APIKey, v.frame.Zone)).Format(time.DateOnly)
	}
	if old.SuccessorID == nil {
		return view, nil
	}
	successor, err := tenant.Key(v.UserContext(), *old.SuccessorID)
	if err != nil {
		return view, err
	}
	row := keyRow(successor)
	view.Successor = &row
	view.TestedAt = timeOf(successor.TestedAt)
	rhythm, callers, err := h.keyUse(v, old)
	if err != nil {
		return view, err
	}
	view.Callers = callers
	view.Silence = silenceOf(rhythm)
	view.SafeToRevoke = view.ReadyToRevoke() && (rhythm.Silent(view.Now) || old.State() == models.KeyExpired)
	return view, nil
}

func callerView(c keys.KeyCaller) web.CallerView {
	return web.CallerView{
		Address: c.Address, UserAgent: c.UserAgent, FirstSeen: c.FirstSeen, LastSeen: c.LastSeen, LastRefused: timeOf(c.LastRefused),
		Requests: c.Requests, Refused: c.Refused,
	}
}

func stepOf(v *visit) web.RotationStep {
	switch step := web.RotationStep(v.Query("step")); step {
	case web.RotationVerify, web.RotationRevoke:
		return step
	}
	return web.RotationUpdate
}

// expiryRule returns the choice in the form by which the key was created.
func expiryRule(key models.APIKey, zone *time.Location) web.Field {
	if key.ExpiresAt == nil {
		return web.Field{} // the default, so that a key that never expires is chosen again
	}
	switch days := lifeInDays(key, zone); days {
	case 30:
		return web.Field{Value: "30"}
	case 90:
		return web.Field{Value: "90"}
	case 365:
		return web.Field{Value: "365"}
	}
	return web.Field{Value: "date"}
}

// lifeInDays is how many days after its creation the key's last day is, at least 1.
func lifeInDays(key models.APIKey, zone *time.Location) int {
	date := func(t time.Time) time.Time {
		year, month, day := t.In(zone).Date()
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	}
	return max(1, int(date(key.ExpiresAt.Add(-time.Nanosecond)).Sub(date(key.CreatedAt))/(24*time.Hour)))
}

func (h *handler) rotation(v *visit) error {
	id, err := v.id()
	if err != nil {
		return err
	}
	view, err := h.rotationView(v, id)
	if err != nil {
		return err
	}
	return v.show(web.RotationPage(view))
}

// rotationStatus answers with the part of the page that updates itself.
func (h *handler) rotationStatus(v *visit) error {
	id, err := v.id()
	if err != nil {
		return err
	}
	view, err := h.rotationView(v, id)
	if err != nil {
		return err
	}
	return v.show(web.RotationSteps(view))
}

func (h *handler) rotate(v *visit) error {
	id, err := v.id()
	if err != nil {
		return err
	}
	switch v.FormValue("action") {
	case "create":
		return h.confirmed(func(v *visit) error { return h.rotationCreate(v, id) })(v)
	case "recreate":
		return h.confirmed(func(v *visit) error { return h.rotationRecreate(v, id) })(v)
	case "dismiss":
		return h.rotationCaller(v, id, keys.CallerDismiss)
	case "restore":
		return h.rotationCaller(v, id, keys.CallerRestore)
	case "revoke":
		return h.rotationRevoke(v, id)
	}
	return models.NewError(models.KindInvalid, "This form is not one of ours: reload the page, and try again.")
}

func rotationPath(id uuid.UUID) string { return "/settings/api-keys/" + id.String() + "/rotate" }

func (h *handler) rotationCreate(v *visit, id uuid.UUID) error {
	nonce, err := h.nonceID(v)
	if err != nil {
		return err
	}
	fields, key, ok := h.keyFields(v)
	if !ok {
		view, err := h.rotationView(v, id)
		if err != nil {
			return err
		}
		view.KeyFields = fields
		return v.showAs(fiber.StatusUnprocessableEntity, web.RotationPage(view))
	}
	key.ID, key.SuccessorOf = nonce, &id
	return h.createSuccessor(v, id, key)
}

// rotationRecreate creates another successor for a user who lost the first one before
// it was used.
func (h *handler) rotationRecreate(v *visit, id uuid.UUID) error {
	nonce, err := h.nonceID(v)
	if err != nil {
		return err
	}
	tenant := h.tenant(v)
	old, err := tenant.Key(v.UserContext(), id)
	if err != nil {
		return err
	}
	if old.SuccessorID == nil || *old.SuccessorID == nonce {
		return v.Redirect(rotationPath(id), fiber.StatusSeeOther)
	}
	lost, err := tenant.KeyRevokeUnused(v.UserContext(), *old.SuccessorID)
	if models.ErrorKind(err) == models.KindConflict {
		return h.done(v, rotationPath(id), v.frame.T("The new key has been used meanwhile, so it was kept."))
	}
	if err != nil {
		return err
	}
	return h.createSuccessor(v, id, models.NewAPIKey{ID: nonce, Name: lost.Name, ExpiresAt: lost.ExpiresAt, SuccessorOf: &id})
}

// createSuccessor creates the new key and shows it, this one time.
func (h *handler) createSuccessor(v *visit, id uuid.UUID, key models.NewAPIKey) error {
	_, text, err := h.tenant(v).KeyCreate(v.UserContext(), key)
	if models.ErrorKind(err) == models.KindConflict {
		return v.Redirect(rotationPath(id), fiber.StatusSeeOther)
	}
	if err != nil {
		return err
	}
	view, err := h.rotationView(v, id)
	if err != nil {
		return err
	}
	view.NewKey = web.KeyText(text)
	return v.show(web.RotationPage(view))
}

// rotationCaller changes whether a caller of the old key has to move.
func (h *handler) rotationCaller(v *visit, id uuid.UUID, change func(context.Context, models.Tenant, models.APIKey, string, string) error) error {
	tenant := h.tenant(v)
	old, err := tenant.Key(v.UserContext(), id)
	if err != nil {
		return err
	}
	if err := change(v.UserContext(), tenant, old.APIKey, v.typed("address"), v.typed("client")); err != nil {
		return err
	}
	return v.Redirect(rotationPath(id), fiber.StatusSeeOther)
}

func (h *handler) rotationRevoke(v *visit, id uuid.UUID) error {
	view, err := h.rotationView(v, id)
	if err != nil {
		return err
	}
	if !view.SafeToRevoke && v.FormValue("confirm") != "early" {
		return v.Redirect(rotationPath(id)+"?step=revoke", fiber.StatusSeeOther)
	}
	revoke := func(v *visit) error {
		if _, err := h.tenant(v).KeyRevoke(v.UserContext(), id); err != nil {
			return err
		}
		return v.Redirect(rotationPath(id), fiber.StatusSeeOther) // the page shows the revocation
	}
	if !view.SafeToRevoke {
		revoke = h.confirmed(revoke)
	}
	return revoke(v)
}

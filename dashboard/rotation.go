package dashboard

import (
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
func (h *handler) rotationView(r *request) (web.RotationView, error) {
	tenant := h.tenant(r)
	old, err := keys.Get(r.context(), tenant, r.id)
	if err != nil {
		return web.RotationView{}, err
	}
	view := web.RotationView{Frame: r.frame, Old: keyRow(old), Step: stepOf(r), BaseURL: h.baseURL()}
	view.KeyFields = web.KeyFields{Name: web.Field{Value: old.Name}, Expires: expiryRule(old.APIKey, r.frame.Zone), Nonce: h.newNonce(r)}
	if view.Expires.Value == "date" {
		view.ExpiresOn.Value = time.Now().In(r.frame.Zone).AddDate(0, 0, lifeInDays(old.APIKey, r.frame.Zone)).Format(time.DateOnly)
	}
	if old.SuccessorID == nil {
		return view, nil
	}
	successor, err := keys.Get(r.context(), tenant, *old.SuccessorID)
	if err != nil {
		return view, err
	}
	row := keyRow(successor)
	view.Successor = &row
	view.TestedAt = valueOf(successor.TestedAt)
	idle, callers, err := h.keyUse(r, old)
	if err != nil {
		return view, err
	}
	view.Callers = callers
	view.Silence = silenceOf(idle)
	view.SafeToRevoke = view.ReadyToRevoke() && (idle.LongEnough(view.Now) || old.State() == models.KeyExpired)
	return view, nil
}

func callerView(c keys.KeyCaller) web.CallerView {
	return web.CallerView{
		Address: c.Address, UserAgent: c.UserAgent, FirstSeen: c.FirstSeen, LastSeen: c.LastSeen, LastRefused: valueOf(c.LastRefused),
		Requests: c.Requests, Refused: c.Refused,
	}
}

func stepOf(r *request) web.RotationStep {
	switch step := web.RotationStep(r.query("step")); step {
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

func rotationPath(id uuid.UUID) string { return "/settings/api-keys/" + id.String() + "/rotate" }

func (h *handler) rotationCreate(r *request) error {
	nonce, err := h.nonceID(r)
	if err != nil {
		return err
	}
	fields, key, ok := h.keyFields(r)
	if !ok {
		view, err := h.rotationView(r)
		if err != nil {
			return err
		}
		view.KeyFields = fields
		return r.showAs(fiber.StatusUnprocessableEntity, web.RotationPage(view))
	}
	key.ID, key.SuccessorOf = nonce, &r.id
	return h.createSuccessor(r, key)
}

// rotationRecreate creates another successor for a user who lost the first one before
// it was used.
func (h *handler) rotationRecreate(r *request) error {
	nonce, err := h.nonceID(r)
	if err != nil {
		return err
	}
	tenant := h.tenant(r)
	old, err := keys.Get(r.context(), tenant, r.id)
	if err != nil {
		return err
	}
	if old.SuccessorID == nil || *old.SuccessorID == nonce {
		return r.redirect(rotationPath(r.id))
	}
	lost, err := keys.RevokeUnused(r.context(), tenant, *old.SuccessorID)
	if models.ErrorKind(err) == models.KindConflict {
		return h.done(r, rotationPath(r.id), r.frame.T("The new key has been used meanwhile, so it was kept."))
	}
	if err != nil {
		return err
	}
	return h.createSuccessor(r, keys.NewKey{ID: nonce, Name: lost.Name, ExpiresAt: lost.ExpiresAt, SuccessorOf: &r.id})
}

// createSuccessor creates the new key and shows it, this one time.
func (h *handler) createSuccessor(r *request, key keys.NewKey) error {
	_, text, err := keys.Create(r.context(), h.tenant(r), key)
	if models.ErrorKind(err) == models.KindConflict {
		return r.redirect(rotationPath(r.id))
	}
	if err != nil {
		return err
	}
	view, err := h.rotationView(r)
	if err != nil {
		return err
	}
	view.NewKey = web.KeyText(text)
	return r.show(web.RotationPage(view))
}

// rotationCaller changes whether a caller of the old key has to move.
func (h *handler) rotationCaller(r *request) error {
	tenant := h.tenant(r)
	old, err := keys.Get(r.context(), tenant, r.id)
	if err != nil {
		return err
	}
	change := keys.CallerDismiss
	if r.field("action") == "restore" {
		change = keys.CallerRestore
	}
	if err := change(r.context(), tenant, old.APIKey, r.typed("address"), r.typed("client")); err != nil {
		return err
	}
	return r.redirect(rotationPath(r.id))
}

func (h *handler) rotationRevoke(r *request) error {
	view, err := h.rotationView(r)
	if err != nil {
		return err
	}
	if !view.SafeToRevoke && r.field("confirm") != "early" {
		return r.redirect(rotationPath(r.id) + "?step=revoke")
	}
	if _, err := keys.Revoke(r.context(), h.tenant(r), r.id); err != nil {
		return err
	}
	return r.redirect(rotationPath(r.id)) // the page shows the revocation
}

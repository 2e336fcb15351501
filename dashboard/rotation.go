package dashboard

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models/keys"
	"dispo/web"
)

// rotationView returns the state of a key's rotation.
func (h *handler) rotationView(r *request) (web.RotationView, error) {
	rotation, err := keys.RotationOf(r.context(), h.tenant(r), r.id, r.frame.Now)
	if err != nil {
		return web.RotationView{}, err
	}
	old := rotation.Old
	view := web.RotationView{
		Frame: r.frame, Old: keyRow(old), Step: web.RotationStep(r.query("step")), BaseURL: h.baseURL(),
		KeyFields: web.KeyFields{Name: web.Field{Value: old.Name}, Nonce: h.newNonce(r)},
		Callers:   rotationCallers(rotation.Use), IdleTime: idleTimeOf(rotation.IdleTimes), Pending: rotation.Pending(),
		Updated: rotation.Updated(), Ready: rotation.Ready(), SafeToRevoke: rotation.Safe(r.frame.Now),
	}
	ahead, ok := rotationSteps[view.Step]
	if !ok {
		view.Step = web.RotationUpdate
	}
	view.Steps = rotation.Steps(ahead)
	if old.ExpiresAt != nil { // the choice by which the key was created; a key that never expires is chosen again
		days := lifeInDays(old.Key, r.frame.Zone)
		if view.Expires.Value = strconv.Itoa(days); !slices.Contains([]int{30, 90, 365}, days) {
			view.Expires.Value = "date"
			view.ExpiresOn.Value = time.Now().In(r.frame.Zone).AddDate(0, 0, days).Format(time.DateOnly)
		}
	}
	if rotation.Successor != nil {
		row := keyRow(*rotation.Successor)
		view.Successor, view.TestedAt = &row, valueOf(rotation.Successor.TestedAt)
	}
	return view, nil
}

// rotationSteps are the steps to which people may go ahead.
var rotationSteps = map[web.RotationStep]int{web.RotationVerify: 3, web.RotationRevoke: 4}

func callerView(c keys.KeyCaller) web.CallerView {
	return web.CallerView{
		Address:     c.Address,
		UserAgent:   c.UserAgent,
		FirstSeen:   c.FirstSeen,
		LastSeen:    c.LastSeen,
		LastRefused: valueOf(c.LastRefused),
		Requests:    c.Requests,
		Refused:     c.Refused,
	}
}

// lifeInDays is how many days after its creation the key's last day is, at least 1.
func lifeInDays(key keys.Key, zone *time.Location) int {
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
	if errors.Is(err, keys.ErrUsed) {
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
	if errors.Is(err, keys.ErrCreated) || errors.Is(err, keys.ErrRotating) {
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
	if err := change(r.context(), tenant, old.Key, r.typed("address"), r.typed("client")); err != nil {
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

package dashboard

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"dispo/dashboard/site"
	"dispo/models/i18n"
	"dispo/models/keys"
	"dispo/web"
)

// rotationView returns the state of a key's rotation.
func rotationView(r *site.Request) (web.RotationView, error) {
	rotation, err := keys.RotationOf(r.Context(), r.Tenant(), r.ID, r.Now)
	if err != nil {
		return web.RotationView{}, err
	}
	old := rotation.Old
	view := web.RotationView{
		Frame: r.Frame, Old: keyRow(old), Step: web.RotationStep(r.Query("step")), BaseURL: r.URL("/api"),
		KeyFields: web.KeyFields{Name: web.Field{Value: old.Name}, Nonce: r.NewNonce()},
		Callers:   rotationCallers(rotation.Use), IdleTime: idleTimeOf(rotation.IdleTimes), Pending: rotation.Pending(),
		Updated: rotation.Updated(), Ready: rotation.Ready(), SafeToRevoke: rotation.Safe(r.Now),
	}
	ahead, ok := rotationSteps[view.Step]
	if !ok {
		view.Step = web.RotationUpdate
	}
	view.Steps = rotation.Steps(ahead)
	if old.ExpiresAt != nil { // the choice by which the key was created; a key that never expires is chosen again
		last, _ := i18n.LastDay(*old.ExpiresAt)
		days := max(1, i18n.DaysUntil(old.CreatedAt.In(r.Zone), last))
		if view.Expires.Value = strconv.Itoa(days); !slices.Contains([]int{30, 90, 365}, days) {
			view.Expires.Value = "date"
			view.ExpiresOn.Value = r.Now.In(r.Zone).AddDate(0, 0, days).Format(time.DateOnly)
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

func callerViews(callers []keys.KeyCaller) (views []web.CallerView) {
	for _, c := range callers {
		views = append(views, callerView(c))
	}
	return views
}

func rotationPath(id uuid.UUID) string { return "/settings/api-keys/" + id.String() + "/rotate" }

func rotationCreate(r *site.Request) error {
	nonce, err := r.NonceID()
	if err != nil {
		return err
	}
	fields, key := keyFields(r)
	if !fields.Valid() {
		view, err := rotationView(r)
		if err != nil {
			return err
		}
		view.KeyFields = fields
		return r.ShowInvalid(web.RotationPage(view))
	}
	key.ID, key.SuccessorOf = nonce, &r.ID
	return createSuccessor(r, key)
}

// rotationRecreate creates another successor in place of one that was lost before it was
// used.
func rotationRecreate(r *site.Request) error {
	nonce, err := r.NonceID()
	if err != nil {
		return err
	}
	tenant := r.Tenant()
	old, err := keys.Get(r.Context(), tenant, r.ID)
	if err != nil {
		return err
	}
	if old.SuccessorID == nil || *old.SuccessorID == nonce {
		return r.Redirect(rotationPath(r.ID))
	}
	lost, err := keys.RevokeUnused(r.Context(), tenant, *old.SuccessorID)
	if errors.Is(err, keys.ErrUsed) {
		return r.Done(rotationPath(r.ID), r.T("The new key has been used meanwhile, so it was kept."))
	}
	if err != nil {
		return err
	}
	return createSuccessor(r,
		keys.NewKey{ID: nonce, Name: lost.Name, ExpiresAt: lost.ExpiresAt, SuccessorOf: &r.ID, Networks: lost.Networks})
}

// createSuccessor creates the new key and shows it, this one time.
func createSuccessor(r *site.Request, key keys.NewKey) error {
	_, text, err := keys.Create(r.Context(), r.Tenant(), key)
	if errors.Is(err, keys.ErrCreated) || errors.Is(err, keys.ErrRotating) {
		return r.Redirect(rotationPath(r.ID))
	}
	if err != nil {
		return err
	}
	view, err := rotationView(r)
	if err != nil {
		return err
	}
	view.NewKey = web.KeyText(text)
	return r.Show(web.RotationPage(view))
}

// rotationCaller changes whether a caller of the old key has to move.
func rotationCaller(r *site.Request) error {
	tenant := r.Tenant()
	old, err := keys.Get(r.Context(), tenant, r.ID)
	if err != nil {
		return err
	}
	change := keys.CallerDismiss
	if r.Field("action") == "restore" {
		change = keys.CallerRestore
	}
	if err := change(r.Context(), tenant, old.Key, r.Typed("address"), r.Typed("client")); err != nil {
		return err
	}
	return r.Redirect(rotationPath(r.ID))
}

func rotationRevoke(r *site.Request) error {
	view, err := rotationView(r)
	if err != nil {
		return err
	}
	if !view.SafeToRevoke && r.Field("confirm") != "early" {
		return r.Redirect(rotationPath(r.ID) + "?step=revoke")
	}
	if _, err := keys.Revoke(r.Context(), r.Tenant(), r.ID); err != nil {
		return err
	}
	return r.Redirect(rotationPath(r.ID)) // the page shows the revocation
}

package dashboard

import (
	"cmp"
	"errors"
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

func keyRow(k keys.Detail) web.KeyRow {
	row := web.KeyRow{
		ID:        k.ID.String(),
		Name:      k.Name,
		Hint:      k.Hint,
		State:     k.State(),
		CreatedBy: valueOf(k.CreatedByEmail),
		CreatedAt: k.CreatedAt,
		ExpiresAt: valueOf(k.ExpiresAt),
		RevokedAt: valueOf(k.RevokedAt),
		PausedAt:  valueOf(k.PausedAt),
		Note:      k.Note,
		LastUse: web.LastUse{
			At:        valueOf(k.LastUsedAt),
			Address:   valueOf(k.LastUsedAddress),
			UserAgent: valueOf(k.LastUsedUserAgent),
		},
	}
	row.ExpiresSoon = k.State() == terms.KeyActive && k.ExpiresAt != nil &&
		k.ExpiresAt.Before(keys.ExpirySoon(time.Now()))
	if k.SuccessorID != nil {
		row.SuccessorID = k.SuccessorID.String()
	}
	if k.RevokedAt == nil && k.RevokesAt != nil {
		row.RevokesAt = *k.RevokesAt
		if k.RevokeAfterIdleDays != nil {
			row.IdleDays = *k.RevokeAfterIdleDays
		}
	}
	return row
}

func (h *handler) baseURL() string { return strings.TrimSuffix(h.PublicURL.String(), "/") + "/api" }

func (h *handler) keyList(r *request) error {
	listed, err := keys.List(r.context(), h.tenant(r))
	if err != nil {
		return err
	}
	days, err := keys.DaysByKey(r.context(), h.tenant(r), r.frame.Now.In(r.frame.Zone), chartDays)
	if err != nil {
		return err
	}
	view := web.KeysView{Frame: r.frame, Query: strings.TrimSpace(r.query("q")), Unused: r.query("unused") == "90"}
	if order := r.query("sort"); web.KeySorts[order] != "" {
		view.Sort = order
	}
	for _, row := range keyRows(listed, days) {
		if !keyMatches(view, row) {
			continue
		}
		view.Keys = append(view.Keys, row)
		if view.Found++; row.Ended() {
			view.Ended++
		}
	}
	keyPage(r, &view)
	return r.show(web.KeysPage(view))
}

func (h *handler) keyNew(r *request) error {
	if r.query("shown") != "" { // where going back leads after a key was shown
		return r.show(web.KeyCreatedPage(web.KeyCreatedView{Frame: r.frame}))
	}
	return r.show(web.KeyNewPage(web.KeyNewView{Frame: r.frame, KeyFields: web.KeyFields{Nonce: h.newNonce(r)}}))
}

// newNonce returns the id for the key that the form will create, so that the form
// creates only one key, however often it is submitted. It is signed for this session,
// so that users cannot choose ids.
func (h *handler) newNonce(r *request) string {
	id := uuid.Must(uuid.NewV7()).String()
	return id + "." + h.Store.Secret().Sign("nonce", r.token+id)
}

func (h *handler) nonceID(r *request) (uuid.UUID, error) {
	text, tag, _ := strings.Cut(r.field("nonce"), ".")
	id, err := uuid.Parse(text)
	if err != nil || !h.Store.Secret().Signed("nonce", r.token+text, tag) {
		return uuid.Nil, models.NewError(models.KindForbidden, "This form is too old: reload the page, and try again.")
	}
	return id, nil
}

// keyFields reads the form that creates a key. If ok is false, the invalid fields have
// an error.
func (h *handler) keyFields(r *request) (fields web.KeyFields, key keys.NewKey, ok bool) {
	fields = web.KeyFields{
		Name:      web.Field{Value: r.typed("name")},
		Expires:   web.Field{Value: r.typed("expires")},
		ExpiresOn: web.Field{Value: r.typed("expires_on")},
		Nonce:     r.typed("nonce"),
	}
	key.Name = strings.TrimSpace(fields.Name.Value)
	if key.Name == "" {
		fields.Name.Error = r.frame.T("Give the key a name: what will use it?")
	} else if err := keys.CheckName(key.Name); err != nil {
		fields.Name.Error = r.message(err)
	}
	now := time.Now()
	switch choice := cmp.Or(fields.Expires.Value, "90"); choice {
	case "never":
	case "30", "90", "365":
		days, _ := strconv.Atoi(choice)
		key.ExpiresAt = endOf(now.In(r.frame.Zone).AddDate(0, 0, days))
	case "date":
		day, err := time.ParseInLocation(time.DateOnly, fields.ExpiresOn.Value, r.frame.Zone)
		key.ExpiresAt = endOf(day)
		switch {
		case err != nil:
			fields.ExpiresOn.Error = r.frame.T("Choose the last day.")
		case !key.ExpiresAt.After(now) || day.After(now.AddDate(99, 0, 0)):
			fields.ExpiresOn.Error = r.frame.T("Choose today or a later day, within 99 years.")
		}
	default:
		fields.Expires.Error = r.frame.T("Choose when the key expires.")
	}
	return fields, key, fields.Name.Error == "" && fields.Expires.Error == "" && fields.ExpiresOn.Error == ""
}

// endOf returns the end of a day where it is.
func endOf(day time.Time) *time.Time {
	end := time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, day.Location())
	return &end
}

// keyCreate creates a key and shows it, this one time. If the same form is submitted
// again, the page says that the key exists, without its text.
func (h *handler) keyCreate(r *request) error {
	id, err := h.nonceID(r)
	if err != nil {
		return err
	}
	fields, newKey, ok := h.keyFields(r)
	if !ok {
		return r.showAs(fiber.StatusUnprocessableEntity, web.KeyNewPage(web.KeyNewView{Frame: r.frame, KeyFields: fields}))
	}
	newKey.ID = id
	tenant := h.tenant(r)
	created, text, err := keys.Create(r.context(), tenant, newKey)
	key := keys.Detail{Key: created}
	if errors.Is(err, keys.ErrCreated) { // the form was sent twice: the key is shown without its text
		key, err = keys.Get(r.context(), tenant, id)
	}
	if err != nil {
		return err
	}
	return r.show(
		web.KeyCreatedPage(
			web.KeyCreatedView{Frame: r.frame, Key: keyRow(key), Text: web.KeyText(text), BaseURL: h.baseURL()},
		),
	)
}

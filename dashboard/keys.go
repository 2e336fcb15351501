package dashboard

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/keys"
	"dispo/web"
)

func keyRow(k models.KeyDetail) web.KeyRow {
	row := web.KeyRow{
		ID: k.ID.String(), Name: k.Name, Hint: k.Hint, State: web.KeyState(k.State()), CreatedBy: textOf(k.CreatedByEmail), CreatedAt: k.CreatedAt,
		ExpiresAt: timeOf(k.ExpiresAt), RevokedAt: timeOf(k.RevokedAt), PausedAt: timeOf(k.PausedAt), Note: k.Note,
		LastUse: web.LastUse{At: timeOf(k.LastUsedAt), Address: textOf(k.LastUsedAddress), UserAgent: textOf(k.LastUsedUserAgent)},
	}
	row.ExpiresSoon = k.State() == models.KeyActive && k.ExpiresAt != nil && k.ExpiresAt.Before(models.ExpirySoon(time.Now()))
	if k.SuccessorID != nil {
		row.SuccessorID = k.SuccessorID.String()
	}
	if k.RevokedAt == nil && k.RevokesAt != nil {
		row.RevokesAt = *k.RevokesAt
		if k.RevokeAfterQuietDays != nil {
			row.QuietDays = *k.RevokeAfterQuietDays
		}
	}
	return row
}

func (h *handler) baseURL() string { return strings.TrimSuffix(h.PublicURL.String(), "/") + "/api" }

func (h *handler) keyList(v *visit) error {
	// A whole key must not stay in the address. Its last characters find it.
	if hint, ok := models.HintIn(v.Ctx.Query("q")); ok {
		return v.Redirect("/settings/api-keys?"+url.Values{"q": {hint}}.Encode(), fiber.StatusSeeOther)
	}
	listed, err := h.tenant(v).Keys(v.UserContext())
	if err != nil {
		return err
	}
	days, err := keys.DaysByKey(v.UserContext(), h.tenant(v), v.frame.Now, chartDays)
	if err != nil {
		return err
	}
	view := web.KeysView{Frame: v.frame, Query: strings.TrimSpace(v.Query("q")), Unused: v.Query("unused") == "90"}
	if _, ok := keyOrders[v.Query("sort")]; ok {
		view.Sort = v.Query("sort")
	}
	for _, row := range keyRows(listed, days) {
		if keyMatches(view, row) {
			view.Keys = append(view.Keys, row)
		}
	}
	if less := keyOrders[view.Sort]; less != nil {
		slices.SortStableFunc(view.Keys, less)
	}
	return v.show(web.KeysPage(view))
}

func (h *handler) keyNew(v *visit) error {
	if v.Query("shown") != "" { // where going back leads after a key was shown
		return v.show(web.KeyCreatedPage(web.KeyCreatedView{Frame: v.frame}))
	}
	return v.show(web.KeyNewPage(web.KeyNewView{Frame: v.frame, KeyFields: web.KeyFields{Nonce: h.newNonce(v)}}))
}

// newNonce returns the id for the key that the form will create, so that the form
// creates only one key, however often it is submitted. It is signed for this session,
// so that users cannot choose ids.
func (h *handler) newNonce(v *visit) string {
	id := uuid.Must(uuid.NewV7()).String()
	return id + "." + h.Store.Secret().Sign("nonce", v.token+id)
}

func (h *handler) nonceID(v *visit) (uuid.UUID, error) {
	text, tag, _ := strings.Cut(v.FormValue("nonce"), ".")
	id, err := uuid.Parse(text)
	if err != nil || !h.Store.Secret().Signed("nonce", v.token+text, tag) {
		return uuid.Nil, models.NewError(models.KindForbidden, "This form is too old: reload the page, and try again.")
	}
	return id, nil
}

// keyFields reads the form that creates a key. If ok is false, the invalid fields have
// an error.
func (h *handler) keyFields(v *visit) (fields web.KeyFields, key models.NewAPIKey, ok bool) {
	fields = web.KeyFields{
		Name:      web.Field{Value: v.typed("name")},
		Expires:   web.Field{Value: v.typed("expires")},
		ExpiresOn: web.Field{Value: v.typed("expires_on")},
		Nonce:     v.typed("nonce"),
	}
	key.Name = strings.TrimSpace(fields.Name.Value)
	if key.Name == "" {
		fields.Name.Error = v.frame.T("Give the key a name: what will use it?")
	} else if err := models.CheckKeyName(key.Name); err != nil {
		fields.Name.Error = v.message(err)
	}
	now := time.Now()
	switch choice := cmp.Or(fields.Expires.Value, "90"); choice {
	case "never":
	case "30", "90", "365":
		days, _ := strconv.Atoi(choice)
		key.ExpiresAt = endOf(now.In(v.frame.Zone).AddDate(0, 0, days))
	case "date":
		day, err := time.ParseInLocation(time.DateOnly, fields.ExpiresOn.Value, v.frame.Zone)
		key.ExpiresAt = endOf(day)
		switch {
		case err != nil:
			fields.ExpiresOn.Error = v.frame.T("Choose the last day.")
		case !key.ExpiresAt.After(now) || day.After(now.AddDate(99, 0, 0)):
			fields.ExpiresOn.Error = v.frame.T("Choose today or a later day, within 99 years.")
		}
	default:
		fields.Expires.Error = v.frame.T("Choose when the key expires.")
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
func (h *handler) keyCreate(v *visit) error {
	id, err := h.nonceID(v)
	if err != nil {
		return err
	}
	fields, newKey, ok := h.keyFields(v)
	if !ok {
		return v.showAs(fiber.StatusUnprocessableEntity, web.KeyNewPage(web.KeyNewView{Frame: v.frame, KeyFields: fields}))
	}
	newKey.ID = id
	tenant := h.tenant(v)
	created, text, err := tenant.KeyCreate(v.UserContext(), newKey)
	key := models.KeyDetail{APIKey: created}
	if models.ErrorKind(err) == models.KindConflict {
		key, err = tenant.Key(v.UserContext(), id)
	}
	if err != nil {
		return err
	}
	return v.show(web.KeyCreatedPage(web.KeyCreatedView{Frame: v.frame, Key: keyRow(key), Text: web.KeyText(text), BaseURL: h.baseURL()}))
}

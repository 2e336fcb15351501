package dashboard

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"time"

	"dispo/dashboard/site"
	"dispo/models/i18n"
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
		Networks:  k.Networks.Texts(),
		LeakedAt:  valueOf(k.LeakedAt),
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

func keyNew(r *site.Request) error {
	if id := r.IDIn("shown"); id != nil { // where going back leads after a key was shown
		key, err := keys.Get(r.Context(), r.Tenant(), *id)
		if err != nil {
			return err
		}
		return r.Show(web.KeyCreatedPage(web.KeyCreatedView{Frame: r.Frame, Key: keyRow(key)}))
	}
	fields := web.KeyFields{Nonce: r.NewNonce()}
	if id := r.IDIn("replaces"); id != nil { // where the mail about a leaked key leads
		leaked, err := keys.Get(r.Context(), r.Tenant(), *id)
		if err != nil {
			return err
		}
		fields.Name.Value, fields.Networks.Value = leaked.Name, strings.Join(leaked.Networks.Texts(), "\n")
	}
	return r.Show(web.KeyNewPage(web.KeyNewView{Frame: r.Frame, KeyFields: fields}))
}

// keyFields reads the form that creates a key. Invalid fields have an error.
func keyFields(r *site.Request) (fields web.KeyFields, key keys.NewKey) {
	fields = web.KeyFields{
		Name:      web.Field{Value: r.Typed("name")},
		Expires:   web.Field{Value: r.Typed("expires")},
		ExpiresOn: web.Field{Value: r.Typed("expires_on")},
		Networks:  web.Field{Value: r.Typed("networks")},
		Nonce:     r.Typed("nonce"),
	}
	key.Name = strings.TrimSpace(fields.Name.Value)
	if key.Name == "" {
		fields.Name.Error = r.T("Give the key a name: what will use it?")
	} else if err := keys.CheckName(key.Name); err != nil {
		fields.Name.Error = r.Message(err)
	}
	var err error
	if key.Networks, err = keys.ReadNetworks(fields.Networks.Value); err != nil {
		fields.Networks.Error = r.Message(err)
	}
	now := time.Now()
	switch choice := cmp.Or(fields.Expires.Value, "90"); choice {
	case "never":
	case "30", "90", "365":
		days, _ := strconv.Atoi(choice)
		end := i18n.EndOfDay(now.In(r.Zone).AddDate(0, 0, days))
		key.ExpiresAt = &end
	case "date":
		end, err := i18n.EndOfDate(fields.ExpiresOn.Value, r.Zone)
		key.ExpiresAt = &end
		switch {
		case err != nil:
			fields.ExpiresOn.Error = r.T("Choose the last day.")
		case !end.After(now) || end.After(now.AddDate(99, 0, 1)):
			fields.ExpiresOn.Error = r.T("Choose today or a later day, within 99 years.")
		}
	default:
		fields.Expires.Error = r.T("Choose when the key expires.")
	}
	return fields, key
}

// keyCreate creates a key and shows it, this one time. If the same form is submitted
// again, the page says that the key exists, without its text.
func keyCreate(r *site.Request) error {
	id, err := r.NonceID()
	if err != nil {
		return err
	}
	fields, wanted := keyFields(r)
	if !fields.Valid() {
		return r.ShowInvalid(web.KeyNewPage(web.KeyNewView{Frame: r.Frame, KeyFields: fields}))
	}
	wanted.ID = id
	created, text, err := keys.Create(r.Context(), r.Tenant(), wanted)
	key := keys.Detail{Key: created}
	if errors.Is(err, keys.ErrCreated) { // the form was sent twice: the key is shown without its text
		key, err = keys.Get(r.Context(), r.Tenant(), id)
	}
	if err != nil {
		return err
	}
	return r.Show(web.KeyCreatedPage(web.KeyCreatedView{
		Frame: r.Frame, Key: keyRow(key), Text: web.KeyText(text), BaseURL: r.URL("/api"),
	}))
}

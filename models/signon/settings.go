package signon

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/mail"
	"dispo/models/terms"
)

// Settings are what an owner types about the organization's provider.
type Settings struct {
	Issuer, ClientID string
	ClientSecret     string // empty keeps the present one, if issuer and client stay
}

// Get returns the organization's provider, or nil if it has none.
func Get(ctx context.Context, tenant models.Tenant) (*accounts.Provider, error) {
	found, err := models.Find[accounts.Provider](tenant.DB(ctx))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// errNone means that the organization has no provider.
var errNone = models.NewError(models.KindNotFound, "This organization has no single sign-on.")

const settingMost = 500 // characters

// Set stores the organization's provider. Another issuer or client is another provider: it has
// to be tried and enabled again, and ends the links and sessions of the one before. With another
// secret alone, it has to be tried and enabled again too, and the links stay. Errors: KindForbidden
// unless the actor is an owner, KindInvalid, and KindConflict for a change while the provider is
// required.
func (s *SignOn) Set(ctx context.Context, tenant models.Tenant, to Settings) error {
	to.Issuer, to.ClientID = strings.TrimSpace(to.Issuer), strings.TrimSpace(to.ClientID)
	if err := s.check(to); err != nil {
		return err
	}
	sealed := tenant.Secret().Encrypt(accounts.ProviderPurpose(tenant.OrganizationID()), []byte(to.ClientSecret))
	return change(ctx, tenant, func(tx *gorm.DB, present *accounts.Provider) error {
		same := present != nil && present.Issuer == to.Issuer && present.ClientID == to.ClientID
		fresh := accounts.Provider{Issuer: to.Issuer, ClientID: to.ClientID, ClientSecret: sealed}
		switch {
		case to.ClientSecret == "" && !same:
			return models.NewError(models.KindInvalid, "Enter the client secret.")
		case same && to.ClientSecret == "":
			return nil
		case present != nil && present.Required:
			return errRequired
		case same:
			changed := map[string]any{"client_secret": sealed, "tried_at": nil, "enabled": false}
			if err := tx.Model(&accounts.Provider{}).Where("true").Updates(changed).Error; err != nil {
				return err
			}
			return tenant.Note(tx, models.ActionProviderSet, "a new client secret for "+fresh.Host()+", off until it is tried")
		}
		if err := remove(tx, tenant); err != nil {
			return err
		}
		if err := tx.Create(&fresh).Error; err != nil {
			return err
		}
		return tenant.Note(tx, models.ActionProviderSet, fresh.Host())
	})
}

var errRequired = models.NewError(models.KindConflict, "Stop requiring single sign-on first.")

func (s *SignOn) check(to Settings) error {
	issuer, err := url.Parse(to.Issuer)
	schemes := []string{"https"}
	if s.private {
		schemes = append(schemes, "http")
	}
	if err != nil || !slices.Contains(schemes, issuer.Scheme) || issuer.Host == "" || issuer.User != nil ||
		issuer.RawQuery != "" || issuer.Fragment != "" || len(to.Issuer) > settingMost {
		return models.NewError(models.KindInvalid,
			"The issuer is an https address without a query, such as https://login.example.com.")
	}
	for _, text := range []string{to.ClientID, to.ClientSecret} {
		if len(text) > settingMost || strings.ContainsFunc(text, unicode.IsControl) {
			return models.NewError(models.KindInvalid, "Client ID and secret have at most {most} characters.",
				"most", settingMost)
		}
	}
	if to.ClientID == "" {
		return models.NewError(models.KindInvalid, "Enter the client ID.")
	}
	return nil
}

// remove deletes the provider with its links, and ends its sessions.
func remove(tx *gorm.DB, tenant models.Tenant) error {
	for _, row := range []any{&accounts.ProviderLink{}, &accounts.Provider{}} {
		if err := tx.Where("true").Delete(row).Error; err != nil {
			return err
		}
	}
	return accounts.EndProviderSessions(tx, tenant.OrganizationID())
}

// Remove deletes the organization's provider with its links, and ends its sessions. Errors:
// KindForbidden unless the actor is an owner, KindConflict while it is required.
func Remove(ctx context.Context, tenant models.Tenant) error {
	return change(ctx, tenant, func(tx *gorm.DB, present *accounts.Provider) error {
		switch {
		case present == nil:
			return nil
		case present.Required:
			return errRequired
		}
		if err := remove(tx, tenant); err != nil {
			return err
		}
		return tenant.Note(tx, models.ActionProviderRemoved, present.Host())
	})
}

// Enable lets members sign in by the provider, or no longer: then its sessions end. Errors:
// KindForbidden unless the actor is an owner, KindNotFound, and KindConflict if nobody has tried
// it as it is, or while it is required.
func Enable(ctx context.Context, tenant models.Tenant, enabled bool) error {
	return change(ctx, tenant, func(tx *gorm.DB, present *accounts.Provider) error {
		switch {
		case present == nil:
			return errNone
		case enabled && present.TriedAt == nil:
			return models.NewError(models.KindConflict, "Try it first.")
		case present.Required:
			return errRequired
		}
		if !enabled {
			if err := accounts.EndProviderSessions(tx, tenant.OrganizationID()); err != nil {
				return err
			}
		}
		return set(tx, tenant, "enabled", enabled, present.Host(), models.ActionProviderEnabled,
			models.ActionProviderDisabled)
	})
}

// Require keeps members from signing in by password, except owners who also have a second
// factor, or lets them again. Their sessions by password end there. Errors: KindForbidden unless
// the actor is an owner in a session by that provider, KindNotFound, and KindConflict if there
// is no such owner or the provider is not enabled.
func Require(ctx context.Context, tenant models.Tenant, session accounts.Session, required bool) error {
	if required && !session.ByProvider() {
		return models.NewError(models.KindForbidden,
			"To require single sign-on, sign in by it yourself. That shows that it works.")
	}
	return change(ctx, tenant, func(tx *gorm.DB, present *accounts.Provider) error {
		if present == nil || required && !present.Enabled {
			return errNone
		}
		err := set(tx, tenant, "required", required, present.Host(),
			models.ActionProviderRequired, models.ActionProviderOptional)
		if err != nil || !required {
			return err
		}
		return accounts.CheckWayIn(tx)
	})
}

// Trust sets whether the provider's word is enough where a second factor is required. Errors:
// KindForbidden unless the actor is an owner, KindNotFound.
func Trust(ctx context.Context, tenant models.Tenant, trusted bool) error {
	return change(ctx, tenant, func(tx *gorm.DB, present *accounts.Provider) error {
		if present == nil {
			return errNone
		}
		return set(tx, tenant, "second_factor_trusted", trusted, present.Host(),
			models.ActionProviderTrusted, models.ActionProviderUntrusted)
	})
}

// Off stops requiring the provider, for the operator, and mails the owners. Errors: KindNotFound
// if it is not required.
func Off(ctx context.Context, tenant models.Tenant) error {
	return change(ctx, tenant, func(tx *gorm.DB, present *accounts.Provider) error {
		if present == nil || !present.Required {
			return models.NewError(models.KindNotFound, "the organization does not require single sign-on")
		}
		err := set(tx, tenant, "required", false, present.Host(), "", models.ActionProviderOptional)
		if err != nil {
			return err
		}
		return mail.WriteToMembers(tx, tenant.OrganizationID(), mail.ProviderOptional, nil,
			mail.Details{"provider": present.Host()})
	})
}

// change runs a change of an owner to the organization's provider, which it locks.
func change(ctx context.Context, tenant models.Tenant, f func(tx *gorm.DB, present *accounts.Provider) error) error {
	return tenant.Write(ctx, func(tx *gorm.DB) error {
		// All members are locked, because it counts who could come in by password.
		var members []models.Member
		lock := tx.Clauses(clause.Locking{Strength: "UPDATE"})
		if err := lock.Order("user_id").Find(&members).Error; err != nil {
			return err
		}
		actor := tenant.Actor()
		if actor != models.OperatorActor && !slices.ContainsFunc(members, func(m models.Member) bool {
			return m.Role == terms.Owner && actor.UserID != nil && m.UserID == *actor.UserID
		}) {
			return models.ErrNotAllowed
		}
		var found []accounts.Provider
		if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Find(&found).Error; err != nil {
			return err
		}
		var present *accounts.Provider
		if len(found) > 0 {
			present = &found[0]
		}
		return f(tx, present)
	})
}

// set changes a column of the provider, and notes it if it changes.
func set(tx *gorm.DB, tenant models.Tenant, column string, to bool, host, on, off string) error {
	changed := tx.Model(&accounts.Provider{}).Where(fmt.Sprintf("%s <> ?", column), to).Update(column, to)
	if changed.Error != nil || changed.RowsAffected == 0 {
		return changed.Error
	}
	if to {
		return tenant.Note(tx, on, host)
	}
	return tenant.Note(tx, off, host)
}

package accounts

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
	"dispo/models/mail"
	"dispo/models/secrets"
	"dispo/models/terms"
)

// A session ends sessionIdle after its last use, and sessionLife after its start, or
// providerSessionLife if a provider opened it.
const (
	sessionIdle         = 24 * time.Hour
	sessionLife         = 14 * 24 * time.Hour
	providerSessionLife = 12 * time.Hour
	sessionTouch        = time.Minute // the precision of its last use
)

const userAgentLength = 200

// Membership is one of a user's organizations, and the user's role there.
type Membership struct {
	OrganizationID uuid.UUID
	Slug           string
	Name           string
	Role           terms.Role
	Suspended      bool // the operator has suspended the organization
	// RequireSecondFactor means that its members need a second factor to work in it.
	RequireSecondFactor bool
	// TimeZone is the IANA name of the organization's time zone.
	TimeZone string
	Sandbox  bool // its data is made up
	models.Limits
	ProviderEnabled  bool // members can sign in by the organization's provider
	ProviderRequired bool // and must; see Provider
	ProviderTrusted  bool // its word is enough where a second factor is required
	// Closed means that the session, by password, cannot work there, because the provider is
	// required.
	Closed bool `gorm:"-"`
}

// closedTo reports whether a user who signed in by password cannot work in an organization,
// because it requires its provider.
func (m Membership) closedTo(hasPassword, hasFactor bool) bool {
	return m.ProviderRequired && !(m.Role == terms.Owner && hasPassword && hasFactor)
}

// errClosed tells a user the way into an organization that requires its provider.
func (m Membership) errClosed() error {
	return models.NewError(models.KindForbidden, "{organization} requires single sign-on. Sign in at {path}.",
		"organization", m.Name, "path", "/sign-in/"+m.Slug)
}

// OpenedBy says what opened a session.
type OpenedBy string

// What opens sessions. A session that a provider opened sees its organization alone.
const (
	ByPassword        OpenedBy = "password"
	ByProviderAlone   OpenedBy = "provider"
	ByProviderAndCode OpenedBy = "provider and code" // of the user's second factor, given to us
)

// Session is a signed-in user, working in one organization.
type Session struct {
	ID           uuid.UUID
	UserID       uuid.UUID
	Email        string
	SecondFactor bool
	HasPassword  bool
	OpenedBy     OpenedBy
	FactorOwed   bool          // the session lacks a second factor that is required where it works
	FactorDue    time.Time     // from when on the user may only set up a second factor; zero if the service requires none, or it is on
	Language     i18n.Language // that the user chose; empty means the browser's
	// BrowserLanguage is what the browser preferred when it last asked for a page.
	BrowserLanguage i18n.Language
	ConfirmedAt     time.Time // when the user last signed in or gave the password or a code again
	OrganizationID  uuid.UUID
	Memberships     []Membership  // by name, including Current
	Current         Membership    // suspended only if the user works there
	Removed         *models.Error // who has removed the user from where they worked; usually nil
}

// confirmedFor is how long a sign-in or a confirmation counts.
const confirmedFor = 15 * time.Minute

// Confirmed reports whether the user has signed in, or given the password or a code
// again, in the last 15 minutes. What could do lasting harm to an account or an
// organization needs that.
func (s Session) Confirmed() bool { return time.Since(s.ConfirmedAt) < confirmedFor }

// ByProvider reports whether a provider opened the session.
func (s Session) ByProvider() bool { return s.OpenedBy != ByPassword }

// CanManage reports whether the user may change keys and members.
func (s Session) CanManage() bool {
	return s.Current.Role == terms.Owner || s.Current.Role == terms.Admin
}

// tenant returns the organization that the session works in, with the actor.
func (a *Accounts) tenant(session Session, actor models.Actor) models.Tenant {
	return a.store.Tenant(session.OrganizationID).As(actor)
}

// Session returns the session that a browser's token is for. It crosses
// organizations on purpose, because it finds out where its user works. Errors:
// KindUnauthorized for a token that is unknown or has expired, or whose user is
// disabled or no longer belongs to any organization.
func (a *Accounts) Session(ctx context.Context, token string) (Session, error) {
	var rows []struct {
		ID              uuid.UUID
		UserID          uuid.UUID
		Email           string
		SecondFactor    bool
		HasPassword     bool
		OpenedBy        OpenedBy
		FactorDue       *time.Time
		Language        i18n.Language
		BrowserLanguage i18n.Language
		ConfirmedAt     time.Time
		CurrentID       uuid.UUID
		SeenAt          time.Time
		OfMemberships   Membership `gorm:"embedded"`
	}
	err := a.db(ctx).
		Raw(`SELECT s.id, s.user_id, u.email, u.totp_secret IS NOT NULL AS second_factor, u.totp_due_at AS factor_due, u.language, u.browser_language, s.organization_id AS current_id,
			s.confirmed_at, s.seen_at, s.opened_by, u.password_hash IS NOT NULL AS has_password, m.*
		FROM sessions s JOIN users u ON u.id = s.user_id, organizations_of_user(s.user_id) m
		WHERE (s.opened_by = 'password' OR m.organization_id = s.organization_id AND m.provider_enabled) AND u.disabled_at IS NULL AND s.token_hash = ? AND s.expires_at > now() AND s.seen_at > now() - make_interval(secs => ?)`,
			secrets.TokenHash(token), sessionIdle.Seconds()).
		Scan(&rows).
		Error
	if err != nil {
		return Session{}, models.Wrap(err)
	}
	if len(rows) == 0 {
		return Session{}, a.notSignedIn(ctx, token)
	}
	first := rows[0]
	session := Session{
		ID:              first.ID,
		UserID:          first.UserID,
		Email:           first.Email,
		SecondFactor:    first.SecondFactor,
		HasPassword:     first.HasPassword,
		OpenedBy:        first.OpenedBy,
		Language:        first.Language,
		BrowserLanguage: first.BrowserLanguage,
		ConfirmedAt:     first.ConfirmedAt,
		OrganizationID:  first.CurrentID,
	}
	if a.requireFactor && !session.SecondFactor {
		if session.FactorDue, err = a.factorDue(ctx, session.UserID, first.FactorDue); err != nil {
			return Session{}, err
		}
	}
	member := false
	for _, row := range rows {
		member = member || row.OfMemberships.OrganizationID == session.OrganizationID
		row.OfMemberships.Closed = !session.ByProvider() &&
			row.OfMemberships.closedTo(session.HasPassword, session.SecondFactor)
		session.Memberships = append(session.Memberships, row.OfMemberships)
	}
	sortMemberships(session.Memberships)
	if !member {
		if session.Removed, err = a.removal(ctx, session.OrganizationID, session.Email); err != nil {
			return Session{}, err
		}
	}
	session.Current = firstMembership(session.Memberships, func(m Membership) bool {
		return m.OrganizationID == session.OrganizationID || !member && !m.Suspended && !m.Closed
	})
	session.OrganizationID = session.Current.OrganizationID
	session.FactorOwed = a.factorOwed(session)
	if !member || time.Since(first.SeenAt) > sessionTouch {
		err = a.db(ctx).Model(&sessionRow{}).Where("id = ?", session.ID).
			Updates(map[string]any{"seen_at": gorm.Expr("now()"), "organization_id": session.OrganizationID}).Error
	}
	return session, models.Wrap(err)
}

// factorOwed reports whether the session lacks a second factor that is required where it works.
// A provider's word is not one, unless the organization's owners say so.
func (a *Accounts) factorOwed(s Session) bool {
	required := s.Current.RequireSecondFactor
	if !s.ByProvider() {
		return required && !s.SecondFactor
	}
	required = required || a.requireFactor && (s.SecondFactor || time.Since(s.FactorDue) >= 0)
	return required && s.OpenedBy == ByProviderAlone && !s.Current.ProviderTrusted
}

// firstMembership returns the first that fits, or the first of all if none does.
func firstMembership(memberships []Membership, fits func(Membership) bool) Membership {
	return memberships[max(0, slices.IndexFunc(memberships, fits))]
}

// ErrNotSignedIn means that a token belongs to no session.
var ErrNotSignedIn = models.NewError(models.KindUnauthorized, "You are not signed in.")

// notSignedIn returns why a token belongs to no session: who removed its user from their last
// organization, or else ErrNotSignedIn.
func (a *Accounts) notSignedIn(ctx context.Context, token string) error {
	var of []struct {
		Email          string
		OrganizationID uuid.UUID
	}
	err := a.db(ctx).Raw(`SELECT u.email, s.organization_id FROM sessions s JOIN users u ON u.id = s.user_id
		WHERE u.disabled_at IS NULL AND s.token_hash = ? AND s.expires_at > now() AND s.seen_at > now() - make_interval(secs => ?)
		AND NOT EXISTS (SELECT FROM organizations_of_user(s.user_id) m WHERE s.opened_by = 'password' OR m.organization_id = s.organization_id)`, secrets.TokenHash(token), sessionIdle.Seconds()).Scan(&of).Error
	if err != nil || len(of) == 0 {
		return cmp.Or(models.Wrap(err), error(ErrNotSignedIn))
	}
	removed, err := a.removal(ctx, of[0].OrganizationID, of[0].Email)
	if err != nil || removed == nil {
		return cmp.Or(err, error(ErrNotSignedIn))
	}
	return removed
}

// removal says who removed a user from an organization, or returns nil if nobody else did.
func (a *Accounts) removal(ctx context.Context, organizationID uuid.UUID, email string) (*models.Error, error) {
	tenant := a.store.Tenant(organizationID)
	var found []struct{ Name, UserEmail string }
	err := tenant.DB(ctx).
		Model(&models.AuditEntry{}).
		Select("user_email, (?) AS name", tenant.DB(ctx).Model(&models.Organization{}).Select("name")).
		Where("action = ? AND subject = ?", models.ActionMemberRemoved, email).
		Order("id DESC").
		Limit(1).
		Scan(&found).
		Error
	if err != nil || len(found) == 0 || found[0].UserEmail == email {
		return nil, models.Wrap(err)
	}
	by := any(found[0].UserEmail)
	switch by {
	case models.OperatorActor.Email:
		by = i18n.NewMessage("the operator of this service")
	case models.DeletedUser:
		by = i18n.NewMessage("a deleted user")
	}
	return models.NewError(models.KindUnauthorized,
		"Your access to {organization} was removed by {person}. To come back, ask an owner or admin for an invitation.",
		"organization", found[0].Name, "person", by), nil
}

// sessionRow is a session as it is stored. It belongs to its user, not to the
// organization that the user works in, so its field has another name than those
// that tenants' rows are scoped by.
type sessionRow struct {
	ID                    uuid.UUID
	TokenHash             []byte
	UserID                uuid.UUID
	CurrentOrganizationID uuid.UUID `gorm:"column:organization_id"`
	OpenedBy              OpenedBy
	Address               string
	UserAgent             string
	ConfirmedAt           time.Time `gorm:"default:now()"`
	ProviderAt            *time.Time
	ExpiresAt             time.Time
}

// TableName is the sessions' table.
func (sessionRow) TableName() string { return "sessions" }

// sessionCreate starts a session in the given organization, or else in the first of
// the user's where they can work, and returns its token. link is that of the provider that opens
// it, if one does. An empty device means a new one: the user then gets an e-mail, unless a
// provider opens the session.
func (a *Accounts) sessionCreate(
	ctx context.Context, user User, organizationID *uuid.UUID, by OpenedBy, link ProviderLink,
	device, address, userAgent string,
) (string, error) {
	memberships, err := a.memberships(ctx, user.ID)
	if err != nil {
		return "", err
	}
	if len(memberships) == 0 {
		return "", models.NewError(models.KindForbidden,
			"You are no longer a member of any organization. Ask an owner to invite you.")
	}
	if organizationID == nil {
		first := firstMembership(memberships, func(m Membership) bool {
			return !m.Suspended && !m.closedTo(user.PasswordHash != nil, user.TOTPSecret != nil)
		})
		organizationID = &first.OrganizationID
	}
	token, hash := newToken()
	row := sessionRow{
		ID: database.NewID(), TokenHash: hash, UserID: user.ID, CurrentOrganizationID: *organizationID,
		OpenedBy: by, Address: address, UserAgent: models.Storable(userAgent, userAgentLength),
	}
	tenant := a.store.Tenant(*organizationID).As(user.actor(address))
	return token, tenant.Write(ctx, func(tx *gorm.DB) error {
		now, err := database.Now(tx)
		if err != nil {
			return err
		}
		var how string
		row.ExpiresAt = now.Add(sessionLife)
		if by != ByPassword {
			// The provider was not asked to make sure that it is the user, so this confirms nothing.
			row.ConfirmedAt, row.ExpiresAt = time.Unix(0, 0), now.Add(providerSessionLife)
			row.ProviderAt = &link.NamedAt
			if how, err = useProviderLink(tx, link); err != nil {
				return err
			}
		}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		if device == "" && by == ByPassword {
			details := mail.Details{"address": address, "user_agent": row.UserAgent}
			if err := mail.WriteToUser(tx, user.ID, mail.SignIn, details); err != nil {
				return err
			}
		}
		return tenant.Note(tx, models.ActionSignedIn, how)
	})
}

// SessionEnd ends one of the user's sessions at once. Errors: KindNotFound.
func (a *Accounts) SessionEnd(ctx context.Context, session Session, actor models.Actor, id uuid.UUID) error {
	tenant := a.tenant(session, actor)
	return tenant.Write(ctx, func(tx *gorm.DB) error {
		ended := tx.Where("id = ? AND user_id = ?", id, session.UserID).Delete(&sessionRow{})
		if err := concerned(ended, models.NewError(models.KindNotFound, "That session has already ended.")); err != nil {
			return err
		}
		action := models.ActionSessionEnded
		if id == session.ID {
			action = models.ActionSignedOut
		}
		return tenant.Note(tx, action, "")
	})
}

// SessionsEndOthers ends the user's sessions except the present one.
func (a *Accounts) SessionsEndOthers(ctx context.Context, session Session, actor models.Actor) error {
	tenant := a.tenant(session, actor)
	return tenant.Write(ctx, func(tx *gorm.DB) error {
		if err := tx.Where("user_id = ? AND id <> ?", session.UserID, session.ID).Delete(&sessionRow{}).Error; err != nil {
			return err
		}
		return tenant.Note(tx, models.ActionSessionsEnded, "")
	})
}

// SessionSwitch makes the session work in another of its user's organizations.
// Errors: KindNotFound if the user is not a member there, or a provider opened the session,
// KindForbidden if that organization requires its provider.
func (a *Accounts) SessionSwitch(
	ctx context.Context, session Session, actor models.Actor, organizationID uuid.UUID,
) error {
	i := slices.IndexFunc(session.Memberships, func(m Membership) bool { return m.OrganizationID == organizationID })
	if i < 0 || session.ByProvider() {
		return models.NewError(models.KindNotFound, "You are not a member of that organization.")
	}
	if session.Memberships[i].Closed {
		return session.Memberships[i].errClosed()
	}
	tenant := a.store.Tenant(organizationID).As(actor)
	return tenant.Write(ctx, func(tx *gorm.DB) error {
		if err := tx.Model(&sessionRow{}).
			Where("id = ?", session.ID).
			Update("organization_id", organizationID).
			Error; err != nil {
			return err
		}
		return tenant.Note(tx, models.ActionSwitched, "")
	})
}

// SessionInfo is a session as its user sees it.
type SessionInfo struct {
	ID        uuid.UUID
	Address   string
	UserAgent string
	CreatedAt time.Time
	SeenAt    time.Time
}

// Sessions lists a user's sessions that have not ended, the last used first.
func (a *Accounts) Sessions(ctx context.Context, userID uuid.UUID) ([]SessionInfo, error) {
	return models.Find[SessionInfo](a.db(ctx).Model(&sessionRow{}).
		Where("user_id = ? AND expires_at > now() AND seen_at > now() - make_interval(secs => ?)", userID, sessionIdle.Seconds()).
		Order("seen_at DESC, id"))
}

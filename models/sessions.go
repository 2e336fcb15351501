package models

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// A session ends sessionIdle after its last use, and sessionLife after its start.
const (
	sessionIdle  = 24 * time.Hour
	sessionLife  = 14 * 24 * time.Hour
	sessionTouch = time.Minute // how fine the last use is kept
)

// Membership is one organization of a user's, and what they may do there.
type Membership struct {
	OrganizationID uuid.UUID
	Slug           string
	Name           string
	Role           UserRole
}

// Session is a signed-in user, working in one organization.
type Session struct {
	ID             uuid.UUID
	UserID         uuid.UUID
	Email          string
	SecondFactor   bool
	OrganizationID uuid.UUID
	Memberships    []Membership // by name; Current is among them
	Current        Membership
}

// CanManage tells whether they may change keys and members where they work.
func (s Session) CanManage() bool { return s.Current.Role == Owner || s.Current.Role == Admin }

// Session finds the session that a browser's token is for. It crosses
// organizations on purpose: where somebody works is what it finds out. Errors:
// KindUnauthorized for a token that is none, has ended, or whose user belongs to
// no organization any more.
func (s *Store) Session(ctx context.Context, token string) (Session, error) {
	rows, err := s.pool.Query(ctx, `SELECT s.id, s.user_id, u.email, u.totp_secret IS NOT NULL, s.organization_id, s.seen_at,
			m.organization_id, m.slug, m.name, m.role
		FROM sessions s JOIN users u ON u.id = s.user_id, user_memberships(s.user_id) m
		WHERE s.token_hash = $1 AND s.expires_at > now() AND s.seen_at > now() - make_interval(secs => $2)`,
		tokenHash(token), sessionIdle.Seconds())
	if err != nil {
		return Session{}, wrap(err)
	}
	defer rows.Close()
	var session Session
	var seen time.Time
	for rows.Next() {
		var m Membership
		if err := rows.Scan(&session.ID, &session.UserID, &session.Email, &session.SecondFactor, &session.OrganizationID, &seen,
			&m.OrganizationID, &m.Slug, &m.Name, &m.Role); err != nil {
			return Session{}, wrap(err)
		}
		session.Memberships = append(session.Memberships, m)
		if m.OrganizationID == session.OrganizationID {
			session.Current = m
		}
	}
	if err := rows.Err(); err != nil {
		return Session{}, wrap(err)
	}
	if len(session.Memberships) == 0 {
		return Session{}, NewError(KindUnauthorized, "You are not signed in.")
	}
	if session.Current.Role == "" { // removed from there meanwhile
		session.Current = session.Memberships[0]
		session.OrganizationID = session.Current.OrganizationID
	}
	if time.Since(seen) > sessionTouch {
		_, err = s.pool.Exec(ctx, `UPDATE sessions SET seen_at = now(), organization_id = $2 WHERE id = $1`, session.ID, session.OrganizationID)
	}
	return session, wrap(err)
}

type sessionRow struct {
	ID             uuid.UUID
	TokenHash      []byte
	UserID         uuid.UUID
	OrganizationID uuid.UUID
	Address        string
	UserAgent      string
	ExpiresAt      time.Time
}

func (sessionRow) TableName() string { return "sessions" }

// sessionCreate starts a session in the first of the user's organizations, or in
// the one given, and gives its token: the one time that it can be had.
func (s *Store) sessionCreate(ctx context.Context, user User, organizationID *uuid.UUID, address, userAgent string) (string, error) {
	memberships, err := s.memberships(ctx, user.ID)
	if err != nil {
		return "", err
	}
	if len(memberships) == 0 {
		return "", NewError(KindForbidden, "Your account belongs to no organization any more. Ask an owner of yours to invite you.")
	}
	chosen := memberships[0].OrganizationID
	if organizationID != nil {
		chosen = *organizationID
	}
	token, hash := newToken()
	row := sessionRow{ID: newID(), TokenHash: hash, UserID: user.ID, OrganizationID: chosen,
		Address: address, UserAgent: cutUserAgent(userAgent), ExpiresAt: time.Now().Add(sessionLife)}
	tenant := s.Tenant(chosen).As(Actor{UserID: &user.ID, Email: user.Email, Address: address})
	return token, tenant.change(ctx, func(tx *gorm.DB) error {
		if err := tx.Exec(`DELETE FROM sessions WHERE expires_at < now()`).Error; err != nil {
			return err
		}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		return tenant.note(tx, ActionSignedIn, "")
	})
}

func (s *Store) memberships(ctx context.Context, userID uuid.UUID) ([]Membership, error) {
	var memberships []Membership
	err := s.db.WithContext(ctx).Raw(`SELECT * FROM user_memberships(?)`, userID).Scan(&memberships).Error
	return memberships, wrap(err)
}

// SessionEnd ends a session of the user's own, at once. Errors: KindNotFound.
func (s *Store) SessionEnd(ctx context.Context, user Session, actor Actor, sessionID uuid.UUID) error {
	tenant := s.Tenant(user.OrganizationID).As(actor)
	return tenant.change(ctx, func(tx *gorm.DB) error {
		done := tx.Exec(`DELETE FROM sessions WHERE id = ? AND user_id = ?`, sessionID, user.UserID)
		if done.Error != nil {
			return done.Error
		}
		if done.RowsAffected == 0 {
			return NewError(KindNotFound, "That session has ended already.")
		}
		return tenant.note(tx, ActionSessionEnded, "")
	})
}

// SessionsEndOthers ends the user's sessions but the present one.
func (s *Store) SessionsEndOthers(ctx context.Context, user Session, actor Actor) error {
	tenant := s.Tenant(user.OrganizationID).As(actor)
	return tenant.change(ctx, func(tx *gorm.DB) error {
		if err := tx.Exec(`DELETE FROM sessions WHERE user_id = ? AND id <> ?`, user.UserID, user.ID).Error; err != nil {
			return err
		}
		return tenant.note(tx, ActionSessionEnded, "all others")
	})
}

// SessionSwitch lets a session work in another organization of its user's.
// Errors: KindNotFound where the user is no member there.
func (s *Store) SessionSwitch(ctx context.Context, session Session, actor Actor, organizationID uuid.UUID) error {
	tenant := s.Tenant(organizationID).As(actor)
	for _, m := range session.Memberships {
		if m.OrganizationID == organizationID {
			return tenant.change(ctx, func(tx *gorm.DB) error {
				if err := tx.Exec(`UPDATE sessions SET organization_id = ? WHERE id = ?`, organizationID, session.ID).Error; err != nil {
					return err
				}
				return tenant.note(tx, ActionSignedIn, "from another organization of theirs")
			})
		}
	}
	return NewError(KindNotFound, "There is no such organization among yours.")
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
func (s *Store) Sessions(ctx context.Context, userID uuid.UUID) ([]SessionInfo, error) {
	var sessions []SessionInfo
	err := s.db.WithContext(ctx).Table("sessions").
		Where("user_id = ? AND expires_at > now() AND seen_at > now() - make_interval(secs => ?)", userID, sessionIdle.Seconds()).
		Order("seen_at DESC, id").Find(&sessions).Error
	return sessions, wrap(err)
}

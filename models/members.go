package models

import (
	"context"
	"errors"
	"fmt"
	"net/mail"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"
)

const (
	invitationLife = 7 * 24 * time.Hour
	emailLength    = 254 // bytes (RFC 5321 section 4.5.3.1.3, less the brackets)
)

// OrganizationMember is a person of the organization.
type OrganizationMember struct {
	UserID       uuid.UUID
	Email        string
	Role         UserRole
	SecondFactor bool
	CreatedAt    time.Time
}

// Members lists the organization's people, by e-mail.
func (t Tenant) Members(ctx context.Context) ([]OrganizationMember, error) {
	var members []OrganizationMember
	err := t.store.db.WithContext(t.bind(ctx)).Table("memberships AS m").
		Select("m.user_id, u.email, m.role, u.totp_secret IS NOT NULL AS second_factor, m.created_at").
		Joins("JOIN users u ON u.id = m.user_id").Where("m.organization_id = ?", t.organizationID).
		Order("u.email").Find(&members).Error
	return members, wrap(err)
}

var errNoMember = NewError(KindNotFound, "There is no such member.")

// MemberRole gives a member another role, as the actor's own role allows. Errors:
// KindNotFound, KindForbidden, KindConflict where it would leave the organization
// without an owner.
func (t Tenant) MemberRole(ctx context.Context, userID uuid.UUID, role UserRole) error {
	return t.member(ctx, userID, func(tx *gorm.DB, by UserRole, member OrganizationMember) error {
		if !by.MayGive(role) || !by.MayChange(member.Role) {
			return errNotAllowed
		}
		if err := tx.Exec(`UPDATE memberships SET role = ?, updated_at = now() WHERE organization_id = ? AND user_id = ?`, role, t.organizationID, userID).Error; err != nil {
			return err
		}
		if err := t.endInvitationsBy(tx, userID); err != nil {
			return err
		}
		return t.note(tx, ActionRoleChanged, fmt.Sprintf("%s: %s", member.Email, role))
	})
}

// MemberRemove takes a member out of the organization, or lets one leave; their
// sessions there end with their next request, and invitations they made end too.
// Errors: KindNotFound, KindForbidden, KindConflict for the last owner.
func (t Tenant) MemberRemove(ctx context.Context, userID uuid.UUID) error {
	return t.member(ctx, userID, func(tx *gorm.DB, by UserRole, member OrganizationMember) error {
		self := t.by().UserID != nil && *t.by().UserID == userID
		if !self && !by.MayChange(member.Role) {
			return errNotAllowed
		}
		if err := tx.Exec(`DELETE FROM memberships WHERE organization_id = ? AND user_id = ?`, t.organizationID, userID).Error; err != nil {
			return err
		}
		if err := t.endInvitationsBy(tx, userID); err != nil {
			return err
		}
		return t.note(tx, ActionMemberRemoved, member.Email)
	})
}

// endInvitationsBy keeps somebody who may no longer invite from coming back by an
// invitation of their own.
func (t Tenant) endInvitationsBy(tx *gorm.DB, userID uuid.UUID) error {
	return tx.Exec(`DELETE FROM invitations WHERE organization_id = ? AND invited_by = ?`, t.organizationID, userID).Error
}

// MayGive tells whether somebody of this role may make others that: only owners
// make owners.
func (r UserRole) MayGive(role UserRole) bool {
	switch role {
	case Admin, Member:
		return r == Owner || r == Admin
	case Owner:
		return r == Owner
	}
	return false
}

// MayChange tells whether somebody of this role may change or remove one of that
// role: admins leave owners alone.
func (r UserRole) MayChange(role UserRole) bool {
	return r == Owner || r == Admin && role != Owner
}

var errNotAllowed = NewError(KindForbidden, "Your role does not allow that.")

// member changes a membership. It holds all of the organization's, in one order,
// so that what f decides by, the actor's role and the member's, still stands when
// it is done, and the last owner is seen. The operator works as an owner.
func (t Tenant) member(ctx context.Context, userID uuid.UUID, f func(tx *gorm.DB, by UserRole, member OrganizationMember) error) error {
	err := t.change(ctx, func(tx *gorm.DB) error {
		var members []OrganizationMember
		if err := tx.Raw(`SELECT m.user_id, m.role, u.email FROM memberships m JOIN users u ON u.id = m.user_id
			WHERE m.organization_id = ? ORDER BY m.user_id FOR UPDATE OF m`, t.organizationID).Scan(&members).Error; err != nil {
			return err
		}
		by := Owner
		var wanted *OrganizationMember
		if t.by().UserID != nil {
			by = ""
		}
		for i, m := range members {
			if t.by().UserID != nil && m.UserID == *t.by().UserID {
				by = m.Role
			}
			if m.UserID == userID {
				wanted = &members[i]
			}
		}
		if wanted == nil {
			return errNoMember
		}
		return f(tx, by, *wanted)
	})
	if constraint(err) == "last_owner" {
		return NewError(KindConflict, "An organization needs an owner: make somebody else one first.")
	}
	return err
}

// Invitation is a link that somebody has not taken up yet.
type Invitation struct {
	ID             uuid.UUID
	OrganizationID uuid.UUID
	Email          string
	Role           UserRole
	InvitedByEmail *string `gorm:"->"` // nil: the operator
	ExpiresAt      time.Time
	CreatedAt      time.Time `gorm:"->"`
}

type invitationRow struct {
	Invitation
	TokenHash []byte
	InvitedBy *uuid.UUID
}

func (invitationRow) TableName() string { return "invitations" }

// MemberInvite makes a one-time link's token for somebody to join, good for a
// week; an earlier one for the same e-mail ends. Errors: KindInvalid,
// KindConflict where they are a member.
func (t Tenant) MemberInvite(ctx context.Context, email string, role UserRole) (Invitation, string, error) {
	email, err := readEmail(email)
	if err != nil {
		return Invitation{}, "", err
	}
	token, hash := newToken()
	row := invitationRow{
		Invitation: Invitation{ID: newID(), OrganizationID: t.organizationID, Email: email, Role: role, ExpiresAt: time.Now().Add(invitationLife)},
		TokenHash:  hash, InvitedBy: t.by().UserID,
	}
	err = t.change(ctx, func(tx *gorm.DB) error {
		var members int64
		if err := tx.Raw(`SELECT count(*) FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.organization_id = ? AND u.email = ?`,
			t.organizationID, email).Scan(&members).Error; err != nil {
			return err
		}
		if members > 0 {
			return NewError(KindConflict, fmt.Sprintf("%s is a member already.", email))
		}
		if err := tx.Exec(`DELETE FROM invitations WHERE organization_id = ? AND email = ?`, t.organizationID, email).Error; err != nil {
			return err
		}
		if err := tx.Create(&row).Error; errors.Is(err, gorm.ErrDuplicatedKey) {
			return NewError(KindConflict, fmt.Sprintf("%s was invited a moment ago.", email))
		} else if err != nil {
			return err
		}
		return t.note(tx, ActionMemberInvited, fmt.Sprintf("%s: %s", email, role))
	})
	return row.Invitation, token, err
}

// Invitations lists those that nobody has taken up, those that have ended among
// them, by e-mail.
func (t Tenant) Invitations(ctx context.Context) ([]Invitation, error) {
	var invitations []Invitation
	err := t.from(ctx, &Invitation{}).Select("invitations.*, (SELECT u.email FROM users u WHERE u.id = invited_by) AS invited_by_email").
		Order("email").Find(&invitations).Error
	return invitations, wrap(err)
}

// InvitationRevoke takes an invitation back. Errors: KindNotFound.
func (t Tenant) InvitationRevoke(ctx context.Context, id uuid.UUID) error {
	return t.change(ctx, func(tx *gorm.DB) error {
		var emails []string
		if err := tx.Raw(`DELETE FROM invitations WHERE organization_id = ? AND id = ? RETURNING email`, t.organizationID, id).Scan(&emails).Error; err != nil {
			return err
		}
		if len(emails) == 0 {
			return NewError(KindNotFound, "There is no such invitation any more.")
		}
		return t.note(tx, ActionInvitationRevoked, emails[0])
	})
}

// InvitationFor is an invitation as the one who holds its link sees it.
type InvitationFor struct {
	ID               uuid.UUID
	OrganizationID   uuid.UUID
	OrganizationName string
	Email            string
	Role             UserRole
	InvitedByEmail   string // empty: the operator
	ExpiresAt        time.Time
	// HasAccount: there is such a user already, who has to sign in to join: whoever
	// invites somebody also sees the link, and must not get at an account by it.
	HasAccount bool
}

// Invitation finds what a link is for. Errors: KindNotFound.
func (s *Store) Invitation(ctx context.Context, token string) (InvitationFor, error) {
	var i InvitationFor
	err := s.pool.QueryRow(ctx, `SELECT i.id, i.organization_id, i.organization_name, i.email, i.role, i.expires_at,
			EXISTS (SELECT FROM users WHERE email = i.email), coalesce((SELECT email FROM users WHERE id = i.invited_by), '')
		FROM invitation_lookup($1) i WHERE i.expires_at > now()`, tokenHash(token)).
		Scan(&i.ID, &i.OrganizationID, &i.OrganizationName, &i.Email, &i.Role, &i.ExpiresAt, &i.HasAccount, &i.InvitedByEmail)
	if errors.Is(err, pgx.ErrNoRows) {
		return InvitationFor{}, errLinkEnded
	}
	return i, wrap(err)
}

// InvitationAccept takes an invitation up for somebody without an account, who
// chooses a password, and signs them in: it gives their session's token. Errors:
// KindNotFound, KindInvalid for the password, KindConflict where there is an
// account by now.
func (s *Store) InvitationAccept(ctx context.Context, token, password, address, userAgent string) (string, error) {
	invitation, err := s.Invitation(ctx, token)
	if err != nil {
		return "", err
	}
	hash, err := hashPassword(password, invitation.Email)
	if err != nil {
		return "", err
	}
	user := User{ID: newID(), Email: invitation.Email, PasswordHash: &hash}
	err = s.join(ctx, invitation, user, address, func(tx *gorm.DB) error {
		err := tx.Create(&user).Error
		if errors.Is(err, gorm.ErrDuplicatedKey) {
			return NewError(KindConflict, "There is an account with that e-mail by now: sign in to join.")
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return s.sessionCreate(ctx, user, &invitation.OrganizationID, address, userAgent)
}

// InvitationJoin takes an invitation up for a signed-in user, whose session goes
// on in that organization. Errors: KindNotFound, KindForbidden where it is for
// somebody else.
func (s *Store) InvitationJoin(ctx context.Context, token string, session Session, address string) error {
	invitation, err := s.Invitation(ctx, token)
	if err != nil {
		return err
	}
	if invitation.Email != session.Email {
		return NewError(KindForbidden, fmt.Sprintf("This invitation is for %s.", invitation.Email))
	}
	return s.join(ctx, invitation, User{ID: session.UserID, Email: session.Email}, address, func(tx *gorm.DB) error {
		return tx.Exec(`UPDATE sessions SET organization_id = ? WHERE id = ?`, invitation.OrganizationID, session.ID).Error
	})
}

// join uses the invitation up and makes the user a member; before runs first, in
// the same transaction.
func (s *Store) join(ctx context.Context, invitation InvitationFor, user User, address string, before func(tx *gorm.DB) error) error {
	tenant := s.Tenant(invitation.OrganizationID).As(Actor{UserID: &user.ID, Email: user.Email, Address: address})
	return tenant.change(ctx, func(tx *gorm.DB) error {
		used := tx.Exec(`DELETE FROM invitations WHERE organization_id = ? AND id = ?`, invitation.OrganizationID, invitation.ID)
		if used.Error != nil {
			return used.Error
		}
		if used.RowsAffected == 0 {
			return errLinkEnded
		}
		if err := before(tx); err != nil {
			return err
		}
		err := tx.Exec(`INSERT INTO memberships (organization_id, user_id, role) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
			invitation.OrganizationID, user.ID, invitation.Role).Error
		if err != nil {
			return err
		}
		return tenant.note(tx, ActionMemberJoined, string(invitation.Role))
	})
}

// readEmail reads an e-mail address, in lower case. Errors: KindInvalid.
func readEmail(text string) (string, error) {
	text = strings.TrimSpace(text)
	address, err := mail.ParseAddress(text)
	if err != nil || address.Address != text || len(text) > emailLength {
		return "", NewError(KindInvalid, fmt.Sprintf("%q is no e-mail address", text))
	}
	return strings.ToLower(text), nil
}

package models

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// Actor is who does something: a signed-in user, or the operator by a command.
type Actor struct {
	UserID  *uuid.UUID // nil: the operator's command
	Email   string
	Address string // where they are
}

var operatorActor = Actor{Email: "operator", Address: "command line"}

// As gives the tenant for the hands of an actor: what is done by it is noted as
// theirs. A Tenant that was given to nobody is the operator's.
func (t Tenant) As(actor Actor) Tenant {
	t.actor = &actor
	return t
}

func (t Tenant) by() Actor {
	if t.actor == nil {
		return operatorActor
	}
	return *t.actor
}

// What the audit log notes.
const (
	ActionSignedIn          = "session.start"
	ActionSignInFailed      = "session.fail"
	ActionSessionEnded      = "session.end"
	ActionKeyCreated        = "key.create"
	ActionKeyRotated        = "key.rotate"
	ActionKeyRevoked        = "key.revoke"
	ActionMemberInvited     = "member.invite"
	ActionInvitationRevoked = "member.uninvite"
	ActionMemberJoined      = "member.join"
	ActionRoleChanged       = "member.role"
	ActionMemberRemoved     = "member.remove"
	ActionUserCreated       = "user.create"
	ActionPasswordSet       = "password.set"
	ActionPasswordLink      = "password.link"
	ActionFactorOn          = "second_factor.on"
	ActionFactorOff         = "second_factor.off"
	ActionRecoveryCreated   = "recovery_codes.create"
	ActionRecoveryUsed      = "recovery_codes.use"
)

// AuditEntry is a line of an organization's audit log.
type AuditEntry struct {
	OrganizationID uuid.UUID
	ID             uuid.UUID
	At             time.Time
	UserID         *uuid.UUID // nil: the operator's command
	UserEmail      string
	Action         string // one of the Action constants
	Subject        string // what it was done to, in words; may be empty
	Address        string
}

// TableName is where they stand.
func (AuditEntry) TableName() string { return "audit_log" }

// note writes a line to the audit log, in the transaction of what it tells.
func (t Tenant) note(tx *gorm.DB, action, subject string) error {
	actor := t.by()
	return tx.Create(&AuditEntry{
		OrganizationID: t.organizationID, ID: newID(), At: tx.NowFunc(),
		UserID: actor.UserID, UserEmail: actor.Email, Action: action, Subject: subject, Address: actor.Address,
	}).Error
}

// AuditLog gives a page of the audit log, the newest first, before an entry's id
// where one is given, and whether there are older ones.
func (t Tenant) AuditLog(ctx context.Context, before *uuid.UUID, limit int) (entries []AuditEntry, more bool, err error) {
	query := t.from(ctx, &AuditEntry{}).Order("id DESC").Limit(limit + 1)
	if before != nil {
		query = query.Where("id < ?", *before)
	}
	if err := query.Find(&entries).Error; err != nil {
		return nil, false, wrap(err)
	}
	if len(entries) > limit {
		return entries[:limit], true, nil
	}
	return entries, false, nil
}

// change runs f in one transaction of the tenant's.
func (t Tenant) change(ctx context.Context, f func(tx *gorm.DB) error) error {
	return wrap(t.store.db.WithContext(t.bind(ctx)).Transaction(f))
}

package models

import (
	"context"
	"log/slog"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models/database"
)

// Actor is the author of a change: a signed-in user, or the operator by a command.
type Actor struct {
	UserID  *uuid.UUID // nil for the operator
	Email   string
	Address string // the address of the request
}

// OperatorActor is the operator, whose commands change what they name.
var OperatorActor = Actor{Email: "operator", Address: "command line"}

// ScheduleActor revokes keys whose scheduled time has come.
var ScheduleActor = Actor{Email: "schedule", Address: "schedule"}

// DeletedUser stands in the audit log for the e-mail address of a user who was deleted.
const DeletedUser = "a deleted user"

// What the audit log records.
const (
	ActionSignedIn          = "session.start"
	ActionSignInFailed      = "session.fail"
	ActionSwitched          = "session.switch"
	ActionSignedOut         = "session.sign_out"
	ActionSessionEnded      = "session.end"
	ActionSessionsEnded     = "session.end_others"
	ActionKeyCreated        = "key.create"
	ActionKeyRotated        = "key.rotate"
	ActionKeyRevoked        = "key.revoke"
	ActionKeyLeaked         = "key.leaked"
	ActionKeyChanged        = "key.change"
	ActionRevokeScheduled   = "key.schedule_revoke"
	ActionRevokeUnscheduled = "key.unschedule_revoke"
	ActionCallerDismissed   = "key.caller_dismiss"
	ActionCallerRestored    = "key.caller_restore"
	ActionKeyPaused         = "key.pause"
	ActionKeyResumed        = "key.resume"
	ActionMemberInvited     = "member.invite"
	ActionInvitationRevoked = "member.uninvite"
	ActionMemberJoined      = "member.join"
	ActionRoleChanged       = "member.role"
	ActionMemberRemoved     = "member.remove"
	ActionUserCreated       = "user.create"
	ActionPasswordSet       = "password.set"
	ActionPasswordLink      = "password.link"
	ActionPasswordForgotten = "password.forgotten"
	ActionUnlockRequested   = "sign_in.unlock"
	ActionFactorOn          = "second_factor.on"
	ActionFactorOff         = "second_factor.off"
	ActionRecoveryCreated   = "recovery_codes.create"
	ActionRecoveryUsed      = "recovery_codes.use"
	ActionFactorRequired    = "second_factor.require"
	ActionFactorOptional    = "second_factor.allow_none"
	ActionProviderSet       = "provider.set"
	ActionProviderRemoved   = "provider.remove"
	ActionProviderTried     = "provider.try"
	ActionProviderEnabled   = "provider.enable"
	ActionProviderDisabled  = "provider.disable"
	ActionProviderRequired  = "provider.require"
	ActionProviderOptional  = "provider.allow_password"
	ActionProviderTrusted   = "provider.trust_factor"
	ActionProviderUntrusted = "provider.ask_factor"
	ActionProviderLinked    = "provider.link"
	ActionUserDisabled      = "user.disable"
	ActionUserEnabled       = "user.enable"
	ActionUserDeleted       = "user.delete"
	ActionSuspended         = "organization.suspend"
	ActionResumed           = "organization.resume"
	ActionLimited           = "organization.limit"
	ActionHistoryRenewed    = "organization.renew_history"
	ActionOrganizationEdit  = "organization.change"
	ActionDeliveryWithdrawn = "delivery.withdraw"
	ActionDeliveryBackfill  = "delivery.backfill"
	ActionAuditLogExported  = "audit_log.export"
	ActionTransactionExport = "transactions.export"
	ActionCompanyExport     = "companies.export"
	ActionDeliveryExport    = "deliveries.export"
	ActionDayExport         = "days.export"
	ActionRequestExport     = "requests.export"
)

// AuditEntry is an entry of an organization's audit log.
type AuditEntry struct {
	OrganizationID uuid.UUID
	ID             uuid.UUID
	At             time.Time  `gorm:"default:clock_timestamp()"`
	UserID         *uuid.UUID // nil for the operator
	UserEmail      string
	Action         string // one of the Action constants
	Subject        string // what it was done to, in words; may be empty
	Address        string
	KeyID          *uuid.UUID // the API key that it is about; nil for other entries, and for those of old versions
}

// TableName is the entries' table.
func (AuditEntry) TableName() string { return "audit_log" }

// AuditFilter says which entries of the audit log to read. Its zero value means all.
type AuditFilter struct {
	Person      string    // the actor's e-mail, or OperatorActor.Email; empty for anybody
	Action      string    // one of the Action constants; empty for any
	KeyID       uuid.UUID // the key that they are about; uuid.Nil for anything
	From, Until time.Time // entries at From or later, and before Until; zero for no bound
}

// AuditLog returns a page of the entries that a filter selects, the newest first, before
// an entry's id if one is given, and whether there are older entries.
func (t Tenant) AuditLog(
	ctx context.Context, filter AuditFilter, before *uuid.UUID, limit int,
) (entries []AuditEntry, more bool, err error) {
	query := filter.apply(t.DB(ctx)).Order("id DESC").Limit(limit + 1)
	if before != nil {
		query = query.Where("id < ?", *before)
	}
	entries, err = Find[AuditEntry](query)
	return entries[:min(len(entries), limit)], len(entries) > limit, err
}

// EachAuditEntry calls f with every entry that a filter selects, the newest first. All are
// of one moment. Its errors may be f's.
func EachAuditEntry(ctx context.Context, t Tenant, filter AuditFilter, f func(*AuditEntry) error) error {
	columns := database.Columns("organization_id, id, at, user_id, user_email, action, subject, address, key_id")
	return ReadSnapshot(ctx, t, func(s database.Snapshot) error {
		return database.Each(s, filter.apply(t.DB(ctx).Model(&AuditEntry{})).Clauses(columns).Order("id DESC"), f)
	})
}

// idSlack is how far the time in an entry's id, an instance's, can be from the entry's own, the
// database's.
const idSlack = time.Hour

// apply adds the filter's conditions. The ids bound what PostgreSQL reads, because they
// begin with the time.
func (f AuditFilter) apply(query *gorm.DB) *gorm.DB {
	if f.Person != "" {
		query = query.Where("user_email = ?", f.Person)
	}
	if f.Action != "" {
		query = query.Where("action = ?", f.Action)
	}
	if f.KeyID != uuid.Nil {
		query = query.Where("key_id = ?", f.KeyID)
	}
	if !f.From.IsZero() {
		query = query.Where("id >= ? AND at >= ?", firstID(f.From.Add(-idSlack)), f.From)
	}
	if !f.Until.IsZero() {
		query = query.Where("id < ? AND at < ?", firstID(f.Until.Add(idSlack)), f.Until)
	}
	return query
}

// firstID returns the lowest id that begins with a time, in milliseconds (RFC 9562
// section 5.7).
func firstID(at time.Time) (id uuid.UUID) {
	milliseconds := max(0, at.UnixMilli())
	for i := range 6 {
		id[i] = byte(milliseconds >> (40 - 8*i))
	}
	return id
}

// Security events, as the log names them for alerts. docs/operating.md lists them
// with their attributes.
const (
	EventKeyRefused   = "key_refused"
	EventSignInFailed = "sign_in_failed"
	EventFormRefused  = "form_refused"
	EventRoleChanged  = "role_changed"
	EventKeyLeaked    = "key_leaked"
)

// The attributes that every security event has.
const (
	EventKey        = "event"
	EventAddressKey = "address"
)

// LogEvent logs a security event. Changes that somebody was allowed to make are
// logged as information, and the rest as warnings, which the program's log samples by
// event and address. The attributes must have no secrets.
func LogEvent(log *slog.Logger, event, address string, attributes ...any) {
	level, message := slog.LevelWarn, ""
	switch event {
	case EventKeyRefused:
		message = "an API key was refused"
	case EventSignInFailed:
		message = "a sign-in failed"
	case EventFormRefused:
		message = "a form was refused that did not come from our page"
	case EventKeyLeaked:
		level, message = slog.LevelInfo, "a key was reported as leaked"
	case EventRoleChanged:
		level, message = slog.LevelInfo, "a member's role was changed"
	}
	log.Log(
		context.Background(),
		level,
		message,
		append([]any{EventKey, event, EventAddressKey, address}, attributes...)...)
}

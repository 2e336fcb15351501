package models

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models/database"
	"dispo/models/secrets"
)

// MailKind says what a mail is about. Package mail has its text.
type MailKind string

const (
	MailInvitation           MailKind = "invitation"
	MailPassword             MailKind = "password"
	MailUnlock               MailKind = "unlock"
	MailSignIn               MailKind = "sign_in"
	MailKeyCreated           MailKind = "key_created"
	MailKeyRevoked           MailKind = "key_revoked"
	MailKeyRevokedOnSchedule MailKind = "key_revoked_on_schedule"
	MailKeyPaused            MailKind = "key_paused"
	MailKeyScheduled         MailKind = "key_scheduled"
	MailKeyExpiring          MailKind = "key_expiring"
	MailDeliveryArrived      MailKind = "delivery_arrived"
	MailDeliveryLate         MailKind = "delivery_late"
	MailDeliveriesLater      MailKind = "deliveries_later" // that arrived after their day's mail
	MailDeliveryWithdrawn    MailKind = "delivery_withdrawn"
	MailPasswordChanged      MailKind = "password_changed"
	MailFactorOn             MailKind = "second_factor_on"
	MailFactorOff            MailKind = "second_factor_off"
	MailFactorReset          MailKind = "second_factor_reset" // by the operator
	MailRecoveryUsed         MailKind = "recovery_code_used"
	MailMemberJoined         MailKind = "member_joined"
	MailMemberRemoved        MailKind = "member_removed"
	MailMemberRole           MailKind = "member_role"
)

// MailTopic is a kind of optional mail that a user may switch off. Mails that matter for
// security have no topic.
type MailTopic string

const (
	TopicKeys       MailTopic = "keys"
	TopicExpiry     MailTopic = "expiry"
	TopicArrivals   MailTopic = "arrivals" // which nobody gets by default
	TopicLate       MailTopic = "late"
	TopicDeliveries MailTopic = "deliveries" // withdrawn ones
)

// MailTopics are all topics.
var MailTopics = []MailTopic{TopicKeys, TopicExpiry, TopicArrivals, TopicLate, TopicDeliveries}

// Known reports whether there is such a topic.
func (t MailTopic) Known() bool { return slices.Contains(MailTopics, t) }

// Topic returns the topic of a kind, or "" if it cannot be switched off.
func (k MailKind) Topic() MailTopic {
	switch k {
	case MailKeyPaused, MailKeyScheduled:
		return TopicKeys
	case MailKeyExpiring:
		return TopicExpiry
	case MailDeliveryArrived, MailDeliveriesLater:
		return TopicArrivals
	case MailDeliveryLate:
		return TopicLate
	case MailDeliveryWithdrawn:
		return TopicDeliveries
	}
	return ""
}

// forEveryMember reports whether a mail concerns every member, as mails about deliveries do.
func (k MailKind) forEveryMember() bool {
	return slices.Contains([]MailTopic{TopicArrivals, TopicLate, TopicDeliveries}, k.Topic())
}

// forOwners reports whether a mail concerns no one but owners, as mails about members do.
func (k MailKind) forOwners() bool {
	return k == MailMemberJoined || k == MailMemberRemoved || k == MailMemberRole
}

// AboutAccount reports whether a mail is about its reader's account, and no organization
// more than another.
func (k MailKind) AboutAccount() bool {
	return slices.Contains(
		[]MailKind{
			MailPassword,
			MailUnlock,
			MailSignIn,
			MailPasswordChanged,
			MailFactorOn,
			MailFactorOff,
			MailFactorReset,
			MailRecoveryUsed,
		},
		k,
	)
}

// Mail is a mail in the outbox. Its text is made from Kind and Details when it is sent.
type Mail struct {
	OrganizationID uuid.UUID
	ID             uuid.UUID
	Kind           MailKind
	Recipient      string
	UserID         *uuid.UUID // nil for an invited person and for a notification address
	Details        string     // MailDetails as JSON
	CreatedAt      time.Time
	Attempts       int
	NextAttemptAt  time.Time
	Answer         string // the mail server's last one
	SentAt         *time.Time
	GivenUpAt      *time.Time
}

// MailDetails are what the text of a mail names, in the form in which it is stored:
// times are in RFC 3339. They have no secrets.
type MailDetails map[string]string

// Value returns the details as JSON.
func (d MailDetails) Value() (driver.Value, error) {
	text, err := json.Marshal(d)
	return string(text), err
}

// MailCompany is what arrived for a company, as MailDetails["companies"] has a list of in JSON.
type MailCompany struct {
	Name, CVR string
	Count     int64
	AmountDKK string `gorm:"column:amount_dkk"`
}

// DeliveryNotice says that it was decided whether mails are due: about the deliveries of a
// day, or about the one that was expected by a time, at which it starts and ends.
type DeliveryNotice struct {
	OrganizationID   uuid.UUID
	Kind             MailKind
	StartsAt, EndsAt time.Time
}

// Why somebody gets a mail, in MailDetails["because"].
const (
	BecauseRole    = "role"    // owns or administers the organization
	BecauseCreator = "creator" // created the key
	BecauseMember  = "member"  // is a member
	BecauseAddress = "address" // the organization's notification address
)

// mailsAreSent is the condition that an instance sends mails, or did so lately. Nothing
// is written to the outbox otherwise.
const mailsAreSent = `EXISTS (SELECT FROM mail_senders WHERE seen_at > now() - interval '3 days')`

// MailOne writes a mail to one person, in the transaction of what it reports.
func MailOne(tx *gorm.DB, mail Mail, details MailDetails) error {
	return tx.Exec(`INSERT INTO mails (organization_id, id, kind, recipient, user_id, details)
		SELECT @organization, @id, @kind, @recipient, @user, @details WHERE `+mailsAreSent, map[string]any{
		"organization": mail.OrganizationID,
		"id":           mail.ID,
		"kind":         string(mail.Kind),
		"recipient":    mail.Recipient,
		"user":         mail.UserID,
		"details":      details,
	}).Error
}

// MailAccount writes a mail about a user's account to that user, in the transaction of what
// it reports. A user without an organization gets none.
func MailAccount(tx *gorm.DB, userID uuid.UUID, kind MailKind, details MailDetails) error {
	details["at"] = MailTime(tx.NowFunc())
	return tx.Exec(
		`SELECT mail_account(?, ?, ?, CAST(? AS jsonb)) WHERE `+mailsAreSent,
		userID,
		database.NewID(),
		string(kind),
		details,
	).Error
}

// MailManagers writes a mail to an organization's owners and admins, to the member whom
// it concerns, if any, and to the notification address, each once, in the transaction of
// what it reports. One about members goes to owners alone, and to that member. One about deliveries goes to every member, and to the notification
// address unless it is about arrivals, which have to be chosen. Those who do not want its
// topic are left out, and those who have one of this kind about details["day"].
func MailManagers(
	tx *gorm.DB,
	organizationID uuid.UUID,
	kind MailKind,
	concerned *uuid.UUID,
	details MailDetails,
) error {
	return tx.Exec(`INSERT INTO mails (organization_id, id, kind, recipient, user_id, details)
		SELECT @organization, gen_random_uuid(), @kind, r.email, r.user_id, CAST(@details AS jsonb) || jsonb_build_object('because', r.because)
		FROM (
			SELECT DISTINCT ON (email) * FROM (
				SELECT u.email, u.id AS user_id, CASE WHEN @everyone OR @owners AND m.role <> 'owner' THEN '`+BecauseMember+`' WHEN m.role IN ('owner', 'admin') THEN '`+BecauseRole+`' ELSE '`+BecauseCreator+`' END AS because
				FROM memberships m JOIN users u ON u.id = m.user_id
				WHERE m.organization_id = @organization AND (@everyone OR m.role = 'owner' OR m.role = 'admin' AND NOT @owners OR u.id = @concerned)
					AND u.disabled_at IS NULL AND NOT (@topic = ANY (u.unwanted_mail))
				UNION ALL
				SELECT o.notification_address AS email, NULL AS user_id, '`+BecauseAddress+`' AS because FROM organizations o WHERE o.id = @organization AND o.notification_address <> '' AND @address
			) everybody ORDER BY email, user_id NULLS LAST
		) r WHERE `+mailsAreSent+` ON CONFLICT DO NOTHING`, map[string]any{
		"organization": organizationID,
		"kind":         string(kind),
		"details":      details,
		"concerned":    concerned,
		"topic":        string(kind.Topic()),
		"everyone":     kind.forEveryMember(),
		"owners":       kind.forOwners(),
		"address":      kind.Topic() != TopicArrivals && !kind.forOwners(),
	}).Error
}

// MailWanted reports whether a member wants mails of a kind that concerns every member.
func MailWanted(tx *gorm.DB, kind MailKind) (bool, error) {
	var wanted int64
	err := tx.Model(&Member{}).
		Where("user_id IN (SELECT id FROM users WHERE disabled_at IS NULL AND NOT (? = ANY (unwanted_mail)))", string(kind.Topic())).
		Count(&wanted).
		Error
	return wanted > 0, err
}

// MailToken returns the token of the link in a mail. It is made from the mail's id and
// the server's secret, so it is the same whenever the mail is sent, and the database
// does not have it.
func MailToken(secret secrets.Secret, mail uuid.UUID) string {
	return secret.Sign("mail token", mail.String())
}

// MailTokens returns MailToken under the present secret, and under the one before it if
// there is one: a mail that waits may be of its time.
func MailTokens(secret secrets.Secret, mail uuid.UUID) (tokens []string) {
	for i := range secret {
		tokens = append(tokens, MailToken(secret[i:], mail))
	}
	return tokens
}

// MailTime returns a time as MailDetails have it.
func MailTime(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// Mails lists the mails of every organization that wait or were given up, the oldest
// first, for the operator.
func (s *Store) Mails(ctx context.Context) ([]Mail, error) {
	return Find[Mail](s.db.GORM(database.WithOperator(ctx)).Where("sent_at IS NULL").Order("created_at, id"))
}

// mailHeld is when a mail is due that waits for MailRelease.
var mailHeld = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// Held reports whether the mail waits for MailRelease.
func (m Mail) Held() bool { return m.NextAttemptAt.Equal(mailHeld) }

// MailHold keeps the mails that wait from being sent until MailRelease, for the operator. It
// returns how many are held.
func (s *Store) MailHold(ctx context.Context) (int64, error) {
	changed := s.db.GORM(database.WithOperator(ctx)).
		Model(&Mail{}).
		Where("sent_at IS NULL AND given_up_at IS NULL").
		Update("next_attempt_at", mailHeld)
	return changed.RowsAffected, Wrap(changed.Error)
}

// MailRelease undoes MailHold. It returns how many mails are due now.
func (s *Store) MailRelease(ctx context.Context) (int64, error) {
	changed := s.db.GORM(database.WithOperator(ctx)).
		Model(&Mail{}).
		Where("next_attempt_at = ?", mailHeld).
		Update("next_attempt_at", gorm.Expr("now()"))
	return changed.RowsAffected, Wrap(changed.Error)
}

// MailRetry lets mails that were given up, and those that wait, be sent again now, for
// the operator. It returns their number. Mails older than three days stay given up, and those that are held stay so.
func (s *Store) MailRetry(ctx context.Context) (int64, error) {
	changed := s.db.GORM(database.WithOperator(ctx)).
		Model(&Mail{}).
		Where("sent_at IS NULL AND created_at > now() - interval '3 days' AND next_attempt_at <> ?", mailHeld).
		Updates(map[string]any{"given_up_at": nil, "next_attempt_at": gorm.Expr("now()")})
	return changed.RowsAffected, Wrap(changed.Error)
}

package mail

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"slices"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/secrets"
)

// Kind says what a mail is about.
type Kind string

const (
	Invitation           Kind = "invitation"
	Password             Kind = "password"
	Unlock               Kind = "unlock"
	SignIn               Kind = "sign_in"
	KeyCreated           Kind = "key_created"
	KeyRevoked           Kind = "key_revoked"
	KeyRevokedOnSchedule Kind = "key_revoked_on_schedule"
	KeyPaused            Kind = "key_paused"
	KeyScheduled         Kind = "key_scheduled"
	KeyExpiring          Kind = "key_expiring"
	KeyLeaked            Kind = "key_leaked"
	KeyElsewhere         Kind = "key_elsewhere" // used from where it is not allowed
	DeliveryArrived      Kind = "delivery_arrived"
	DeliveryLate         Kind = "delivery_late"
	DeliveriesLater      Kind = "deliveries_later" // that arrived after their day's mail
	DeliveryWithdrawn    Kind = "delivery_withdrawn"
	PasswordChanged      Kind = "password_changed"
	FactorOn             Kind = "second_factor_on"
	FactorOff            Kind = "second_factor_off"
	FactorReset          Kind = "second_factor_reset" // by the operator
	RecoveryUsed         Kind = "recovery_code_used"
	LinkProvider         Kind = "provider_link"   // proves whose account somebody at a provider has
	ProviderLinked       Kind = "provider_linked" // somebody at a provider can come in as the reader
	ProviderOptional     Kind = "provider_off"    // the operator stopped requiring it
	MemberJoined         Kind = "member_joined"
	MemberRemoved        Kind = "member_removed"
	MemberRole           Kind = "member_role"
)

// Topic is a kind of optional mail that a user may switch off. Mails that matter for
// security have no topic.
type Topic string

const (
	TopicKeys       Topic = "keys"
	TopicExpiry     Topic = "expiry"
	TopicArrivals   Topic = "arrivals" // which nobody gets by default
	TopicLate       Topic = "late"
	TopicDeliveries Topic = "deliveries" // withdrawn ones
)

// Topics are all topics.
var Topics = []Topic{TopicKeys, TopicExpiry, TopicArrivals, TopicLate, TopicDeliveries}

// Known reports whether there is such a topic.
func (t Topic) Known() bool { return slices.Contains(Topics, t) }

// Topic returns the topic of a kind, or "" if it cannot be switched off.
func (k Kind) Topic() Topic {
	switch k {
	case KeyPaused, KeyScheduled:
		return TopicKeys
	case KeyExpiring:
		return TopicExpiry
	case DeliveryArrived, DeliveriesLater:
		return TopicArrivals
	case DeliveryLate:
		return TopicLate
	case DeliveryWithdrawn:
		return TopicDeliveries
	}
	return ""
}

// forEveryMember reports whether a mail concerns every member, as mails about deliveries do.
func (k Kind) forEveryMember() bool {
	return slices.Contains([]Topic{TopicArrivals, TopicLate, TopicDeliveries}, k.Topic())
}

// forOwners reports whether a mail concerns no one but owners, as mails about members do.
func (k Kind) forOwners() bool {
	return k == MemberJoined || k == MemberRemoved || k == MemberRole || k == ProviderOptional
}

// AboutAccount reports whether a mail is about its reader's account, and no organization
// more than another.
func (k Kind) AboutAccount() bool {
	return slices.Contains(
		[]Kind{
			Password, Unlock, SignIn, PasswordChanged, FactorOn, FactorOff, FactorReset, RecoveryUsed,
			ProviderLinked,
		},
		k,
	)
}

// Mail is a mail in the outbox. Its text is made from Kind and Details when it is sent.
type Mail struct {
	OrganizationID uuid.UUID
	ID             uuid.UUID
	Kind           Kind
	Recipient      string
	UserID         *uuid.UUID // nil for an invited person and for a notification address
	Details        string     // Details as JSON
	CreatedAt      time.Time  `gorm:"->"`
	Attempts       int
	NextAttemptAt  time.Time
	Answer         string // the mail server's last one
	SentAt         *time.Time
	GivenUpAt      *time.Time
}

// Details are what the text of a mail names, in the form in which it is stored:
// times are in RFC 3339. They have no secrets.
type Details map[string]string

// Value returns the details as JSON.
func (d Details) Value() (driver.Value, error) {
	text, err := json.Marshal(d)
	return string(text), err
}

// Company is what arrived for a company, as Details["companies"] has a list of in JSON.
type Company struct {
	Name, CVR string
	Count     int64
	AmountDKK string `gorm:"column:amount_dkk"`
}

// DeliveryNotice says that it was decided whether mails are due: about the deliveries of a
// day, or about the one that was expected by a time, at which it starts and ends.
type DeliveryNotice struct {
	OrganizationID   uuid.UUID
	Kind             Kind
	StartsAt, EndsAt time.Time
}

// Why somebody gets a mail, in Details["because"].
const (
	BecauseRole    = "role"    // owns or administers the organization
	BecauseCreator = "creator" // created the key
	BecauseMember  = "member"  // is a member
	BecauseAddress = "address" // the organization's notification address
)

// mailsAreSent is the condition that an instance sends mails, or did so lately. Nothing
// is written to the outbox otherwise.
const mailsAreSent = `EXISTS (SELECT FROM mail_senders WHERE seen_at > now() - interval '3 days')`

// written is the detail that says when a mail was written, as Time writes it.
const written = `jsonb_build_object('at', to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))`

// WriteOne writes a mail to one person, in the transaction of what it reports.
func WriteOne(tx *gorm.DB, mail Mail, details Details) error {
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

// WriteToUser writes a mail about a user's account to that user, in the transaction of what
// it reports. A user without an organization gets none.
func WriteToUser(tx *gorm.DB, userID uuid.UUID, kind Kind, details Details) error {
	return tx.Exec(`SELECT mail_account(?, ?, ?, `+written+` || CAST(? AS jsonb)) WHERE `+mailsAreSent, userID,
		database.NewID(), string(kind), details).Error
}

// WriteToMembers writes a mail to people of an organization, each once, in the transaction of
// what it reports:
//
//   - to the owners and admins, to the user whom it concerns, if any, and to the notification
//     address;
//   - about members, to the owners and to the member alone;
//   - about deliveries, to every member, and to the notification address unless it is about
//     arrivals, which have to be chosen;
//   - to nobody who does not want its topic, or has one of its kind about details["day"].
func WriteToMembers(tx *gorm.DB, organizationID uuid.UUID, kind Kind, concerned *uuid.UUID, details Details) error {
	return tx.Exec(`INSERT INTO mails (organization_id, id, kind, recipient, user_id, details)
		SELECT @organization, gen_random_uuid(), @kind, r.email, r.user_id, `+written+` || CAST(@details AS jsonb) || jsonb_build_object('because', r.because)
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

// wanted reports whether a member wants mails of a kind that concerns every member.
func wanted(tx *gorm.DB, kind Kind) (bool, error) {
	var wanted int64
	err := tx.Model(&models.Member{}).
		Where("user_id IN (SELECT id FROM users WHERE disabled_at IS NULL AND NOT (? = ANY (unwanted_mail)))", string(kind.Topic())).
		Count(&wanted).Error
	return wanted > 0, err
}

// Token returns the token of the link in a mail. It is made from the mail's id and
// the server's secret, so it is the same whenever the mail is sent, and the database
// does not have it.
func Token(secret secrets.Secret, mail uuid.UUID) string {
	return secret.Sign("mail token", mail.String())
}

// tokens returns Token under the present secret, and under the one before it if
// there is one: a mail that waits may be of its time.
func tokens(secret secrets.Secret, mail uuid.UUID) (tokens []string) {
	for i := range secret {
		tokens = append(tokens, Token(secret[i:], mail))
	}
	return tokens
}

// Time returns a time as Details have it.
func Time(at time.Time) string { return at.UTC().Format(time.RFC3339) }

// Unsent lists the mails of every organization that wait or were given up, the oldest
// first, for the operator.
func Unsent(ctx context.Context, s *models.Store) ([]Mail, error) {
	return models.Find[Mail](s.DB().GORM(database.WithOperator(ctx)).Where("sent_at IS NULL").Order("created_at, id"))
}

// mailHeld is when a mail is due that waits for Release.
var mailHeld = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

// Held reports whether the mail waits for Release.
func (m Mail) Held() bool { return m.NextAttemptAt.Equal(mailHeld) }

// Hold keeps the mails that wait from being sent until Release, for the operator. It
// returns how many are held.
func Hold(ctx context.Context, s *models.Store) (int64, error) {
	changed := s.DB().GORM(database.WithOperator(ctx)).
		Model(&Mail{}).
		Where("sent_at IS NULL AND given_up_at IS NULL").
		Update("next_attempt_at", mailHeld)
	return changed.RowsAffected, models.Wrap(changed.Error)
}

// Release undoes Hold. It returns how many mails are due now.
func Release(ctx context.Context, s *models.Store) (int64, error) {
	changed := s.DB().GORM(database.WithOperator(ctx)).
		Model(&Mail{}).
		Where("next_attempt_at = ?", mailHeld).
		Update("next_attempt_at", database.Clock)
	return changed.RowsAffected, models.Wrap(changed.Error)
}

// Retry lets mails that were given up, and those that wait, be sent again now, for
// the operator. It returns their number. Mails older than three days stay given up, and those that are held stay so.
func Retry(ctx context.Context, s *models.Store) (int64, error) {
	changed := s.DB().GORM(database.WithOperator(ctx)).
		Model(&Mail{}).
		Where("sent_at IS NULL AND created_at > now() - interval '3 days' AND next_attempt_at <> ?", mailHeld).
		Updates(map[string]any{"given_up_at": nil, "next_attempt_at": database.Clock})
	return changed.RowsAffected, models.Wrap(changed.Error)
}

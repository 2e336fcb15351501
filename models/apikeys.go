package models

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// KeyState is what has become of a key.
type KeyState string

const (
	KeyActive  KeyState = "active"
	KeyExpired KeyState = "expired"
	KeyRevoked KeyState = "revoked"
)

// APIKey is a key as people see it: nothing in it helps to make or guess one.
type APIKey struct {
	ID                uuid.UUID
	Name              string
	LookupID          string     // the public part
	Hint              string     // the last four characters
	CreatedBy         *uuid.UUID // nil: the operator's command
	CreatedByEmail    *string    `gorm:"->"` // of CreatedBy; of Keys and Key alone
	SuccessorOf       *uuid.UUID // the key that this one takes over from
	SuccessorID       *uuid.UUID `gorm:"->"` // the newest key that takes over from this one and is not revoked; of Keys and Key alone
	CreatedAt         time.Time
	ExpiresAt         *time.Time
	RevokedAt         *time.Time
	LastUsedAt        *time.Time
	LastUsedAddress   *string
	LastUsedUserAgent *string
}

// TableName is where keys stand.
func (APIKey) TableName() string { return "api_keys" }

// State tells what has become of the key by now. Revoked outweighs expired.
func (k APIKey) State() KeyState {
	switch {
	case k.RevokedAt != nil:
		return KeyRevoked
	case k.ExpiresAt != nil && !time.Now().Before(*k.ExpiresAt):
		return KeyExpired
	}
	return KeyActive
}

// NewAPIKey says what key to make.
type NewAPIKey struct {
	ID          uuid.UUID  // nil: a new one; a form's own makes its second submission a KindConflict
	Name        string     // 1 to 100 characters
	ExpiresAt   *time.Time // nil: never
	SuccessorOf *uuid.UUID // the organization's key that this one takes over from
}

const (
	nameLength  = 100
	expiryYears = 100
)

type apiKeyRow struct {
	APIKey
	OrganizationID uuid.UUID
	SecretHash     string
	Fingerprint    []byte
}

// CheckKeyName tells what is wrong with a key's name, or nothing: it has 1 to 100
// characters, none of them a control character. Errors: KindInvalid.
func CheckKeyName(name string) error {
	switch {
	case name == "" || len([]rune(name)) > nameLength:
		return NewError(KindInvalid, fmt.Sprintf("A key needs a name of 1 to %d characters.", nameLength))
	case !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return NewError(KindInvalid, "A key's name can't have control characters.")
	}
	return nil
}

// KeyCreate makes a key, and gives its text: the one time that it can be had.
// Errors: KindInvalid for a name or an expiry that can't be.
func (t Tenant) KeyCreate(ctx context.Context, wanted NewAPIKey) (APIKey, string, error) {
	name := strings.TrimSpace(wanted.Name)
	if err := CheckKeyName(name); err != nil {
		return APIKey{}, "", err
	}
	if wanted.ExpiresAt != nil && (!wanted.ExpiresAt.After(time.Now()) || wanted.ExpiresAt.After(time.Now().AddDate(expiryYears, 0, 0))) {
		return APIKey{}, "", NewError(KindInvalid, fmt.Sprintf("A key's expiry must lie ahead, and within %d years.", expiryYears))
	}
	key := makeKey()
	hash, err := bcrypt.GenerateFromPassword([]byte(key.text), bcryptCost)
	if err != nil {
		return APIKey{}, "", wrap(err)
	}
	if wanted.ID == uuid.Nil {
		wanted.ID = newID()
	}
	row := apiKeyRow{
		APIKey: APIKey{
			ID: wanted.ID, Name: name, LookupID: key.lookupID, Hint: key.hint(),
			CreatedBy: t.by().UserID, SuccessorOf: wanted.SuccessorOf, ExpiresAt: wanted.ExpiresAt,
		},
		OrganizationID: t.organizationID,
		SecretHash:     string(hash),
		Fingerprint:    key.fingerprint(t.store.secret),
	}
	err = t.change(ctx, func(tx *gorm.DB) error {
		action := ActionKeyCreated
		if wanted.SuccessorOf != nil {
			action = ActionKeyRotated
			if err := t.successorAllowed(tx, *wanted.SuccessorOf); err != nil {
				return err
			}
		}
		if err := tx.Create(&row).Error; errors.Is(err, gorm.ErrDuplicatedKey) {
			return NewError(KindConflict, "This key was created already, and can't be shown again. If it was not kept, revoke it and create another one.")
		} else if err != nil {
			return err
		}
		return t.note(tx, action, row.APIKey.subject())
	})
	if err != nil {
		return APIKey{}, "", err
	}
	return row.APIKey, key.text, nil
}

const keyColumns = `api_keys.*, (SELECT u.email FROM users u WHERE u.id = created_by) AS created_by_email,
	(SELECT s.id FROM api_keys s WHERE s.successor_of = api_keys.id AND s.revoked_at IS NULL ORDER BY s.id DESC LIMIT 1) AS successor_id`

// Keys lists the organization's keys, the newest first, the revoked and expired
// ones among them.
func (t Tenant) Keys(ctx context.Context) ([]APIKey, error) {
	var keys []APIKey
	err := t.from(ctx, &APIKey{}).Select(keyColumns).Order("id DESC").Find(&keys).Error
	return keys, wrap(err)
}

// KeyRevoke ends a key for good. When it returns, this instance refuses the key;
// the others hear of it by the change feed. A key that is revoked already stays
// as it is. Errors: KindNotFound.
func (t Tenant) KeyRevoke(ctx context.Context, id uuid.UUID) (APIKey, error) {
	return t.keyRevoke(ctx, id, "revoked_at IS NULL")
}

// KeyRevokeUnused is KeyRevoke for a key that has never been used, as far as is
// written yet: a use is, within seconds. Errors: KindNotFound, KindConflict where
// it has been used.
func (t Tenant) KeyRevokeUnused(ctx context.Context, id uuid.UUID) (APIKey, error) {
	key, err := t.keyRevoke(ctx, id, "revoked_at IS NULL AND last_used_at IS NULL")
	if err == nil && key.RevokedAt == nil {
		err = NewError(KindConflict, "The key has been used.")
	}
	return key, err
}

func (t Tenant) keyRevoke(ctx context.Context, id uuid.UUID, where string) (APIKey, error) {
	var key APIKey
	err := t.change(ctx, func(tx *gorm.DB) error {
		revoked := tx.Model(&key).Clauses(clause.Returning{}).
			Where("organization_id = ? AND id = ? AND "+where, t.organizationID, id).
			Update("revoked_at", time.Now())
		if revoked.Error != nil || revoked.RowsAffected == 0 {
			return revoked.Error
		}
		return t.note(tx, ActionKeyRevoked, key.subject())
	})
	if err != nil {
		return APIKey{}, err
	}
	t.store.feed.generation.Add(1)
	t.store.keys.forget(id)
	return t.Key(ctx, id)
}

// Key gives one of the organization's keys. Errors: KindNotFound.
func (t Tenant) Key(ctx context.Context, id uuid.UUID) (APIKey, error) {
	var key APIKey
	err := wrap(t.from(ctx, &APIKey{}).Select(keyColumns).Where("id = ?", id).Take(&key).Error)
	if ErrorKind(err) == KindNotFound {
		err = NewError(KindNotFound, "There is no such key.")
	}
	return key, err
}

// successorAllowed sees that the key to take over from is the organization's,
// and has no successor at work: two who rotate one key at once get one successor.
func (t Tenant) successorAllowed(tx *gorm.DB, id uuid.UUID) error {
	var old []APIKey
	if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("organization_id = ? AND id = ?", t.organizationID, id).Find(&old).Error; err != nil {
		return err
	}
	if len(old) == 0 {
		return NewError(KindNotFound, "There is no such key.")
	}
	var successors int64
	err := tx.Model(&APIKey{}).Where("organization_id = ? AND successor_of = ? AND revoked_at IS NULL", t.organizationID, id).Count(&successors).Error
	if err == nil && successors > 0 {
		err = NewError(KindConflict, "This key is being rotated already.")
	}
	return err
}

// subject is the key in the words of the audit log.
func (k APIKey) subject() string { return fmt.Sprintf("%s (dispo_…%s)", k.Name, k.Hint) }

func (t Tenant) keyFingerprint(ctx context.Context, id uuid.UUID, fingerprint []byte) error {
	return wrap(t.from(ctx, &APIKey{}).Where("id = ?", id).UpdateColumn("fingerprint", fingerprint).Error)
}

// KeyOrganization tells whose key that is: for the operator, who names a key by
// its id alone. Errors: KindNotFound.
func (s *Store) KeyOrganization(ctx context.Context, id uuid.UUID) (Tenant, error) {
	var organizationIDs []uuid.UUID
	err := s.db.WithContext(ctx).Model(&APIKey{}).Where("id = ?", id).Pluck("organization_id", &organizationIDs).Error
	if err != nil {
		return Tenant{}, wrap(err)
	}
	if len(organizationIDs) == 0 {
		return Tenant{}, NewError(KindNotFound, "There is no such key.")
	}
	return s.Tenant(organizationIDs[0]), nil
}

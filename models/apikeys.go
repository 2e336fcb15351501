package models

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models/database"
)

// KeyState is the state of a key.
type KeyState string

const (
	KeyActive  KeyState = "active"
	KeyPaused  KeyState = "paused"
	KeyExpired KeyState = "expired"
	KeyRevoked KeyState = "revoked"
)

// APIKey is a key without its secret: nothing in it helps to use or guess one.
type APIKey struct {
	OrganizationID uuid.UUID
	Sandbox        bool // whether the organization is a sandbox, and the key begins as its keys do
	ID             uuid.UUID
	Name           string
	Note           string
	LookupID       string     // the public part of the key
	Hint           string     // the last four characters of the key
	CreatedBy      *uuid.UUID // nil for the operator
	SuccessorOf    *uuid.UUID // the key that this one replaces
	CreatedAt      time.Time
	ExpiresAt      *time.Time
	RevokedAt      *time.Time
	PausedAt       *time.Time
	// The key is revoked by schedule: at RevokeAt or, if it is not used for so many days,
	// RevokeAfterQuietDays. At most one is set. RevokeScheduledAt is when that was decided.
	RevokeAt             *time.Time
	RevokeAfterQuietDays *int
	RevokeScheduledAt    *time.Time
	LastUsedAt           *time.Time
	LastUsedAddress      *string
	LastUsedUserAgent    *string
	TestedAt             *time.Time // when the test command that pages offer last worked
}

// State returns the key's state now. Revoked outweighs expired,
// and expired outweighs paused.
func (k APIKey) State() KeyState {
	switch {
	case k.RevokedAt != nil:
		return KeyRevoked
	case k.ExpiresAt != nil && !time.Now().Before(*k.ExpiresAt):
		return KeyExpired
	case k.PausedAt != nil:
		return KeyPaused
	}
	return KeyActive
}

// subject names the key in the audit log.
func (k APIKey) subject() string { return k.Name + " (" + k.Masked() + ")" }

// Masked returns the beginning and the end of the key's text.
func (k APIKey) Masked() string { return KeyPrefix(k.Sandbox) + "…" + k.Hint }

// KeyDetail is a key with what people are shown beside it.
type KeyDetail struct {
	APIKey
	CreatedByEmail *string    // of CreatedBy
	SuccessorID    *uuid.UUID // the newest key that replaces this one and would be accepted now
	RevokesAt      *time.Time // when it is revoked by schedule, if it is not used again; nil if that is not scheduled
}

const keyDetailColumns = `api_keys.*, api_key_revokes_at(api_keys) AS revokes_at, (SELECT u.email FROM users u WHERE u.id = created_by) AS created_by_email,
	(SELECT s.id FROM api_keys s WHERE s.successor_of = api_keys.id AND ` + keyAccepted + ` ORDER BY s.id DESC LIMIT 1) AS successor_id`

// keyAccepted is the condition on a key that would be accepted now.
const keyAccepted = `revoked_at IS NULL AND paused_at IS NULL AND (expires_at IS NULL OR expires_at > now())`

// newKeyRow is a key as it is stored. Its hashes are only ever written.
type newKeyRow struct {
	APIKey
	SecretHash  string
	Fingerprint []byte
}

// TableName is the keys' table.
func (newKeyRow) TableName() string { return "api_keys" }

// NewAPIKey says what key to create.
type NewAPIKey struct {
	ID          uuid.UUID  // uuid.Nil for a new one; a form's own id makes its second submission a KindConflict
	Name        string     // 1 to 100 characters
	ExpiresAt   *time.Time // nil means never
	SuccessorOf *uuid.UUID // the organization's key that this one replaces
}

const (
	nameLength = 100
	noteLength = 500
	keyYears   = 100
)

// CheckKeyName reports what is wrong with a key's name. It has 1 to 100 characters,
// all of them visible, and no API key in it. Errors: KindInvalid.
func CheckKeyName(name string) error {
	switch {
	case name == "" || len([]rune(name)) > nameLength:
		return NewError(KindInvalid, "A key needs a name of 1 to {most} characters.", "most", nameLength)
	case nameFault(name).English != "":
		return NewError(KindInvalid, "A key's name {fault}.", "fault", nameFault(name))
	}
	return nil
}

// CheckKeyNote reports what is wrong with the note on a key. It has at most 500
// characters, may have several lines, and no API key in it. Errors: KindInvalid.
func CheckKeyNote(note string) error {
	switch fault := nameFault(strings.ReplaceAll(note, "\n", " ")); {
	case len([]rune(note)) > noteLength:
		return NewError(KindInvalid, "A note has at most {most} characters.", "most", noteLength)
	case fault.English != "":
		return NewError(KindInvalid, "A note {fault}.", "fault", fault)
	}
	return nil
}

// KeyCreate creates a key and returns its text, which cannot be read again later.
// Errors: KindInvalid for a bad name or expiry; KindNotFound and KindConflict for a
// key to replace that does not exist or is being replaced already; KindForbidden.
func (t Tenant) KeyCreate(ctx context.Context, wanted NewAPIKey) (APIKey, string, error) {
	name := strings.TrimSpace(wanted.Name)
	if err := CheckKeyName(name); err != nil {
		return APIKey{}, "", err
	}
	if wanted.ExpiresAt != nil {
		if err := checkKeyEnd(*wanted.ExpiresAt); err != nil {
			return APIKey{}, "", err
		}
	}
	sandbox, err := t.isSandbox(ctx)
	if err != nil {
		return APIKey{}, "", err
	}
	key := makeKey(sandbox)
	hash, err := bcrypt.GenerateFromPassword([]byte(key.text), BcryptCost)
	if err != nil {
		return APIKey{}, "", err
	}
	if wanted.ID == uuid.Nil {
		wanted.ID = database.NewID()
	}
	row := newKeyRow{ // its organization is set by the scope
		APIKey: APIKey{
			ID: wanted.ID, Sandbox: sandbox, Name: name, LookupID: key.lookupID, Hint: key.hint(),
			CreatedBy: t.actor.UserID, SuccessorOf: wanted.SuccessorOf, ExpiresAt: wanted.ExpiresAt,
		},
		SecretHash:  string(hash),
		Fingerprint: key.Fingerprint(t.store.secret),
	}
	err = t.Manage(ctx, func(tx *gorm.DB, _ Role) error {
		action := ActionKeyCreated
		if wanted.SuccessorOf != nil {
			action = ActionKeyRotated
			if err := lockPredecessor(tx, *wanted.SuccessorOf); err != nil {
				return err
			}
		}
		if err := tx.Create(&row).Error; errors.Is(err, gorm.ErrDuplicatedKey) {
			return NewError(KindConflict, "This key was already created and cannot be shown again. If you did not keep it, revoke it and create another one.")
		} else if err != nil {
			return err
		}
		return t.noteKey(tx, action, row.APIKey, "")
	})
	if err != nil {
		return APIKey{}, "", err
	}
	return row.APIKey, key.text, nil
}

// lockPredecessor checks that the key to replace exists and that no key that would be
// accepted now replaces it.
// Its lock lets only one of two concurrent rotations of a key succeed.
func lockPredecessor(tx *gorm.DB, id uuid.UUID) error {
	var old []APIKey
	if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", id).Find(&old).Error; err != nil {
		return err
	}
	if len(old) == 0 {
		return errNoKey
	}
	var successors int64
	err := tx.Model(&APIKey{}).Where("successor_of = ? AND "+keyAccepted, id).Count(&successors).Error
	if err == nil && successors > 0 {
		err = NewError(KindConflict, "This key is already being rotated.")
	}
	return err
}

// Keys lists the organization's keys, the newest first, including revoked and
// expired ones.
func (t Tenant) Keys(ctx context.Context) ([]KeyDetail, error) {
	var keys []KeyDetail
	err := t.DB(ctx).Model(&APIKey{}).Select(keyDetailColumns).Order("id DESC").Find(&keys).Error
	return keys, Wrap(err)
}

// KeysExpiring lists the keys that would be accepted now, expire before a time, and have
// no successor that would be accepted, the first to expire first.
func (t Tenant) KeysExpiring(ctx context.Context, before time.Time) ([]APIKey, error) {
	var keys []APIKey
	err := t.DB(ctx).Model(&APIKey{}).Where(keyAccepted+" AND expires_at < ?", before).
		Where("NOT EXISTS (SELECT FROM api_keys s WHERE s.organization_id = api_keys.organization_id AND s.successor_of = api_keys.id AND s.revoked_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > now()))").
		Order("expires_at, id").Find(&keys).Error
	return keys, Wrap(err)
}

func checkKeyEnd(at time.Time) error {
	if !at.After(time.Now()) || at.After(time.Now().AddDate(keyYears, 0, 0)) {
		return NewError(KindInvalid, "A key must expire in the future, within {n} years.", "n", keyYears)
	}
	return nil
}

var errNoKey = NewError(KindNotFound, "There is no such key.")

// Key returns one of the organization's keys. Errors: KindNotFound.
func (t Tenant) Key(ctx context.Context, id uuid.UUID) (KeyDetail, error) {
	var key KeyDetail
	err := Wrap(t.DB(ctx).Model(&APIKey{}).Select(keyDetailColumns).Where("id = ?", id).Take(&key).Error)
	if ErrorKind(err) == KindNotFound {
		err = errNoKey
	}
	return key, err
}

// KeyRevoke revokes a key for good. When it returns, this instance refuses the key;
// the others hear of it by the change feed. A key that is already revoked stays as
// it is. Errors: KindNotFound, KindForbidden.
func (t Tenant) KeyRevoke(ctx context.Context, id uuid.UUID) (KeyDetail, error) {
	return t.keyRevoke(ctx, id, "revoked_at IS NULL")
}

// KeyRevokeUnused is KeyRevoke for a key that has never been used, as far as uses
// have been written; that takes seconds. Errors: KindNotFound, and KindConflict if
// the key has been used.
func (t Tenant) KeyRevokeUnused(ctx context.Context, id uuid.UUID) (KeyDetail, error) {
	key, err := t.keyRevoke(ctx, id, "revoked_at IS NULL AND last_used_at IS NULL")
	if err == nil && key.RevokedAt == nil {
		err = NewError(KindConflict, "The key has been used.")
	}
	return key, err
}

func (t Tenant) keyRevoke(ctx context.Context, id uuid.UUID, condition string) (KeyDetail, error) {
	now := time.Now()
	return t.keySet(ctx, id, condition, "revoked_at", &now, ActionKeyRevoked)
}

// KeyTenant returns the tenant that a key belongs to, for the operator, who names a
// key by its id alone. Errors: KindNotFound.
func (s *Store) KeyTenant(ctx context.Context, id uuid.UUID) (Tenant, error) {
	var key APIKey
	err := Wrap(s.db.GORM(database.WithOperator(ctx)).Where("id = ?", id).Take(&key).Error)
	if ErrorKind(err) == KindNotFound {
		err = errNoKey
	}
	return s.Tenant(key.OrganizationID), err
}

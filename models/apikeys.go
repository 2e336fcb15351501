package models

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
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
	Name      string     // 1 to 100 characters
	CreatedBy *uuid.UUID // nil: the operator's command
	ExpiresAt *time.Time // nil: never
}

const (
	nameLength  = 100
	expiryYears = 100
	bcryptCost  = 10
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
	row := apiKeyRow{
		APIKey: APIKey{
			ID: newID(), Name: name, LookupID: key.lookupID, Hint: key.hint(),
			CreatedBy: wanted.CreatedBy, ExpiresAt: wanted.ExpiresAt,
		},
		OrganizationID: t.organizationID,
		SecretHash:     string(hash),
		Fingerprint:    key.fingerprint(t.store.secret),
	}
	if err := t.store.db.WithContext(t.bind(ctx)).Create(&row).Error; err != nil {
		return APIKey{}, "", wrap(err)
	}
	return row.APIKey, key.text, nil
}

// Keys lists the organization's keys, the newest first, the revoked and expired
// ones among them.
func (t Tenant) Keys(ctx context.Context) ([]APIKey, error) {
	var keys []APIKey
	err := t.from(ctx, &APIKey{}).Order("id DESC").Find(&keys).Error
	return keys, wrap(err)
}

// KeyRevoke ends a key for good. When it returns, this instance refuses the key;
// the others hear of it by the change feed. A key that is revoked already stays
// as it is. Errors: KindNotFound.
func (t Tenant) KeyRevoke(ctx context.Context, id uuid.UUID) (APIKey, error) {
	err := t.from(ctx, &APIKey{}).Where("id = ? AND revoked_at IS NULL", id).
		Updates(map[string]any{"revoked_at": time.Now()}).Error
	if err != nil {
		return APIKey{}, wrap(err)
	}
	t.store.feed.generation.Add(1)
	t.store.keys.forget(id)
	var key APIKey
	if err := t.from(ctx, &APIKey{}).Where("id = ?", id).Take(&key).Error; err != nil {
		if err := wrap(err); ErrorKind(err) != KindNotFound {
			return APIKey{}, err
		}
		return APIKey{}, NewError(KindNotFound, "There is no such key.")
	}
	return key, nil
}

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

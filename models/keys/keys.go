package keys

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
	"dispo/models/secrets"
	"dispo/models/terms"
)

// Detail is a key with what people are shown beside it.
type Detail struct {
	Key
	CreatedByEmail *string    // of CreatedBy, or models.DeletedUser
	SuccessorID    *uuid.UUID // the newest key that replaces this one and would be accepted now, or else the newest paused one
	RevokesAt      *time.Time // when it is revoked by schedule, if it is not used again; nil if that is not scheduled
}

const keyDetailColumns = `api_keys.*, api_key_revokes_at(api_keys) AS revokes_at, CASE WHEN created_by IS NOT NULL THEN coalesce((SELECT u.email FROM users u WHERE u.id = created_by), '` + models.DeletedUser + `') END AS created_by_email,
	(SELECT s.id FROM api_keys s WHERE s.successor_of = api_keys.id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())
	ORDER BY paused_at IS NOT NULL, s.id DESC LIMIT 1) AS successor_id`

// keyAccepted is the condition on a key that would be accepted now.
const keyAccepted = `revoked_at IS NULL AND paused_at IS NULL AND (expires_at IS NULL OR expires_at > now())`

// newKeyRow is a key as it is stored. Its hashes are only ever written.
type newKeyRow struct {
	Key
	SecretHash  string
	Fingerprint []byte
}

// TableName is the keys' table.
func (newKeyRow) TableName() string { return "api_keys" }

// NewKey says what key to create.
type NewKey struct {
	ID          uuid.UUID  // uuid.Nil for a new one; a form's own id makes its second submission a models.KindConflict
	Name        string     // 1 to 100 characters
	ExpiresAt   *time.Time // nil means never
	SuccessorOf *uuid.UUID // the organization's key that this one replaces
}

const (
	noteLength = 500
	keyYears   = 100
)

// CheckName reports what is wrong with a key's name. It has 1 to 100 characters,
// all of them visible, and no API key in it. Errors: KindInvalid.
func CheckName(name string) error {
	switch {
	case name == "" || len([]rune(name)) > models.NameLength:
		return models.NewError(models.KindInvalid, "A key needs a name of 1 to {most} characters.", "most", models.NameLength)
	case models.NameFault(name).English != "":
		return models.NewError(models.KindInvalid, "A key's name {fault}.", "fault", models.NameFault(name))
	}
	return nil
}

// CheckNote reports what is wrong with the note on a key. It has at most 500
// characters, may have several lines, and no API key in it. Errors: KindInvalid.
func CheckNote(note string) error {
	switch fault := models.NameFault(strings.ReplaceAll(note, "\n", " ")); {
	case len([]rune(note)) > noteLength:
		return models.NewError(models.KindInvalid, "A note has at most {most} characters.", "most", noteLength)
	case fault.English != "":
		return models.NewError(models.KindInvalid, "A note {fault}.", "fault", fault)
	}
	return nil
}

// Create creates a key and returns its text, which cannot be read again later.
// Errors: KindInvalid for a bad name or expiry; KindNotFound and KindConflict for a
// key to replace that does not exist or is being replaced already; KindForbidden.
func Create(ctx context.Context, t models.Tenant, wanted NewKey) (Key, string, error) {
	name := strings.TrimSpace(wanted.Name)
	if err := CheckName(name); err != nil {
		return Key{}, "", err
	}
	if wanted.ExpiresAt != nil {
		if err := checkKeyEnd(*wanted.ExpiresAt); err != nil {
			return Key{}, "", err
		}
	}
	sandbox, err := t.Sandbox(ctx)
	if err != nil {
		return Key{}, "", err
	}
	key := Generate(sandbox)
	hash, err := bcrypt.GenerateFromPassword([]byte(key.Text()), secrets.BcryptCost)
	if err != nil {
		return Key{}, "", err
	}
	row := newKeyRow{ // GORM's scope (models/database/scope.go) sets its organization
		Key: Key{
			ID: cmp.Or(wanted.ID, database.NewID()), Sandbox: sandbox, Name: name, LookupID: key.LookupID(), Hint: key.Hint(),
			CreatedBy: t.Actor().UserID, SuccessorOf: wanted.SuccessorOf, ExpiresAt: wanted.ExpiresAt,
		},
		SecretHash:  string(hash),
		Fingerprint: t.Store().Secret().Fingerprint(key.Text()),
	}
	err = t.Manage(ctx, func(tx *gorm.DB, _ terms.Role) error {
		// A suspension that is under way ends first, and a later one finds this key. Else
		// instances could go on accepting it.
		if err := tx.Clauses(clause.Locking{Strength: "SHARE"}).Take(&models.Organization{}).Error; err != nil {
			return err
		}
		action := models.ActionKeyCreated
		if wanted.SuccessorOf != nil {
			action = models.ActionKeyRotated
			if err := lockPredecessor(tx, *wanted.SuccessorOf); err != nil {
				return err
			}
		}
		// The id is the form's, so a form that is sent twice creates one key.
		if err := tx.Create(&row).Error; errors.Is(err, gorm.ErrDuplicatedKey) {
			return models.NewError(
				models.KindConflict,
				"This key was already created and cannot be shown again. If you did not keep it, revoke it and create another one.",
			)
		} else if err != nil {
			return err
		}
		return note(tx, t, action, row.Key, "")
	})
	if err != nil {
		return Key{}, "", err
	}
	return row.Key, key.Text(), nil
}

// lockPredecessor checks that the key to replace exists and that no key that would be
// accepted now replaces it.
// Its lock lets only one of two concurrent rotations of a key succeed.
func lockPredecessor(tx *gorm.DB, id uuid.UUID) error {
	if err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", id).Take(&Key{}).Error; err != nil {
		return models.WrapFound(err, ErrNotFound)
	}
	var successors int64
	err := tx.Model(&Key{}).Where("successor_of = ? AND "+keyAccepted, id).Count(&successors).Error
	if err == nil && successors > 0 {
		err = models.NewError(models.KindConflict, "This key is already being rotated.")
	}
	return err
}

// List lists the organization's keys, the newest first, including revoked and
// expired ones.
func List(ctx context.Context, t models.Tenant) ([]Detail, error) {
	return models.Find[Detail](t.DB(ctx).Model(&Key{}).Select(keyDetailColumns).Order("id DESC"))
}

// searched is how many of the newest keys Search looks at.
const searched = 1_000

// Search returns the organization's keys whose name contains the text, or which end with
// it: the newest, at most as many as limit. Of a long text, the end is compared.
func Search(ctx context.Context, t models.Tenant, text string, limit int) ([]Key, error) {
	end := []rune(text)
	end = end[max(0, len(end)-HintLength):]
	found, err := models.Find[Key](t.DB(ctx).Order("id DESC").Limit(searched))
	text = i18n.Fold(text)
	found = slices.DeleteFunc(found, func(key Key) bool {
		return !strings.Contains(i18n.Fold(key.Name), text) && !strings.HasSuffix(key.Hint, string(end))
	})
	return found[:min(len(found), limit)], err
}

// Expiring lists the keys that would be accepted now, expire before a time, and have
// no successor that would be accepted, the first to expire first.
func Expiring(ctx context.Context, t models.Tenant, before time.Time) ([]Key, error) {
	return models.Find[Key](t.DB(ctx).Where(keyAccepted+" AND expires_at < ?", before).
		Where("NOT EXISTS (SELECT FROM api_keys s WHERE s.organization_id = api_keys.organization_id AND s.successor_of = api_keys.id AND " + keyAccepted + ")").
		Order("expires_at, id"))
}

func checkKeyEnd(at time.Time) error {
	if !at.After(time.Now()) || at.After(time.Now().AddDate(keyYears, 0, 0)) {
		return models.NewError(models.KindInvalid, "A key must expire in the future, within {n} years.", "n", keyYears)
	}
	return nil
}

// ErrNotFound means that the organization has no such key.
var ErrNotFound = models.NewError(models.KindNotFound, "There is no such key.")

// Get returns one of the organization's keys. Errors: KindNotFound.
func Get(ctx context.Context, t models.Tenant, id uuid.UUID) (Detail, error) {
	var key Detail
	err := t.DB(ctx).Model(&Key{}).Select(keyDetailColumns).Where("id = ?", id).Take(&key).Error
	return key, models.WrapFound(err, ErrNotFound)
}

// Revoke revokes a key for good. When it returns, this instance refuses the key;
// the others hear of it by the change feed. A key that is already revoked stays as
// it is. Errors: KindNotFound, KindForbidden.
func Revoke(ctx context.Context, t models.Tenant, id uuid.UUID) (Detail, error) {
	return revoke(ctx, t, id, "revoked_at IS NULL")
}

// RevokeUnused revokes a key of which no use is stored. Storing a use can take a few
// seconds. Errors: KindNotFound, and KindConflict if
// the key has been used.
func RevokeUnused(ctx context.Context, t models.Tenant, id uuid.UUID) (Detail, error) {
	key, err := revoke(ctx, t, id, "revoked_at IS NULL AND last_used_at IS NULL")
	if err == nil && key.RevokedAt == nil {
		err = models.NewError(models.KindConflict, "The key has been used.")
	}
	return key, err
}

func revoke(ctx context.Context, t models.Tenant, id uuid.UUID, condition string) (Detail, error) {
	return update(ctx, t, id, condition, map[string]any{"revoked_at": time.Now()}, models.ActionKeyRevoked, "")
}

// TenantOf returns the tenant that a key belongs to, for the operator, who names a
// key by its id alone. Errors: KindNotFound.
func TenantOf(ctx context.Context, s *models.Store, id uuid.UUID) (models.Tenant, error) {
	var key Key
	err := s.DB().GORM(database.WithOperator(ctx)).Where("id = ?", id).Take(&key).Error
	return s.Tenant(key.OrganizationID), models.WrapFound(err, ErrNotFound)
}

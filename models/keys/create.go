package keys

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/crypto/bcrypt"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/secrets"
	"dispo/models/terms"
)

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
	ID          uuid.UUID  // uuid.Nil for a new one; a form's own id makes its second submission ErrCreated
	Name        string     // 1 to 100 characters
	ExpiresAt   *time.Time // nil means never
	SuccessorOf *uuid.UUID // the organization's key that this one replaces
	Networks    Networks   // that it may be used from; none for those of the key that it replaces
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

// ErrCreated means that a key with that id exists: its form was sent twice.
var ErrCreated = models.NewError(models.KindConflict,
	"This key was already created and cannot be shown again. If you did not keep it, revoke it and create another one.")

// ErrRotating means that the key to replace has a successor that would be accepted.
var ErrRotating = models.NewError(models.KindConflict, "This key is already being rotated.")

// Create creates a key and returns its text, which cannot be read again later.
// Errors: KindInvalid for a bad name or expiry; KindNotFound and ErrRotating for a key to
// replace that does not exist or is being replaced already; ErrCreated; KindForbidden.
func Create(ctx context.Context, t models.Tenant, wanted NewKey) (Key, string, error) {
	name := strings.TrimSpace(wanted.Name)
	if err := CheckName(name); err != nil {
		return Key{}, "", err
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
			Networks: wanted.Networks,
		},
		SecretHash:  string(hash),
		Fingerprint: t.Store().Secret().Fingerprint(key.Text()),
	}
	err = t.Manage(ctx, func(tx *gorm.DB, _ terms.Role) error {
		// A suspension that is under way ends first, and a later one finds this key. Else
		// instances could go on accepting it.
		err := tx.Clauses(clause.Locking{Strength: "SHARE"}).Take(&models.Organization{}).Error
		if err != nil {
			return err
		}
		if wanted.ExpiresAt != nil {
			now, err := database.Now(tx) // the lock may have been waited for
			if err != nil {
				return err
			}
			if err := checkKeyEnd(*wanted.ExpiresAt, now); err != nil {
				return err
			}
		}
		action := models.ActionKeyCreated
		if wanted.SuccessorOf != nil {
			action = models.ActionKeyRotated
			old, err := lockPredecessor(tx, *wanted.SuccessorOf)
			if err != nil {
				return err
			}
			if len(wanted.Networks) == 0 {
				row.Networks = old.Networks
			}
		}
		// The id is the form's, so a form that is sent twice creates one key.
		if err := tx.Create(&row).Error; errors.Is(err, gorm.ErrDuplicatedKey) {
			return ErrCreated
		} else if err != nil {
			return err
		}
		details := ""
		if len(row.Networks) > 0 {
			details = ", allowed from " + row.Networks.String()
		}
		return note(tx, t, action, row.Key, details)
	})
	if err != nil {
		return Key{}, "", err
	}
	return row.Key, key.Text(), nil
}

// lockPredecessor returns the key to replace. It checks that the key exists and that no key that would be
// accepted now replaces it. Its lock lets only one of two concurrent rotations of a key succeed.
func lockPredecessor(tx *gorm.DB, id uuid.UUID) (lockedKey, error) {
	old, err := lock(tx, id)
	if err != nil {
		return old, err
	}
	var successors int64
	err = tx.Model(&Key{}).Where("successor_of = ? AND "+keyAccepted, id).Count(&successors).Error
	if err == nil && successors > 0 {
		err = ErrRotating
	}
	return old, err
}

func checkKeyEnd(at, now time.Time) error {
	if !at.After(now) || at.After(now.AddDate(keyYears, 0, 0)) {
		return models.NewError(models.KindInvalid, "A key must expire in the future, within {n} years.", "n", keyYears)
	}
	return nil
}

package keys

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/terms"
)

// KeyCaller is whoever uses a key: a client's name at an address.
type KeyCaller struct {
	OrganizationID uuid.UUID
	KeyID          uuid.UUID
	Address        string // "" for all other callers, if a key has more than 100
	Client         string // the client's name without versions, see ClientName
	UserAgent      string // the latest one, as sent
	FirstSeen      time.Time
	LastSeen       time.Time
	LastUsed       *time.Time // the latest request whose key was accepted
	LastRefused    *time.Time // the latest request answered 401
	Requests       int64      // including refused ones
	Refused        int64      // answered 401, because the key is revoked, expired or paused
	DismissedAt    *time.Time // when somebody said that the caller need not move
}

// TableName is the callers' table.
func (KeyCaller) TableName() string { return "key_callers" }

// Other reports whether this is not one caller, but all those for which there was no
// room.
func (c KeyCaller) Other() bool { return c.Address == "" }

var versionForm = regexp.MustCompile(`[/: ][vV]?[0-9][0-9A-Za-z._+-]*`)

// ClientName returns a user agent without its versions. An application that is updated
// is still the same caller, and often gets its new key with an update.
func ClientName(userAgent string) string {
	return strings.TrimSpace(versionForm.ReplaceAllString(userAgent, ""))
}

// Callers returns a key's callers since a time, the latest first.
func Callers(ctx context.Context, tenant models.Tenant, keyID uuid.UUID, since time.Time) ([]KeyCaller, error) {
	return callersOf(ctx, tenant, []uuid.UUID{keyID}, since)
}

func callersOf(ctx context.Context, tenant models.Tenant, keys []uuid.UUID, since time.Time) ([]KeyCaller, error) {
	return models.Find[KeyCaller](
		tenant.DB(ctx).Where("key_id IN ? AND last_seen >= ?", keys, since).Order("last_seen DESC, address, client"),
	)
}

// CallerDismiss notes that a caller of the key need not move to the key's successor. A
// caller that calls again can be dismissed again. Errors: KindNotFound, KindForbidden.
func CallerDismiss(ctx context.Context, tenant models.Tenant, key Key, address, client string) error {
	return dismiss(
		ctx,
		tenant,
		key,
		address,
		client,
		models.ActionCallerDismissed,
		gorm.Expr("now()"),
		"dismissed_at IS NULL OR dismissed_at < last_seen",
	)
}

// CallerRestore undoes CallerDismiss. Errors: KindNotFound, KindForbidden.
func CallerRestore(ctx context.Context, tenant models.Tenant, key Key, address, client string) error {
	return dismiss(
		ctx,
		tenant,
		key,
		address,
		client,
		models.ActionCallerRestored,
		gorm.Expr("NULL"),
		"dismissed_at IS NOT NULL",
	)
}

func dismiss(
	ctx context.Context,
	tenant models.Tenant,
	key Key,
	address, client, action string,
	at any,
	unless string,
) error {
	return tenant.Manage(ctx, func(tx *gorm.DB, _ terms.Role) error {
		caller := func() *gorm.DB {
			return tx.Model(&KeyCaller{}).Where("key_id = ? AND address = ? AND client = ?", key.ID, address, client)
		}
		var found KeyCaller
		if err := caller().Take(&found).Error; err != nil {
			return models.WrapFound(err, models.NewError(models.KindNotFound, "There is no such caller any more."))
		}
		changed := caller().Where(unless).Update("dismissed_at", at)
		if changed.Error != nil || changed.RowsAffected == 0 {
			return changed.Error
		}
		return tenant.NoteKey(tx, action, found.subject(key), key.ID)
	})
}

func (c KeyCaller) subject(key Key) string {
	name := "other callers"
	if !c.Other() {
		name = c.Client + " from " + c.Address
		if c.Client == "" {
			name = "unnamed client from " + c.Address
		}
	}
	return name + ", " + key.Name + " (" + key.Masked() + ")"
}

package keys

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/terms"
)

// KeyCaller is a client, at an address, that uses a key.
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
	RowCount       int64      // of the data that was sent
}

// TableName is the callers' table.
func (KeyCaller) TableName() string { return "key_callers" }

// Other reports whether this is not one caller, but all those for which there was no
// room.
func (c KeyCaller) Other() bool { return c.Address == "" }

// Dismissed reports whether somebody said that the caller need not move, and it has not
// called since.
func (c KeyCaller) Dismissed() bool { return c.DismissedAt != nil && !c.LastSeen.After(*c.DismissedAt) }

// Returned reports whether it was dismissed, but has called since.
func (c KeyCaller) Returned() bool { return c.DismissedAt != nil && c.LastSeen.After(*c.DismissedAt) }

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
		tenant.DB(ctx).Where("key_id IN ? AND last_seen >= ?", keys, since).Order("last_seen DESC, address, client"))
}

// StillCalling returns the callers of each key that has expired whose requests with it are
// refused, the latest first. It leaves out those that were dismissed since the key expired, and
// those that have used any key of the organization after their last refusal.
func StillCalling(ctx context.Context, t models.Tenant, now time.Time) (map[uuid.UUID][]KeyCaller, error) {
	expired := t.DB(ctx).Model(&Key{}).Select("id, expires_at").Where("revoked_at IS NULL AND expires_at <= ?", now)
	found, err := models.Find[KeyCaller](t.DB(ctx).Joins("JOIN (?) AS k ON k.id = key_callers.key_id", expired).
		Where("last_refused > k.expires_at AND last_seen >= ?", now.Add(-CallersWindow)).
		Where("dismissed_at IS NULL OR dismissed_at < k.expires_at").
		Where(`NOT EXISTS (SELECT FROM key_callers n WHERE n.organization_id = key_callers.organization_id AND
			n.address = key_callers.address AND n.address <> '' AND n.client = key_callers.client AND
			n.last_used > key_callers.last_refused)`).
		Order("last_refused DESC, address, client"))
	calling := map[uuid.UUID][]KeyCaller{}
	for _, caller := range found {
		calling[caller.KeyID] = append(calling[caller.KeyID], caller)
	}
	return calling, err
}

// CallerDismiss notes that a caller of the key need not move to the key's successor. A
// caller that calls again can be dismissed again. Errors: KindNotFound, KindForbidden.
func CallerDismiss(ctx context.Context, tenant models.Tenant, key Key, address, client string) error {
	return dismiss(ctx, tenant, key, address, client, models.ActionCallerDismissed, database.Clock)
}

// CallerRestore undoes CallerDismiss. Errors: KindNotFound, KindForbidden.
func CallerRestore(ctx context.Context, tenant models.Tenant, key Key, address, client string) error {
	return dismiss(ctx, tenant, key, address, client, models.ActionCallerRestored, nil)
}

func dismiss(ctx context.Context, tenant models.Tenant, key Key, address, client, action string, at any) error {
	return tenant.Manage(ctx, func(tx *gorm.DB, _ terms.Role) error {
		caller := func() *gorm.DB {
			return tx.Model(&KeyCaller{}).Where("key_id = ? AND address = ? AND client = ?", key.ID, address, client)
		}
		var found KeyCaller
		if err := caller().Clauses(clause.Locking{Strength: "UPDATE"}).Take(&found).Error; err != nil {
			return models.WrapFound(err, models.NewError(models.KindNotFound, "There is no such caller any more."))
		}
		if at != nil && found.Dismissed() || at == nil && found.DismissedAt == nil {
			return nil
		}
		if err := caller().Update("dismissed_at", at).Error; err != nil {
			return err
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

// Move is a caller of a key that is being replaced, and whether it has moved to the
// new key.
type Move struct {
	KeyCaller
	NewKeyUsed time.Time // its latest use of the new key; zero if there was none
}

// Moved reports whether the caller has used the new key, and not the old one after
// that.
func (m Move) Moved() bool { return m.NewKeyUsed.After(m.LastSeen) }

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// Moves compares the callers of an old key since a time with those of the new one.
func Moves(ctx context.Context, tenant models.Tenant, oldKey, newKey uuid.UUID, since time.Time) ([]Move, error) {
	found, err := callersOf(ctx, tenant, []uuid.UUID{oldKey, newKey}, since)
	return moves(found, oldKey), err
}

// moves finds each of the old key's callers among the new key's. A client is the same
// by its name, because an application may move to another host together with its new
// key. If several addresses used the old key by that name, it is the name of a library
// or of one application in several places, of which each has to move: then the address
// counts too. The other callers are many, so nobody can tell whether they moved.
func moves(found []KeyCaller, oldKey uuid.UUID) []Move {
	sharing := map[string]int{} // by client, how many addresses used the old key
	for _, c := range found {
		if c.KeyID == oldKey && !c.Other() {
			sharing[c.Client]++
		}
	}
	var all []Move
	for _, c := range found {
		if c.KeyID != oldKey {
			continue
		}
		move := Move{KeyCaller: c}
		for _, n := range found {
			same := n.Client == c.Client && (sharing[c.Client] == 1 || n.Address == c.Address)
			if n.KeyID != oldKey && !n.Other() && !c.Other() && same && n.LastUsed != nil {
				move.NewKeyUsed = later(move.NewKeyUsed, *n.LastUsed)
			}
		}
		all = append(all, move)
	}
	return all
}

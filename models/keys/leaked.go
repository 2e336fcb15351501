package keys

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/mail"
	"dispo/models/terms"
)

const (
	// toldEvery is how often it is told that a leaked key still works.
	toldEvery = 24 * time.Hour
	// callersNamed is how many of a key's callers a mail names.
	callersNamed = 5
)

var leakedForm = regexp.MustCompile(fmt.Sprintf(`%s(?:%s)?[0-9A-Za-z]{%d}_[0-9A-Za-z]{%d}`,
	models.KeyPrefix, models.SandboxInfix, models.LookupIDLength, models.KeySecretLength+checksumLength))

// Find returns the texts in another one that have the form of a key, each once. The text may be
// UTF-16.
func Find(text string) (found []Presented) {
	seen := map[Hash]bool{}
	for _, word := range leakedForm.FindAllString(strings.ReplaceAll(text, "\x00", ""), -1) {
		if key, err := Parse(word); err == nil && !seen[key.Hash()] {
			seen[key.Hash()] = true
			found = append(found, key)
		}
	}
	return found
}

// Suspect is a text with the lookup id of a key that is not revoked.
type Suspect struct {
	presented Presented
	row       *keyRow
}

// Suspects looks up those of the keys that are not revoked, in any other state, in one query
// across organizations.
func (k *Verifier) Suspects(ctx context.Context, found []Presented) (suspects []Suspect, err error) {
	ids := make([]string, len(found))
	for i, key := range found {
		ids[i] = key.LookupID()
	}
	rows, err := database.Query[struct {
		ID, OrganizationID   uuid.UUID
		LookupID, SecretHash string
		Sandbox              bool
		Fingerprint          []byte
	}](ctx, k.store.DB(), `SELECT * FROM api_keys_find($1)`, ids)
	for _, row := range rows {
		for _, key := range found {
			if key.LookupID() == row.LookupID && key.Sandbox() == row.Sandbox {
				suspects = append(suspects, Suspect{key, &keyRow{
					ID: row.ID, OrganizationID: row.OrganizationID, SecretHash: row.SecretHash, Fingerprint: row.Fingerprint,
				}})
			}
		}
	}
	return suspects, models.Wrap(err)
}

// Leaked is a key that leaked, and is revoked unless its organization chose to be told only.
type Leaked struct {
	Key
	Organization models.Organization
}

// EndLeaked revokes each suspect that is really a key, or tells its organization if that chose
// so, in the name of an actor. Where the fingerprint does not decide, bcrypt does, in its queue:
// each time, or if most is not 0, once for each lookup id and most times in all. It goes on after
// an error, and returns one if texts were not compared.
func (k *Verifier) EndLeaked(
	ctx context.Context, suspects []Suspect, actor models.Actor, most int,
) (leaked []Leaked, err error) {
	compared, skipped := map[uuid.UUID]bool{}, 0
	for _, suspect := range suspects {
		key, row := suspect.presented, suspect.row
		fits, decided, _ := k.store.Secret().FingerprintFits(key.Text(), row.Fingerprint)
		if !decided {
			if most > 0 && (compared[row.ID] || len(compared) == most) {
				skipped++
				continue
			}
			compared[row.ID] = true
			wrong := k.prove(ctx, key, row)
			if fits = wrong == nil; !fits && !errors.Is(wrong, ErrInvalid) {
				err = errors.Join(err, wrong)
			}
		}
		if !fits {
			continue
		}
		one, failed := endLeaked(ctx, k.store.Tenant(row.OrganizationID).As(actor), row.ID, false)
		if one != nil {
			leaked = append(leaked, *one)
		}
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("key %s: %w", row.ID, failed))
		}
	}
	if skipped > 0 {
		err = errors.Join(err, fmt.Errorf("keys that were not compared: %d", skipped))
	}
	return leaked, err
}

// LeakActor is somebody who reports leaked keys, from an address.
func LeakActor(address string) models.Actor {
	return models.Actor{Email: "leak report", Address: address}
}

// endLeaked revokes a key that leaked and writes the mail, or only writes it where the
// organization chose so, and when it is the mail of a later day. It returns nil if the key is
// revoked already.
func endLeaked(ctx context.Context, t models.Tenant, id uuid.UUID, later bool) (leaked *Leaked, err error) {
	use, err := lastDay(ctx, t, id)
	if err != nil {
		return nil, err
	}
	err = t.Write(ctx, func(tx *gorm.DB) error {
		locked, err := lock(tx, id)
		if err != nil || locked.RevokedAt != nil {
			return err
		}
		leaked = &Leaked{Key: locked.Key}
		if err := tx.Take(&leaked.Organization).Error; err != nil {
			return err
		}
		set, action := columns{"revoked_at": database.Clock, "leak_mailed_at": database.Clock}, models.ActionKeyRevoked
		if later || leaked.Organization.TellOfLeaks {
			if told := locked.LeakMailedAt; told != nil && locked.Now.Sub(*told) < toldEvery {
				return nil
			}
			delete(set, "revoked_at")
			action = models.ActionKeyLeaked
		}
		if locked.LeakedAt == nil {
			set["leaked_at"] = database.Clock
		}
		changed := tx.Model(&leaked.Key).Clauses(clause.Returning{}).Where("id = ?", id).Updates(set)
		if changed.Error != nil {
			return changed.Error
		}
		if err := t.NoteKey(tx, action, leaked.Subject()+", reported as leaked", id); err != nil {
			return err
		}
		use["key"], use["hint"], use["key_id"] = leaked.Name, leaked.Hint, id.String()
		use["leaked_at"] = mail.Time(*leaked.LeakedAt)
		if leaked.RevokedAt != nil {
			use["revoked"] = "yes"
		} else if leaked.State() != terms.KeyActive {
			use["refused_now"] = "yes"
		}
		return mail.WriteToMembers(tx, t.OrganizationID(), mail.KeyLeaked, nil, use)
	})
	if err != nil {
		return nil, err
	}
	if leaked != nil && leaked.RevokedAt != nil {
		t.Store().DB().Feed.KeyChanged(id)
	}
	return leaked, nil
}

// lastDay returns what a mail says of a key's use in the last 24 hours.
func lastDay(ctx context.Context, t models.Tenant, id uuid.UUID) (use mail.Details, err error) {
	now, err := database.Now(t.Store().DB().GORM(ctx))
	if err != nil {
		return nil, models.Wrap(err)
	}
	counts, err := Counts(ctx, t, Query{Since: now.Add(-24 * time.Hour).Truncate(time.Hour), Until: now, KeyID: &id})
	if err != nil {
		return nil, err
	}
	var requests, refused int64
	for _, count := range counts {
		requests, refused = requests+count.Requests-count.Refused, refused+count.Refused
	}
	callers, err := Callers(ctx, t, id, now.Add(-24*time.Hour))
	var names []string
	for _, caller := range callers {
		if len(names) < callersNamed && !caller.Other() {
			names = append(names, strings.TrimSpace(caller.Client+" "+caller.Address))
		}
	}
	use = mail.Details{"callers": strings.Join(names, ", ")}
	for name, number := range map[string]int64{
		"requests": requests, "refused": refused, "more_callers": int64(len(callers) - len(names)),
	} {
		if number > 0 {
			use[name] = strconv.FormatInt(number, 10)
		}
	}
	return use, err
}

// AnnounceLeaked writes mails about leaked keys of all organizations that still work, once a day.
func AnnounceLeaked(ctx context.Context, s *models.Store) error {
	return eachDue(ctx, s, func(ctx context.Context, t models.Tenant, id uuid.UUID) error {
		_, err := endLeaked(ctx, t, id, true)
		return err
	}, `SELECT id, organization_id FROM api_keys_leaked()`)
}

package keys

import (
	"context"
	"time"

	"github.com/google/uuid"

	"dispo/models"
)

// Move is a caller of a key that is being replaced, and whether it has moved to the
// new key.
type Move struct {
	KeyCaller
	NewKeyUsed time.Time // its latest use of the new key; zero if there was none
}

// Moved reports whether the caller has used the new key, and not the old one after
// that.
func (m Move) Moved() bool { return m.NewKeyUsed.After(m.LastSeen) }

// Dismissed reports whether somebody said that the caller need not move, and it has not
// called since.
func (m Move) Dismissed() bool { return m.DismissedAt != nil && !m.LastSeen.After(*m.DismissedAt) }

// Returned reports whether it was dismissed, but has called since.
func (m Move) Returned() bool { return m.DismissedAt != nil && m.LastSeen.After(*m.DismissedAt) }

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

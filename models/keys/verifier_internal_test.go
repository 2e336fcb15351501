package keys

import (
	"fmt"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/fairqueue"
)

// However many keys are in use, a change to a key drops that key: an entry is
// forgotten in both caches or in neither.
func TestDropWithMoreKeysThanAreRemembered(t *testing.T) {
	t.Parallel()
	k := NewVerifier(models.NewStore(&database.DB{Feed: &database.Feed{}}, nil), slog.New(slog.DiscardHandler))
	remember := func() (Hash, uuid.UUID) {
		id := database.NewID()
		hash := Hash(append(id[:], id[:]...))
		k.keep(hash, &verifiedKey{caller: Caller{KeyID: id}}, 0)
		return hash, id
	}
	hash, id := remember()
	for i := range rememberedKeys + 1000 {
		remember()
		if i%1000 == 0 {
			k.verified.Get(hash) // so that it stays in use
		}
	}
	require.LessOrEqual(t, k.verified.Len(), rememberedKeys)
	k.drop(database.Notification{Kind: database.KeyChanged, ID: id})
	require.False(t, k.verified.Contains(hash))
}

// At most 2,000 unknown keys a second are looked up. A good key does not wait for that, however
// many networks they come from.
func TestUnknownKeysKeepTheirPlaces(t *testing.T) {
	t.Parallel()
	for networks, took := range map[int]time.Duration{1: 250 * time.Millisecond, 500: 4 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			lookups := fairqueue.New(lookupLimits)
			began := time.Now()
			for i := range 500 {
				go func() {
					leave, ok := lookups.Enter(t.Context(), fmt.Sprint(i%networks))
					require.True(t, ok)
					time.Sleep(time.Nanosecond) // until all wait
					leaveUnknown(lookups, leave)
				}()
			}
			synctest.Wait()
			leave, ok := lookups.Enter(t.Context(), "good")
			require.True(t, ok)
			require.Less(t, time.Since(began), 10*time.Millisecond, networks)
			leave()
			for lookups.Subjects() > 0 {
				time.Sleep(time.Millisecond)
			}
			require.InDelta(t, took, time.Since(began), float64(5*time.Millisecond), networks)
		})
	}
}

package keys

import (
	"log/slog"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/database"
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

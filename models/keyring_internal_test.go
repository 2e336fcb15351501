package models

import (
	"log/slog"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// However many keys are in use, a revocation drops the one that it names: what is
// remembered of a key is forgotten whole or not at all.
func TestForgetAmongMoreKeysThanAreRemembered(t *testing.T) {
	t.Parallel()
	config, err := pgx.ParseConfig("postgres://nobody@/nothing?host=/nowhere")
	require.NoError(t, err)
	k := newKeyring(&Store{feed: newFeed(config, slog.New(slog.DiscardHandler))})
	remembered := func() (PresentedKey, uuid.UUID) {
		var key PresentedKey
		id := newID()
		copy(key.hash[:], id[:])
		k.remember(key, &verifiedKey{caller: Caller{KeyID: id}})
		return key, id
	}
	key, id := remembered()
	for i := range rememberedKeys + 1000 {
		remembered()
		if i%1000 == 0 {
			k.verified.Get(key.hash) // it is in use all the while
		}
	}
	require.LessOrEqual(t, k.verified.Len(), rememberedKeys)
	k.forget(id)
	require.False(t, k.verified.Contains(key.hash))
}

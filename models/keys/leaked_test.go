package keys_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
)

// A text that stands before a leaked key and differs in its secret only does not save the key
// without a word: a report that has a limit says what it did not compare, and an operator has none.
func TestEndLeakedComparesOrSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, token := modelstest.CreateKey(t, w.tenant, keys.NewKey{Name: "x"})
	nearMiss := modelstest.WithChecksum(token[:len("dispo_")+12+1] + strings.Repeat("x", 32))
	end := func(most int) (int, error) {
		suspects, err := w.Service.Keys.Suspects(t.Context(), keys.Find(nearMiss+"\n"+token))
		require.NoError(t, err)
		leaked, err := w.Service.Keys.EndLeaked(t.Context(), suspects, models.OperatorActor, most)
		return len(leaked), err
	}
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET fingerprint = NULL`)
	ended, err := end(20)
	require.ErrorContains(t, err, "keys that were not compared: 1")
	require.Zero(t, ended)
	ended, err = end(0)
	require.NoError(t, err)
	require.Equal(t, 1, ended)
}

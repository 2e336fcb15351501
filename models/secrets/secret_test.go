package secrets_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/secrets"
)

// A fingerprint depends on the text and on the server's secret, and reveals neither. Without
// a secret there is none.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	own := secrets.Secret{[]byte("a secret of thirty-two bytes long")}
	other := secrets.Secret{[]byte("another one of thirty-two bytes..")}
	one, two, foreign := own.Fingerprint("one"), own.Fingerprint("two"), other.Fingerprint("one")
	require.Nil(t, secrets.Secret(nil).Fingerprint("one"))
	require.Len(t, one, 36)
	require.Equal(t, one, own.Fingerprint("one"))
	require.Equal(t, one[:4], two[:4], "the part that identifies the secret")
	require.NotEqual(t, one[4:], two[4:])
	require.NotEqual(t, one[:4], foreign[:4])
	require.NotEqual(t, one[4:], foreign[4:])
	require.NotContains(t, string(one), string(own[0][:4]))
}

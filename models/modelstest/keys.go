package modelstest

import (
	"crypto/rand"
	"hash/crc32"
	"math/big"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	"dispo/models"
)

// Key makes a key of the organization, and gives its text. It is hashed at
// bcrypt's least cost, since a test of something else need not wait for it; the
// service has not seen it yet.
func (w *World) Key(t testing.TB, organization models.Organization) (models.APIKey, string) {
	t.Helper()
	body := "dispo_" + base62(random(71), 12) + "_" + base62(random(190), 32)
	text := body + base62(new(big.Int).SetUint64(uint64(crc32.ChecksumIEEE([]byte(body)))), 6)
	hash, err := bcrypt.GenerateFromPassword([]byte(text), bcrypt.MinCost)
	require.NoError(t, err)
	conn := Conn(t, w.URL)
	_, err = conn.Exec(t.Context(), `INSERT INTO api_keys (id, organization_id, lookup_id, secret_hash, hint, name)
		VALUES ($1, $2, $3, $4, $5, 'test')`, uuid.Must(uuid.NewV7()), organization.ID, text[6:18], string(hash), text[len(text)-4:])
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
	keys, err := w.Operator.Tenant(organization.ID).Keys(t.Context())
	require.NoError(t, err)
	for _, key := range keys {
		if key.LookupID == text[6:18] {
			return key, text
		}
	}
	require.FailNow(t, "the key is not listed")
	return models.APIKey{}, ""
}

// random is a random number of so many bits.
func random(bits uint) *big.Int {
	n, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), bits)) // never fails
	return n
}

// base62 writes a number in so many of the digits 0-9, A-Z, a-z.
func base62(n *big.Int, width int) string {
	text := strings.Map(func(r rune) rune {
		switch { // big's digits are 0-9, a-z, A-Z
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, n.Text(62))
	return strings.Repeat("0", width-len(text)) + text
}

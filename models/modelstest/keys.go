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
	"dispo/models/keys"
)

// NoHash is a bcrypt hash as far as the database can tell, and fits no key.
const NoHash = `$2a$10$this.fits.no.key.at.all`

// Key creates a key of the organization and returns it with its text. It is hashed
// at bcrypt's lowest cost, so that tests of something else need not wait, and has no
// fingerprint, like a key that the service has not seen yet.
func (w *World) Key(t testing.TB, organization models.Organization) (models.APIKey, string) {
	t.Helper()
	lookupID := base62(random(71), 12)
	text := keyText(models.KeyPrefix(organization.Sandbox) + lookupID)
	hash, err := bcrypt.GenerateFromPassword([]byte(text), bcrypt.MinCost)
	require.NoError(t, err)
	conn := Conn(t, w.URL)
	id := uuid.Must(uuid.NewV7())
	Execute(t, conn, `INSERT INTO api_keys (id, organization_id, sandbox, lookup_id, secret_hash, hint, name) VALUES ($1, $2, $3, $4, $5, $6, 'test')`,
		id, organization.ID, organization.Sandbox, lookupID, string(hash), text[len(text)-4:])
	require.NoError(t, conn.Close(t.Context()))
	key, err := keys.Get(t.Context(), w.Operator.Tenant(organization.ID), id)
	require.NoError(t, err)
	return key.APIKey, text
}

// ForgeKey returns a well-formed key with the lookup id of another one, and with a
// secret of its own.
func ForgeKey(text string) string { return keyText(text[:strings.LastIndex(text, "_")]) }

// keyText completes a key that has its lookup id.
func keyText(start string) string {
	body := start + "_" + base62(random(190), 32)
	return body + base62(new(big.Int).SetUint64(uint64(crc32.ChecksumIEEE([]byte(body)))), 6)
}

// ParseKey reads a key that has to be well formed.
func ParseKey(t testing.TB, text string) models.PresentedKey {
	t.Helper()
	key, err := models.ParseKey(text)
	require.NoError(t, err)
	return key
}

// Verify returns the instance's error for a key.
func (i *Instance) Verify(t testing.TB, text string) error {
	t.Helper()
	_, err := i.Keys.Verify(t.Context(), ParseKey(t, text), "")
	return err
}

// RequireRefused requires that a key was refused with a message that has the word.
func RequireRefused(t testing.TB, word string, err error) {
	t.Helper()
	RequireKind(t, models.KindUnauthorized, err)
	require.Contains(t, err.Error(), word)
}

// random returns a random number of that many bits.
func random(bits uint) *big.Int {
	n, _ := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), bits)) // never fails
	return n
}

// base62 writes a number in that many of the digits 0-9, A-Z, a-z.
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

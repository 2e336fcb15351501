package modelstest

import (
	"crypto/rand"
	"hash/crc32"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
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
func (w *World) Key(t testing.TB, organization models.Organization) (keys.Key, string) {
	t.Helper()
	created := keys.Generate(organization.Sandbox)
	hash, err := bcrypt.GenerateFromPassword([]byte(created.Text()), bcrypt.MinCost)
	require.NoError(t, err)
	id := uuid.Must(uuid.NewV7())
	ExecuteAt(
		t,
		w.URL,
		`INSERT INTO api_keys (id, organization_id, sandbox, lookup_id, secret_hash, hint, name) VALUES ($1, $2, $3, $4, $5, $6, 'test')`,
		id,
		organization.ID,
		organization.Sandbox,
		created.LookupID(),
		string(hash),
		created.Hint(),
	)
	key, err := keys.Get(t.Context(), w.Operator.Tenant(organization.ID), id)
	require.NoError(t, err)
	return key.Key, created.Text()
}

// CreateKey creates a key as the tenant's actor, and returns it with its text.
func CreateKey(t testing.TB, tenant models.Tenant, wanted keys.NewKey) (keys.Key, string) {
	t.Helper()
	key, text, err := keys.Create(t.Context(), tenant, wanted)
	require.NoError(t, err)
	return key, text
}

// ForgeKey returns a well-formed key with the lookup id of another one, and with a
// secret of its own.
func ForgeKey(text string) string {
	return WithChecksum(text[:strings.LastIndex(text, "_")+1] + (rand.Text() + rand.Text())[:32])
}

// WithChecksum appends a key's checksum: the CRC-32 of everything before it, as six
// base62 digits.
func WithChecksum(body string) string {
	const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	checksum := ""
	for rest := crc32.ChecksumIEEE([]byte(body)); len(checksum) < 6; rest /= 62 {
		checksum = string(base62[rest%62]) + checksum
	}
	return body + checksum
}

// ParseKey reads a key that has to be well formed.
func ParseKey(t testing.TB, text string) keys.Presented {
	t.Helper()
	key, err := keys.Parse(text)
	require.NoError(t, err)
	return key
}

// Verify returns the instance's error for a key.
func (i *Instance) Verify(t testing.TB, text string) error {
	t.Helper()
	_, err := i.Keys.Verify(t.Context(), ParseKey(t, text), netip.Addr{})
	return err
}

// RequireRefused requires that a key was refused with a message that has the word.
func RequireRefused(t testing.TB, word string, err error) {
	t.Helper()
	RequireKind(t, models.KindUnauthorized, err)
	require.Contains(t, err.Error(), word)
}

// Caller returns the caller that a key stands for.
func Caller(key keys.Key) keys.Caller {
	return keys.Caller{OrganizationID: key.OrganizationID, KeyID: key.ID}
}

// Request returns a request that was answered 200.
func Request(address, userAgent string) keys.Request {
	return keys.Request{Status: 200, Method: "GET", Path: "/api/v1/companies", Address: address, UserAgent: userAgent}
}

// LastUsedAddress returns the address that a key was last used from, as the
// database has it, or "" for a key that was never used.
func LastUsedAddress(t testing.TB, conn *pgx.Conn, key keys.Key) string {
	t.Helper()
	return Value[string](t, conn, `SELECT coalesce(last_used_address, '') FROM api_keys WHERE id = $1`, key.ID)
}

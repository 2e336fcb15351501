package modelstest

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"dispo/models"
	"dispo/models/keys"
)

// Caller returns the caller that a key stands for.
func Caller(key models.APIKey) models.Caller {
	return models.Caller{OrganizationID: key.OrganizationID, KeyID: key.ID}
}

// Request returns a request that was answered 200.
func Request(address, userAgent string) keys.Request {
	return keys.Request{Status: 200, Method: "GET", Path: "/api/v1/companies", Address: address, UserAgent: userAgent}
}

// LastUsedAddress returns the address that a key was last used from, as the
// database has it, or "" for a key that was never used.
func LastUsedAddress(t testing.TB, conn *pgx.Conn, key models.APIKey) string {
	t.Helper()
	return Value[string](t, conn, `SELECT coalesce(last_used_address, '') FROM api_keys WHERE id = $1`, key.ID)
}

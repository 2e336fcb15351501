package models_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/migrations"
	"dispo/models"
	"dispo/models/modelstest"
)

const (
	shownKey  = "dispo_0aZ9bY8cX7dW_"
	keySecret = "abcdefghijklmnopqrstuvwxyz012345Zz9Yy8"
)

// leaks are texts with keys, or parts of keys, and what may be kept of them.
var leaks = map[string]string{
	shownKey + keySecret: shownKey + "…",
	"/api/v1/companies/" + shownKey + keySecret + "/transactions":                  "/api/v1/companies/" + shownKey + "…/transactions",
	"curl/8 (key=" + shownKey + keySecret + "; " + shownKey + keySecret[20:] + ")": "curl/8 (key=" + shownKey + "…; " + shownKey + "…)",
	"dispo_test_0aZ9bY8cX7dW_" + keySecret:                                         "dispo_test_0aZ9bY8cX7dW_…",
	"cut " + shownKey + keySecret[:20]:                                             "cut " + shownKey + "…",
	"cut " + shownKey + keySecret[:1]:                                              "cut " + shownKey + "…",
	"longer " + shownKey + keySecret + keySecret:                                   "longer " + shownKey + "…",
	strings.ToUpper(shownKey + keySecret):                                          strings.ToUpper(shownKey) + "…",
	strings.ToLower(shownKey + keySecret):                                          strings.ToLower(shownKey) + "…",
	"one less dispo_0aZ9bY8cX7d_" + keySecret:                                      "one less dispo_…",
	"one more dispo_0aZ9bY8cX7dWx_" + keySecret:                                    "one more dispo_…",
	"dispo_" + keySecret:                                                           "dispo_…",
	"q=" + strings.ReplaceAll(shownKey+keySecret, "_", "%5F"):                      "q=dispo%5F0aZ9bY8cX7dW%5F…",
	"q=" + strings.ReplaceAll(shownKey+keySecret, "_", "%255f"):                    "q=dispo%255f0aZ9bY8cX7dW%255f…",
	"q=" + encoded(shownKey+keySecret):                                             "q=" + encoded(shownKey) + "…",
	"q=" + encoded("dispo_test_0aZ9bY8cX7dW_"+keySecret):                           "q=" + encoded("dispo_test_0aZ9bY8cX7dW_") + "…",
	"q=" + url.QueryEscape(encoded(shownKey+keySecret)):                            "q=" + url.QueryEscape(encoded(shownKey)) + "…",
	shownKey + keySecret + "@example.com":                                          shownKey + "…@example.com",
	"\xff" + shownKey + keySecret + "\xff\x00":                                     "\xff" + shownKey + "…\xff\x00",
}

// encoded percent-encodes every character.
func encoded(text string) string {
	var all strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&all, "%%%02x", c)
	}
	return all.String()
}

// MaskKeys keeps of a key what is not secret, however the key is spelled, cut or
// mistyped. Its result stays as it is.
func TestMaskKeys(t *testing.T) {
	t.Parallel()
	for text, masked := range leaks {
		require.Equal(t, masked, models.MaskKeys(text))
		require.Equal(t, masked, models.MaskKeys(masked))
		require.True(t, models.HasKey(text), text)
	}
	for _, plain := range []string{
		"", "dispo", "dispo_", "dispo_operator", shownKey, "dispo_organization_", "dispo_0aZ9bY8cX7dW", "100 %", "%5F%", "Østre Å/S_1",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "/api/v1/companies?limit=1&after=01a1f74b-efa4-72f7-8634-e887f34268f1",
	} {
		require.Equal(t, plain, models.MaskKeys(plain))
		require.False(t, models.HasKey(plain), plain)
	}
}

// A text is masked before it is cut, so that no part of a key's secret is stored,
// wherever the cut falls.
func TestStorable(t *testing.T) {
	t.Parallel()
	for before := range 80 {
		for _, key := range []string{shownKey + keySecret, "dispo_0aZ9bY8cX7d_" + keySecret} {
			text := models.Storable(strings.Repeat("x", before)+key, 60)
			require.LessOrEqual(t, len(text), 60)
			require.NotContains(t, text, keySecret[:2])
		}
	}
	require.Equal(t, "ab", models.Storable("a\x00b\xff", 200))
	require.Equal(t, "x", models.Storable("xø", 2))
}

// A log with MaskLog contains no key: not in messages, texts or errors.
func TestMaskLog(t *testing.T) {
	t.Parallel()
	var written bytes.Buffer
	key := shownKey + keySecret
	log := slog.New(slog.NewJSONHandler(&written, &slog.HandlerOptions{ReplaceAttr: models.MaskLog}))
	log.Error("bad "+key, "path", "/"+key, "error", fmt.Errorf("panic: %w", errors.New(key)), slog.Group("request", "agent", key), "id", uuid.Nil, "n", 1)
	require.NotContains(t, written.String(), keySecret[:4])
	require.Equal(t, 4, strings.Count(written.String(), shownKey+"…"))
	require.Contains(t, written.String(), `"id":"00000000-0000-0000-0000-000000000000","n":1}`)
}

// The migration masks what was stored before, as MaskKeys does, also as an owner for
// whom the policies hold. The audit log stays closed.
func TestMaskStoredKeys(t *testing.T) {
	t.Parallel()
	address := modelstest.OwnedDatabase(t, "dispo_app", "dispo_operator")
	_, err := migrations.Up(t.Context(), address)
	require.NoError(t, err)
	file, err := os.ReadFile("../migrations/00014_masks_and_backups.sql")
	require.NoError(t, err)

	super := modelstest.Conn(t, modelstest.As(t, address, modelstest.Value[string](t, modelstest.Conn(t, modelstest.Database(t)), `SELECT current_user`)))
	organization, user := uuid.New(), uuid.New()
	modelstest.Execute(t, super, `INSERT INTO organizations (id, slug, name) VALUES ($1, 'a', $2)`, organization, shownKey+keySecret)
	modelstest.Execute(t, super, `INSERT INTO users (id, email) VALUES ($1, lower($2))`, user, shownKey+keySecret+"@example.com")
	for text := range leaks {
		text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
		key, id := uuid.New(), uuid.New()
		modelstest.Execute(t, super, `INSERT INTO api_keys (id, organization_id, lookup_id, secret_hash, hint, name, last_used_user_agent)
			VALUES ($1, $2, substr(md5(random()::text), 1, 12), $3, 'x', $4, $4)`, key, organization, modelstest.NoHash, text)
		modelstest.Execute(t, super, `INSERT INTO refused_requests VALUES ($1, $2, now(), $3, 401, 'GET', $4, '', $4)`, organization, id, key, text)
		modelstest.Execute(t, super, `INSERT INTO audit_log (organization_id, id, user_email, action, subject, address) VALUES ($1, $2, $3, 'x', $3, '')`, organization, id, text)
		modelstest.Execute(t, super, `INSERT INTO sessions (id, token_hash, user_id, organization_id, address, user_agent, expires_at)
			VALUES ($1, sha256($1::uuid::text::bytea), $2, $3, '', $4, now())`, id, user, organization, text)
		modelstest.Execute(t, super, `INSERT INTO sign_in_failures VALUES ($1, 1, now())`, "account "+text+id.String())
		modelstest.Execute(t, super, `INSERT INTO invitations (token_hash, organization_id, id, email, role, expires_at)
			VALUES (sha256($1::uuid::text::bytea), $2, $1, lower($3), 'owner', now())`, id, organization, text+id.String())
	}
	owner := modelstest.Conn(t, address)
	_, err = owner.Exec(t.Context(), "BEGIN;"+string(file)+";COMMIT")
	require.NoError(t, err)

	stored := modelstest.Dump(t, super)
	require.NotContains(t, stored, keySecret)
	require.NotContains(t, strings.ToLower(stored), keySecret[:12])
	for _, masked := range leaks {
		masked = strings.ToValidUTF8(strings.ReplaceAll(masked, "\x00", ""), "")
		for _, column := range []string{"api_keys.name", "api_keys.last_used_user_agent", "refused_requests.path", "refused_requests.user_agent",
			"audit_log.subject", "audit_log.user_email", "sessions.user_agent"} {
			table, name, _ := strings.Cut(column, ".")
			require.Contains(t, modelstest.Column[string](t, super, `SELECT `+name+` FROM `+table), masked, column)
		}
	}
	require.Empty(t, modelstest.Column[string](t, super, `SELECT email FROM invitations UNION ALL SELECT subject FROM sign_in_failures`))
	for _, role := range []string{"dispo_operator", "dispo_app"} {
		require.False(t, modelstest.Value[bool](t, super, `SELECT has_any_column_privilege($1, 'audit_log', 'UPDATE')`, role))
	}
	_, err = super.Exec(t.Context(), `UPDATE audit_log SET subject = ''`)
	require.ErrorContains(t, err, "append-only")
}

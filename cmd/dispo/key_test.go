package main_test

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

const keyForm = `^dispo_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$`

// KEY=$(dispo key create …) is exactly the key, which works. The key is not shown or
// stored anywhere else.
func TestKeyCreate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	shell := exec.Command("sh", "-c", `KEY=$("$0" key create --organization acme --name "On call") && printf %s "$KEY"`, binary)
	var stderr modelstest.Log
	shell.Env, shell.Stderr = w.program, &stderr
	out, err := shell.Output()
	require.NoError(t, err, stderr.String())
	key := string(out)
	require.Regexp(t, keyForm, key)
	require.Contains(t, stderr.String(), "(On call) of Organization acme")
	require.NotContains(t, stderr.String(), key)
	s := w.serve(t)
	require.Equal(t, http.StatusOK, s.get(t, "/api/v1/companies", key).status)
	unsigned := w.with("DISPO_SECRET=").run(t, "key", "create", "--organization", "acme", "--name", "k").requireDone(t)
	require.Equal(t, http.StatusOK, s.get(t, "/api/v1/companies", unsigned).status, "created without the server's secret")

	stored := modelstest.ValueAt[string](t, w.URL, `SELECT string_agg(k::text, ' ') FROM api_keys k`)
	require.Contains(t, stored, key[6:18])
	require.NotContains(t, stored, key[19:51])
}

// A key expires after days or hours, at the end of a day in UTC, or never.
func TestKeyExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, row := range []struct {
		arguments []string
		want      time.Time
	}{
		{[]string{"--expires", "90d"}, time.Now().AddDate(0, 0, 90)},
		{[]string{"--expires", "12h"}, time.Now().Add(12 * time.Hour)},
		{[]string{"--expires", "2100-02-28"}, time.Date(2100, 3, 1, 0, 0, 0, 0, time.UTC)},
		{nil, time.Time{}},
	} {
		w.run(t, append([]string{"key", "create", "--organization", "acme", "--name", "k"}, row.arguments...)...).requireDone(t)
		key := w.keys(t)[0]
		if row.want.IsZero() {
			require.Nil(t, key.ExpiresAt)
		} else {
			require.WithinDuration(t, row.want, *key.ExpiresAt, patience)
		}
	}
}

// listedKey is every field of a key in key list --json.
type listedKey struct {
	ID                string     `json:"id"`
	Name              string     `json:"name"`
	LookupID          string     `json:"lookupId"`
	Hint              string     `json:"hint"`
	Sandbox           bool       `json:"sandbox"`
	State             string     `json:"state"`
	CreatedAt         time.Time  `json:"createdAt"`
	ExpiresAt         *time.Time `json:"expiresAt"`
	RevokedAt         *time.Time `json:"revokedAt"`
	LastUsedAt        *time.Time `json:"lastUsedAt"`
	LastUsedAddress   *string    `json:"lastUsedAddress"`
	LastUsedUserAgent *string    `json:"lastUsedUserAgent"`
}

// keys returns the keys of w.acme, newest first.
func (w world) keys(t *testing.T) []listedKey {
	t.Helper()
	r := w.run(t, "key", "list", "--organization", "acme", "--json")
	decoder := json.NewDecoder(strings.NewReader(r.requireDone(t)))
	decoder.DisallowUnknownFields() // such as a hash
	var keys []listedKey
	require.NoError(t, decoder.Decode(&keys))
	require.Empty(t, r.err)
	return keys
}

// The list shows every key's state and last use, as a table or as JSON. It never shows a
// key, and callers cannot use it to control the terminal.
func TestKeyList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	expired, _ := w.Key(t, w.acme)
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET expires_at = '2026-01-31T12:00:00Z' WHERE id = $1`, expired.ID)
	revoked, _ := w.Key(t, w.acme)
	w.run(t, "key", "revoke", revoked.ID.String()).requireDone(t)
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET last_used_at = '2026-01-31T12:00:00Z', last_used_address = '192.0.2.1', last_used_user_agent = $1 WHERE lookup_id = $2`,
		"\x1b[31mcurl\n", w.key[6:18])

	r := w.run(t, "key", "list", "--organization", "acme")
	table := r.requireDone(t)
	lines := strings.Split(table, "\n")
	require.Len(t, lines, 4)
	require.Equal(t, "ID NAME KEY STATE CREATED EXPIRES LAST USED FROM", strings.Join(strings.Fields(lines[0]), " "))
	const id, moment = `^[0-9a-f-]{36} +test +dispo_\w{12}_…\w{4} +`, `\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +`
	require.Regexp(t, id+`revoked +`+moment+`never +never *$`, lines[1])
	require.Regexp(t, id+`expired +`+moment+`2026-01-31 12:00:00Z +never *$`, lines[2])
	require.Regexp(t, id+`active +`+moment+`never +2026-01-31 12:00:00Z +192\.0\.2\.1 \(\\x1b\[31mcurl\\n\)$`, lines[3])
	require.NotContains(t, table, w.key[19:51])
	require.Empty(t, r.err)

	keys := w.keys(t)
	require.Len(t, keys, 3)
	require.Equal(t, revoked.ID.String(), keys[0].ID)
	require.Equal(t, "revoked", keys[0].State)
	require.WithinDuration(t, time.Now(), *keys[0].RevokedAt, patience)
	require.Equal(t, "expired", keys[1].State)
	require.Equal(t, "active", keys[2].State)
	require.Equal(t, w.key[6:18], keys[2].LookupID)
	require.Equal(t, w.key[53:], keys[2].Hint)
	require.Equal(t, "192.0.2.1", *keys[2].LastUsedAddress)
	require.Equal(t, "\x1b[31mcurl\n", *keys[2].LastUsedUserAgent)
}

// Without keys, the command says how to create one. As JSON, the list is an empty array.
func TestKeyListEmpty(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Organization(t, "acme")
	r := on(w.URL).run(t, "key", "list", "--organization", "acme")
	require.Empty(t, r.requireDone(t))
	require.Contains(t, r.err, "dispo key create --organization acme --name NAME")
	require.Equal(t, "[]", on(w.URL).run(t, "key", "list", "--organization", "acme", "--json").requireDone(t))
	on(w.URL).run(t, "key", "list", "--organization", "nobody").requireRefused(t, 1, `"nobody"`, "dispo organization list")
}

// revoke takes the id of a key and can be repeated. Its error does not repeat the
// argument, which may be a key.
func TestKeyRevoke(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id := w.keys(t)[0].ID
	first := w.run(t, "key", "revoke", id)
	require.Empty(t, first.requireDone(t))
	require.Contains(t, first.err, "Revoked key "+id)
	at := w.keys(t)[0].RevokedAt
	require.Equal(t, first.err, w.run(t, "key", "revoke", id).err)
	require.Equal(t, at, w.keys(t)[0].RevokedAt)

	w.run(t, "key", "revoke", "01a1f756-fb2a-751f-a62f-804b23c1d706").requireRefused(t, 1, "no key with the id 01a1f756-fb2a-751f-a62f-804b23c1d706")
	for _, text := range []string{w.key, w.key[6:18], w.key[19:], "rubbish"} {
		r := w.run(t, "key", "revoke", text)
		r.requireRefused(t, 2, "dispo key list")
		require.NotContains(t, r.err, text)
	}
}

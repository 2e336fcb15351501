package api_test

import (
	"bytes"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
	"dispo/models/organizations"
	"dispo/models/terms"
)

// report sends a text to where leaked keys are reported.
func (i *instance) report(t testing.TB, body string, header ...string) (status int, text string, took time.Duration) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), "POST", "http://"+i.address+"/leaked", strings.NewReader(body))
	require.NoError(t, err)
	request.Header = headers(header...)
	began := time.Now()
	response, err := i.client.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	var got bytes.Buffer
	_, err = got.ReadFrom(response.Body)
	require.NoError(t, err)
	return response.StatusCode, got.String(), time.Since(began)
}

// A report revokes every whole key in a text, in any state, also those of suspended organizations,
// and by bcrypt if there is no fingerprint. A text with a wrong secret revokes nothing. The
// response says how many have the form of a key, comes after half a second whatever was found, and
// is the same for keys that do not exist.
func TestLeaked(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	service := serve(t, w.Service, settings{})
	kept := newTenant(t, w, "kept")
	var text strings.Builder
	var all []tenant
	for slug, change := range map[string]string{
		"active": `name = name`, "paused": `paused_at = now()`, "expired": `expires_at = now()`, "unproven": `fingerprint = NULL`, "suspended": `name = name`,
	} {
		a := newTenant(t, w, slug)
		modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET `+change+` WHERE id = $1`, a.key.ID)
		all = append(all, a)
		text.WriteString("X-API-Key:" + a.token + `\n"key":"` + a.token + "\"\nnot" + a.token[:56] + "\n")
		if slug == "suspended" {
			require.NoError(t, organizations.Suspend(t.Context(), w.Operator.Tenant(a.ID)))
		}
	}
	text.WriteString(otherSecret(kept.token) + " " + kept.token[:57-1] + " " + unknownKey)
	status, got, took := service.report(t, text.String())
	require.Equal(t, 200, status)
	require.JSONEq(t, `{"keys":7}`, got)
	require.GreaterOrEqual(t, took, 500*time.Millisecond)
	revoked := func() int {
		return modelstest.ValueAt[int](t, w.URL,
			`SELECT count(*) FROM api_keys WHERE revoked_at IS NOT NULL AND leaked_at IS NOT NULL`)
	}
	modelstest.Eventually(t, func() bool { return revoked() == len(all) })
	service.get(t, "/api/v1/companies", kept.token).requireOK(t)
	entries, _, err := w.Service.Tenant(all[0].ID).AuditLog(t.Context(), models.AuditFilter{KeyID: all[0].key.ID}, nil, 1)
	require.NoError(t, err)
	require.Equal(t, models.ActionKeyRevoked, entries[0].Action)
	require.Contains(t, entries[0].Subject, "reported as leaked")
	require.Equal(t, "127.0.0.1", entries[0].Address)

	unknown, answer, took := service.report(t, unknownKey)
	require.Equal(t, 200, unknown)
	require.GreaterOrEqual(t, took, 500*time.Millisecond)
	_, again, _ := service.report(t, all[0].token)
	require.Equal(t, answer, again)
	_, none, took := service.report(t, "nothing")
	require.JSONEq(t, `{"keys":0}`, none)
	require.GreaterOrEqual(t, took, 500*time.Millisecond)
	_, wide, _ := service.report(t, strings.Join(strings.Split(unknownKey, ""), "\x00"))
	require.Equal(t, answer, wide, "UTF-16")
}

// Of the texts with one lookup id, bcrypt compares one, and those of 20 lookup ids in all.
func TestLeakedBcrypts(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	service := serve(t, w.Service, settings{})
	a := newTenant(t, w, "a")
	var text strings.Builder
	for range 25 {
		_, token := w.Key(t, a.Organization)
		text.WriteString(token + "\n" + otherSecret(token) + "\n")
	}
	modelstest.ExecuteAt(t, w.URL, `UPDATE api_keys SET fingerprint = NULL`)
	_, got, _ := service.report(t, text.String())
	require.JSONEq(t, `{"keys":50}`, got)
	revoked := func() int {
		return modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM api_keys WHERE revoked_at IS NOT NULL`)
	}
	modelstest.Eventually(t, func() bool { return revoked() == 20 })
	service.report(t, text.String())
	modelstest.Eventually(t, func() bool { return revoked() == 25 })
}

// Where an owner chose to be told only, a key goes on working, and its organization is told once
// a day.
func TestLeakedIsOnlyTold(t *testing.T) {
	t.Parallel()
	w, a, service := start(t, settings{})
	w.User(t, a.Organization, "owner@a.example", terms.Owner, "a long password of mine")
	require.NoError(t, organizations.TellOfLeaks(t.Context(), w.Operator.Tenant(a.ID), true))
	noted := func() int {
		return modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM audit_log WHERE action = 'key.leaked'`)
	}
	for range 2 {
		service.report(t, a.token)
		modelstest.Eventually(t, func() bool { return noted() == 1 })
	}
	service.get(t, "/api/v1/companies", a.token).requireOK(t)
	require.NoError(t, organizations.TellOfLeaks(t.Context(), w.Operator.Tenant(a.ID), false))
	service.report(t, a.token)
	modelstest.Eventually(t, func() bool { return service.get(t, "/api/v1/companies", a.token).status == 401 })
}

// A report that is too large, coded, or sent by another method is refused, and so are more than 30
// in a minute from an address.
func TestLeakedIsLimited(t *testing.T) {
	t.Parallel()
	_, a, service := start(t, settings{trustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	whole := a.token + strings.Repeat(" ", 100_000-len(a.token))
	status, got, _ := service.report(t, whole+" ", "X-Forwarded-For", "192.0.2.1")
	require.Equal(t, 413, status, got)
	status, got, _ = service.report(t, a.token, "Content-Encoding", "gzip", "X-Forwarded-For", "192.0.2.1")
	require.Equal(t, 415, status, got)
	refused := service.exchange(t, "GET /leaked HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	require.Contains(t, refused, "HTTP/1.1 405 ")
	require.Contains(t, refused, "\r\nAllow: POST\r\n")
	statuses := make(chan int, 31)
	for range 31 {
		go func() {
			status, _, _ := service.report(t, "nothing", "X-Forwarded-For", "192.0.2.2")
			statuses <- status
		}()
	}
	counted := map[int]int{}
	for range 31 {
		counted[<-statuses]++
	}
	require.Equal(t, map[int]int{200: 30, 429: 1}, counted)
	status, got, _ = service.report(t, whole, "X-Forwarded-For", "192.0.2.3")
	require.Equal(t, 200, status, "%s of %s bytes", got, strconv.Itoa(len(whole)))
	modelstest.Eventually(t, func() bool { return service.get(t, "/api/v1/companies", a.token).status == 401 })
}

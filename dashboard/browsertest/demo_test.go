package browsertest

import (
	"context"
	"flag"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
)

// screenshots is the directory for the documentation's screenshots, which
// `make screenshots` takes.
var screenshots = flag.String("screenshots", "", "write screenshots of the demo's pages to this `directory` of the module")

// The e-mail, password and API key that `dispo demo` prints work, and the pages show
// the demo's companies, API calls and a rotation. Tables fit where they begin to be tables,
// with sums as long as people have them. With -screenshots, the test also
// takes the documentation's screenshots.
func TestDemoOutputWorks(t *testing.T) {
	demo, err := startService(filepath.Join(filepath.Dir(binary), "demo"), "demo")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, demo.stop()) })
	waitFor(t, func() bool { return strings.Contains(demo.out.String(), "Ctrl-C") }, demo.out.String)
	printed := func(pattern string) string {
		found := regexp.MustCompile(pattern).FindStringSubmatch(demo.out.String())
		require.NotNil(t, found, "the demo does not print %s:\n%s", pattern, demo.out.String())
		return found[1]
	}
	email, password := printed(`Sign in as (\S+),`), printed(`with the password (\S+)`)
	key, cvr := printed(`X-API-Key: (\S+)'`), printed(`/v1/companies/(\d{8})'`)
	for _, path := range []string{"/api/v1/companies", "/api/v1/companies/" + cvr, "/api/v1/companies/" + cvr + "/transactions"} {
		for range 8 {
			require.Equal(t, 200, callAPIOn(t, demo, key, "bookkeeping-sync/3.1", path))
		}
	}

	b := newTabOn(t, demo.url)
	b.screenshot("sign-in", wide, "light", "/sign-in")
	b.open("/sign-in")
	b.fill("E-mail", email)
	b.fill("Password", password)
	b.follow("button", "Sign in")
	require.Equal(t, "/", b.path())
	b.waitUntil(func() bool {
		b.open("/")
		return mustEval[bool](b, "document.querySelector('#chart .legend').innerText.includes('24 answered')")
	}, "the API calls")
	b.open("/companies?q=" + cvr)
	b.follow("main link", mustEval[string](b, "document.querySelector('tbody a').innerText"))
	require.Equal(t, "/companies/"+cvr, b.path())
	b.waitForTrue("/ of [\\d,]+ transactions$/m.test(document.querySelector('main').innerText)")

	demo.addUsageHistory(t)
	requireTablesFit := func() {
		b.setViewport(tablet)
		for _, path := range []string{"/", "/days", "/deliveries", "/transactions", "/companies"} {
			b.open(path)
			b.requireNoSidewaysScroll("with the demo's sums")
		}
		b.setViewport(wide)
	}
	requireTablesFit()
	b.screenshot("days", wide, "light", "/days")
	b.screenshot("companies", wide, "light", "/companies")
	b.screenshot("company", wide, "light", "/companies/"+cvr)
	b.screenshot("transactions", wide, "light", "/transactions")
	b.screenshot("deliveries", wide, "light", "/deliveries")
	b.open("/settings/api-keys")
	b.follow("link", "Rotate Demo")
	b.follow("button", "Create key")
	renewed := b.shownKey()
	b.follow("link", "I have updated my application")
	require.Equal(t, 200, callAPIOn(t, demo, renewed, "bookkeeping-sync/3.2", "/api/v1/companies"))
	b.waitForText("Step 4 of 4: the new key works.")
	rotation := b.path()
	b.screenshot("rotation", wide, "light", rotation)
	b.screenshot("key", wide, "light", strings.TrimSuffix(strings.SplitN(rotation, "?", 2)[0], "/rotate"))
	b.screenshot("rotation-phone-dark", phone, "dark", rotation)
	b.screenshot("api-keys", wide, "light", "/settings/api-keys")
	b.screenshot("overview", wide, "light", "/")
	b.screenshot("overview-phone-dark", phone, "dark", "/")

	b.open("/profile")
	mustEval[bool](b, "(document.querySelector('#language').value = 'da', true)")
	b.follow("button", "Save")
	b.waitForText("Sprog på sider og i e-mails")
	requireTablesFit()
	for name, path := range map[string]string{
		"overview": "/", "transactions": "/transactions", "deliveries": "/deliveries", "api-keys": "/settings/api-keys", "company": "/companies/" + cvr,
	} {
		b.screenshot(name+"-danish", wide, "light", path)
	}
}

// addUsageHistory adds what the demo would have after a month: keys of other
// applications, and the requests of the past days.
func (s *service) addUsageHistory(t *testing.T) {
	t.Helper()
	store, err := openStore(s)
	require.NoError(t, err)
	defer store.DB().Close()
	organizations, err := store.Organizations(t.Context())
	require.NoError(t, err)
	for _, o := range organizations {
		tenant := store.Tenant(o.ID)
		end := time.Now().AddDate(0, 0, 90)
		_, used, err := keys.Create(t.Context(), tenant, keys.NewKey{Name: "Data warehouse", ExpiresAt: &end})
		require.NoError(t, err)
		former, refused, err := keys.Create(t.Context(), tenant, keys.NewKey{Name: "Former integration"})
		require.NoError(t, err)
		_, err = keys.Revoke(t.Context(), tenant, former.ID)
		require.NoError(t, err)
		for range 3 {
			require.Equal(t, 200, callAPIOn(t, s, used, "warehouse-loader/1.4", "/api/v1/companies"))
			require.Equal(t, 401, callAPIOn(t, s, refused, "curl/8.5.0", "/api/v1/companies?limit=100"))
		}
	}
	executeOn(t, s, `INSERT INTO key_usage
		SELECT organization_id, date_trunc('hour', now()) - n * interval '1 hour', id, requests, CASE WHEN n % 17 = 0 THEN requests / 6 ELSE 0 END
		FROM api_keys, generate_series(1, 719) n, LATERAL (SELECT (110 + 70 * sin(n / 3.8) + 30 * sin(n * n))::bigint AS requests) r
		WHERE revoked_at IS NULL`)
	executeOn(t, s, `UPDATE api_keys SET created_at = created_at - interval '40 days'`)
	waitFor(t, func() bool { // the requests above are written asynchronously
		refusals, err := keys.Refusals(context.Background(), store.Tenant(organizations[len(organizations)-1].ID), nil, 20)
		return err == nil && len(refusals) == 3
	}, func() string { return "the refused requests" })
}

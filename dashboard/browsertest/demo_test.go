package browsertest

import (
	"flag"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

// screenshots is the directory for the documentation's screenshots, which
// `make screenshots` takes.
var screenshots = flag.String("screenshots", "",
	"write screenshots of the demo's pages to this `directory` of the module")

// The e-mail, password and API key that `dispo demo` prints work, and the pages show
// the demo's companies, API calls and a rotation. Tables fit where they begin to be tables,
// with sums as long as people have them, in both languages. With -screenshots, the test also
// takes the documentation's screenshots.
func TestDemoOutputWorks(t *testing.T) {
	parallel(t)
	email, password := demo.printed(`Sign in as (\S+),`), demo.printed(`with the password (\S+)`)
	key, cvr := demo.printed(`X-API-Key: (\S+)'`), demo.printed(`/v1/companies/(\d{8})'`)
	for range 24 {
		require.Equal(t, 200, callAPI(t, key, "bookkeeping-sync/3.1"))
	}

	b := newTab(t)
	b.screenshot("sign-in", wide, "light", "/sign-in")
	b.open("/sign-in")
	b.fill("E-mail", email)
	b.fill("Password", password)
	b.follow("button", "Sign in")
	require.Equal(t, "/", b.path())
	b.openUntil("/", "24 answered")
	b.open("/companies?q=" + cvr)
	b.follow("main link", mustEval[string](b, "document.querySelector('tbody a').innerText"))
	require.Equal(t, "/companies/"+cvr, b.path())
	b.waitForTrue("/ of [\\d,]+ transactions$/m.test(document.querySelector('main').innerText)")

	if *screenshots != "" {
		addUsageHistory(t)
	}
	// A delivery is one line from a tablet's width on.
	requireDeliveriesInLines := func() {
		b.setViewport(viewport{width: 768, height: 1024})
		b.open("/deliveries")
		require.Equal(t, []string{}, mustEval[[]string](b,
			"[...document.querySelectorAll('.files tbody tr')].filter(e => e.clientHeight > 50).map(e => e.innerText)"))
	}
	requireTablesFit := func() {
		requireDeliveriesInLines()
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
	require.Equal(t, 200, callAPI(t, renewed, "bookkeeping-sync/3.2"))
	b.waitForText("Step 4 of 4: the new key works.")
	rotation := b.path()
	b.screenshot("rotation", wide, "light", rotation)
	b.screenshot("key", wide, "light", strings.TrimSuffix(strings.SplitN(rotation, "?", 2)[0], "/rotate"))
	b.screenshot("rotation-phone-dark", phone, "dark", rotation)
	b.screenshot("api-keys", wide, "light", "/settings/api-keys")
	b.screenshot("overview", wide, "light", "/")
	b.screenshot("overview-phone-dark", phone, "dark", "/")

	b.open("/profile")
	b.choose("Language", "Dansk")
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
func addUsageHistory(t *testing.T) {
	t.Helper()
	organizations, err := organizations.List(t.Context(), world.Operator.Store)
	require.NoError(t, err)
	for _, o := range organizations {
		tenant := world.Operator.Tenant(o.ID)
		end := time.Now().AddDate(0, 0, 90)
		_, used, err := keys.Create(t.Context(), tenant, keys.NewKey{Name: "Data warehouse", ExpiresAt: &end})
		require.NoError(t, err)
		former, refused, err := keys.Create(t.Context(), tenant, keys.NewKey{Name: "Former integration"})
		require.NoError(t, err)
		require.NoError(t, modelstest.ErrorOf(keys.Revoke(t.Context(), tenant, former.ID)))
		for range 3 {
			require.Equal(t, 200, callAPI(t, used, "warehouse-loader/1.4"))
			require.Equal(t, 401, callAPI(t, refused, "curl/8.5.0"))
		}
		modelstest.Eventually(t, func() bool { // the requests are written asynchronously
			refusals, err := keys.Refusals(t.Context(), tenant, nil, 20)
			return err == nil && len(refusals) == 3
		})
	}
	execute(t, `INSERT INTO key_usage
		SELECT organization_id, date_trunc('hour', now()) - n * interval '1 hour', id, requests, CASE WHEN n % 17 = 0 THEN requests / 6 ELSE 0 END
		FROM api_keys, generate_series(1, 719) n, LATERAL (SELECT (110 + 70 * sin(n / 3.8) + 30 * sin(n * n))::bigint AS requests) r
		WHERE revoked_at IS NULL`)
	execute(t, `UPDATE api_keys SET created_at = created_at - interval '40 days'`)
}

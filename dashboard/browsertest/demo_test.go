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

	"dispo/models"
)

// screenshots is where the pictures of the documentation go:
// go test ./dashboard/browsertest -run TestDemo -count=1 -screenshots=docs
var screenshots = flag.String("screenshots", "", "write pictures of the demo's pages to this `folder` of the module")

// What `dispo demo` prints works: signing in as it says, and calling the API with
// its key. The pages show its companies, the calls, and how a rotation goes; with
// -screenshots they are pictured for the documentation.
func TestDemo(t *testing.T) {
	demo, err := startService(filepath.Join(filepath.Dir(binary), "demo"), "demo")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, demo.stop()) })
	waitFor(t, func() bool { return strings.Contains(demo.out.String(), "Ctrl-C") }, demo.out.String)
	printed := func(form string) string {
		found := regexp.MustCompile(form).FindStringSubmatch(demo.out.String())
		require.NotNil(t, found, "%s is not in what the demo prints:\n%s", form, demo.out.String())
		return found[1]
	}
	email, password := printed(`Sign in as (\S+),`), printed(`with the password (\S+)`)
	key, cvr := printed(`X-API-Key: (\S+)'`), printed(`/v1/companies/(\d{8})'`)
	for _, path := range []string{"/api/v1/companies", "/api/v1/companies/" + cvr, "/api/v1/companies/" + cvr + "/transactions"} {
		for range 8 {
			require.Equal(t, 200, callOn(t, demo, key, "bookkeeping-sync/3.1", path))
		}
	}

	b := newTabOn(t, demo.url)
	b.picture("sign-in", wide, "light", "/sign-in")
	b.open("/sign-in")
	b.fill("E-mail", email)
	b.fill("Password", password)
	b.follow("button", "Sign in")
	require.Equal(t, "/", b.path())
	b.until(func() bool {
		b.open("/")
		return value[bool](b, "document.querySelector('.legend').innerText.includes('24 served')")
	}, "the calls")
	b.open("/companies?q=" + cvr)
	b.follow("main link", value[string](b, "document.querySelector('tbody a').innerText"))
	require.Equal(t, "/companies/"+cvr, b.path())
	b.holds("/^[\\d,]+ transactions$/m.test(document.querySelector('main').innerText)")

	demo.lengthen(t)
	b.picture("companies", wide, "light", "/companies")
	b.picture("company", wide, "light", "/companies/"+cvr)
	b.open("/settings/api-keys")
	b.follow("link", "Rotate Demo")
	b.follow("button", "Create key")
	renewed := b.newKey()
	b.follow("link", "I have updated my application")
	require.Equal(t, 200, callOn(t, demo, renewed, "bookkeeping-sync/3.2", "/api/v1/companies"))
	b.sees("Step 4 of 4: the new key works.")
	rotation := b.path()
	b.picture("rotation", wide, "light", rotation)
	b.picture("rotation-phone-dark", phone, "dark", rotation)
	b.picture("api-keys", wide, "light", "/settings/api-keys")
	b.picture("overview", wide, "light", "/")
	b.picture("overview-phone-dark", phone, "dark", "/")
}

// lengthen gives the demo what it would have after a month: keys of other
// applications, and their requests of the days before.
func (s *service) lengthen(t *testing.T) {
	t.Helper()
	store, err := models.Open(t.Context(), models.Config{URL: s.databaseURL(), Role: models.Operator, MaxConnections: 2})
	require.NoError(t, err)
	defer store.Close()
	organizations, err := store.Organizations(t.Context())
	require.NoError(t, err)
	for _, o := range organizations {
		tenant := store.Tenant(o.ID)
		end := time.Now().AddDate(0, 0, 90)
		_, used, err := tenant.KeyCreate(t.Context(), models.NewAPIKey{Name: "Data warehouse", ExpiresAt: &end})
		require.NoError(t, err)
		former, refused, err := tenant.KeyCreate(t.Context(), models.NewAPIKey{Name: "Former integration"})
		require.NoError(t, err)
		_, err = tenant.KeyRevoke(t.Context(), former.ID)
		require.NoError(t, err)
		for range 3 {
			require.Equal(t, 200, callOn(t, s, used, "warehouse-loader/1.4", "/api/v1/companies"))
			require.Equal(t, 401, callOn(t, s, refused, "curl/8.5.0", "/api/v1/companies?limit=100"))
		}
	}
	executeOn(t, s, `INSERT INTO key_usage
		SELECT organization_id, date_trunc('hour', now()) - n * interval '1 hour', id, requests, CASE WHEN n % 17 = 0 THEN requests / 6 ELSE 0 END
		FROM api_keys, generate_series(1, 719) n, LATERAL (SELECT (110 + 70 * sin(n / 3.8) + 30 * sin(n * n))::bigint AS requests) r
		WHERE revoked_at IS NULL`)
	executeOn(t, s, `UPDATE api_keys SET created_at = created_at - interval '40 days'`)
	waitFor(t, func() bool { // until the requests above are written
		refusals, err := store.Tenant(organizations[len(organizations)-1].ID).RefusedRequests(context.Background(), 20)
		return err == nil && len(refusals) == 3
	}, func() string { return "the refused requests" })
}

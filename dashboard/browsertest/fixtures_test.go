package browsertest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/terms"
)

const password = "four words in a row"

// numbers makes names unique.
var numbers atomic.Int64

// organization is an organization with an owner.
type organization struct {
	models.Organization
	t     testing.TB
	owner string // the owner's e-mail
	cvr   string // of its first company; no other organization has it
}

func newOrganization(t testing.TB) *organization {
	t.Helper()
	number := numbers.Add(1)
	o := &organization{
		Organization: world.Organization(t, fmt.Sprintf("havnekontoret-%d", number)),
		t:            t,
		cvr:          fmt.Sprint(20_000_000 + 1000*number),
	}
	o.owner = o.user("owner", terms.Owner)
	return o
}

// ownerTab returns a tab in which the owner of a new organization is signed in.
func ownerTab(t testing.TB) (*tab, *organization) {
	t.Helper()
	b, o := newTab(t), newOrganization(t)
	b.signIn(o.owner)
	return b, o
}

// email returns an e-mail address in the organization's domain.
func (o *organization) email(name string) string { return name + "@" + o.Slug + ".example" }

// user creates a user with the tests' password, and returns the e-mail.
func (o *organization) user(name string, role terms.Role) string {
	o.t.Helper()
	email := o.email(name)
	world.User(o.t, o.Organization, email, role, password)
	return email
}

// key creates a key, and returns it with its text.
func (o *organization) key(name string) (keys.Key, string) {
	o.t.Helper()
	key, text := world.Key(o.t, o.Organization)
	execute(o.t, `UPDATE api_keys SET name = $2 WHERE id = $1`, key.ID, name)
	return key, text
}

// keys returns the organization's keys, newest first.
func (o *organization) keys() []keys.Detail {
	o.t.Helper()
	listed, err := keys.List(o.t.Context(), world.Operator.Tenant(o.ID))
	require.NoError(o.t, err)
	return listed
}

// keyNamed returns the nth key with this name, counting from 0 and the oldest.
func (o *organization) keyNamed(name string, n int) keys.Detail {
	o.t.Helper()
	listed := slices.DeleteFunc(o.keys(), func(k keys.Detail) bool { return k.Name != name })
	require.Greater(o.t, len(listed), n, name)
	return listed[len(listed)-1-n]
}

// companies imports count companies.
func (o *organization) companies(count int) {
	o.t.Helper()
	var text strings.Builder
	text.WriteString("cvr,name,status,endDate\n")
	var first int
	require.NoError(o.t, modelstest.ErrorOf(fmt.Sscan(o.cvr, &first)))
	for i := range count {
		end := ""
		if i%3 == 1 {
			end = "2027-06-30"
		}
		fmt.Fprintf(&text, "%d,Rederiet %s %d ApS,%s,%s\n", first+i, o.Name, i, terms.Statuses[i%len(terms.Statuses)], end)
	}
	require.NoError(
		o.t,
		modelstest.ErrorOf(
			world.ImportCompanies(o.t.Context(), o.Organization, modelstest.File(o.t, "companies.csv", text.String()))),
	)
}

// file returns the id of the organization's delivery file.
func (o *organization) file() string {
	return modelstest.ValueAt[string](o.t, world.URL,
		`SELECT id::text FROM delivery_files WHERE organization_id = $1 LIMIT 1`, o.ID)
}

// execute runs a statement on the demo's database as its superuser.
func execute(t testing.TB, sql string, arguments ...any) {
	t.Helper()
	modelstest.ExecuteAt(t, world.URL, sql, arguments...)
}

// backdateLastUse moves a key's last use back in time.
func backdateLastUse(t testing.TB, key uuid.UUID, minutes int) {
	t.Helper()
	execute(t, `UPDATE api_keys SET last_used_at = last_used_at - make_interval(mins => $2) WHERE id = $1`, key, minutes)
}

// callAPI requests the companies from the API with this user agent, and returns the
// status. It tries again while a new key waits to be checked, on a busy machine.
func callAPI(t testing.TB, key, client string) (status int) {
	t.Helper()
	modelstest.Eventually(t, func() bool {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, demo.url+"/api/v1/companies?limit=1", nil)
		require.NoError(t, err)
		request.Header.Set("X-API-Key", key)
		request.Header.Set("User-Agent", client)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		status = response.StatusCode
		return status != http.StatusServiceUnavailable
	})
	return status
}

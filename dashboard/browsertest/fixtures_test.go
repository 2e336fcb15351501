package browsertest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/keys"
	"dispo/models/modelstest"
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
	created, err := operator.OrganizationCreate(t.Context(), fmt.Sprintf("Havnekontoret %d", number), fmt.Sprintf("havnekontoret-%d", number))
	require.NoError(t, err)
	o := &organization{Organization: created, t: t, cvr: fmt.Sprint(20_000_000 + 1000*number)}
	o.owner = o.user("owner", models.RoleOwner)
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
func (o *organization) user(name string, role models.Role) string {
	o.t.Helper()
	email := o.email(name)
	require.NoError(o.t, modelstest.ErrorOf(members.UserCreate(o.t.Context(), operator.Tenant(o.ID), email, role, password)))
	return email
}

// key creates a key, and returns it with its text.
func (o *organization) key(name string) (models.APIKey, string) {
	o.t.Helper()
	key, text, err := keys.Create(o.t.Context(), operator.Tenant(o.ID), keys.NewKey{Name: name})
	require.NoError(o.t, err)
	return key, text
}

// keys returns the organization's keys, newest first.
func (o *organization) keys() []keys.Detail {
	o.t.Helper()
	listed, err := keys.List(o.t.Context(), operator.Tenant(o.ID))
	require.NoError(o.t, err)
	return listed
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
		fmt.Fprintf(&text, "%d,Rederiet %s %d ApS,%s,%s\n", first+i, o.Name, i, models.Statuses[i%len(models.Statuses)], end)
	}
	require.NoError(o.t, modelstest.ErrorOf(imports.Companies(o.t.Context(), operator.DB(), imports.CompaniesOptions{Organization: o.Organization, Path: modelstest.File(o.t, "companies.csv", text.String())})))
}

// file returns the id of the organization's delivery file.
func (o *organization) file() string {
	return modelstest.ValueAt[string](o.t, shared.databaseURL(), `SELECT id::text FROM delivery_files WHERE organization_id = $1 LIMIT 1`, o.ID)
}

// delivery imports a file with records for the first company.
func (o *organization) delivery(records int) {
	o.t.Helper()
	path := modelstest.File(o.t, "delivery.csv", modelstest.DeliveryCSV(o.cvr, records))
	require.NoError(o.t, modelstest.ErrorOf(imports.Delivery(o.t.Context(), operator.DB(), imports.DeliveryOptions{Path: path, Organization: &o.Organization})))
}

// execute runs a statement on the shared service's database as its superuser.
func execute(t testing.TB, sql string, arguments ...any) {
	t.Helper()
	executeOn(t, shared, sql, arguments...)
}

func executeOn(t testing.TB, s *service, sql string, arguments ...any) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), s.databaseURL())
	require.NoError(t, err)
	defer conn.Close(context.Background())
	require.NoError(t, modelstest.ErrorOf(conn.Exec(context.Background(), sql, arguments...)))
}

// backdateLastUse moves a key's last use back in time.
func backdateLastUse(t testing.TB, key uuid.UUID, minutes int) {
	t.Helper()
	execute(t, `UPDATE api_keys SET last_used_at = last_used_at - make_interval(mins => $2) WHERE id = $1`, key, minutes)
}

// callAPI requests the companies from the API with this user agent, and returns the
// status.
func callAPI(t testing.TB, key, client string) int {
	t.Helper()
	return callAPIOn(t, shared, key, client, "/api/v1/companies?limit=1")
}

// callAPIOn tries again while a new key waits to be checked, on a busy machine.
func callAPIOn(t testing.TB, s *service, key, client, path string) (status int) {
	t.Helper()
	modelstest.Eventually(t, func() bool {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
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

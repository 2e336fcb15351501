package browsertest

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

const password = "four words in a row"

var numbers atomic.Int64

// organization is a customer of the service, with an owner.
type organization struct {
	models.Organization
	t     testing.TB
	owner string // e-mail
	cvr   string // of its first company, which nobody else has
}

func newOrganization(t testing.TB) *organization {
	t.Helper()
	number := numbers.Add(1)
	made, err := operator.OrganizationCreate(t.Context(), fmt.Sprintf("Havnekontoret %d", number), fmt.Sprintf("havnekontoret-%d", number))
	require.NoError(t, err)
	o := &organization{Organization: made, t: t, cvr: fmt.Sprint(20_000_000 + 1000*number)}
	o.owner = o.user("owner", models.Owner)
	return o
}

// email is an address of the organization's own.
func (o *organization) email(name string) string { return name + "@" + o.Slug + ".example" }

// user makes a user with the usual password, and gives their e-mail.
func (o *organization) user(name string, role models.UserRole) string {
	o.t.Helper()
	email := o.email(name)
	_, err := operator.Tenant(o.ID).UserCreate(o.t.Context(), email, role, password)
	require.NoError(o.t, err)
	return email
}

// key makes a key, and gives its text.
func (o *organization) key(name string) (models.APIKey, string) {
	o.t.Helper()
	key, text, err := operator.Tenant(o.ID).KeyCreate(o.t.Context(), models.NewAPIKey{Name: name})
	require.NoError(o.t, err)
	return key, text
}

// keys are all of the organization's, the newest first.
func (o *organization) keys() []models.APIKey {
	o.t.Helper()
	keys, err := operator.Tenant(o.ID).Keys(o.t.Context())
	require.NoError(o.t, err)
	return keys
}

// companies imports so many companies.
func (o *organization) companies(count int) {
	o.t.Helper()
	var text strings.Builder
	text.WriteString("cvr,name,status,endDate\n")
	var first int
	_, err := fmt.Sscan(o.cvr, &first)
	require.NoError(o.t, err)
	for i := range count {
		end := ""
		if i%3 == 1 {
			end = "2027-06-30"
		}
		fmt.Fprintf(&text, "%d,Rederiet %s %d ApS,%s,%s\n", first+i, o.Name, i, models.Statuses[i%len(models.Statuses)], end)
	}
	_, err = operator.ImportCompanies(o.t.Context(), o.Organization, modelstest.File(o.t, "companies.csv", text.String()), nil)
	require.NoError(o.t, err)
}

// delivery imports a file with so many records of the first company.
func (o *organization) delivery(records int) {
	o.t.Helper()
	path := modelstest.File(o.t, "delivery.csv", modelstest.DeliveryCSV(o.cvr, records))
	_, err := operator.ImportDelivery(o.t.Context(), models.DeliveryImport{Path: path, Organization: &o.Organization})
	require.NoError(o.t, err)
}

// execute runs a statement on the service's database as its superuser.
func execute(t testing.TB, sql string, arguments ...any) {
	t.Helper()
	executeOn(t, site, sql, arguments...)
}

func executeOn(t testing.TB, s *service, sql string, arguments ...any) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), s.databaseURL())
	require.NoError(t, err)
	defer conn.Close(context.Background())
	_, err = conn.Exec(context.Background(), sql, arguments...)
	require.NoError(t, err)
}

// age lets so many minutes pass since a key's last use.
func age(t testing.TB, key uuid.UUID, minutes int) {
	t.Helper()
	execute(t, `UPDATE api_keys SET last_used_at = last_used_at - make_interval(mins => $2) WHERE id = $1`, key, minutes)
}

// call asks the API for the companies, as a client with that name, and gives the
// status.
func call(t testing.TB, key, client string) int {
	t.Helper()
	return callOn(t, site, key, client, "/api/v1/companies?limit=1")
}

func callOn(t testing.TB, s *service, key, client, path string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+path, nil)
	require.NoError(t, err)
	request.Header.Set("X-API-Key", key)
	request.Header.Set("User-Agent", client)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	require.NoError(t, err)
	return answer.StatusCode
}

// command runs one of the program's commands beside the service, and gives its
// standard output.
func command(t testing.TB, input string, arguments ...string) string {
	t.Helper()
	var complaint strings.Builder
	cmd := exec.CommandContext(t.Context(), binary, arguments...)
	cmd.Env, cmd.Dir, cmd.Stdin, cmd.Stderr = environment(site.data), os.TempDir(), strings.NewReader(input), &complaint
	out, err := cmd.Output()
	require.NoError(t, err, complaint.String())
	return strings.TrimSpace(string(out))
}

// linkFor is the path of the link by which a new user of the organization sets a
// password, or somebody with an account joins it: what the operator's command
// prints.
func (o *organization) linkFor(email string) string {
	o.t.Helper()
	link, err := url.Parse(command(o.t, "", "user", "create", email, "--organization", o.Slug, "--role", "member"))
	require.NoError(o.t, err)
	return link.Path
}

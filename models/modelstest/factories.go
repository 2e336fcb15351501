package modelstest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/bcrypt"

	"dispo/models"
	"dispo/models/accounts"
	passwords "dispo/models/accounts/password"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/ledger"
	"dispo/models/organizations"
	"dispo/models/sandbox"
	"dispo/models/terms"
)

// World is a database with the service and the operator working on it.
type World struct {
	URL      string
	Service  *Instance
	Operator *Instance
}

// NewWorld creates a database and opens it twice. When the test ends, the totals
// that the database keeps must equal what they count.
func NewWorld(t testing.TB) *World {
	t.Helper()
	url := Database(t)
	t.Cleanup(func() { RequireTotals(t, url) })
	return &World{URL: url, Service: Open(t, url, database.Service), Operator: Open(t, url, database.Operator)}
}

// Organization creates an organization that has companies with these CVRs.
func (w *World) Organization(t testing.TB, slug string, cvrs ...string) models.Organization {
	t.Helper()
	organization, err := organizations.Create(t.Context(), w.Operator.Store, "Organization "+slug, slug)
	require.NoError(t, err)
	if len(cvrs) > 0 {
		w.Companies(t, organization, cvrs...)
	}
	return organization
}

// User creates a user with the password, which is hashed at bcrypt's lowest cost: at the real
// one, tests of many sign-ins take a minute.
func (w *World) User(t testing.TB, organization models.Organization, email string, role terms.Role, password string) {
	t.Helper()
	_, err := w.Operator.Accounts.UserCreate(t.Context(), w.Operator.Tenant(organization.ID), email, role, "")
	require.NoError(t, err)
	hash, err := passwords.HashAt(bcrypt.MinCost, password)
	require.NoError(t, err)
	ExecuteAt(
		t,
		w.URL,
		`WITH changed AS (UPDATE users SET password_hash = $1, email_proven_at = now() WHERE email = $2 RETURNING id)
		DELETE FROM password_links USING changed WHERE user_id = changed.id`,
		hash,
		email,
	)
}

// Invite invites somebody as the tenant's actor, and returns the invitation with its token.
func Invite(t testing.TB, tenant models.Tenant, email string, role terms.Role) (accounts.Invitation, string) {
	t.Helper()
	invitation, token, err := accounts.Invite(t.Context(), tenant, email, role)
	require.NoError(t, err)
	return invitation, token
}

// AuditLog returns the latest entries of the organization's audit log that fit, at most 100.
func AuditLog(t testing.TB, tenant models.Tenant, filter models.AuditFilter) []models.AuditEntry {
	t.Helper()
	entries, _, err := tenant.AuditLog(t.Context(), filter, nil, 100)
	require.NoError(t, err)
	return entries
}

// Sandbox creates a sandbox that has the data of today.
func (w *World) Sandbox(t testing.TB, slug string) models.Organization {
	t.Helper()
	now := time.Now()
	_, err := organizations.CreateSandbox(t.Context(), w.Operator.Store, "Sandbox "+slug, slug,
		now.UTC().Truncate(24*time.Hour))
	require.NoError(t, err)
	require.NoError(t, sandbox.Fill(t.Context(), w.Operator.Store, now))
	organization, err := organizations.BySlug(t.Context(), w.Operator.Store, slug)
	require.NoError(t, err)
	return organization
}

// Companies imports companies with these CVRs into the organization.
func (w *World) Companies(t testing.TB, organization models.Organization, cvrs ...string) {
	t.Helper()
	text := "cvr,name\n"
	for _, cvr := range cvrs {
		text += cvr + ",Company " + cvr + "\n"
	}
	_, err := w.ImportCompanies(t.Context(), organization, File(t, "companies.csv", text))
	require.NoError(t, err)
}

// Delivery imports a new csv delivery with that many records of the company.
func (w *World) Delivery(t testing.TB, cvr string, records int) imports.DeliveryResult {
	t.Helper()
	result, err := w.ImportDelivery(t.Context(),
		imports.DeliveryOptions{Path: File(t, "delivery.csv", DeliveryCSV(cvr, records))})
	require.NoError(t, err)
	return result
}

// Arrival is Delivery with one record, for a delivery that arrived at some time.
func (w *World) Arrival(t testing.TB, cvr string, at time.Time) imports.DeliveryResult {
	t.Helper()
	result := w.Delivery(t, cvr, 1)
	ExecuteAt(t, w.URL, `UPDATE delivery_files SET created_at = $1 WHERE delivery_id = $2`, at, result.ID)
	return result
}

// ImportCompanies imports a companies file as the operator.
func (w *World) ImportCompanies(
	ctx context.Context, organization models.Organization, path string,
) (imports.CompaniesResult, error) {
	return imports.Companies(ctx, w.Operator.DB(), imports.CompaniesOptions{Organization: organization, Path: path})
}

// ImportDelivery imports a delivery as the operator.
func (w *World) ImportDelivery(ctx context.Context, options imports.DeliveryOptions) (imports.DeliveryResult, error) {
	return imports.Delivery(ctx, w.Operator.DB(), options)
}

// Import imports a delivery, which must be good.
func (w *World) Import(t testing.TB, options imports.DeliveryOptions) imports.DeliveryResult {
	t.Helper()
	done, err := w.ImportDelivery(t.Context(), options)
	require.NoError(t, err)
	return done
}

// CompaniesCSV returns the text of a companies file with CVRs that count up.
func CompaniesCSV(firstCVR, count int) string {
	var text strings.Builder
	text.WriteString("cvr,name\n")
	for i := range count {
		fmt.Fprintf(&text, "%08d,Company %d\n", firstCVR+i, i)
	}
	return text.String()
}

// DeliveryHeader is the header line of a csv delivery.
const DeliveryHeader = "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk\n"

// Record returns a good line of a csv delivery.
func Record(cvr string) string { return cvr + ",1234,0012345678,CARD,2026-01-31,3,1234.50\n" }

var numbers atomic.Int64

// DeliveryCSV returns the text of a csv delivery with that many records of the
// company. Each call returns another one.
func DeliveryCSV(cvr string, records int) string {
	number := numbers.Add(1)
	var text strings.Builder
	text.WriteString(DeliveryHeader)
	for i := range records {
		fmt.Fprintf(&text, "%s,1234,%010d,CARD,2026-01-31,%d,%d.%02d\n", cvr, number, i+1, i, i%100)
	}
	return text.String()
}

// DeliveryFile writes a csv delivery of these lines, each with its line end, and
// returns its path.
func DeliveryFile(t testing.TB, lines ...string) string {
	t.Helper()
	return File(t, "delivery.csv", DeliveryHeader+strings.Join(lines, ""))
}

// File writes a file in a folder of the test's own and returns its path.
func File(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// everything is a page that no test's list exceeds.
var everything = ledger.Cursor{Limit: 1 << 20}

// Companies reads all of an organization's companies.
func Companies(t testing.TB, instance *Instance, organization models.Organization) []models.Company {
	t.Helper()
	page, err := ledger.Companies(t.Context(), instance.Tenant(organization.ID), everything)
	require.NoError(t, err)
	require.Len(t, page.Items, int(page.Total))
	return page.Items
}

// Transactions reads all of a company's transactions.
func Transactions(t testing.TB, instance *Instance, organization models.Organization, cvr string) []models.Transaction {
	t.Helper()
	page, err := ledger.Transactions(t.Context(), instance.Tenant(organization.ID), cvr, everything)
	require.NoError(t, err)
	require.Len(t, page.Items, int(page.Total))
	return page.Items
}

package ledger

import (
	"context"
	"regexp"
	"strings"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

const companyColumns = `companies.organization_id, companies.id, companies.cvr, companies.name, companies.address,
	companies.start_date, companies.end_date, companies.status, companies.sender_reg_number, companies.sender_account_number,
	companies.receiver_reg_number, companies.receiver_account_number, companies.default_amount_cents,
	companies.transaction_count, companies.created_at, companies.updated_at`

var companyList = newList[models.Company](listQuery{
	table:   "companies",
	key:     "companies.id",
	columns: companyColumns,
	rows: func(tx *gorm.DB, s side) *gorm.DB {
		return s.of(visible(tx.Model(&models.Company{}), "companies.id"), "companies.id")
	},
	totals: "organizations.company_count AS total, NULL AS amount",
})

// Companies returns a page of the organization's companies, in order of arrival.
func Companies(ctx context.Context, t models.Tenant, cursor Cursor) (Page[models.Company], error) {
	return readPage(ctx, t, companyList, cursor, database.Arguments{})
}

// accountForm is an account number, or a registration number and an account number.
var accountForm = regexp.MustCompile(`^(?:([0-9]{4})[ -]*([0-9]{10})|([0-9]{4})[ -]+([0-9]{1,10})|([0-9]{1,10}))$`)

// Account is an account number as people write it, in all its forms: zeros before the number do
// not count.
type Account struct {
	Registration string // empty means any
	Numbers      []string
}

// ParseAccount returns the account that a text names, or one without numbers.
func ParseAccount(text string) (a Account) {
	parts := accountForm.FindStringSubmatch(text)
	if parts == nil {
		return a
	}
	typed := parts[2] + parts[4] + parts[5]
	digits := strings.TrimLeft(typed, "0")
	a = Account{Registration: parts[1] + parts[3], Numbers: []string{typed}}
	for length := max(len(digits), 1); length <= 10; length++ {
		a.Numbers = append(a.Numbers, strings.Repeat("0", length-len(digits))+digits)
	}
	return a
}

// CompaniesOfAccount returns the companies that send from or receive on an account, at most
// limit, in order of arrival.
func CompaniesOfAccount(ctx context.Context, t models.Tenant, a Account, limit int) ([]models.Company, error) {
	return models.Find[models.Company](t.DB(ctx).Model(&models.Company{}).Clauses(database.Columns(companyColumns)).
		Where(`sender_account_number IN ? AND ? IN ('', sender_reg_number) OR receiver_account_number IN ? AND ? IN ('', receiver_reg_number)`,
			a.Numbers, a.Registration, a.Numbers, a.Registration).
		Order("id").Limit(limit),
	)
}

// CompanyNames returns the names of the organization's companies with these CVRs, by CVR.
func CompanyNames(ctx context.Context, t models.Tenant, cvrs []string) (map[string]string, error) {
	found, err := models.Find[models.Company](
		t.DB(ctx).Model(&models.Company{}).Clauses(database.Columns("cvr, name")).Where("cvr IN ?", cvrs))
	names := map[string]string{}
	for _, c := range found {
		names[c.CVR] = c.Name
	}
	return names, err
}

// CompanyVersion is a company, and the version of the organization's data in the same
// snapshot.
type CompanyVersion struct {
	models.Company
	models.Version
}

var company = database.NewStatement[CompanyVersion](func(tx *gorm.DB) *gorm.DB {
	version := tx.Model(&models.Organization{}).Clauses(database.Columns("data_version, history"))
	return tx.Model(&models.Company{}).Joins("CROSS JOIN (?) AS version", version).Where("companies.cvr = @cvr").
		Clauses(database.Columns(companyColumns + ", version.data_version, version.history"))
})

// Company returns the organization's company with that CVR. Errors:
// models.KindCompanyNotFound, with a message that names the CVR.
func Company(ctx context.Context, t models.Tenant, cvr string) (CompanyVersion, error) {
	found, err := models.Read(ctx, t, company, database.Arguments{"cvr": cvr})
	if err != nil {
		return CompanyVersion{}, err
	}
	if len(found) == 0 {
		return CompanyVersion{}, models.CompanyNotFound(cvr)
	}
	return found[0], nil
}

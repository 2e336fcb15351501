package dashboard

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/ledger"
	"dispo/models/terms"
	"dispo/web"
)

const pageSize = 50

// cursorOf reads the parameters after and before. Invalid ids lead to the first page.
func cursorOf(r *site.Request) ledger.Cursor {
	cursor := ledger.Cursor{Limit: pageSize, After: r.IDIn("after")}
	if cursor.After == nil {
		cursor.Before = r.IDIn("before")
	}
	return cursor
}

// parameters returns those that have a value.
func parameters(values map[string]string) url.Values {
	kept := url.Values{}
	for name, value := range values {
		if value != "" {
			kept.Set(name, value)
		}
	}
	return kept
}

// pageLink returns the link to a page before or after an id. It repeats the kept
// parameters.
func pageLink(path string, kept url.Values, name string, id uuid.UUID) string {
	values := url.Values{name: {id.String()}}
	for key, value := range kept {
		values[key] = value
	}
	return path + "?" + values.Encode()
}

// companySearch reads the search from the address.
func companySearch(r *site.Request) ledger.CompanySearch {
	text := strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(r.Query("q"), "\x00", ""), ""))
	status := r.Query("status")
	if !slices.Contains(terms.Statuses, status) {
		status = ""
	}
	order := ledger.CompanyOrder(r.Query("sort"))
	if !slices.Contains(ledger.CompanyOrders, order) {
		order = ""
	}
	return ledger.CompanySearch{Text: text, Status: status, Order: order}
}

func companyList(r *site.Request) error {
	wanted := companySearch(r)
	found, err := ledger.FindCompanies(r.Context(), r.Tenant(), wanted, cursorOf(r))
	if err != nil {
		return err
	}
	kept := parameters(map[string]string{"q": wanted.Text, "status": wanted.Status, "sort": string(wanted.Order)})
	view := web.CompaniesView{
		Frame:    r.Frame,
		Query:    wanted.Text,
		Status:   wanted.Status,
		Sort:     string(wanted.Order),
		Unsorted: found.Unsorted,
		Total:    found.Total,
		Found:    found.Found,
		More:     found.More,
		Download: web.Download{Path: "/companies/export", Query: kept.Encode(), Accounts: true},
	}
	if found.Previous != nil {
		view.Pager.Prev = pageLink("/companies", kept, "before", *found.Previous)
	}
	if found.Next != nil {
		view.Pager.Next = pageLink("/companies", kept, "after", *found.Next)
	}
	view.Rows = companyRows(found.Items)
	return r.Show(web.CompaniesPage(view))
}

func companyRows(companies []models.Company) (rows []web.CompanyRow) {
	for _, c := range companies {
		rows = append(rows, companyRow(c))
	}
	return rows
}

func companyRow(c models.Company) web.CompanyRow {
	return web.CompanyRow{CVR: c.CVR, Name: c.Name, Status: c.Status,
		StartDate: apiDate(c.StartDate), EndDate: apiDate(c.EndDate), Transactions: c.TransactionCount}
}

var errNoCompany = models.NewError(models.KindNotFound, "There is no such company. A CVR has 8 digits.")

var cvrForm = regexp.MustCompile(`^[0-9]{8}$`)

func companyShow(r *site.Request) error {
	cvr := r.Param("cvr")
	if !cvrForm.MatchString(cvr) {
		return errNoCompany
	}
	company, err := ledger.Company(r.Context(), r.Tenant(), cvr)
	if err != nil {
		return err
	}
	ledger, err := ledgerView(r, "/companies/"+cvr, cvr)
	if err != nil {
		return err
	}
	bars, err := companyBars(r, r.Tenant(), cvr)
	if err != nil {
		return err
	}
	view := web.CompanyView{
		Frame:                 r.Frame,
		CompanyRow:            companyRow(company.Company),
		Address:               valueOf(company.Address),
		SenderRegNumber:       valueOf(company.SenderRegNumber),
		SenderAccountNumber:   valueOf(company.SenderAccountNumber),
		ReceiverRegNumber:     valueOf(company.ReceiverRegNumber),
		ReceiverAccountNumber: valueOf(company.ReceiverAccountNumber),
		DefaultAmountDKK:      optional(company.DefaultAmountCents, kroner),
		CreatedAt:             company.CreatedAt,
		UpdatedAt:             company.UpdatedAt,
		Bars:                  bars,
		Ledger:                ledger,
	}
	return r.ShowAs(statusOf(ledger.Filter), web.CompanyPage(view))
}

package dashboard

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/ledger"
	"dispo/models/terms"
	"dispo/web"
)

const pageSize = 50

// cursorOf reads the parameters after and before. Invalid ids lead to the first page.
func cursorOf(r *request) ledger.Cursor {
	cursor := ledger.Cursor{Limit: pageSize, After: r.idIn("after")}
	if cursor.After == nil {
		cursor.Before = r.idIn("before")
	}
	return cursor
}

// idIn returns the id in a parameter of the address, or nil if there is none.
func (r *request) idIn(name string) *uuid.UUID {
	id, err := uuid.Parse(r.query(name))
	if err != nil {
		return nil
	}
	return &id
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
func companySearch(r *request) ledger.CompanySearch {
	text := strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(r.query("q"), "\x00", ""), ""))
	status := r.query("status")
	if !slices.Contains(terms.Statuses, status) {
		status = ""
	}
	order := ledger.CompanyOrder(r.query("sort"))
	if !slices.Contains(ledger.CompanyOrders, order) {
		order = ""
	}
	return ledger.CompanySearch{Text: text, Status: status, Order: order}
}

func (h *handler) companyList(r *request) error {
	wanted := companySearch(r)
	found, err := ledger.FindCompanies(r.context(), h.tenant(r), wanted, cursorOf(r))
	if err != nil {
		return err
	}
	kept := parameters(map[string]string{"q": wanted.Text, "status": wanted.Status, "sort": string(wanted.Order)})
	view := web.CompaniesView{
		Frame:    r.frame,
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
	return r.show(web.CompaniesPage(view))
}

func companyRows(companies []models.Company) (rows []web.CompanyRow) {
	for _, c := range companies {
		rows = append(rows, web.CompanyRow{CVR: c.CVR, Name: c.Name, Status: c.Status,
			StartDate: apiDate(c.StartDate), EndDate: apiDate(c.EndDate), Transactions: c.TransactionCount})
	}
	return rows
}

var errNoCompany = models.NewError(models.KindNotFound, "There is no such company. A CVR has 8 digits.")

var cvrForm = regexp.MustCompile(`^[0-9]{8}$`)

func (h *handler) companyShow(r *request) error {
	cvr := r.param("cvr")
	if !cvrForm.MatchString(cvr) {
		return errNoCompany
	}
	company, err := ledger.Company(r.context(), h.tenant(r), cvr)
	if err != nil {
		return err
	}
	ledger, err := h.ledger(r, "/companies/"+cvr, cvr)
	if err != nil {
		return err
	}
	bars, err := companyBars(r, h.tenant(r), cvr)
	if err != nil {
		return err
	}
	view := web.CompanyView{
		Frame:                 r.frame,
		CVR:                   company.CVR,
		Name:                  company.Name,
		Address:               valueOf(company.Address),
		Status:                company.Status,
		StartDate:             apiDate(company.StartDate),
		EndDate:               apiDate(company.EndDate),
		SenderRegNumber:       valueOf(company.SenderRegNumber),
		SenderAccountNumber:   valueOf(company.SenderAccountNumber),
		ReceiverRegNumber:     valueOf(company.ReceiverRegNumber),
		ReceiverAccountNumber: valueOf(company.ReceiverAccountNumber),
		DefaultAmountDKK: optional(
			company.DefaultAmountCents,
			kroner,
		),
		CreatedAt: company.CreatedAt,
		UpdatedAt: company.UpdatedAt,
		Bars:      bars,
		Ledger:    ledger,
	}
	return r.showAs(statusOf(ledger.Filter), web.CompanyPage(view))
}

func (h *handler) settings(r *request) error {
	return r.redirect("/settings/api-keys")
}

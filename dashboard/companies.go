package dashboard

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/web"
)

const pageSize = 50

// cursorOf reads the parameters after and before. Invalid ids lead to the first page.
func cursorOf(v *visit) models.Cursor {
	cursor := models.Cursor{Limit: pageSize}
	if id, err := uuid.Parse(v.Query("after")); err == nil {
		cursor.After = &id
	} else if id, err := uuid.Parse(v.Query("before")); err == nil {
		cursor.Before = &id
	}
	return cursor
}

// pager returns the links to the neighbouring pages. They repeat the kept parameters.
func pager[T any](path string, kept url.Values, page models.Page[T], id func(T) uuid.UUID) web.Pager {
	link := func(name string, id uuid.UUID) string {
		values := url.Values{name: {id.String()}}
		for key, value := range kept {
			values[key] = value
		}
		return path + "?" + values.Encode()
	}
	var pager web.Pager
	if count := len(page.Items); count > 0 {
		if page.HasPrevious {
			pager.Prev = link("before", id(page.Items[0]))
		}
		if page.HasMore {
			pager.Next = link("after", id(page.Items[count-1]))
		}
	}
	return pager
}

func (h *handler) companyList(v *visit) error {
	text := strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(v.Query("q"), "\x00", ""), ""))
	text = strings.Clone(text)
	status := strings.Clone(v.Query("status"))
	if !slices.Contains(models.Statuses, status) {
		status = ""
	}
	page, err := h.tenant(v).CompanySearch(v.UserContext(), text, status, cursorOf(v))
	if err != nil {
		return err
	}
	kept := url.Values{}
	if text != "" {
		kept.Set("q", text)
	}
	if status != "" {
		kept.Set("status", status)
	}
	searching := text != "" || status != ""
	view := web.CompaniesView{Frame: v.frame, Query: text, Status: web.CompanyStatus(status), Total: page.Total,
		MoreThanTotal: searching && page.Total > models.MatchesCounted,
		Pager:         pager("/companies", kept, page, func(c models.Company) uuid.UUID { return c.ID })}
	if view.MoreThanTotal {
		view.Total = models.MatchesCounted
	}
	for _, c := range page.Items {
		view.Rows = append(view.Rows, web.CompanyRow{CVR: c.CVR, Name: c.Name, Status: web.CompanyStatus(c.Status),
			StartDate: c.StartDate.Format(time.DateOnly), EndDate: c.EndDate.Format(time.DateOnly)})
	}
	return v.show(web.CompaniesPage(view))
}

var cvrForm = regexp.MustCompile(`^[0-9]{8}$`)

func (h *handler) companyShow(v *visit) error {
	cvr := strings.Clone(v.Params("cvr"))
	if !cvrForm.MatchString(cvr) {
		return models.NewError(models.KindNotFound, "There is no such company: a CVR has 8 digits.")
	}
	tenant := h.tenant(v)
	company, err := tenant.Company(v.UserContext(), cvr)
	if err != nil {
		return err
	}
	page, err := tenant.Transactions(v.UserContext(), cvr, cursorOf(v))
	if err != nil {
		return err
	}
	view := web.CompanyView{
		Frame: v.frame, CVR: company.CVR, Name: company.Name, Address: textOf(company.Address), Status: web.CompanyStatus(company.Status),
		StartDate: company.StartDate.Format(time.DateOnly), EndDate: company.EndDate.Format(time.DateOnly),
		SenderRegNumber: textOf(company.SenderRegNumber), SenderAccountNumber: textOf(company.SenderAccountNumber),
		ReceiverRegNumber: textOf(company.ReceiverRegNumber), ReceiverAccountNumber: textOf(company.ReceiverAccountNumber),
		DefaultAmountDKK: kroner(company.DefaultAmountCents), CreatedAt: company.CreatedAt, UpdatedAt: company.UpdatedAt,
		Total: page.Total,
		Pager: pager("/companies/"+cvr, nil, page, func(x models.Transaction) uuid.UUID { return x.ID }),
	}
	for _, x := range page.Items {
		view.Transactions = append(view.Transactions, web.TransactionRow{
			DispositionDate: x.DispositionDate.Format(time.DateOnly), TransferType: x.TransferType, RegNumber: x.RegNumber,
			AccountNumber: x.AccountNumber, Count: x.Count, AmountDKK: x.AmountDKK, Filename: x.Filename, RecordIndex: x.RecordIndex,
			RawLine: x.RawLine, ProcessedAt: timeOf(x.ProcessedAt),
		})
	}
	return v.show(web.CompanyPage(view))
}

func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func timeOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

// kroner formats an amount in øre as kroner.
func kroner(cents *int64) string {
	if cents == nil {
		return ""
	}
	sign, n := "", *cents
	if n < 0 {
		sign, n = "-", -n
	}
	return fmt.Sprintf("%s%d.%02d", sign, n/100, n%100)
}

func (h *handler) settings(v *visit) error {
	return v.Redirect("/settings/api-keys", fiber.StatusSeeOther)
}

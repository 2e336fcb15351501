package api

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/ledger"
)

// companyList handles GET /v1/companies.
func (h *handler) companyList(c *fiber.Ctx) error {
	cursor, err := cursorOf(c, limitMaximum, idParameter)
	if err != nil {
		return err
	}
	list := pageLink{path: "/v1/companies", cursor: cursor}
	return h.reply(c, list.String(), func(ctx context.Context, tenant models.Tenant) (result, error) {
		page, err := ledger.Companies(ctx, tenant, cursor)
		return listResult(list, page, writeCompany, companyID), err
	})
}

// companyShow handles GET /v1/companies/{cvr}.
func (h *handler) companyShow(c *fiber.Ctx) error {
	cvr, err := cvrParameter(c)
	if err != nil {
		return err
	}
	return h.reply(c, "/v1/companies/"+cvr, func(ctx context.Context, tenant models.Tenant) (result, error) {
		company, err := ledger.Company(ctx, tenant, cvr)
		w := &jsonWriter{}
		w.object(func() { writeCompany(w, &company.Company) })
		return result{body: w.body, version: company.Version, rows: 1}, err
	})
}

func companyID(x *models.Company) uuid.UUID { return x.ID }

func writeCompany(w *jsonWriter, x *models.Company) {
	w.id("id", x.ID)
	w.text("cvr", x.CVR)
	w.text("name", x.Name)
	nullable(w, "address", x.Address, (*jsonWriter).text)
	w.date("startDate", x.StartDate)
	w.date("endDate", x.EndDate)
	w.text("status", x.Status)
	nullable(w, "senderRegNumber", x.SenderRegNumber, (*jsonWriter).text)
	nullable(w, "senderAccountNumber", x.SenderAccountNumber, (*jsonWriter).text)
	nullable(w, "receiverRegNumber", x.ReceiverRegNumber, (*jsonWriter).text)
	nullable(w, "receiverAccountNumber", x.ReceiverAccountNumber, (*jsonWriter).text)
	nullable(w, "defaultAmountCents", x.DefaultAmountCents, (*jsonWriter).number)
	w.instant("createdAt", x.CreatedAt)
	w.instant("updatedAt", x.UpdatedAt)
}

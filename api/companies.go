package api

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/api/compress"
	"dispo/models"
	"dispo/models/ledger"
)

// companyList handles GET /v1/companies.
func (h *handler) companyList(c *fiber.Ctx) error {
	if media := bulkMedia(c); media != "" {
		return h.bulk(c, media, bulkList{
			link: pageLink{path: "/v1/companies"},
			each: func(ctx context.Context, tenant models.Tenant, after *uuid.UUID, found *ledger.Following, to *bulkLines) error {
				return ledger.EachFollowingCompany(ctx, tenant, after, found, line(to, writeCompany))
			},
		})
	}
	cursor, err := cursorOf(c, limitMaximum, idParameter)
	if err != nil {
		return err
	}
	list := pageLink{path: "/v1/companies", cursor: cursor}
	return h.reply(c, list.String(), func(ctx context.Context, tenant models.Tenant) (*response, error) {
		page, err := ledger.Companies(ctx, tenant, cursor)
		if err != nil {
			return nil, err
		}
		return listResponse(list, page, companyJSON, companyID), nil
	})
}

// companyShow handles GET /v1/companies/{cvr}.
func (h *handler) companyShow(c *fiber.Ctx) error {
	cvr, err := cvrParameter(c)
	if err != nil {
		return err
	}
	return h.reply(c, "/v1/companies/"+cvr, func(ctx context.Context, tenant models.Tenant) (*response, error) {
		company, err := ledger.Company(ctx, tenant, cvr)
		if err != nil {
			return nil, err
		}
		w := &jsonWriter{}
		w.object(func() { writeCompany(w, &company.Company) })
		return &response{version: company.Version, body: compress.NewBody(w.body), rows: 1}, nil
	})
}

func companyID(x *models.Company) uuid.UUID { return x.ID }

func companyJSON(w *jsonWriter, x *models.Company) { writeCompany(w, x) }

func writeCompany(w fieldWriter, x *models.Company) {
	w.id("id", x.ID)
	w.text("cvr", x.CVR)
	w.text("name", x.Name)
	nullable(w, "address", x.Address, fieldWriter.text)
	w.date("startDate", x.StartDate)
	w.date("endDate", x.EndDate)
	w.text("status", x.Status)
	nullable(w, "senderRegNumber", x.SenderRegNumber, fieldWriter.text)
	nullable(w, "senderAccountNumber", x.SenderAccountNumber, fieldWriter.text)
	nullable(w, "receiverRegNumber", x.ReceiverRegNumber, fieldWriter.text)
	nullable(w, "receiverAccountNumber", x.ReceiverAccountNumber, fieldWriter.text)
	nullable(w, "defaultAmountCents", x.DefaultAmountCents, fieldWriter.number)
	w.instant("createdAt", x.CreatedAt)
	w.instant("updatedAt", x.UpdatedAt)
}

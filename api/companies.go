package api

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/ledger"
)

// companyJSON is a company in answers.
type companyJSON struct {
	ID                    string  `json:"id"`
	CVR                   string  `json:"cvr"`
	Name                  string  `json:"name"`
	Address               *string `json:"address"`
	StartDate             string  `json:"startDate"`
	EndDate               string  `json:"endDate"`
	Status                string  `json:"status"`
	SenderRegNumber       *string `json:"senderRegNumber"`
	SenderAccountNumber   *string `json:"senderAccountNumber"`
	ReceiverRegNumber     *string `json:"receiverRegNumber"`
	ReceiverAccountNumber *string `json:"receiverAccountNumber"`
	DefaultAmountCents    *int64  `json:"defaultAmountCents"`
	CreatedAt             string  `json:"createdAt"`
	UpdatedAt             string  `json:"updatedAt"`
}

func newCompanyJSON(x *models.Company) companyJSON {
	return companyJSON{
		ID: x.ID.String(), CVR: x.CVR, Name: x.Name, Address: x.Address,
		StartDate: date(x.StartDate), EndDate: date(x.EndDate), Status: x.Status,
		SenderRegNumber: x.SenderRegNumber, SenderAccountNumber: x.SenderAccountNumber,
		ReceiverRegNumber: x.ReceiverRegNumber, ReceiverAccountNumber: x.ReceiverAccountNumber,
		DefaultAmountCents: x.DefaultAmountCents, CreatedAt: instant(x.CreatedAt), UpdatedAt: instant(x.UpdatedAt),
	}
}

// companyList handles GET /v1/companies.
func (h *handler) companyList(c *fiber.Ctx) error {
	cursor, err := cursorParameters(c)
	if err != nil {
		return err
	}
	return h.reply(c, resourceCompanies, "", cursor, func(ctx context.Context, tenant models.Tenant) (any, error) {
		page, err := ledger.Companies(ctx, tenant, cursor)
		if err != nil {
			return nil, err
		}
		return newListJSON("/v1/companies", cursor, page, newCompanyJSON, func(x *models.Company) uuid.UUID { return x.ID }), nil
	})
}

// companyShow handles GET /v1/companies/{cvr}.
func (h *handler) companyShow(c *fiber.Ctx) error {
	cvr, err := cvrParameter(c)
	if err != nil {
		return err
	}
	return h.reply(c, resourceCompany, cvr, ledger.Cursor{}, func(ctx context.Context, tenant models.Tenant) (any, error) {
		company, err := ledger.Company(ctx, tenant, cvr)
		return newCompanyJSON(&company), err
	})
}

// cvrParameter returns the CVR in the path: exactly 8 ASCII digits. It points into
// the request's buffer, so it must not be kept after the handler returns.
func cvrParameter(c *fiber.Ctx) (string, error) {
	cvr := c.Params("cvr")
	if len(cvr) != 8 || !digitsOnly(cvr) {
		return "", badRequest("cvr", "exactly 8 digits")
	}
	return cvr, nil
}

package api

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
)

// companyList: GET /v1/companies.
func (h *handler) companyList(c *fiber.Ctx) error {
	cursor, err := cursorParameters(c)
	if err != nil {
		return err
	}
	return h.reply(c, resourceCompanies, "", cursor, func(ctx context.Context, tenant models.Tenant) ([]byte, error) {
		page, err := tenant.Companies(ctx, cursor)
		if err != nil {
			return nil, err
		}
		return listJSON("/v1/companies", cursor, page, appendCompany, func(x *models.Company) uuid.UUID { return x.ID }), nil
	})
}

// companyShow: GET /v1/companies/{cvr}.
func (h *handler) companyShow(c *fiber.Ctx) error {
	cvr, err := cvrParameter(c)
	if err != nil {
		return err
	}
	return h.reply(c, resourceCompany, cvr, models.Cursor{}, func(ctx context.Context, tenant models.Tenant) ([]byte, error) {
		company, err := tenant.Company(ctx, cvr)
		if err != nil {
			return nil, err
		}
		return appendCompany(make([]byte, 0, 512), &company), nil
	})
}

// transactionList: GET /v1/companies/{cvr}/transactions.
func (h *handler) transactionList(c *fiber.Ctx) error {
	cvr, err := cvrParameter(c)
	if err != nil {
		return err
	}
	cursor, err := cursorParameters(c)
	if err != nil {
		return err
	}
	return h.reply(c, resourceTransactions, cvr, cursor, func(ctx context.Context, tenant models.Tenant) ([]byte, error) {
		page, err := tenant.Transactions(ctx, cvr, cursor)
		if err != nil {
			return nil, err
		}
		return listJSON("/v1/companies/"+cvr+"/transactions", cursor, page, appendTransaction, func(x *models.Transaction) uuid.UUID { return x.ID }), nil
	})
}

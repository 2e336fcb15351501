package api

import (
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
	page, err := h.tenant(c).Companies(c.UserContext(), cursor)
	if err != nil {
		return err
	}
	return sendList(c, "/v1/companies", cursor, page, appendCompany, func(x *models.Company) uuid.UUID { return x.ID })
}

// companyShow: GET /v1/companies/{cvr}.
func (h *handler) companyShow(c *fiber.Ctx) error {
	cvr, err := cvrParameter(c)
	if err != nil {
		return err
	}
	company, err := h.tenant(c).Company(c.UserContext(), cvr)
	if err != nil {
		return err
	}
	return sendJSON(c, appendCompany(make([]byte, 0, 1024), &company))
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
	page, err := h.tenant(c).Transactions(c.UserContext(), cvr, cursor)
	if err != nil {
		return err
	}
	return sendList(c, "/v1/companies/"+cvr+"/transactions", cursor, page, appendTransaction, func(x *models.Transaction) uuid.UUID { return x.ID })
}

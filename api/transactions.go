package api

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/ledger"
)

// transactionJSON is a transaction in answers.
type transactionJSON struct {
	ID              string  `json:"id"`
	DeliveryFileID  string  `json:"cardNetworkDeliveryFileId"`
	RecordIndex     int64   `json:"recordIndex"`
	CVR             string  `json:"cvr"`
	RegNumber       string  `json:"regNumber"`
	AccountNumber   string  `json:"accountNumber"`
	TransferType    string  `json:"transferType"`
	DispositionDate string  `json:"dispositionDate"`
	Count           int64   `json:"count"`
	AmountDKK       string  `json:"amountDkk"`
	RawLine         string  `json:"rawLine"`
	CreatedAt       string  `json:"createdAt"`
	UpdatedAt       string  `json:"updatedAt"`
	Filename        string  `json:"filename"`
	ProcessedAt     *string `json:"processedAt"`
}

func newTransactionJSON(x *models.Transaction) transactionJSON {
	createdAt := instant(x.CreatedAt)
	return transactionJSON{
		ID: x.ID.String(), DeliveryFileID: x.DeliveryFileID.String(), RecordIndex: x.RecordIndex, CVR: x.CVR,
		RegNumber: x.RegNumber, AccountNumber: x.AccountNumber, TransferType: x.TransferType,
		DispositionDate: date(x.DispositionDate), Count: x.Count, AmountDKK: x.AmountDKK, RawLine: x.RawLine,
		CreatedAt: createdAt,
		UpdatedAt: createdAt, // records never change
		Filename:  x.Filename, ProcessedAt: nullableInstant(x.ProcessedAt),
	}
}

// transactionList handles GET /v1/companies/{cvr}/transactions.
func (h *handler) transactionList(c *fiber.Ctx) error {
	cvr, err := cvrParameter(c)
	if err != nil {
		return err
	}
	cursor, err := cursorParameters(c)
	if err != nil {
		return err
	}
	return h.reply(c, resourceTransactions, cvr, cursor, func(ctx context.Context, tenant models.Tenant) (any, error) {
		page, err := ledger.Transactions(ctx, tenant, cvr, cursor)
		if err != nil {
			return nil, err
		}
		path := "/v1/companies/" + cvr + "/transactions"
		return newListJSON(path, cursor, page, newTransactionJSON, func(x *models.Transaction) uuid.UUID { return x.ID }), nil
	})
}

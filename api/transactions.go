package api

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/ledger"
)

// transactionList handles GET /v1/companies/{cvr}/transactions.
func (h *handler) transactionList(c *fiber.Ctx) error {
	cvr, err := cvrParameter(c)
	if err != nil {
		return err
	}
	cursor, err := cursorParameters(c, limitMaximum)
	if err != nil {
		return err
	}
	list := pageLink{path: "/v1/companies/" + cvr + "/transactions", cursor: cursor}
	return h.reply(c, list.String(), func(ctx context.Context, tenant models.Tenant) (result, error) {
		page, err := ledger.Transactions(ctx, tenant, cvr, cursor)
		return listResult(list, page, writeTransaction, transactionID), err
	})
}

// allTransactionList handles GET /v1/transactions.
func (h *handler) allTransactionList(c *fiber.Ctx) error {
	day, err := dayParameter(c, "dispositionDate")
	if err != nil {
		return err
	}
	cursor, err := cursorParameters(c, limitMaximumOfAll)
	if err != nil {
		return err
	}
	list := pageLink{path: "/v1/transactions", cursor: cursor}
	if day != nil {
		list.filter = "&dispositionDate=" + day.Format(time.DateOnly)
	}
	return h.reply(c, list.String(), func(ctx context.Context, tenant models.Tenant) (result, error) {
		page, err := ledger.AllTransactions(ctx, tenant, day, cursor)
		return listResult(list, page, writeTransaction, transactionID), err
	})
}

func transactionID(x *models.Transaction) uuid.UUID { return x.ID }

// writeTransaction writes the fields of a transaction.
func writeTransaction(w *jsonWriter, x *models.Transaction) {
	w.id("id", x.ID)
	w.id("cardNetworkDeliveryFileId", x.DeliveryFileID)
	w.number("recordIndex", x.RecordIndex)
	w.text("cvr", x.CVR)
	w.text("regNumber", x.RegNumber)
	w.text("accountNumber", x.AccountNumber)
	w.text("transferType", x.TransferType)
	w.date("dispositionDate", x.DispositionDate)
	w.number("count", x.Count)
	w.text("amountDkk", x.AmountDKK)
	w.text("rawLine", x.RawLine)
	w.instant("createdAt", x.CreatedAt)
	w.instant("updatedAt", x.CreatedAt) // records never change
	w.text("filename", x.Filename)
	nullable(w, "processedAt", x.ProcessedAt, (*jsonWriter).instant)
}

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
	media := bulkMedia(c)
	cvr, err := cvrParameter(c)
	if err != nil {
		return err
	}
	path := "/v1/companies/" + cvr + "/transactions"
	if media != "" {
		return h.bulk(c, media, bulkTransactions(pageLink{path: path}, ledger.Part{CVR: cvr}))
	}
	cursor, err := cursorOf(c, limitMaximum, idParameter)
	if err != nil {
		return err
	}
	list := pageLink{path: path, cursor: cursor}
	return h.reply(c, list.String(), func(ctx context.Context, tenant models.Tenant) (*response, error) {
		page, err := ledger.Transactions(ctx, tenant, cvr, cursor)
		if err != nil {
			return nil, err
		}
		return listResponse(list, page, transactionJSON, transactionID), nil
	})
}

// allTransactionList handles GET /v1/transactions.
func (h *handler) allTransactionList(c *fiber.Ctx) error {
	media := bulkMedia(c)
	day, err := dayParameter(c, "dispositionDate")
	if err != nil {
		return err
	}
	if media != "" {
		return h.bulk(c, media, bulkTransactions(allTransactions(ledger.Cursor{}, day), ledger.Part{Day: day}))
	}
	cursor, err := cursorOf(c, limitMaximumOfAll, idParameter)
	if err != nil {
		return err
	}
	list := allTransactions(cursor, day)
	return h.reply(c, list.String(), func(ctx context.Context, tenant models.Tenant) (*response, error) {
		page, err := ledger.AllTransactions(ctx, tenant, day, cursor)
		if err != nil {
			return nil, err
		}
		return listResponse(list, page, transactionJSON, transactionID), nil
	})
}

// allTransactions returns the link to a page of them, or to those of a day.
func allTransactions(cursor ledger.Cursor, day *time.Time) pageLink {
	list := pageLink{path: "/v1/transactions", cursor: cursor}
	if day != nil {
		list.filter = "&dispositionDate=" + day.Format(time.DateOnly)
	}
	return list
}

// bulkTransactions returns the list of a part of the transactions.
func bulkTransactions(link pageLink, part ledger.Part) bulkList {
	return bulkList{
		link: link,
		cvr:  part.CVR,
		each: func(ctx context.Context, tenant models.Tenant, after *uuid.UUID, found *ledger.Following, to *bulkLines) error {
			return ledger.EachFollowing(ctx, tenant, part, after, found, line(to, writeTransaction))
		},
	}
}

func transactionID(x *models.Transaction) uuid.UUID { return x.ID }

func transactionJSON(w *jsonWriter, x *models.Transaction) { writeTransaction(w, x) }

func writeTransaction(w fieldWriter, x *models.Transaction) {
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
	nullable(w, "processedAt", x.ProcessedAt, fieldWriter.instant)
}

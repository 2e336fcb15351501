package api

import (
	"context"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/ledger"
)

// changeList handles GET /v1/changes.
func (h *handler) changeList(c *fiber.Ctx) error {
	cursor, err := cursorOf(c, limitMaximumOfAll, idParameter)
	if err != nil {
		return err
	}
	list := pageLink{path: "/v1/changes", cursor: cursor}
	return h.reply(c, list.String(), func(ctx context.Context, tenant models.Tenant) (*response, error) {
		page, err := ledger.Changes(ctx, tenant, cursor)
		if err != nil {
			return nil, err
		}
		return listResponse(list, page, writeChange, changeID), nil
	})
}

func changeID(x *ledger.Change) uuid.UUID { return x.ID }

func writeChange(w *jsonWriter, x *ledger.Change) {
	w.id("id", x.ID)
	w.text("type", x.Type)
	w.instant("createdAt", x.CreatedAt)
	nullable(w, "cardNetworkDeliveryFileId", x.DeliveryFileID, (*jsonWriter).id)
	nullable(w, "filename", x.Filename, (*jsonWriter).text)
	nullable(w, "transactions", x.Transactions, (*jsonWriter).number)
	nullable(w, "amountDkk", x.AmountDKK, (*jsonWriter).text)
	nullable(w, "firstDispositionDate", x.FirstDate, (*jsonWriter).date)
	nullable(w, "lastDispositionDate", x.LastDate, (*jsonWriter).date)
	nullable(w, "reason", x.Reason, (*jsonWriter).text)
	nullable(w, "cvr", x.CVR, (*jsonWriter).text)
	nullable(w, "status", x.Status, (*jsonWriter).text)
}

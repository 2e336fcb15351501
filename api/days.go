package api

import (
	"context"
	"time"

	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/models/ledger"
)

// dayList handles GET /v1/days.
func (h *handler) dayList(c *fiber.Ctx) error { return h.days(c, "/v1/days", "") }

// companyDayList handles GET /v1/companies/{cvr}/days.
func (h *handler) companyDayList(c *fiber.Ctx) error {
	cvr, err := cvrParameter(c)
	if err != nil {
		return err
	}
	return h.days(c, "/v1/companies/"+cvr+"/days", cvr)
}

func (h *handler) days(c *fiber.Ctx, path, cvr string) error {
	cursor, err := cursorOf(c, limitMaximumOfAll, dayParameter)
	if err != nil {
		return err
	}
	list := linkOf[time.Time]{path: path, cursor: cursor}
	return h.reply(c, list.String(), func(ctx context.Context, tenant models.Tenant) (*response, error) {
		page, err := ledger.Days(ctx, tenant, cvr, cursor)
		if err != nil {
			return nil, err
		}
		return listResponse(list, page, writeDay, dayDate), nil
	})
}

func dayDate(x *ledger.Day) time.Time { return x.DispositionDate }

func writeDay(w *jsonWriter, x *ledger.Day) {
	w.date("dispositionDate", x.DispositionDate)
	w.number("transactions", x.Count)
	w.text("amountDkk", x.AmountDKK)
	w.name("transferTypes")
	w.raw("[")
	for i, transferType := range x.Types {
		if i > 0 {
			w.raw(",")
		}
		w.object(func() {
			w.text("transferType", transferType)
			w.number("transactions", x.TypeCounts[i])
			w.text("amountDkk", x.TypeAmounts[i])
		})
	}
	w.raw("]")
}

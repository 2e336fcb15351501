package main

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"dispo/api/client"
)

// serveBaseline serves what the service is compared with:
//
//	/pgx/{organization}/companies/{cvr}, /pgx/{organization}/companies,
//	/pgx/{organization}/companies/{cvr}/transactions and
//	/pgx/{organization}/transactions: plain handlers on pgx with the same JSON, but no
//	API keys, limits or row-level security;
//	/bytes/{size}: a bare handler that sends that many bytes;
//	/not-modified: a bare handler that answers 304.
func serveBaseline(address, databaseURL string) error {
	pool, err := pgxpool.New(context.Background(), databaseURL+"&pool_max_conns=16") // as many as the service uses
	if err != nil {
		return err
	}
	defer pool.Close()
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Get("/pgx/:organization/companies/:cvr", func(c *fiber.Ctx) error {
		company, _, err := scanCompany(pool.QueryRow(c.UserContext(),
			`SELECT `+companyColumns+` FROM companies c WHERE c.organization_id = $1 AND c.cvr = $2`, c.Params("organization"), c.Params("cvr")))
		if err != nil {
			return err
		}
		return c.JSON(company)
	})
	app.Get("/pgx/:organization/companies", list(pool, scanCompany, `SELECT (SELECT company_count FROM organizations WHERE id = $1),
		EXISTS (SELECT FROM companies c WHERE c.organization_id = $1 AND c.id <= $2), `+companyColumns+`
		FROM companies c WHERE c.organization_id = $1 AND c.id > $2 AND $3 = '' ORDER BY c.id`))
	app.Get("/pgx/:organization/companies/:cvr/transactions", list(pool, scanTransaction, `
		SELECT (SELECT transaction_count FROM companies WHERE organization_id = $1 AND cvr = $3),
		EXISTS (SELECT FROM transactions t WHERE t.organization_id = $1 AND t.cvr = $3 AND t.id <= $2),
		`+transactionColumns+`
		FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id
		WHERE t.organization_id = $1 AND t.cvr = $3 AND t.id > $2 ORDER BY t.id`))
	app.Get("/pgx/:organization/transactions", list(pool, scanTransaction, `
		SELECT (SELECT transaction_count FROM organizations WHERE id = $1),
		(SELECT t.id FROM transactions t WHERE t.organization_id = $1 AND t.id <= $2 AND t.record_index >= 0 ORDER BY t.id DESC LIMIT 1) IS NOT NULL,
		`+transactionColumns+`
		FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id
		WHERE t.organization_id = $1 AND $3 = '' AND t.id > $2 AND t.record_index >= 0 ORDER BY t.id`))
	filler := make([]byte, 1<<20)
	app.Get("/bytes/:size", func(c *fiber.Ctx) error {
		size, err := c.ParamsInt("size")
		if err != nil || size > len(filler) {
			return fiber.ErrBadRequest
		}
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		return c.Send(filler[:size])
	})
	app.Get("/not-modified", func(c *fiber.Ctx) error {
		c.Status(fiber.StatusNotModified)
		return nil
	})
	return app.Listen(address)
}

// list returns the handler of a list. A row of its query has the list's total, whether an
// item precedes the page, and an item, which scan reads after them, with its id.
func list(pool *pgxpool.Pool, scan func(row pgx.Row, leading ...any) (item any, id string, err error), query string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		limit, after := c.QueryInt("limit", 50), c.Query("after", uuid.Nil.String())
		rows, err := pool.Query(c.UserContext(), query+` LIMIT `+strconv.Itoa(limit+1), c.Params("organization"), after, c.Params("cvr"))
		if err != nil {
			return err
		}
		defer rows.Close()
		var items []any
		var ids []string
		var total int64
		var hasPrevious bool
		for rows.Next() {
			item, id, err := scan(rows, &total, &hasPrevious)
			if err != nil {
				return err
			}
			items, ids = append(items, item), append(ids, id)
		}
		start := "/api/v1" + strings.TrimPrefix(c.Path(), "/pgx/"+c.Params("organization")) + "?limit=" + strconv.Itoa(limit)
		self, hasMore := start, len(items) > limit
		var next, prev any
		if c.Query("after") != "" {
			self += "&after=" + after
		}
		if hasMore {
			items, next = items[:limit], start+"&after="+ids[limit-1]
		}
		if hasPrevious {
			prev = start + "&before=" + ids[0]
		}
		return c.JSON(fiber.Map{"data": items, "meta": client.PageMeta{Total: total, Limit: int32(limit), HasMore: hasMore},
			"_links": fiber.Map{"self": self, "next": next, "prev": prev}})
	}
}

// company is a company with times as the API writes them.
type company struct {
	client.Company
	CreatedAt string `json:"createdAt"`
	UpdatedAt string `json:"updatedAt"`
}

const companyColumns = `c.id, c.cvr, c.name, c.address, c.start_date, c.end_date, c.status, c.sender_reg_number, c.sender_account_number,
	c.receiver_reg_number, c.receiver_account_number, c.default_amount_cents, c.created_at, c.updated_at`

// scanCompany scans companyColumns, after other columns into leading.
func scanCompany(row pgx.Row, leading ...any) (any, string, error) {
	var c company
	var start, end, created, updated time.Time
	err := row.Scan(append(leading, &c.ID, &c.CVR, &c.Name, &c.Address, &start, &end, &c.Status, &c.SenderRegNumber, &c.SenderAccountNumber,
		&c.ReceiverRegNumber, &c.ReceiverAccountNumber, &c.DefaultAmountCents, &created, &updated)...)
	c.StartDate, c.EndDate = start.Format(time.DateOnly), end.Format(time.DateOnly)
	c.CreatedAt, c.UpdatedAt = formatTime(created), formatTime(updated)
	return c, c.ID, err
}

// transaction is a transaction with times as the API writes them.
type transaction struct {
	client.Transaction
	CreatedAt   string  `json:"createdAt"`
	UpdatedAt   string  `json:"updatedAt"`
	ProcessedAt *string `json:"processedAt"`
}

const transactionColumns = `t.id, t.delivery_file_id, t.record_index, t.cvr, t.reg_number, t.account_number, t.transfer_type,
	t.disposition_date, t.count, t.amount_dkk::text, t.raw_line, f.created_at, f.filename, f.processed_at`

func scanTransaction(row pgx.Row, leading ...any) (any, string, error) {
	var x transaction
	var day, created time.Time
	var processed *time.Time
	err := row.Scan(append(leading, &x.ID, &x.CardNetworkDeliveryFileID, &x.RecordIndex, &x.CVR, &x.RegNumber, &x.AccountNumber,
		&x.TransferType, &day, &x.Count, &x.AmountDKK, &x.RawLine, &created, &x.Filename, &processed)...)
	x.DispositionDate, x.CreatedAt = day.Format(time.DateOnly), formatTime(created)
	if x.UpdatedAt = x.CreatedAt; processed != nil {
		text := formatTime(*processed)
		x.ProcessedAt = &text
	}
	return x, x.ID, err
}

func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

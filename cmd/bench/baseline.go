package main

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

// serveBaseline serves what the service is compared with:
//
//	/pgx/{organization}/companies/{cvr}, /pgx/{organization}/companies,
//	/pgx/{organization}/companies/{cvr}/transactions and
//	/pgx/{organization}/transactions: plain handlers on pgx with the same JSON, but no
//	API keys, limits or row-level security;
//	/bytes/{size}: a bare handler that sends that many bytes, 1 MB at most;
//	/not-modified: a bare handler that answers 304.
func serveBaseline(address, databaseURL string) error {
	pool, err := pgxpool.New(context.Background(), databaseURL+"&pool_max_conns=16") // as many as the service uses
	if err != nil {
		return err
	}
	defer pool.Close()
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	app.Get("/pgx/:organization/companies/:cvr", func(c *fiber.Ctx) error {
		var found company
		err := pool.QueryRow(c.UserContext(), `SELECT `+companyColumns+` FROM companies c WHERE c.organization_id = $1 AND c.cvr = $2`,
			c.Params("organization"), c.Params("cvr")).
			Scan(found.columns()...)
		if err != nil {
			return err
		}
		return c.JSON(found)
	})
	app.Get("/pgx/:organization/companies",
		list(pool, (*company).columns, `SELECT (SELECT company_count FROM organizations WHERE id = $1),
		EXISTS (SELECT FROM companies c WHERE c.organization_id = $1 AND c.id <= $2), `+companyColumns+`
		FROM companies c WHERE c.organization_id = $1 AND c.id > $2 AND $3 = '' ORDER BY c.id {limit}`))
	app.Get("/pgx/:organization/companies/:cvr/transactions", list(pool, (*transaction).columns, `
		SELECT (SELECT transaction_count FROM companies WHERE organization_id = $1 AND cvr = $3),
		EXISTS (SELECT FROM transactions t WHERE t.organization_id = $1 AND t.cvr = $3 AND t.id <= $2), `+transactionColumns+`
		WHERE t.organization_id = $1 AND t.cvr = $3 AND t.id > $2 ORDER BY t.id {limit}`))
	app.Get("/pgx/:organization/transactions", list(pool, (*transaction).columns, `
		SELECT (SELECT transaction_count FROM organizations WHERE id = $1),
		(SELECT t.id FROM transactions t WHERE t.organization_id = $1 AND t.id <= $2 AND t.record_index >= 0 ORDER BY t.id DESC LIMIT 1) IS NOT NULL, `+transactionColumns+`
		-- Or PostgreSQL joins and sorts all transactions after the cursor.
		WHERE (t.organization_id, t.cvr, t.id) IN (SELECT organization_id, cvr, id FROM transactions
			WHERE organization_id = $1 AND $3 = '' AND id > $2 AND record_index >= 0 ORDER BY id {limit}) ORDER BY t.id {limit}`))
	filler := make([]byte, 1<<20)
	app.Get("/bytes/:size", func(c *fiber.Ctx) error {
		size, _ := c.ParamsInt("size")
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
// item precedes the page, and an item's columns, of which the first is its id. {limit} stands for its LIMIT.
func list[T any](pool *pgxpool.Pool, columns func(*T) []any, query string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		limit, after := c.QueryInt("limit", 50), c.Query("after", uuid.Nil.String())
		rows, err := pool.Query(c.UserContext(), strings.ReplaceAll(query, "{limit}", "LIMIT "+strconv.Itoa(limit+1)),
			c.Params("organization"), after, c.Params("cvr"))
		if err != nil {
			return err
		}
		defer rows.Close()
		var items []*T
		var total int64
		var hasPrevious bool
		for rows.Next() {
			item := new(T)
			if err := rows.Scan(append([]any{&total, &hasPrevious}, columns(item)...)...); err != nil {
				return err
			}
			items = append(items, item)
		}
		id := func(i int) string { return *columns(items[i])[0].(*string) }
		self := "/api/v1" + strings.TrimPrefix(c.Path(), "/pgx/"+c.Params("organization")) + "?limit=" + strconv.Itoa(limit)
		links, hasMore := fiber.Map{"self": self, "next": nil, "prev": nil}, len(items) > limit
		if c.Query("after") != "" {
			links["self"] = self + "&after=" + after
		}
		if hasMore {
			items, links["next"] = items[:limit], self+"&after="+id(limit-1)
		}
		if hasPrevious {
			links["prev"] = self + "&before=" + id(0)
		}
		return c.JSON(
			fiber.Map{"data": items, "meta": fiber.Map{"total": total, "limit": limit, "hasMore": hasMore}, "_links": links},
		)
	}
}

// instant and day are a time and a date from the database, as the API writes them.
type instant string
type day string

func (i *instant) ScanTimestamptz(v pgtype.Timestamptz) error {
	*i = instant(v.Time.UTC().Format("2006-01-02T15:04:05.000Z"))
	return nil
}

func (d *day) ScanDate(v pgtype.Date) error {
	*d = day(v.Time.Format(time.DateOnly))
	return nil
}

type company struct {
	ID                    string  `json:"id"`
	CVR                   string  `json:"cvr"`
	Name                  string  `json:"name"`
	Address               *string `json:"address"`
	StartDate             day     `json:"startDate"`
	EndDate               day     `json:"endDate"`
	Status                string  `json:"status"`
	SenderRegNumber       *string `json:"senderRegNumber"`
	SenderAccountNumber   *string `json:"senderAccountNumber"`
	ReceiverRegNumber     *string `json:"receiverRegNumber"`
	ReceiverAccountNumber *string `json:"receiverAccountNumber"`
	DefaultAmountCents    *int64  `json:"defaultAmountCents"`
	CreatedAt             instant `json:"createdAt"`
	UpdatedAt             instant `json:"updatedAt"`
}

const companyColumns = `c.id, c.cvr, c.name, c.address, c.start_date, c.end_date, c.status, c.sender_reg_number, c.sender_account_number,
	c.receiver_reg_number, c.receiver_account_number, c.default_amount_cents, c.created_at, c.updated_at`

func (c *company) columns() []any {
	return []any{
		&c.ID,
		&c.CVR,
		&c.Name,
		&c.Address,
		&c.StartDate,
		&c.EndDate,
		&c.Status,
		&c.SenderRegNumber,
		&c.SenderAccountNumber,
		&c.ReceiverRegNumber,
		&c.ReceiverAccountNumber,
		&c.DefaultAmountCents,
		&c.CreatedAt,
		&c.UpdatedAt,
	}
}

type transaction struct {
	ID                        string   `json:"id"`
	CardNetworkDeliveryFileID string   `json:"cardNetworkDeliveryFileId"`
	RecordIndex               int64    `json:"recordIndex"`
	CVR                       string   `json:"cvr"`
	RegNumber                 string   `json:"regNumber"`
	AccountNumber             string   `json:"accountNumber"`
	TransferType              string   `json:"transferType"`
	DispositionDate           day      `json:"dispositionDate"`
	Count                     int64    `json:"count"`
	AmountDKK                 string   `json:"amountDkk"`
	RawLine                   string   `json:"rawLine"`
	CreatedAt                 instant  `json:"createdAt"`
	UpdatedAt                 *instant `json:"updatedAt"` // points to the other, because a transaction never changes
	Filename                  string   `json:"filename"`
	ProcessedAt               *instant `json:"processedAt"`
}

const transactionColumns = `t.id, t.delivery_file_id, t.record_index, t.cvr, t.reg_number, t.account_number, t.transfer_type,
	t.disposition_date, t.count, t.amount_dkk::text, t.raw_line, f.created_at, f.filename, f.processed_at
	FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id`

func (t *transaction) columns() []any {
	t.UpdatedAt = &t.CreatedAt
	return []any{
		&t.ID,
		&t.CardNetworkDeliveryFileID,
		&t.RecordIndex,
		&t.CVR,
		&t.RegNumber,
		&t.AccountNumber,
		&t.TransferType,
		&t.DispositionDate,
		&t.Count,
		&t.AmountDKK,
		&t.RawLine,
		&t.CreatedAt,
		&t.Filename,
		&t.ProcessedAt,
	}
}

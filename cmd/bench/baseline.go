package main

import (
	"context"
	"strconv"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// serveBaseline serves what the service is compared with:
//
//	/pgx/{organization}/companies/{cvr}, /pgx/{organization}/companies and
//	/pgx/{organization}/companies/{cvr}/transactions: plain handlers on pgx with
//	the same JSON, but no API keys, limits or row-level security;
//	/bytes/{size}: a bare handler that sends that many bytes;
//	/not-modified: a bare handler that answers 304.
func serveBaseline(address, databaseURL string) error {
	pool, err := pgxpool.New(context.Background(), databaseURL+"&pool_max_conns=16") // as many as the service uses
	if err != nil {
		return err
	}
	defer pool.Close()
	app := fiber.New(fiber.Config{DisableStartupMessage: true})
	b := &baseline{pool}
	app.Get("/pgx/:organization/companies/:cvr", b.company)
	app.Get("/pgx/:organization/companies", b.companies)
	app.Get("/pgx/:organization/companies/:cvr/transactions", b.transactions)
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

type baseline struct{ pool *pgxpool.Pool }

type company struct {
	ID                    uuid.UUID `json:"id"`
	CVR                   string    `json:"cvr"`
	Name                  string    `json:"name"`
	Address               *string   `json:"address"`
	StartDate             string    `json:"startDate"`
	EndDate               string    `json:"endDate"`
	Status                string    `json:"status"`
	SenderRegNumber       *string   `json:"senderRegNumber"`
	SenderAccountNumber   *string   `json:"senderAccountNumber"`
	ReceiverRegNumber     *string   `json:"receiverRegNumber"`
	ReceiverAccountNumber *string   `json:"receiverAccountNumber"`
	DefaultAmountCents    *int64    `json:"defaultAmountCents"`
	CreatedAt             string    `json:"createdAt"`
	UpdatedAt             string    `json:"updatedAt"`
}

const companyColumns = `c.id, c.cvr, c.name, c.address, c.start_date, c.end_date, c.status, c.sender_reg_number, c.sender_account_number,
	c.receiver_reg_number, c.receiver_account_number, c.default_amount_cents, c.created_at, c.updated_at`

// scanCompany scans companyColumns, after other columns into leading.
func scanCompany(row pgx.Row, leading ...any) (company, error) {
	var c company
	var start, end, created, updated time.Time
	err := row.Scan(append(leading, &c.ID, &c.CVR, &c.Name, &c.Address, &start, &end, &c.Status, &c.SenderRegNumber, &c.SenderAccountNumber,
		&c.ReceiverRegNumber, &c.ReceiverAccountNumber, &c.DefaultAmountCents, &created, &updated)...)
	c.StartDate, c.EndDate = start.Format(time.DateOnly), end.Format(time.DateOnly)
	c.CreatedAt, c.UpdatedAt = formatTime(created), formatTime(updated)
	return c, err
}

func formatTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func (b *baseline) company(c *fiber.Ctx) error {
	company, err := scanCompany(b.pool.QueryRow(c.UserContext(),
		`SELECT `+companyColumns+` FROM companies c WHERE c.organization_id = $1 AND c.cvr = $2`, c.Params("organization"), c.Params("cvr")))
	if err != nil {
		return err
	}
	return c.JSON(company)
}

type page struct {
	Data []any `json:"data"`
	Meta struct {
		Total   int64 `json:"total"`
		Limit   int   `json:"limit"`
		HasMore bool  `json:"hasMore"`
	} `json:"meta"`
	Links struct {
		Self string  `json:"self"`
		Next *string `json:"next"`
		Prev *string `json:"prev"`
	} `json:"_links"`
}

// send reads a page with the query and sends it. scan reads a row: the list's total,
// whether an item precedes the page, and an item with its id.
func (b *baseline) send(c *fiber.Ctx, path, query string, scan func(rows pgx.Rows, total *int64, hasPrevious *bool) (item any, id uuid.UUID, err error)) error {
	limit, after := c.QueryInt("limit", 50), c.Query("after", uuid.Nil.String())
	rows, err := b.pool.Query(c.UserContext(), query+` LIMIT `+strconv.Itoa(limit+1), c.Params("organization"), after, c.Params("cvr"))
	if err != nil {
		return err
	}
	defer rows.Close()
	var p page
	var hasPrevious bool
	var ids []uuid.UUID
	for rows.Next() {
		item, id, err := scan(rows, &p.Meta.Total, &hasPrevious)
		if err != nil {
			return err
		}
		p.Data, ids = append(p.Data, item), append(ids, id)
	}
	start := "/api/v1" + path + "?limit=" + strconv.Itoa(limit)
	p.Meta.Limit, p.Meta.HasMore, p.Links.Self = limit, len(ids) > limit, start
	if p.Meta.HasMore {
		p.Data = p.Data[:limit]
		next := start + "&after=" + ids[limit-1].String()
		p.Links.Next = &next
	}
	if hasPrevious {
		prev := start + "&before=" + ids[0].String()
		p.Links.Prev = &prev
	}
	if c.Query("after") != "" {
		p.Links.Self += "&after=" + after
	}
	return c.JSON(p)
}

func (b *baseline) companies(c *fiber.Ctx) error {
	return b.send(c, "/companies", `SELECT (SELECT company_count FROM organizations WHERE id = $1),
		EXISTS (SELECT FROM companies c WHERE c.organization_id = $1 AND c.id <= $2), `+companyColumns+`
		FROM companies c WHERE c.organization_id = $1 AND c.id > $2 AND $3 = '' ORDER BY c.id`,
		func(rows pgx.Rows, total *int64, hasPrevious *bool) (any, uuid.UUID, error) {
			c, err := scanCompany(rows, total, hasPrevious)
			return c, c.ID, err
		})
}

type transaction struct {
	ID              uuid.UUID `json:"id"`
	DeliveryFileID  uuid.UUID `json:"cardNetworkDeliveryFileId"`
	RecordIndex     int64     `json:"recordIndex"`
	CVR             string    `json:"cvr"`
	RegNumber       string    `json:"regNumber"`
	AccountNumber   string    `json:"accountNumber"`
	TransferType    string    `json:"transferType"`
	DispositionDate string    `json:"dispositionDate"`
	Count           int64     `json:"count"`
	AmountDKK       string    `json:"amountDkk"`
	RawLine         string    `json:"rawLine"`
	CreatedAt       string    `json:"createdAt"`
	UpdatedAt       string    `json:"updatedAt"`
	Filename        string    `json:"filename"`
	ProcessedAt     *string   `json:"processedAt"`
}

func (b *baseline) transactions(c *fiber.Ctx) error {
	return b.send(c, "/companies/"+c.Params("cvr")+"/transactions", `SELECT (SELECT transaction_count FROM companies WHERE organization_id = $1 AND cvr = $3),
		EXISTS (SELECT FROM transactions t WHERE t.organization_id = $1 AND t.cvr = $3 AND t.id <= $2),
		t.id, t.delivery_file_id, t.record_index, t.cvr, t.reg_number, t.account_number, t.transfer_type,
		t.disposition_date, t.count, t.amount_dkk::text, t.raw_line, f.created_at, f.filename, f.processed_at
		FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id
		WHERE t.organization_id = $1 AND t.cvr = $3 AND t.id > $2 ORDER BY t.id`,
		func(rows pgx.Rows, total *int64, hasPrevious *bool) (any, uuid.UUID, error) {
			var x transaction
			var day, created time.Time
			var processed *time.Time
			err := rows.Scan(total, hasPrevious, &x.ID, &x.DeliveryFileID, &x.RecordIndex, &x.CVR, &x.RegNumber, &x.AccountNumber,
				&x.TransferType, &day, &x.Count, &x.AmountDKK, &x.RawLine, &created, &x.Filename, &processed)
			x.DispositionDate, x.CreatedAt = day.Format(time.DateOnly), formatTime(created)
			if x.UpdatedAt = x.CreatedAt; processed != nil {
				text := formatTime(*processed)
				x.ProcessedAt = &text
			}
			return x, x.ID, err
		})
}

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

// serveBaseline serves the baselines that the service is compared with:
//
//	/pgx/{organization}/companies/{cvr}, /pgx/{organization}/companies and
//	/pgx/{organization}/companies/{cvr}/transactions: plain handlers on pgx with
//	the same SQL and the same JSON, but no API keys, limits or row-level security;
//	/bytes/{size}: a bare handler that sends that many bytes;
//	/not-modified: a bare handler that answers 304.
//
// The arguments are the address to listen on and the database's URL.
func serveBaseline(args []string) error {
	address, databaseURL := args[0], args[1]
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

var filler = make([]byte, 1<<20)

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

const companyColumns = `c.id, c.cvr, c.name, c.address, c.start_date, c.end_date, c.status,
	c.sender_reg_number, c.sender_account_number, c.receiver_reg_number, c.receiver_account_number,
	c.default_amount_cents, c.created_at, c.updated_at`

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

type envelope[T any] struct {
	Data []T `json:"data"`
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

// finish drops the item read beyond the limit and sets the links. after is the
// request's cursor, empty on the first page.
func (e *envelope[T]) finish(path string, limit int, after string, hasPrevious bool, id func(T) uuid.UUID) {
	e.Meta.Limit, e.Meta.HasMore = limit, len(e.Data) > limit
	page := path + "?limit=" + strconv.Itoa(limit)
	if e.Meta.HasMore {
		e.Data = e.Data[:limit]
		next := page + "&after=" + id(e.Data[limit-1]).String()
		e.Links.Next = &next
	}
	if hasPrevious {
		prev := page + "&before=" + id(e.Data[0]).String()
		e.Links.Prev = &prev
	}
	e.Links.Self = page
	if after != "" {
		e.Links.Self += "&after=" + after
	}
}

// afterID returns the id to list after: without a cursor one below every id.
func afterID(cursor string) string {
	if cursor == "" {
		return uuid.Nil.String()
	}
	return cursor
}

func (b *baseline) companies(c *fiber.Ctx) error {
	limit, after := c.QueryInt("limit", 50), c.Query("after")
	rows, err := b.pool.Query(c.UserContext(), `SELECT (SELECT company_count FROM organizations WHERE id = $1),
		(SELECT c.id FROM companies c WHERE c.organization_id = $1 AND c.id <= $2 ORDER BY c.id DESC LIMIT 1) IS NOT NULL, `+companyColumns+`
		FROM companies c WHERE c.organization_id = $1 AND c.id > $2 ORDER BY c.id LIMIT `+strconv.Itoa(limit+1), c.Params("organization"), afterID(after))
	if err != nil {
		return err
	}
	defer rows.Close()
	var page envelope[company]
	var hasPrevious bool
	for rows.Next() {
		item, err := scanCompany(rows, &page.Meta.Total, &hasPrevious)
		if err != nil {
			return err
		}
		page.Data = append(page.Data, item)
	}
	page.finish("/api/v1/companies", limit, after, hasPrevious, func(c company) uuid.UUID { return c.ID })
	return c.JSON(page)
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
	cvr, limit, after := c.Params("cvr"), c.QueryInt("limit", 50), c.Query("after")
	rows, err := b.pool.Query(c.UserContext(), `SELECT (SELECT transaction_count FROM companies WHERE organization_id = $1 AND cvr = $2),
		(SELECT t.id FROM transactions t WHERE t.organization_id = $1 AND t.cvr = $2 AND t.id <= $3 ORDER BY t.id DESC LIMIT 1) IS NOT NULL,
		t.id, t.delivery_file_id, t.record_index, t.cvr, t.reg_number, t.account_number, t.transfer_type,
		t.disposition_date, t.count, t.amount_dkk::text, t.raw_line, f.created_at, f.filename, f.processed_at
		FROM transactions t JOIN delivery_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id
		WHERE t.organization_id = $1 AND t.cvr = $2 AND t.id > $3 ORDER BY t.id LIMIT `+strconv.Itoa(limit+1), c.Params("organization"), cvr, afterID(after))
	if err != nil {
		return err
	}
	defer rows.Close()
	var page envelope[transaction]
	var hasPrevious bool
	for rows.Next() {
		var x transaction
		var day, created time.Time
		var processed *time.Time
		if err := rows.Scan(&page.Meta.Total, &hasPrevious, &x.ID, &x.DeliveryFileID, &x.RecordIndex, &x.CVR, &x.RegNumber, &x.AccountNumber,
			&x.TransferType, &day, &x.Count, &x.AmountDKK, &x.RawLine, &created, &x.Filename, &processed); err != nil {
			return err
		}
		x.DispositionDate = day.Format(time.DateOnly)
		x.CreatedAt, x.UpdatedAt = formatTime(created), formatTime(created)
		if processed != nil {
			text := formatTime(*processed)
			x.ProcessedAt = &text
		}
		page.Data = append(page.Data, x)
	}
	page.finish("/api/v1/companies/"+cvr+"/transactions", limit, after, hasPrevious, func(x transaction) uuid.UUID { return x.ID })
	return c.JSON(page)
}

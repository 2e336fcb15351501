package imports

import (
	"bytes"
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports/format"
)

// Rows go to the database, and there into their table, in chunks. So memory stays
// flat on both sides, whatever the number of records.
const (
	// copyChunk is in bytes. While this program fills a chunk, PostgreSQL waits, and
	// the other way round. Small chunks keep the two from occupying two processors at
	// once: with 4 MB the slowest answers to concurrent readers took three times as
	// long.
	copyChunk = 128 << 10

	// insertChunk is in rows: about 25 MB, which are sorted in memory.
	insertChunk = 100_000
)

// storage stores records, as transactions of organizations or as held. COPY cannot
// write to a table under row-level security, so the rows go to a temporary table
// first. From there they are inserted in the order of the index, which also keeps a
// company's records on few disk pages.
type storage struct {
	writing *database.Writing
	rows    chunks
	held    chunks
	shares  []*share
}

// share is the part of a file that goes to one company of an organization.
type share struct {
	organizationID uuid.UUID
	fileID         uuid.UUID
	cvr            string
	ids            *database.IDs
	last           uuid.UUID // the id of the latest record
	records        int64
	amount         format.Sum
	first, latest  []byte // disposition date
}

// chunks is a temporary table on its way into its own.
type chunks struct {
	buffer copyBuffer
	copied int64 // rows, since the last insert
	table  string
	insert string
}

func newStorage(ctx context.Context, w *database.Writing) (*storage, error) {
	// Enough memory to sort a chunk. On disk, sorting takes longer and disturbs
	// concurrent readers.
	_, err := w.Conn.Exec(ctx, `SET LOCAL dispo.totals = 'moved by the import'; SET LOCAL work_mem = '128MB';
		CREATE TEMPORARY TABLE incoming_records (LIKE transactions) ON COMMIT DROP;
		CREATE TEMPORARY TABLE incoming_totals (LIKE daily_totals) ON COMMIT DROP;
		CREATE TEMPORARY TABLE incoming_held (LIKE held_records) ON COMMIT DROP`)
	return &storage{
		writing: w,
		rows: chunks{
			table: "incoming_records (organization_id, id, delivery_file_id, record_index, count, disposition_date, cvr, reg_number, account_number, transfer_type, amount_dkk, raw_line)",
			insert: `INSERT INTO transactions SELECT * FROM incoming_records ORDER BY organization_id, cvr, id;
				INSERT INTO incoming_totals
				SELECT organization_id, cvr, disposition_date, transfer_type, count(*), sum(amount_dkk), min(id::text COLLATE "C")::uuid, max(id::text COLLATE "C")::uuid
				FROM incoming_records GROUP BY organization_id, cvr, disposition_date, transfer_type;
				TRUNCATE incoming_records`,
		},
		held: chunks{
			table:  "incoming_held (delivery_id, only_organization_id, record_index, count, disposition_date, cvr, reg_number, account_number, transfer_type, amount_dkk, raw_line)",
			insert: `INSERT INTO held_records SELECT * FROM incoming_held; TRUNCATE incoming_held`,
		},
	}, err
}

// createFile creates a delivery's file in an organization.
func (s *storage) createFile(ctx context.Context, d *models.Delivery, organizationID uuid.UUID) (uuid.UUID, error) {
	id := s.writing.IDs(organizationID).Next()
	_, err := s.writing.Conn.Exec(ctx, `INSERT INTO delivery_files (organization_id, id, delivery_id, last_id, filename, layout) VALUES ($1, $2, $3, $2, $4, $5)`,
		organizationID, id, d.ID, d.Filename, d.Layout)
	return id, err
}

// share returns a new share, whose records can then be added.
func (s *storage) share(organizationID, fileID uuid.UUID, cvr string) *share {
	added := &share{organizationID: organizationID, fileID: fileID, cvr: cvr, ids: s.writing.IDs(organizationID)}
	s.shares = append(s.shares, added)
	return added
}

// add adds a record to a share.
func (s *storage) add(ctx context.Context, to *share, r *format.Record) error {
	to.last = to.ids.Next()
	to.records++
	to.amount.Add(r.Amount)
	if len(to.first) == 0 || bytes.Compare(r.DispositionDate, to.first) < 0 {
		to.first = append(to.first[:0], r.DispositionDate...)
	}
	if bytes.Compare(r.DispositionDate, to.latest) > 0 {
		to.latest = append(to.latest[:0], r.DispositionDate...)
	}
	b := &s.rows.buffer
	b.uuid(to.organizationID)
	b.uuid(to.last)
	b.uuid(to.fileID)
	b.record(r)
	return s.rows.added(ctx, s.writing.Conn)
}

// hold keeps a record for the first organization that gets its company, or for one
// organization alone.
func (s *storage) hold(ctx context.Context, deliveryID uuid.UUID, only *models.Organization, r *format.Record) error {
	b := &s.held.buffer
	b.uuid(deliveryID)
	if only == nil {
		b.null()
	} else {
		b.uuid(only.ID)
	}
	b.record(r)
	return s.held.added(ctx, s.writing.Conn)
}

// addDailyTotals adds the totals of all chunks at once, because many chunks may have
// records of the same company and day. What move_daily_totals does for arrays would need
// memory for all of them.
const addDailyTotals = `INSERT INTO daily_totals AS d
	SELECT organization_id, coalesce(cvr, ''), disposition_date, transfer_type, sum(count)::bigint, sum(amount_dkk),
		min(first_id::text COLLATE "C")::uuid, max(last_id::text COLLATE "C")::uuid
	FROM incoming_totals
	GROUP BY GROUPING SETS ((organization_id, cvr, disposition_date, transfer_type), (organization_id, disposition_date, transfer_type))
	ORDER BY 1, 2, 3, 4
	ON CONFLICT (organization_id, cvr, disposition_date, transfer_type) DO UPDATE
	SET count = d.count + excluded.count, amount_dkk = d.amount_dkk + excluded.amount_dkk,
		first_id = least(d.first_id, excluded.first_id), last_id = greatest(d.last_id, excluded.last_id)`

// finish stores what is left, and moves the totals of days, companies and files.
func (s *storage) finish(ctx context.Context) error {
	conn := s.writing.Conn
	if err := s.rows.flush(ctx, conn); err != nil {
		return err
	}
	if err := s.held.flush(ctx, conn); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, addDailyTotals); err != nil {
		return err
	}
	var organizationIDs, fileIDs, lasts []uuid.UUID
	var cvrs, amounts, firstDates, lastDates []string
	var counts []int64
	for _, share := range s.shares {
		if share.records > 0 {
			organizationIDs, fileIDs, lasts = append(organizationIDs, share.organizationID), append(fileIDs, share.fileID), append(lasts, share.last)
			cvrs, counts, amounts = append(cvrs, share.cvr), append(counts, share.records), append(amounts, share.amount.String())
			firstDates, lastDates = append(firstDates, string(share.first)), append(lastDates, string(share.latest))
		}
	}
	if _, err := conn.Exec(ctx, `SELECT move_totals($1, $2, $3, $4, $5::text[]::numeric[])`, organizationIDs, cvrs, fileIDs, counts, amounts); err != nil {
		return err
	}
	_, err := conn.Exec(ctx, `UPDATE delivery_files f SET processed_at = clock_timestamp(), last_id = u.last_id, first_date = u.first_date, last_date = u.last_date
		FROM (SELECT organization_id, id, max(last_id::text COLLATE "C")::uuid AS last_id, min(first_date) AS first_date, max(last_date) AS last_date
			FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]::date[], $5::text[]::date[]) AS u (organization_id, id, last_id, first_date, last_date)
			GROUP BY organization_id, id) u
		WHERE f.organization_id = u.organization_id AND f.id = u.id`, organizationIDs, fileIDs, lasts, firstDates, lastDates)
	return err
}

// added sends the rows on once there are enough of them.
func (c *chunks) added(ctx context.Context, conn *pgx.Conn) error {
	if len(c.buffer.bytes) < copyChunk {
		return nil
	}
	c.copied += c.buffer.rows
	if err := c.buffer.send(ctx, conn, c.table); err != nil || c.copied < insertChunk {
		return err
	}
	return c.store(ctx, conn)
}

func (c *chunks) flush(ctx context.Context, conn *pgx.Conn) error {
	c.copied += c.buffer.rows
	if c.copied == 0 {
		return nil
	}
	if err := c.buffer.send(ctx, conn, c.table); err != nil {
		return err
	}
	return c.store(ctx, conn)
}

func (c *chunks) store(ctx context.Context, conn *pgx.Conn) error {
	c.copied = 0
	_, err := conn.Exec(ctx, c.insert)
	return err
}

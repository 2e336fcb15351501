package imports

import (
	"context"
	"errors"

	"github.com/google/uuid"

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
}

// addedFile is the part of a delivery that goes to one organization: a file.
type addedFile struct {
	organizationID uuid.UUID
	fileID         uuid.UUID
	ids            *database.IDs
}

// chunks fills a temporary table, and moves its rows into the real one if insert says how.
type chunks struct {
	buffer copyBuffer
	copied int64 // rows, since the last insert
	table  string
	insert string
}

func newStorage(ctx context.Context, w *database.Writing) (*storage, error) {
	// Enough memory to sort a chunk. On disk, sorting takes longer and disturbs
	// concurrent readers.
	if _, err := w.Conn.Exec(ctx, `SET LOCAL work_mem = '128MB'`); err != nil {
		return nil, err
	}
	_, err := w.Conn.Exec(ctx, `CREATE TEMPORARY TABLE incoming_records (LIKE transactions) ON COMMIT DROP;
		CREATE TEMPORARY TABLE incoming_held (LIKE held_records INCLUDING DEFAULTS) ON COMMIT DROP`)
	return &storage{
		writing: w,
		rows: chunks{
			table: "incoming_records (organization_id, id, delivery_file_id, " + recordColumns + ")",
			insert: `INSERT INTO transactions SELECT * FROM incoming_records ORDER BY organization_id, cvr, id;
				INSERT INTO moved
				SELECT organization_id, cvr, disposition_date, transfer_type, count(*), sum(amount_dkk), min(id::text COLLATE "C")::uuid, max(id::text COLLATE "C")::uuid, delivery_file_id
				FROM incoming_records GROUP BY organization_id, cvr, disposition_date, transfer_type, delivery_file_id;
				TRUNCATE incoming_records`,
		},
		held: chunks{
			table:  "incoming_held (delivery_id, only_organization_id, " + recordColumns + ")",
			insert: `INSERT INTO held_records SELECT * FROM incoming_held; TRUNCATE incoming_held`,
		},
	}, err
}

// open creates a delivery's file in an organization, to which records can be added.
func (s *storage) open(ctx context.Context, d *models.Delivery, organizationID uuid.UUID) (*addedFile, error) {
	ids := s.writing.IDs(organizationID)
	added := &addedFile{organizationID: organizationID, fileID: ids.Next(), ids: ids}
	_, err := s.writing.Conn.Exec(
		ctx,
		`INSERT INTO delivery_files (organization_id, id, delivery_id, last_id, filename, layout) VALUES ($1, $2, $3, $2, $4, $5)`,
		organizationID,
		added.fileID,
		d.ID,
		d.Filename,
		d.Layout,
	)
	return added, err
}

func (s *storage) add(ctx context.Context, to *addedFile, r *format.Record) error {
	b := &s.rows.buffer
	b.uuid(to.organizationID)
	b.uuid(to.ids.Next())
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

// finish stores what is left, moves the totals, and returns what each organization got.
func (s *storage) finish(ctx context.Context) ([]Share, error) {
	conn := s.writing.Conn
	if err := s.rows.flush(ctx, conn); err != nil {
		return nil, err
	}
	if err := s.held.flush(ctx, conn); err != nil {
		return nil, err
	}
	return moveTotals(ctx, s.writing, 1)
}

var errDryRun = errors.New("dry run")

// write is db.Write with the tables that moveTotals needs. A dry run stores nothing.
func write(
	ctx context.Context,
	db *database.DB,
	dryRun bool,
	choose func(*database.Writing) ([]uuid.UUID, error),
	write func(*database.Writing) error,
) error {
	err := db.Write(ctx, choose, func(w *database.Writing) error {
		_, err := w.Conn.Exec(ctx, `SELECT totals_open()`)
		if err == nil {
			err = write(w)
		}
		if err == nil && dryRun {
			err = errDryRun
		}
		if err == nil {
			_, err = w.Conn.Exec(ctx, `SELECT organizations_changed()`)
		}
		return err
	})
	if errors.Is(err, errDryRun) {
		return nil
	}
	return models.Wrap(err)
}

// moveTotals moves all totals by the transactions that the table moved describes: added
// for 1, removed for -1. It returns what they are of each organization, in order of the
// organizations' slugs.
func moveTotals(ctx context.Context, w *database.Writing, sign int) (shares []Share, err error) {
	if err := w.ORM.Raw(`SELECT o.id AS organization_id, o.slug, sum(m.count)::bigint AS records, sum(m.amount_dkk)::text AS total_amount_dkk,
			min(m.disposition_date)::text AS first_date, max(m.disposition_date)::text AS last_date, min(m.delivery_file_id::text) AS file_id
		FROM moved m JOIN organizations o ON o.id = m.organization_id GROUP BY o.id ORDER BY o.slug`).
		Scan(&shares).
		Error; err != nil {
		return nil, err
	}
	changed := "delivery_files"
	if sign < 0 {
		changed = "withdrawn_files"
	}
	if err := numberChanges(ctx, w, changed); err != nil {
		return nil, err
	}
	_, err = w.Conn.Exec(ctx, `SELECT move_totals($1)`, sign)
	return shares, err
}

// numberChanges gives each file in the table moved the id of its change, which is its
// arrival or its withdrawal. The file's records have their ids by now, so a client that has heard of
// the change finds them all.
func numberChanges(ctx context.Context, w *database.Writing, table string) error {
	rows, err := w.Conn.Query(ctx, `SELECT DISTINCT organization_id, delivery_file_id FROM moved ORDER BY 1, 2`)
	if err != nil {
		return err
	}
	var organizationIDs, fileIDs, changeIDs []uuid.UUID
	if err := database.EachRow(rows, func(f *struct{ OrganizationID, DeliveryFileID uuid.UUID }) error {
		organizationIDs, fileIDs = append(organizationIDs, f.OrganizationID), append(fileIDs, f.DeliveryFileID)
		changeIDs = append(changeIDs, w.IDs(f.OrganizationID).Next())
		return nil
	}); err != nil {
		return err
	}
	_, err = w.Conn.Exec(
		ctx,
		`UPDATE `+table+` f SET change_id = c.change_id FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS c (organization_id, id, change_id)
		WHERE f.organization_id = c.organization_id AND f.id = c.id`,
		organizationIDs,
		fileIDs,
		changeIDs,
	)
	return err
}

// added sends the rows on once there are enough of them.
func (c *chunks) added(ctx context.Context, conn database.TxConn) error {
	if len(c.buffer.bytes) < copyChunk {
		return nil
	}
	return c.send(ctx, conn, insertChunk)
}

func (c *chunks) flush(ctx context.Context, conn database.TxConn) error { return c.send(ctx, conn, 1) }

// send copies the rows into the temporary table, and inserts what is there if that is at
// least this many rows.
func (c *chunks) send(ctx context.Context, conn database.TxConn, least int64) error {
	c.copied += c.buffer.rows
	if err := c.buffer.send(ctx, conn, c.table); err != nil || c.copied < least || c.insert == "" {
		return err
	}
	c.copied = 0
	_, err := conn.Exec(ctx, c.insert)
	return err
}

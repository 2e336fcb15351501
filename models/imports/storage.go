package imports

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"strconv"
	"strings"
	"time"

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

	// sortMemory is enough to sort a chunk. On disk, sorting takes longer and disturbs
	// concurrent readers.
	sortMemory = `SET LOCAL work_mem = '128MB'`
)

// recordColumns are the columns of a record, in the order of copyBuffer.record.
var recordColumns = func() string {
	var names []string
	for _, column := range format.Columns {
		names = append(names, column.Name)
	}
	return strings.Join(names, ", ")
}()

var errDryRun = errors.New("dry run")

// transact runs f in one transaction, which stores nothing if f returns errDryRun.
func transact(ctx context.Context, db *database.DB, f func(*database.Writing) error) error {
	if err := db.Write(ctx, f); !errors.Is(err, errDryRun) {
		return models.Wrap(err)
	}
	return nil
}

// storeRecords stores the file's records as transactions of their owners, or as held. COPY cannot
// write to a table under row-level security, so the rows go to a temporary table first.
func (j *deliveryImport) storeRecords(w *database.Writing) error {
	if _, err := w.Conn.Exec(j.ctx, sortMemory+`; CREATE TEMPORARY TABLE arriving_held
		(LIKE held_records INCLUDING DEFAULTS) ON COMMIT DROP`); err != nil {
		return err
	}
	records := chunks{
		table:  "arriving_records (organization_id, delivery_file_id, " + recordColumns + ")",
		insert: `SELECT records_store()`,
	}
	held := chunks{
		table: "arriving_held (delivery_id, only_organization_id, " + recordColumns + ")",
		insert: `INSERT INTO held_records (delivery_id, only_organization_id, ` + recordColumns + `)
			SELECT delivery_id, only_organization_id, ` + recordColumns + ` FROM arriving_held; TRUNCATE arriving_held`,
	}
	files := map[uuid.UUID]uuid.UUID{} // by organization
	if err := j.again(func(r *format.Record) error {
		if j.have.has(r.Index) {
			return nil
		}
		owners := j.owners[string(r.CVR)]
		for _, organizationID := range owners {
			file, opened := files[organizationID]
			if !opened {
				if err := w.Conn.QueryRow(j.ctx, `SELECT file_open($1, $2, $3)`, organizationID, j.done.ID, j.content.end).
					Scan(&file); err != nil {
					return err
				}
				files[organizationID] = file
			}
			records.buffer.uuid(organizationID)
			records.buffer.uuid(file)
			records.buffer.record(r)
			if err := records.added(j.ctx, w.Conn); err != nil {
				return err
			}
			j.done.Stored++
		}
		switch {
		case len(owners) > 0:
			return nil
		case j.known[string(r.CVR)]:
			if j.Organization != nil {
				j.done.Others++
			}
			return nil
		}
		j.done.Held++
		held.buffer.uuid(j.done.ID)
		if j.Organization == nil {
			held.buffer.null()
		} else {
			held.buffer.uuid(j.Organization.ID)
		}
		held.buffer.record(r)
		return held.added(j.ctx, w.Conn)
	}); err != nil {
		return err
	}
	if err := records.flush(j.ctx, w.Conn); err != nil {
		return err
	}
	return held.flush(j.ctx, w.Conn)
}

// Share is what one organization has of a delivery.
type Share struct {
	OrganizationID uuid.UUID
	Slug           string
	Records        int64
	TotalAmountDKK string `gorm:"column:total_amount_dkk"`
	ArrivedAt      *time.Time
	Withdrawn      *string // the reason, if it was withdrawn from this organization
	// What a withdrawal's mail names: the days of the records, the first of the files, and when it was.
	FirstDate, LastDate, FileID string
	At                          time.Time
}

// arrived counts the records that were stored in the totals, and returns what each organization got.
func arrived(ctx context.Context, w *database.Writing) ([]Share, error) {
	return shares(ctx, w, `move_totals(1)`)
}

// shares calls a function that moves totals, and returns what each organization got or
// lost, in order of the organizations' slugs.
func shares(ctx context.Context, w *database.Writing, call string, args ...any) ([]Share, error) {
	rows, err := w.Conn.Query(ctx, `SELECT s.organization_id, o.slug, s.records, s.amount::text AS total_amount_dkk,
			s.first_date::text, s.last_date::text, s.file_id::text, clock_timestamp() AS at
		FROM `+call+` s JOIN organizations o ON o.id = s.organization_id ORDER BY o.slug`, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByNameLax[Share])
}

// chunks fills a temporary table, and calls insert to move its rows into the real one.
type chunks struct {
	buffer copyBuffer
	copied int64 // rows, since the last insert
	table  string
	insert string // empty to leave them there
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
	_, err := conn.PgConn().CopyFrom(ctx, bytes.NewReader(c.buffer.bytes), "COPY "+c.table+" FROM STDIN")
	c.copied += c.buffer.rows
	c.buffer.bytes, c.buffer.rows = c.buffer.bytes[:0], 0
	if err != nil || c.copied < least || c.insert == "" {
		return err
	}
	c.copied = 0
	_, err = conn.Exec(ctx, c.insert)
	return err
}

// copyBuffer collects rows in the text format of COPY.
type copyBuffer struct {
	bytes []byte
	field []byte
	rows  int64
}

var copyEscapes = strings.NewReplacer(`\`, `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

func (b *copyBuffer) text(value []byte) {
	if bytes.IndexByte(value, '\\') >= 0 || bytes.IndexByte(value, '\t') >= 0 || bytes.IndexByte(value, '\n') >= 0 ||
		bytes.IndexByte(value, '\r') >= 0 {
		value = []byte(copyEscapes.Replace(string(value)))
	}
	b.bytes = append(append(b.bytes, value...), '\t')
}

func (b *copyBuffer) integer(value int64) {
	b.bytes = append(strconv.AppendInt(b.bytes, value, 10), '\t')
}

func (b *copyBuffer) uuid(id uuid.UUID) {
	b.bytes = append(hex.AppendEncode(b.bytes, id[:]), '\t')
}

func (b *copyBuffer) null() { b.bytes = append(b.bytes, `\N`+"\t"...) }

// record adds the fields of a record, which end the row.
func (b *copyBuffer) record(r *format.Record) {
	for _, column := range format.Columns {
		b.field = column.Append(b.field[:0], r)
		b.text(b.field)
	}
	b.end()
}

func (b *copyBuffer) end() {
	b.bytes[len(b.bytes)-1] = '\n'
	b.rows++
}

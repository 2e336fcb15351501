package imports

import (
	"bytes"
	"context"
	"encoding/hex"
	"strconv"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"dispo/models/imports/format"
)

// copyBuffer collects rows in the text format of COPY.
type copyBuffer struct {
	bytes []byte
	rows  int64
}

func (b *copyBuffer) text(value []byte) {
	start := len(b.bytes)
	b.bytes = append(b.bytes, value...)
	if bytes.IndexByte(value, '\\') >= 0 || bytes.IndexByte(value, '\t') >= 0 || bytes.IndexByte(value, '\n') >= 0 || bytes.IndexByte(value, '\r') >= 0 {
		b.bytes = b.bytes[:start]
		for _, c := range value {
			switch c {
			case '\\':
				b.bytes = append(b.bytes, `\\`...)
			case '\t':
				b.bytes = append(b.bytes, `\t`...)
			case '\n':
				b.bytes = append(b.bytes, `\n`...)
			case '\r':
				b.bytes = append(b.bytes, `\r`...)
			default:
				b.bytes = append(b.bytes, c)
			}
		}
	}
	b.bytes = append(b.bytes, '\t')
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
	b.integer(r.Index)
	b.integer(r.Count)
	b.text(r.DispositionDate)
	b.text(r.CVR)
	b.text(r.RegNumber)
	b.text(r.AccountNumber)
	b.text(r.TransferType)
	b.text(r.Amount)
	b.text(r.RawLine)
	b.end()
}

// end ends the row.
func (b *copyBuffer) end() {
	b.bytes[len(b.bytes)-1] = '\n'
	b.rows++
}

// send copies the rows into the table and empties the buffer.
func (b *copyBuffer) send(ctx context.Context, conn *pgx.Conn, table string) error {
	_, err := conn.PgConn().CopyFrom(ctx, bytes.NewReader(b.bytes), "COPY "+table+" FROM STDIN")
	b.bytes, b.rows = b.bytes[:0], 0
	return err
}

package imports

import (
	"bytes"
	"context"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"dispo/models/database"
	"dispo/models/imports/format"
)

// copyBuffer collects rows in the text format of COPY.
type copyBuffer struct {
	bytes []byte
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

// recordColumns are the columns of a record, in the order of record.
const recordColumns = "record_index, count, disposition_date, cvr, reg_number, account_number, transfer_type, amount_dkk, raw_line"

// record adds the fields of a record, which end the row.
func (b *copyBuffer) record(r *format.Record) {
	b.integer(r.Index)
	b.integer(r.Count)
	for _, field := range [...][]byte{r.DispositionDate, r.CVR, r.RegNumber, r.AccountNumber, r.TransferType, r.Amount, r.RawLine} {
		b.text(field)
	}
	b.end()
}

func (b *copyBuffer) end() {
	b.bytes[len(b.bytes)-1] = '\n'
	b.rows++
}

// send copies the rows into the table and empties the buffer.
func (b *copyBuffer) send(ctx context.Context, conn database.TxConn, table string) error {
	_, err := conn.PgConn().CopyFrom(ctx, bytes.NewReader(b.bytes), "COPY "+table+" FROM STDIN")
	b.bytes, b.rows = b.bytes[:0], 0
	return err
}

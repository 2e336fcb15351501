package models

import (
	"bytes"
	"context"
	"encoding/hex"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// write runs f in a transaction that alone writes these organizations' data: it
// holds their rows from here to its end, so that what it commits comes after all
// that was committed before, and gives f the sequence that each one's ids come
// from. Locks are taken in order of id: two writers never wait for each other.
func (s *Store) write(ctx context.Context, organizationIDs []uuid.UUID, f func(tx pgx.Tx, ids map[uuid.UUID]*idSequence) error) error {
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return wrap(err)
	}
	// A commit that was cancelled would leave it open whether it was done.
	certain := context.WithoutCancel(ctx)
	defer func() { _ = tx.Rollback(certain) }() // does nothing after the commit
	ids := make(map[uuid.UUID]*idSequence, len(organizationIDs))
	rows, err := tx.Query(ctx, `SELECT id, last_id FROM organizations WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`, organizationIDs)
	if err != nil {
		return wrap(err)
	}
	var id, last uuid.UUID
	if _, err := pgx.ForEachRow(rows, []any{&id, &last}, func() error {
		ids[id] = &idSequence{last: last, now: time.Now}
		return nil
	}); err != nil {
		return wrap(err)
	}
	if len(ids) < len(organizationIDs) {
		return NewError(KindNotFound, "the organization is not there any more")
	}
	if err := f(tx, ids); err != nil {
		return wrap(err)
	}
	lasts := make([]uuid.UUID, len(organizationIDs))
	for i, id := range organizationIDs {
		lasts[i] = ids[id].last
	}
	if _, err = tx.Exec(ctx, `UPDATE organizations o SET last_id = u.last FROM unnest($1::uuid[], $2::uuid[]) AS u (id, last)
		WHERE o.id = u.id AND o.last_id < u.last`, organizationIDs, lasts); err != nil {
		return wrap(err)
	}
	return wrap(tx.Commit(certain))
}

// copyBuffer gathers rows in the text format of COPY.
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

// end ends the row.
func (b *copyBuffer) end() {
	b.bytes[len(b.bytes)-1] = '\n'
	b.rows++
}

// send copies what was gathered into the table, and starts anew.
func (b *copyBuffer) send(ctx context.Context, tx pgx.Tx, table string) error {
	_, err := tx.Conn().PgConn().CopyFrom(ctx, bytes.NewReader(b.bytes), "COPY "+table+" FROM STDIN")
	b.bytes, b.rows = b.bytes[:0], 0
	return err
}

// sortedIDs gives ids in their order, each once.
func sortedIDs(ids []uuid.UUID) []uuid.UUID {
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(ids)
}

package models

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/google/uuid"
)

// fetch reads rows of the organization's: the API's own reads, of which there are
// many. It is a query at its least cost. The statement is prepared on each
// connection as it is first used there; arguments and columns go in PostgreSQL's
// binary format, where pgx would look for a way to convert each of them anew; and
// ctx's deadline is set on the connection, instead of being watched. A ctx that
// ends before its deadline ends the wait for a connection alone.
func (t Tenant) fetch(ctx context.Context, sql string, arguments [][]byte, scan func(*row)) (err error) {
	conn, err := t.store.pool.Acquire(t.bind(ctx))
	if err != nil {
		return wrap(err)
	}
	defer conn.Release()
	statement, err := conn.Conn().Prepare(ctx, sql, sql)
	if err != nil {
		return wrap(err)
	}
	server := conn.Conn().PgConn()
	if deadline, ok := ctx.Deadline(); ok {
		err = server.Conn().SetDeadline(deadline)
		defer func() { err = errors.Join(err, server.Conn().SetDeadline(time.Time{})) }()
	}
	rows := server.ExecStatement(context.Background(), statement, arguments, binaryFormat, binaryFormat)
	for rows.NextRow() {
		scan(&row{rows.Values()})
	}
	if _, err := rows.Close(); err != nil {
		// Whatever it was: the next one begins on a connection, and with a statement, of its own.
		_ = conn.Conn().Close(ctx)
		return wrap(err)
	}
	return nil
}

var binaryFormat = []int16{1}

// row reads the columns of a row, one after the other, in PostgreSQL's binary
// format. A column of another type than the one asked for is a mistake in the query.
type row struct{ columns [][]byte }

func (r *row) column() []byte {
	column := r.columns[0]
	r.columns = r.columns[1:]
	return column
}

func (r *row) id() uuid.UUID      { return uuid.UUID(r.column()) }
func (r *row) text() string       { return string(r.column()) }
func (r *row) truth() bool        { return r.column()[0] != 0 }
func (r *row) integer() int64     { return int64(binary.BigEndian.Uint64(r.column())) }
func (r *row) instant() time.Time { return time.UnixMicro(epoch.UnixMicro() + r.integer()).UTC() }

// day is midnight of the day, in UTC.
func (r *row) day() time.Time {
	days := int32(binary.BigEndian.Uint32(r.column()))
	return time.Unix(epoch.Unix()+int64(days)*24*60*60, 0).UTC()
}

// epoch is what PostgreSQL counts days and microseconds from.
var epoch = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// orNull reads a column that may be null.
func orNull[T any](r *row, read func(*row) T) *T {
	if r.columns[0] == nil {
		r.columns = r.columns[1:]
		return nil
	}
	value := read(r)
	return &value
}

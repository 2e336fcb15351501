package models

import (
	"context"
	"encoding/binary"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// fetch reads rows of the organization's: the API's own reads, of which there are
// many. It is a query at its least cost. The statement is prepared on each
// connection as it is first used there; arguments and columns go in PostgreSQL's
// binary format, where pgx would look for a way to convert each of them anew; a
// connection that worked for another organization is told so in the same message;
// and ctx's deadline is set on the connection, instead of being watched. A ctx that
// ends before its deadline ends the wait for a connection alone.
func (t Tenant) fetch(ctx context.Context, sql string, arguments [][]byte, scan func(*row)) error {
	conn, err := t.store.pool.Acquire(context.WithValue(ctx, toldByFetchKey{}, true))
	if err != nil {
		return wrap(err)
	}
	defer conn.Release()
	if err := t.fetchOn(ctx, conn.Conn(), sql, arguments, scan); err != nil {
		// Whatever it was: the next one begins on a connection, and with a statement, of its own.
		_ = conn.Conn().Close(ctx)
		return wrap(err)
	}
	return nil
}

func (t Tenant) fetchOn(ctx context.Context, conn *pgx.Conn, sql string, arguments [][]byte, scan func(*row)) error {
	statement, err := conn.Prepare(ctx, sql, sql)
	if err != nil {
		return err
	}
	server := conn.PgConn()
	deadline, bounded := ctx.Deadline()
	if bounded {
		if err := server.Conn().SetDeadline(deadline); err != nil {
			return err
		}
	}
	if custom := server.CustomData(); custom[toldOrganization] == t.organizationID {
		rows := server.ExecStatement(context.Background(), statement, arguments, binaryFormat, binaryFormat)
		scanAll(rows, scan)
		_, err = rows.Close()
	} else {
		tell, failed := conn.Prepare(ctx, tellSQL, tellSQL)
		if failed != nil {
			return failed
		}
		var batch pgconn.Batch // one transaction: the query works for whom it was told
		batch.ExecStatement(tell, [][]byte{[]byte(tellText(t.organizationID))}, nil, nil)
		batch.ExecStatement(statement, arguments, binaryFormat, binaryFormat)
		results := server.ExecBatch(context.Background(), &batch)
		if results.NextResult() {
			scanAll(results.ResultReader(), func(*row) {})
		}
		if results.NextResult() {
			scanAll(results.ResultReader(), scan)
		}
		err = results.Close()
		custom[toldOrganization] = t.organizationID
	}
	if err == nil && bounded {
		err = server.Conn().SetDeadline(time.Time{})
	}
	return err
}

func scanAll(rows *pgconn.ResultReader, scan func(*row)) {
	for rows.NextRow() {
		scan(&row{rows.Values()})
	}
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

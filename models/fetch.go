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
// many. It is a query at its least cost. Those that come at once go together
// (rounds). The statement is prepared on each connection as it is first used there;
// arguments and columns go in PostgreSQL's binary format, where pgx would look for
// a way to convert each of them anew; a connection that worked for another
// organization is told so in the same message; and ctx's deadline is set on the
// connection, instead of being watched. A ctx that ends before its deadline ends
// no more than the wait for a round or a connection. It gives the number of rows.
func (t Tenant) fetch(r *read) (rows int, err error) {
	r.organizationID = t.organizationID
	err = t.store.rounds.do(r)
	return r.rows, err
}

// fetchAll asks for all reads in one message, which is one transaction: each works
// for the organization that the connection was told of last, its own. The time is
// the one that the first of their deadlines leaves.
func fetchAll(conn *pgx.Conn, reads []*read) error {
	var deadline time.Time
	for _, r := range reads {
		if its, bounded := r.ctx.Deadline(); bounded && (deadline.IsZero() || its.Before(deadline)) {
			deadline = its
		}
	}
	ctx := context.Background() // it is the connection that has the deadline
	server := conn.PgConn()
	if err := server.Conn().SetDeadline(deadline); err != nil {
		return err
	}
	custom := server.CustomData()
	told, _ := custom[toldOrganization].(uuid.UUID)
	var batch pgconn.Batch
	for _, r := range reads {
		if r.tell = r.organizationID != told; r.tell {
			tell, err := conn.Prepare(ctx, tellSQL, tellSQL)
			if err != nil {
				return err
			}
			told = r.organizationID
			batch.ExecStatement(tell, [][]byte{[]byte(tellText(told))}, nil, nil)
		}
		statement, err := conn.Prepare(ctx, r.sql, r.sql)
		if err != nil {
			return err
		}
		batch.ExecStatement(statement, r.arguments, binaryFormat, binaryFormat)
	}
	results := server.ExecBatch(ctx, &batch)
	for _, r := range reads {
		if r.tell && results.NextResult() {
			results.ResultReader().Read()
		}
		if results.NextResult() {
			r.take(results.ResultReader())
		}
	}
	if err := results.Close(); err != nil {
		return err
	}
	custom[toldOrganization] = told
	return server.Conn().SetDeadline(time.Time{})
}

func (r *read) take(rows *pgconn.ResultReader) {
	for r.rows = 0; rows.NextRow(); r.rows++ {
		r.scan(r.rows, &row{rows.Values()})
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

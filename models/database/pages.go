package database

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// One in so many connections is kept for pages, and one for exports.
const (
	pagesShare   = 4
	exportsShare = 5
)

// splitOff takes a share of the connections from a pool that is to be opened, and returns
// the configuration of another pool for them. The API's reads then never wait for a
// connection that shows somebody a page or writes an export, and together the pools open
// no more connections than the operator allows. It returns nil if there is nothing to
// share.
func splitOff(config *pgxpool.Config, share int32) *pgxpool.Config {
	if config.MaxConns < 2 {
		return nil
	}
	other := config.Copy()
	other.MaxConns = max(1, share)
	other.MinConns, other.MinIdleConns = 0, 0
	config.MaxConns -= other.MaxConns
	config.MinConns = min(config.MinConns, config.MaxConns)
	config.MinIdleConns = min(config.MinIdleConns, config.MaxConns)
	return other
}

// Pages returns the database over the connections that are kept for pages, or db itself
// if none are. It shares db's feed and is closed with it.
func (db *DB) Pages() *DB {
	if db.pages == nil {
		return db
	}
	return db.pages
}

// Exports returns the database over the connections that are kept for exports, or the
// pages' if there are too few for that. It shares db's feed and is closed with it.
func (db *DB) Exports() *DB {
	if db.exports == nil {
		return db.Pages()
	}
	return db.exports
}

// CutOff reports whether the server ended a statement because it took too long.
func CutOff(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && server.Code == "57014" // query_canceled
}

package database

import (
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// pagesShare is the part of the connections that pages get: one in so many.
const pagesShare = 4

// splitOff takes the pages' share of the connections from a pool that is to be opened,
// and returns the configuration of another pool for them. The API's reads then never
// wait for a connection that shows somebody a page, and together the pools open no more
// connections than the operator allows. It returns nil if there is nothing to share.
func splitOff(config *pgxpool.Config, wanted bool) *pgxpool.Config {
	if !wanted || config.MaxConns < 2 {
		return nil
	}
	pages := config.Copy()
	pages.MaxConns = max(1, config.MaxConns/pagesShare)
	pages.MinConns, pages.MinIdleConns = 0, 0
	config.MaxConns -= pages.MaxConns
	config.MinConns = min(config.MinConns, config.MaxConns)
	config.MinIdleConns = min(config.MinIdleConns, config.MaxConns)
	return pages
}

// Pages returns the database over the connections that are kept for pages, or db itself
// if none are. It shares db's feed and is closed with it.
func (db *DB) Pages() *DB {
	if db.pages == nil {
		return db
	}
	return db.pages
}

// CutOff reports whether the server ended a statement because it took too long.
func CutOff(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && server.Code == "57014" // query_canceled
}

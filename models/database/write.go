package database

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// ErrNoOrganization means that an organization to write for does not exist.
var ErrNoOrganization = errors.New("the organization no longer exists")

// NewID returns a new UUIDv7. An organization's companies, files, transactions and changes get
// theirs from the database, in the order of its commits.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// Writing is a transaction that writes data of organizations.
type Writing struct {
	// Conn is the transaction for COPY, and for SQL that GORM has no words for.
	Conn TxConn
	// ORM is the same transaction for GORM, for short statements: they cannot be
	// cancelled. It crosses organizations.
	ORM *gorm.DB

	turnsTaken bool
}

// TakeTurns waits until nobody else writes for the organizations, each given once. From then on
// it is the transaction's turn, so what it commits comes after everything that was committed
// before. Only then may it call the functions of the database that store and withdraw. Errors:
// pgx's and ErrNoOrganization.
func (w *Writing) TakeTurns(ctx context.Context, organizationIDs ...uuid.UUID) error {
	if err := w.Conn.QueryRow(ctx, `SELECT turns_take($1)`, organizationIDs).Scan(&w.turnsTaken); err != nil {
		return err
	}
	if !w.turnsTaken {
		return ErrNoOrganization
	}
	return nil
}

// Write runs f in one transaction, and at its end stores what has changed of the organizations
// whose turn it has taken. If f returns an error, nothing is stored. The errors are f's, pgx's
// and GORM's.
func (db *DB) Write(ctx context.Context, f func(*Writing) error) error {
	sqlDB, err := db.orm.DB()
	if err != nil {
		return err
	}
	conn, err := sqlDB.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	w := &Writing{}
	if err := conn.Raw(func(driver any) error {
		w.Conn = TxConn{driver.(sqlConn).Conn.Conn()}
		return nil
	}); err != nil {
		return err
	}
	tx, err := w.Conn.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = db.finish(ctx, tx.Rollback) }() // does nothing after the commit
	// When a context ends, database/sql closes what is open on the connection at once,
	// from another goroutine, while pgx may be using it.
	w.ORM = db.orm.Session(&gorm.Session{NewDB: true, Context: WithOperator(context.WithoutCancel(ctx))})
	w.ORM.Statement.ConnPool = conn
	if err := f(w); err != nil {
		return err
	}
	if w.turnsTaken {
		if _, err = w.Conn.Exec(ctx, `SELECT turns_end()`); err != nil {
			return err
		}
	}
	err = db.finish(ctx, tx.Commit)
	if Unavailable(err) {
		err = fmt.Errorf("it is not known whether the changes were stored: %w", err)
	}
	return err
}

// finish ends a transaction even if its caller gives up: if a commit were cancelled,
// nobody would know whether it was done. But a server that has gone silent does not
// keep the caller forever.
func (db *DB) finish(ctx context.Context, end func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), db.finishTimeout)
	defer cancel()
	return end(ctx)
}

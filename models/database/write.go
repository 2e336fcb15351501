package database

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// ErrNoOrganization means that an organization to write for does not exist.
var ErrNoOrganization = errors.New("the organization no longer exists")

// Writing is a transaction that is the only writer of some organizations' data.
type Writing struct {
	// Conn is the transaction for COPY, and for SQL that GORM has no words for.
	Conn TxConn
	// ORM is the same transaction for GORM, for short statements: they cannot be
	// cancelled. It crosses organizations.
	ORM *gorm.DB

	ids map[uuid.UUID]*IDs
}

// IDs returns the ids of one of the organizations.
func (w *Writing) IDs(organizationID uuid.UUID) *IDs { return w.ids[organizationID] }

// Write runs choose and then write in one transaction. choose returns the
// organizations to write for, each once and in order of id (see SortIDs). From then
// on it is the transaction's turn to write for them, so what it commits comes after
// everything that was committed before. Turns are taken in order of id, so that two writers never
// wait for each other. If write returns an error, nothing is stored. The errors are
// those of choose and write, pgx's, GORM's and ErrNoOrganization.
func (db *DB) Write(ctx context.Context, choose func(*Writing) ([]uuid.UUID, error), write func(*Writing) error) error {
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
	organizationIDs, err := choose(w)
	if err != nil {
		return err
	}
	if err := w.takeTurns(ctx, organizationIDs); err != nil {
		return err
	}
	if err := write(w); err != nil {
		return err
	}
	lasts := make([]uuid.UUID, len(organizationIDs))
	for i, id := range organizationIDs {
		lasts[i] = w.ids[id].last
	}
	if _, err = w.Conn.Exec(
		ctx,
		`UPDATE organizations o SET last_id = u.last FROM unnest($1::uuid[], $2::uuid[]) AS u (id, last)
		WHERE o.id = u.id AND o.last_id < u.last`,
		organizationIDs,
		lasts,
	); err != nil {
		return err
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

// takeTurns waits until nobody else writes for the organizations, and prepares their ids.
func (w *Writing) takeTurns(ctx context.Context, organizationIDs []uuid.UUID) error {
	taken, err := w.Conn.Exec(
		ctx,
		`SELECT FROM writers WHERE organization_id = ANY($1) ORDER BY organization_id FOR UPDATE`,
		organizationIDs,
	)
	if err != nil {
		return err
	}
	w.ids = make(map[uuid.UUID]*IDs, len(organizationIDs))
	// A statement of its own sees what was committed while the one above waited.
	rows, err := w.Conn.Query(ctx, `SELECT id, last_id FROM organizations WHERE id = ANY($1)`, organizationIDs)
	if err != nil {
		return err
	}
	if err := EachRow(rows, func(o *struct{ ID, LastID uuid.UUID }) error {
		w.ids[o.ID] = NewIDs(o.LastID)
		return nil
	}); err != nil {
		return err
	}
	if n := len(organizationIDs); len(w.ids) < n || int(taken.RowsAffected()) < n {
		return ErrNoOrganization
	}
	return nil
}

// SortIDs returns the ids in order, each once.
func SortIDs(ids []uuid.UUID) []uuid.UUID {
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(ids)
}

package database

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// ErrNoOrganization means that an organization to write for does not exist.
var ErrNoOrganization = errors.New("the organization no longer exists")

// Write runs f in a transaction that is the only writer of these organizations'
// data. It holds their row locks to its end, so what it commits comes after
// everything that was committed before, and it gives f the ids of each
// organization. Locks are taken in order of id, so that two writers never wait for
// each other. The errors are f's, pgx's and ErrNoOrganization.
func (db *DB) Write(ctx context.Context, organizationIDs []uuid.UUID, f func(tx pgx.Tx, ids map[uuid.UUID]*IDs) error) error {
	tx, err := db.Pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = db.finish(ctx, tx.Rollback) }() // does nothing after the commit
	ids, err := lockOrganizations(ctx, tx, organizationIDs)
	if err != nil {
		return err
	}
	if err := f(tx, ids); err != nil {
		return err
	}
	lasts := make([]uuid.UUID, len(organizationIDs))
	for i, id := range organizationIDs {
		lasts[i] = ids[id].last
	}
	if _, err = tx.Exec(ctx, `UPDATE organizations o SET last_id = u.last FROM unnest($1::uuid[], $2::uuid[]) AS u (id, last)
		WHERE o.id = u.id AND o.last_id < u.last`, organizationIDs, lasts); err != nil {
		return err
	}
	if err := db.finish(ctx, tx.Commit); err != nil {
		if Unavailable(err) {
			err = fmt.Errorf("it is not known whether the changes were stored: %w", err)
		}
		return err
	}
	return nil
}

// finish ends a transaction even if its caller gives up: if a commit were cancelled,
// nobody would know whether it was done. But a server that has gone silent does not
// keep the caller for good.
func (db *DB) finish(ctx context.Context, end func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), db.finishTimeout)
	defer cancel()
	return end(ctx)
}

func lockOrganizations(ctx context.Context, tx pgx.Tx, organizationIDs []uuid.UUID) (map[uuid.UUID]*IDs, error) {
	ids := make(map[uuid.UUID]*IDs, len(organizationIDs))
	rows, err := tx.Query(ctx, `SELECT id, last_id FROM organizations WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`, organizationIDs)
	if err != nil {
		return nil, err
	}
	var id, last uuid.UUID
	if _, err := pgx.ForEachRow(rows, []any{&id, &last}, func() error {
		ids[id] = &IDs{last: last, now: time.Now}
		return nil
	}); err != nil {
		return nil, err
	}
	if len(ids) < len(organizationIDs) {
		return nil, ErrNoOrganization
	}
	return ids, nil
}

// SortIDs returns the ids in order, each once.
func SortIDs(ids []uuid.UUID) []uuid.UUID {
	slices.SortFunc(ids, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) })
	return slices.Compact(ids)
}

package keys

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"dispo/models/database"
)

// write stores the batch in one transaction, so that it can be retried as a whole.
// It crosses organizations, by functions that accept a key's own organization only.
func (b batch) write(ctx context.Context, pool *pgxpool.Pool) error {
	if err := b.writeTests(ctx, pool); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if err := b.writeLastUses(ctx, tx); err != nil {
			return err
		}
		if err := b.writeCounts(ctx, tx); err != nil {
			return err
		}
		if err := b.writeCallers(ctx, tx); err != nil {
			return err
		}
		return b.writeRefused(ctx, tx)
	})
}

// writeTests has a transaction of its own, because it locks other keys than the last
// uses do. Writing it twice changes nothing.
func (b batch) writeTests(ctx context.Context, pool *pgxpool.Pool) error {
	if len(b.tests) == 0 {
		return nil
	}
	var keys []uuid.UUID
	var times []time.Time
	for id, at := range b.tests {
		keys, times = append(keys, id), append(times, at)
	}
	_, err := pool.Exec(ctx, `SELECT api_keys_tested($1, $2)`, keys, times)
	return err
}

func (b batch) writeLastUses(ctx context.Context, tx pgx.Tx) error {
	var keys []uuid.UUID
	var times []time.Time
	var addresses, userAgents []string
	for id, use := range b.callers.lastUses() {
		keys, times = append(keys, id), append(times, use.lastUsed)
		addresses, userAgents = append(addresses, use.address), append(userAgents, use.userAgent)
	}
	_, err := tx.Exec(ctx, `SELECT api_keys_used($1, $2, $3, $4)`, keys, times, addresses, userAgents)
	return err
}

func (b batch) writeCallers(ctx context.Context, tx pgx.Tx) error {
	var organizations, keys []uuid.UUID
	var addresses, clients, userAgents []string
	var first, last []time.Time
	var used, refusals []*time.Time // nil if there was none
	var requests, refused []int64
	for id, use := range b.callers.named() {
		organizations, keys = append(organizations, use.organizationID), append(keys, id.keyID)
		addresses, clients, userAgents = append(addresses, id.address), append(clients, id.client), append(userAgents, use.userAgent)
		first, last = append(first, use.firstSeen), append(last, use.lastSeen())
		used, refusals = append(used, orNil(use.lastUsed)), append(refusals, orNil(use.lastRefused))
		requests, refused = append(requests, use.requests), append(refused, use.refused)
	}
	_, err := tx.Exec(ctx, `SELECT key_callers_add($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		organizations, keys, addresses, clients, userAgents, first, last, used, refusals, requests, refused)
	return err
}

func orNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func (b batch) writeCounts(ctx context.Context, tx pgx.Tx) error {
	var organizations, keys []uuid.UUID
	var hours []time.Time
	var requests, refused []int64
	for key, counted := range b.counts {
		organizations, keys, hours = append(organizations, key.organizationID), append(keys, key.keyID), append(hours, time.Unix(key.hour, 0))
		requests, refused = append(requests, counted.requests), append(refused, counted.refused)
	}
	_, err := tx.Exec(ctx, `SELECT key_usage_add($1, $2, $3, $4, $5)`, organizations, keys, hours, requests, refused)
	return err
}

func (b batch) writeRefused(ctx context.Context, tx pgx.Tx) error {
	if len(b.refused) == 0 {
		return nil
	}
	var organizations, ids, keys []uuid.UUID
	var times []time.Time
	var statuses []int32
	var methods, paths, addresses, userAgents []string
	for _, r := range b.refused {
		organizations, ids, keys = append(organizations, r.caller.OrganizationID), append(ids, database.NewID()), append(keys, r.caller.KeyID)
		times, statuses = append(times, r.at), append(statuses, int32(r.request.Status))
		methods, paths = append(methods, r.request.Method), append(paths, r.request.Path)
		addresses, userAgents = append(addresses, r.request.Address), append(userAgents, r.request.UserAgent)
	}
	_, err := tx.Exec(ctx, `SELECT refused_requests_add($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
		organizations, ids, times, keys, statuses, methods, paths, addresses, userAgents)
	return err
}

package keys

import (
	"cmp"
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"dispo/models/database"
)

// row is a row of a table, by column. The functions that store rows get them as JSON.
type row map[string]any

// write stores the batch. All but the tests is one transaction, so that it can be retried
// as a whole. It crosses organizations, by functions that accept a key's own organization
// only.
func (b batch) write(ctx context.Context, pool *pgxpool.Pool) error {
	var tests, lastUses, counts, callers, refused []row
	for id, at := range b.tests {
		tests = append(tests, row{"id": id, "tested_at": at})
	}
	for id, use := range b.callers.lastUses() {
		lastUses = append(lastUses, row{"id": id, "last_used_at": use.lastUsed, "last_used_address": use.address, "last_used_user_agent": use.userAgent})
	}
	for key, counted := range b.counts {
		counts = append(counts, row{
			"organization_id": key.organizationID, "key_id": key.keyID, "hour": time.Unix(key.hour, 0), "requests": counted.requests, "refused": counted.refused,
		})
	}
	for id, use := range b.callers.named() {
		caller := row{
			"organization_id": use.organizationID, "key_id": id.keyID, "address": id.address, "client": id.client, "user_agent": use.userAgent,
			"first_seen": use.firstSeen, "last_seen": use.lastSeen(), "requests": use.requests, "refused": use.refused,
		}
		if !use.lastUsed.IsZero() {
			caller["last_used"] = use.lastUsed
		}
		if !use.lastRefused.IsZero() {
			caller["last_refused"] = use.lastRefused
		}
		callers = append(callers, caller)
	}
	for _, r := range b.refused {
		refused = append(refused, row{
			"organization_id": r.caller.OrganizationID, "id": database.NewID(), "at": r.at, "key_id": r.caller.KeyID, "status": r.request.Status, "reason": r.request.Reason,
			"method": r.request.Method, "path": r.request.Path, "address": r.request.Address, "user_agent": r.request.UserAgent,
		})
	}
	// The tests lock other keys than the last uses do. Writing them twice changes nothing.
	if err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error { return store(ctx, tx, "api_keys_tested", tests) }); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		return cmp.Or(store(ctx, tx, "api_keys_used", lastUses), store(ctx, tx, "key_usage_add", counts),
			store(ctx, tx, "key_callers_add", callers), store(ctx, tx, "refused_requests_add", refused))
	})
}

func store(ctx context.Context, tx pgx.Tx, function string, rows []row) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `SELECT `+function+`($1)`, rows)
	return err
}

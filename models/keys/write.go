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

// write stores the batch in one transaction, so that it can be retried as a whole. It
// crosses organizations, by functions that accept a key's own organization only.
func (b batch) write(ctx context.Context, pool *pgxpool.Pool) error {
	var used, counts, callers, refused []row
	for id, at := range b.tests {
		used = append(used, row{"id": id, "tested_at": at})
	}
	for id, use := range b.callers.lastUses() {
		used = append(used, row{"id": id, "last_used_at": use.lastUsed, "last_used_address": use.address, "last_used_user_agent": use.userAgent})
	}
	for key, counted := range b.counts {
		counts = append(counts, row{
			"organization_id": key.organizationID, "key_id": key.keyID, "hour": time.Unix(key.hour, 0), "requests": counted.requests, "refused": counted.refused,
		})
	}
	for id, use := range b.callers.uses {
		caller := row{
			"organization_id": use.organizationID, "key_id": id.keyID, "address": "", "client": "", "user_agent": use.userAgent,
			"first_seen": use.firstSeen, "last_seen": later(use.lastUsed, use.lastRefused), "last_used": orNull(use.lastUsed), "last_refused": orNull(use.lastRefused),
			"requests": use.requests, "refused": use.refused,
		}
		if id.address != "" {
			caller["address"], caller["client"] = use.address, ClientName(use.userAgent)
		}
		callers = append(callers, caller)
	}
	for _, r := range b.refused {
		refused = append(refused, row{
			"organization_id": r.caller.OrganizationID, "id": database.NewID(), "at": r.at, "key_id": r.caller.KeyID, "status": r.request.Status, "reason": r.request.Reason,
			"method": r.request.Method, "path": r.request.Path, "address": r.request.Address, "user_agent": r.request.UserAgent,
		})
	}
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		return cmp.Or(store(ctx, tx, "api_keys_used", used), store(ctx, tx, "key_usage_add", counts),
			store(ctx, tx, "key_callers_add", callers), store(ctx, tx, "refused_requests_add", refused))
	})
}

func orNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}

func store(ctx context.Context, tx pgx.Tx, function string, rows []row) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `SELECT `+function+`($1)`, rows)
	return err
}

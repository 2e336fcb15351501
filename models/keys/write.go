package keys

import (
	"maps"
	"slices"
	"time"

	"dispo/models/database"
)

// sliceRows is how many rows a slice has, so that it is stored well within a statement's time
// however large the batch is.
const sliceRows = 200

const refusedFunction = "refused_requests_add"

// slice is a part of a batch that is stored, or tried again, at once. Its function crosses
// organizations, and accepts a key's own organization only. It gets the rows as JSON.
type slice struct {
	function string
	rows     func() []row
}

// row is a row of a table, by column.
type row map[string]any

func sliced[T any](function string, of []T, toRow func(T) row) (all []slice) {
	for part := range slices.Chunk(of, sliceRows) {
		all = append(all, slice{function, func() (rows []row) {
			for _, one := range part {
				rows = append(rows, toRow(one))
			}
			return rows
		}})
	}
	return all
}

// used returns the slices of the last uses and tests of keys. Later changes of the batch do not
// change them.
func (b batch) used() []slice {
	var used []row
	for id, at := range b.tests {
		used = append(used, row{"id": id, "tested_at": at})
	}
	for id, use := range b.callers.lastUses() {
		used = append(used, row{"id": id, "last_used_at": use.lastUsed, "last_used_address": use.address, "last_used_user_agent": use.userAgent})
	}
	return sliced("api_keys_used", used, func(r row) row { return r })
}

// slices returns the slices of a batch that does not change any more, in the order in which they
// matter.
func (b batch) slices() []slice {
	counts := sliced("key_usage_add", slices.Collect(maps.Keys(b.counts)), func(key keyHour) row {
		return row{
			"organization_id": key.organizationID, "key_id": key.keyID, "hour": time.Unix(key.hour, 0), "requests": b.counts[key].requests, "refused": b.counts[key].refused,
		}
	})
	callers := sliced("key_callers_add", slices.Collect(maps.Keys(b.callers.uses)), func(id sender) row {
		use := b.callers.uses[id]
		caller := row{
			"organization_id": use.organizationID, "key_id": id.keyID, "address": "", "client": "", "user_agent": use.userAgent,
			"first_seen": use.firstSeen, "last_seen": later(use.lastUsed, use.lastRefused), "last_used": orNull(use.lastUsed), "last_refused": orNull(use.lastRefused),
			"requests": use.requests, "refused": use.refused,
		}
		if id.address != "" {
			caller["address"], caller["client"] = use.address, ClientName(use.userAgent)
		}
		return caller
	})
	refused := sliced(refusedFunction, b.refused, func(r refusedRequest) row {
		return row{
			"organization_id": r.caller.OrganizationID, "id": database.NewID(), "at": r.at, "key_id": r.caller.KeyID, "status": r.request.Status, "reason": r.request.Reason,
			"method": r.request.Method, "path": r.request.Path, "address": r.request.Address, "user_agent": r.request.UserAgent,
		}
	})
	return slices.Concat(b.used(), counts, callers, refused)
}

func orNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}

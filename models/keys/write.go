package keys

import (
	"slices"
	"time"

	"dispo/models"
	"dispo/models/database"
)

// sliceRows is how many rows a slice has, so that it is stored well within a statement's time
// however large the batch is.
const sliceRows = 200

const (
	refusedFunction = "refused_requests_add"
	servedFunction  = "served_requests_add"
)

// slice is a part of a batch that is stored, or tried again, at once. Its function crosses
// organizations, and accepts a key's own organization only. It gets the rows as JSON.
type slice struct {
	function string
	rows     []row
}

type row map[string]any

func sliced(function string, rows []row) (all []slice) {
	for part := range slices.Chunk(rows, sliceRows) {
		all = append(all, slice{function, part})
	}
	return all
}

// used returns the slices of the last uses and tests of keys.
func (b batch) used() []slice {
	var used []row
	for id, at := range b.tests {
		used = append(used, row{"id": id, "tested_at": at})
	}
	for id, use := range b.senders.lastUses() {
		used = append(used,
			row{"id": id, "last_used_at": use.lastUsed, "last_used_address": use.address, "last_used_user_agent": use.userAgent})
	}
	for id, last := range b.elsewhere {
		used = append(used, row{"id": id, "elsewhere_at": last.at, "elsewhere_address": last.address})
	}
	return sliced("api_keys_used", used)
}

// slices returns the slices of the batch, in the order in which they matter.
func (b batch) slices() []slice {
	var counts, callers, refused, served []row
	for key, counted := range b.counts {
		counts = append(counts, row{
			"organization_id": key.organizationID,
			"key_id":          key.keyID,
			"hour":            time.Unix(key.hour, 0),
			"requests":        counted.requests,
			"refused":         counted.refused,
		})
	}
	for id, use := range b.senders.uses {
		caller := row{
			"organization_id": use.organizationID,
			"key_id":          id.keyID,
			"address":         "",
			"client":          "",
			"user_agent":      use.userAgent,
			"first_seen":      use.firstSeen,
			"last_seen":       later(use.lastUsed, use.lastRefused),
			"last_used":       orNull(use.lastUsed),
			"last_refused":    orNull(use.lastRefused),
			"requests":        use.requests,
			"refused":         use.refused,
			"row_count":       use.rows,
		}
		if id.address != "" {
			caller["address"], caller["client"] = use.address, ClientName(use.userAgent)
		}
		callers = append(callers, caller)
		for _, s := range use.served {
			served = append(served, row{
				"organization_id": use.organizationID,
				"key_id":          id.keyID,
				"at":              s.at,
				"address":         caller["address"],
				"client":          caller["client"],
				"user_agent":      use.userAgent,
				"path":            models.Storable(s.path, servedLength),
				"status":          s.status,
				"row_count":       s.rows,
				"bulk":            s.bulk,
			})
		}
	}
	slices.SortFunc(served, func(a, b row) int { return a["at"].(time.Time).Compare(b["at"].(time.Time)) })
	for _, s := range served { // ids are in order of time
		s["id"] = database.NewID()
	}
	for _, r := range b.refused {
		refused = append(refused, row{
			"organization_id": r.caller.OrganizationID,
			"id":              database.NewID(),
			"at":              r.at,
			"key_id":          r.caller.KeyID,
			"status":          r.request.Status,
			"reason":          r.request.Reason,
			"method":          r.request.Method,
			"path":            r.request.Path,
			"address":         r.request.Address,
			"user_agent":      r.request.UserAgent,
		})
	}
	return slices.Concat(b.used(), sliced("key_usage_add", counts), sliced("key_callers_add", callers),
		sliced(refusedFunction, refused), sliced(servedFunction, served))
}

func orNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t
}

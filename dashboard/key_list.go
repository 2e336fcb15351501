package dashboard

import (
	"cmp"
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/models/i18n"
	"dispo/models/keys"
	"dispo/web"
)

// unusedFor is how long a key that is listed as unused was not used.
const unusedFor = 90 * 24 * time.Hour

// keyOrders are the orders of the list of keys beside that by name. Keys are otherwise
// listed newest first.
var keyOrders = map[string]func(a, b web.KeyRow) int{
	"created":  func(a, b web.KeyRow) int { return b.CreatedAt.Compare(a.CreatedAt) },
	"used":     func(a, b web.KeyRow) int { return b.LastUse.At.Compare(a.LastUse.At) },
	"requests": func(a, b web.KeyRow) int { return cmp.Compare(b.Requests(), a.Requests()) },
	"expires": func(a, b web.KeyRow) int {
		if a.ExpiresAt.IsZero() != b.ExpiresAt.IsZero() { // never comes last
			return map[bool]int{true: 1, false: -1}[a.ExpiresAt.IsZero()]
		}
		return a.ExpiresAt.Compare(b.ExpiresAt)
	},
}

// keyRows returns the rows of all keys, newest first, each with its neighbors in a
// rotation and its requests.
func keyRows(keys []keys.Detail, days map[uuid.UUID][]int64) []web.KeyRow {
	rows, at := make([]web.KeyRow, len(keys)), map[uuid.UUID]*web.KeyRow{}
	for i, key := range keys {
		rows[i] = keyRow(key)
		rows[i].Days, at[key.ID] = days[key.ID], &rows[i]
	}
	for i, key := range keys {
		if key.SuccessorOf == nil {
			continue
		}
		if old := at[*key.SuccessorOf]; old != nil {
			rows[i].Replaces = web.KeyRef{ID: old.ID, Hint: old.Hint}
			if old.ReplacedBy.ID == "" {
				old.ReplacedBy = web.KeyRef{ID: rows[i].ID, Hint: rows[i].Hint}
			}
			markRotation(old, &rows[i])
		}
	}
	return rows
}

// markRotation notes at both keys of a rotation that it is under way.
func markRotation(old, successor *web.KeyRow) {
	if old.SuccessorID == successor.ID && (old.State == web.KeyActive || old.State == web.KeyPaused) {
		old.Rotation, successor.Rotation = old.ID, old.ID
	}
}

// keyMatches reports whether the list that is asked for has the key.
func keyMatches(wanted web.KeysView, key web.KeyRow) bool {
	if wanted.Unused {
		unusedSince := key.CreatedAt
		if key.LastUse.At.After(unusedSince) {
			unusedSince = key.LastUse.At
		}
		if wanted.Now.Sub(unusedSince) < unusedFor {
			return false
		}
	}
	return strings.Contains(i18n.Fold(key.Name+"\n"+key.Hint+"\n"+key.Note), i18n.Fold(wanted.Query))
}

package dashboard

import (
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/dashboard/site"
	"dispo/models/i18n"
	"dispo/models/keys"
	"dispo/models/terms"
	"dispo/web"
)

// unusedFor is how long a key that is listed as unused was not used.
const unusedFor = 90 * 24 * time.Hour

// keysShown is how many keys a page of their list has at most.
const keysShown = 100

// keyPlace is where a key is in the list, as text that sorts: keys that work come first, and
// the newest of equal ones.
func keyPlace(order string, k web.KeyRow) string {
	ascending := func(n int64) string { return fmt.Sprintf("%019d", max(0, n)) }
	descending := func(n int64) string { return ascending(math.MaxInt64 - max(0, n)) }
	var value string
	switch order {
	case "name":
		value = hex.EncodeToString(i18n.SortKey(k.Name))
	case "used":
		value = descending(k.LastUse.At.UnixMicro())
	case "requests":
		value = descending(k.Requests())
	case "expires":
		value = "never"
		if !k.ExpiresAt.IsZero() {
			value = ascending(k.ExpiresAt.UnixMicro())
		}
	}
	id := uuid.MustParse(k.ID)
	for i := range id {
		id[i] = ^id[i]
	}
	return fmt.Sprintf("%t/%s/%s", k.Ended(), value, id)
}

// keyPage sorts the keys that a list has, and leaves the page from the place that is asked
// for, with links to the pages around it. A place stays where it is when its key moves.
func keyPage(r *site.Request, view *web.KeysView) {
	places := map[string]string{}
	for _, k := range view.Keys {
		places[k.ID] = keyPlace(view.Sort, k)
	}
	compare := func(k web.KeyRow, place string) int { return strings.Compare(places[k.ID], place) }
	slices.SortFunc(view.Keys, func(a, b web.KeyRow) int { return compare(a, places[b.ID]) })
	start, _ := slices.BinarySearchFunc(view.Keys, r.Query("from"), compare)
	if start == len(view.Keys) { // those from there on are gone
		start = max(0, start-keysShown)
	}
	end := min(len(view.Keys), start+keysShown)
	link := func(at int) string {
		return "/settings/api-keys?" + view.Kept("from", places[view.Keys[at].ID]).Encode()
	}
	if start > 0 {
		view.Pager.Prev = link(max(0, start-keysShown))
	}
	if end < len(view.Keys) {
		view.Pager.Next = link(end)
	}
	view.Keys = view.Keys[start:end]
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
	if old.SuccessorID == successor.ID && (old.State == terms.KeyActive || old.State == terms.KeyPaused) {
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

// withExpiringKeys tells owners and admins of keys that expire soon.
func withExpiringKeys(page site.Page) site.Page {
	return func(r *site.Request) error {
		if !r.CanManage {
			return page(r)
		}
		expiring, err := keys.Expiring(r.Context(), r.Tenant(), keys.ExpirySoon(r.Now))
		if err != nil {
			return err
		}
		for _, key := range expiring {
			r.Expiring = append(
				r.Expiring,
				web.ExpiringKey{ID: key.ID.String(), Name: key.Name, Hint: key.Hint, ExpiresAt: *key.ExpiresAt},
			)
		}
		return page(r)
	}
}

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

func keyList(r *site.Request) error {
	listed, err := keys.List(r.Context(), r.Tenant())
	if err != nil {
		return err
	}
	days, err := keys.DaysByKey(r.Context(), r.Tenant(), r.Now.In(r.Zone), chartDays)
	if err != nil {
		return err
	}
	calling, err := keys.StillCalling(r.Context(), r.Tenant(), r.Now)
	if err != nil {
		return err
	}
	view := web.KeysView{Frame: r.Frame, Query: strings.TrimSpace(r.Query("q")), Unused: r.Query("unused") == "90"}
	if order := r.Query("sort"); web.KeySorts[order] != "" {
		view.Sort = order
	}
	var found []web.KeyRow
	for _, row := range keyRows(listed, days, calling) {
		if !keyMatches(view, row) {
			continue
		}
		found = append(found, row)
		if row.Folded() {
			view.Ended++
		}
	}
	view.Found = len(found)
	var previous, next string
	view.Keys, previous, next = keyPage(found, view.Sort, r.Query("from"))
	if previous != "" {
		view.Pager.Prev = "/settings/api-keys?" + view.Kept("from", previous).Encode()
	}
	if next != "" {
		view.Pager.Next = "/settings/api-keys?" + view.Kept("from", next).Encode()
	}
	return r.Show(web.KeysPage(view))
}

// keyPage returns the keys on the page that begins at a place, and where the pages before and
// after it begin. A place stays where it is when its key moves, so no key is seen twice.
func keyPage(rows []web.KeyRow, order, from string) (page []web.KeyRow, previous, next string) {
	places := map[string]string{}
	for _, k := range rows {
		places[k.ID] = keyPlace(order, k)
	}
	slices.SortFunc(rows, func(a, b web.KeyRow) int { return strings.Compare(places[a.ID], places[b.ID]) })
	start := slices.IndexFunc(rows, func(k web.KeyRow) bool { return places[k.ID] >= from })
	if start < 0 { // the rest is gone
		start = max(0, len(rows)-keysShown)
	}
	if start > 0 {
		previous = places[rows[max(0, start-keysShown)].ID]
	}
	end := min(len(rows), start+keysShown)
	if end < len(rows) {
		next = places[rows[end].ID]
	}
	return rows[start:end], previous, next
}

// keyPlace is where a key is in an order, as text that sorts. Keys that have expired and are still
// called come first, the others that have ended last, and of equal ones the newest first.
func keyPlace(order string, k web.KeyRow) string {
	var value string
	switch order {
	case "name":
		value = hex.EncodeToString(i18n.SortKey(k.Name))
	case "used":
		value = fmt.Sprintf("%019d", math.MaxInt64-max(0, k.LastUse.At.UnixMicro()))
	case "requests":
		value = fmt.Sprintf("%019d", math.MaxInt64-k.Requests())
	case "expires":
		value = "never"
		if !k.ExpiresAt.IsZero() {
			value = fmt.Sprintf("%019d", k.ExpiresAt.UnixMicro())
		}
	}
	id := uuid.MustParse(k.ID)
	for i := range id {
		id[i] = ^id[i]
	}
	rank := 1
	if k.Folded() {
		rank = 2
	} else if k.Ended() {
		rank = 0
	}
	return fmt.Sprintf("%d/%s/%s", rank, value, id)
}

// keyRows returns the rows of all keys, newest first, each with its neighbors in a
// rotation, its requests, and what still calls it though it has expired.
func keyRows(keys []keys.Detail, days map[uuid.UUID][]int64, calling map[uuid.UUID][]keys.KeyCaller) []web.KeyRow {
	rows, at := make([]web.KeyRow, len(keys)), map[uuid.UUID]*web.KeyRow{}
	for i, key := range keys {
		rows[i] = keyRow(key)
		rows[i].Days, rows[i].Calling, at[key.ID] = days[key.ID], callerViews(calling[key.ID]), &rows[i]
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

// markRotation marks both keys of a rotation that is under way.
func markRotation(old, successor *web.KeyRow) {
	if old.SuccessorID == successor.ID && (old.State == terms.KeyActive || old.State == terms.KeyPaused) {
		old.Rotation, successor.Rotation = old.ID, old.ID
	}
}

// keyMatches reports whether the key matches the filter.
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
			r.Expiring = append(r.Expiring,
				web.ExpiringKey{ID: key.ID.String(), Name: key.Name, Hint: key.Hint, ExpiresAt: *key.ExpiresAt})
		}
		return page(r)
	}
}

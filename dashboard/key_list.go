package dashboard

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/models/i18n"
	"dispo/models/keys"
	"dispo/web"
)

// unusedFor is how long a key that is listed as unused was not used.
const unusedFor = 90 * 24 * time.Hour

// keysShown is how many keys a page of their list has at most.
const keysShown = 100

// keyOrders return what the list of keys is sorted by.
var keyOrders = map[string]func(web.KeyRow) string{
	"name":     func(k web.KeyRow) string { return k.Name },
	"created":  func(k web.KeyRow) string { return digits(math.MaxInt64 - k.CreatedAt.UnixMicro()) },
	"used":     func(k web.KeyRow) string { return digits(math.MaxInt64 - max(0, k.LastUse.At.UnixMicro())) },
	"requests": func(k web.KeyRow) string { return digits(math.MaxInt64 - k.Requests()) },
	"expires": func(k web.KeyRow) string {
		if k.ExpiresAt.IsZero() { // never comes last
			return digits(math.MaxInt64)
		}
		return digits(k.ExpiresAt.UnixMicro())
	},
}

// digits returns a number as text that sorts as numbers do.
func digits(n int64) string { return fmt.Sprintf("%019d", max(0, n)) }

func ended(k web.KeyRow) bool { return k.State == web.KeyExpired || k.State == web.KeyRevoked }

// keyPlace is where a key is in the list: keys that work come first, and the newest of
// equal ones. An address has it as text.
type keyPlace struct{ group, value, id, sorted string }

func newKeyPlace(order, group, value, id string) keyPlace {
	place := keyPlace{group, value, id, value}
	if order == "name" {
		place.sorted = string(i18n.SortKey(value))
	}
	return place
}

func keyPlaceOf(order string, k web.KeyRow) keyPlace {
	group := "works"
	if ended(k) {
		group = "~ended"
	}
	return newKeyPlace(order, group, keyOrders[cmp.Or(order, "created")](k), k.ID)
}

func (p keyPlace) compare(q keyPlace) int {
	return cmp.Or(strings.Compare(p.group, q.group), strings.Compare(p.sorted, q.sorted), strings.Compare(q.id, p.id))
}

func (p keyPlace) String() string { return p.group + "/" + p.id + "/" + p.value }

// readKeyPlace reads what String returned.
func readKeyPlace(order, text string) (place keyPlace, ok bool) {
	parts := strings.SplitN(text, "/", 3)
	if len(parts) < 3 {
		return place, false
	}
	return newKeyPlace(order, parts[0], parts[2], parts[1]), true
}

// keyPage sorts the keys that a list has, and leaves the page that is asked for, with links
// to the pages around it.
func keyPage(r *request, view *web.KeysView) {
	type placed struct {
		web.KeyRow
		keyPlace
	}
	var all []placed
	for _, row := range view.Keys {
		all = append(all, placed{row, keyPlaceOf(view.Sort, row)})
	}
	slices.SortFunc(all, func(a, b placed) int { return a.compare(b.keyPlace) })
	find := func(name string) (at int, exact, ok bool) {
		place, ok := readKeyPlace(view.Sort, r.query(name))
		at, exact = slices.BinarySearchFunc(all, place, func(p placed, to keyPlace) int { return p.compare(to) })
		return at, exact, ok
	}
	start := 0
	if at, exact, ok := find("after"); ok {
		if start = at; exact {
			start++
		}
	} else if at, _, ok := find("before"); ok {
		start = max(0, at-keysShown)
	}
	if start >= len(all) { // those after the place are gone
		start = max(0, len(all)-keysShown)
	}
	end := min(len(all), start+keysShown)
	link := func(name string, at int) string {
		return "/settings/api-keys?" + view.Kept(name, all[at].String()).Encode()
	}
	if start > 0 {
		view.Pager.Prev = link("before", start)
	}
	if end < len(all) {
		view.Pager.Next = link("after", end-1)
	}
	view.Keys = nil
	for _, p := range all[start:end] {
		view.Keys = append(view.Keys, p.KeyRow)
	}
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

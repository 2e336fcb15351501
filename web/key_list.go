package web

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// KeySorts are the values of ?sort=, with the direction in which each sorts.
var KeySorts = map[string]string{
	"name":     "ascending",
	"created":  "descending",
	"used":     "descending",
	"expires":  "ascending",
	"requests": "descending",
}

// searching reports whether the list may leave keys out.
func (v KeysView) searching() bool { return v.Query != "" || v.Unused }

func (v KeysView) headings(active bool) []templ.Component {
	ends := v.sortedBy("expires", v.T("Expires"), "")
	if !active {
		ends = heading(v.T("Ended"))
	}
	headings := []templ.Component{
		v.sortedBy("name", v.T("Key"), ""), heading(v.T("State")), v.sortedBy("created", v.T("Created"), ""), ends,
		v.sortedBy("used", v.T("Last used"), ""), v.sortedBy("requests", v.T("Requests, 30 days"), "amount"),
	}
	if active && v.CanManage {
		headings = append(headings, actionsHeading())
	}
	return headings
}

// Kept returns the parameters of the list that is shown, and another one.
func (v KeysView) Kept(name, value string) url.Values {
	query := url.Values{}
	if v.Sort != "" {
		query.Set("sort", v.Sort)
	}
	if v.Query != "" {
		query.Set("q", v.Query)
	}
	if v.Unused {
		query.Set("unused", "90")
	}
	query.Set(name, value)
	return query
}

// sortedBy is a heading that leads to the same list, sorted by its column.
func (v KeysView) sortedBy(sort, label, class string) templ.Component {
	query := v.Kept("sort", sort)
	direction := ""
	if sort == v.Sort || v.Sort == "" && sort == "created" {
		direction = KeySorts[sort]
	}
	return sortHeading(label, "/settings/api-keys?"+query.Encode(), direction, class)
}

func ariaSort(direction string) templ.Attributes {
	if direction == "" {
		return nil
	}
	return templ.Attributes{"aria-sort": direction}
}

// Requests returns the number of requests in the last 30 days.
func (k KeyRow) Requests() (sum int64) {
	for _, n := range k.Days {
		sum += n
	}
	return sum
}

// sparkPath draws a bar for each day, the last one at the right. A day with any
// requests is at least 1 high.
func (k KeyRow) sparkPath() string {
	const width, height = 90, 20
	most := int64(1)
	for _, n := range k.Days {
		most = max(most, n)
	}
	var path strings.Builder
	path.WriteString(
		"M0 " + strconv.Itoa(height) + "h" + strconv.Itoa(width) + "v-1h-" + strconv.Itoa(width) + "z") // the base line
	for i, n := range k.Days {
		if n > 0 {
			x, bar := strconv.Itoa(width-3*(len(k.Days)-i)), strconv.FormatInt(max(1, n*(height-2)/most), 10)
			path.WriteString("M" + x + " 19h2v-" + bar + "h-2z")
		}
	}
	return path.String()
}

// sparkText says what the sparkline shows.
func (k KeyRow) sparkText(f Frame) string {
	most, day := int64(0), 0
	for i, n := range k.Days {
		if n > most {
			most, day = n, i
		}
	}
	if most == 0 {
		return f.T("No requests in the last 30 days.")
	}
	at := f.local(f.Now).AddDate(0, 0, day-len(k.Days)+1)
	return f.T("Requests in the last 30 days: at most {most} a day, on {day}. Total:", "most", most, "day", f.Date(at))
}

package web

import (
	"math/big"
	"net/url"
	"slices"
	"time"
)

// OverviewView is the view of GET /?by=hour|day&day=YYYY-MM-DD&key=ID. All three
// parameters are optional; by defaults to hour.
//
// Form: GET / with by and key, to choose what the chart shows.
type OverviewView struct {
	Frame
	// Newest is the latest day up to today that has transactions, and Arrived the file that the latest
	// of them came with. Without any, Newest has no day.
	Newest  ReceivedDay
	SoFar   bool // more may come with this day's deliveries
	Arrived DeliveryRow
	Bars    DayBars // the last 30 days
	// Withdrawals are the latest of days that have nothing left.
	Withdrawals []Withdrawal

	// What needs attention.
	Ending       []ExpiringKey // keys that expire soon, for owners and admins
	LateBy       time.Time     // when a delivery that has not arrived was expected; zero if none is late
	Absent       AbsentCompanies
	Waiting      []WaitingRow
	Revoked      []Refusal // the latest request with each revoked key, in the last 24 hours, newest first
	RefusedToday int64     // requests refused in the last 24 hours
	MoreRefused  bool      // there may have been more

	Minute Use    // of the limit per minute
	Hour   Use    // of the limit per hour
	UseOf  KeyRow // the key that these are of; without an ID if all keys share the limits, or none was used in the last hour
	Chart  Chart  // requests over time
	// Keys are all of the organization's active and expired keys, and the revoked
	// ones that were used in the chart's period, the most used first. They fill the
	// selection of Chart.KeyID, and the first of them the table by key. If there are none, the page offers to create the
	// first key.
	Keys []KeyUse
	// Refusals are the latest few refused requests, identical ones together, the latest first.
	Refusals []Refusal
}

// Use is how much of a rate limit is currently used.
type Use struct {
	Used     int64     // requests counted in the window
	Limit    int64     // requests that the window allows
	ResetsAt time.Time // when the next window starts; zero if nothing is counted
}

// KeyUse is one key's share of the chart.
type KeyUse struct {
	KeyRow
	Served  int64 // requests let in during the chart's period, even if Chart.KeyID selects another key
	Refused int64 // requests refused during that period
}

// Refusal is one or more identical refused requests.
type Refusal struct {
	At        time.Time // of the latest
	FirstAt   time.Time // of the first
	Count     int64
	KeyID     string
	KeyName   string
	KeyHint   string // the key's last four characters
	Status    int    // 401 or 429 (over a limit)
	Reason    string // of a 401: revoked, expired, paused or suspended
	Method    string // as sent
	Path      string // as sent; the page escapes and wraps it
	Address   string // the client's IP address
	UserAgent string // as sent; empty if the client sent none
}

// level is how close the use is to the limit.
func (u Use) level() string {
	switch {
	case u.Limit > 0 && u.Used >= u.Limit:
		return "bad"
	case u.Used*5 >= u.Limit*4:
		return "warning"
	}
	return "good"
}

func (u Use) left() int64 { return max(0, u.Limit-u.Used) }

func (u Use) share() string {
	if u.Limit <= 0 {
		return "0%"
	}
	return percent(min(100, float64(u.Used)*100/float64(u.Limit)))
}

// reason says why the request was refused.
func (r Refusal) reason(f Frame) string {
	switch r.Reason {
	case "revoked":
		return f.T("Key revoked")
	case "expired":
		return f.T("Key expired")
	case "paused":
		return f.T("Key paused")
	case "suspended":
		return f.T("Organization suspended")
	case "elsewhere":
		return f.T("Address not allowed")
	}
	return f.T("Over the limit")
}

// compared says how the newest day's sum differs from a usual one, if enough is known.
func (v OverviewView) compared() string {
	d := v.Newest
	usual, difference := cents(d.UsualAmount), new(big.Int).Sub(cents(d.Amount), cents(d.UsualAmount))
	if v.SoFar {
		return v.T("so far")
	}
	if !d.Compared || usual.Sign() <= 0 {
		return ""
	}
	hundredths := new(big.Int).Mul(new(big.Int).Abs(difference), big.NewInt(200))
	n := hundredths.Add(hundredths, usual).Quo(hundredths, usual).Int64() / 2
	switch {
	case n == 0:
		return v.T("as on a usual {weekday}", "weekday", d.weekdayInText(v.Frame))
	case difference.Sign() > 0:
		return v.T("{number}% more than a usual {weekday}", "number", n, "weekday", d.weekdayInText(v.Frame))
	}
	return v.T("{number}% less than a usual {weekday}", "number", n, "weekday", d.weekdayInText(v.Frame))
}

const shortShown = 5

// later returns the days after the newest of which there is something to say, and that are not
// among those that need attention: today, days to come, and days that were withdrawn.
func (v OverviewView) later() []ReceivedDay {
	return slices.DeleteFunc(slices.Clone(v.Bars.Days), func(d ReceivedDay) bool {
		return d.Day <= v.Newest.Day || d.short(v.Frame) || !d.noted(v.Frame)
	})
}

// short returns the latest days that have too little, the last first: of the last week, and
// from the newest day on.
func (v OverviewView) short() []ReceivedDay {
	week := v.local(v.Now).AddDate(0, 0, -7).Format(time.DateOnly)
	short := slices.DeleteFunc(slices.Clone(v.Bars.Days), func(d ReceivedDay) bool {
		return d.Day <= week && d.Day < v.Newest.Day || !d.short(v.Frame)
	})
	slices.Reverse(short)
	return short[:min(len(short), shortShown)]
}

// attention reports whether anything needs attention.
func (v OverviewView) attention() bool {
	return !v.LateBy.IsZero() || v.Absent.Count > 0 || len(v.called()) > 0 || len(v.short()) > 0 || len(v.Ending) > 0 ||
		len(v.Waiting) > 0 ||
		v.RefusedToday > 0 ||
		slices.ContainsFunc(v.Keys, KeyUse.rotating)
}

// rotating reports whether the key is the old key of a rotation that waits for somebody: not
// for Dispo to revoke the key by schedule.
func (k KeyUse) rotating() bool {
	return !k.Ended() && k.SuccessorID != "" && k.RevokesAt.IsZero()
}

// fewKeys is how many keys a page names that has other subjects too.
const fewKeys = 5

// firstOf returns the first n of all, or all if there are fewer.
func firstOf[T any](all []T, n int) []T { return all[:min(len(all), n)] }

// called are the keys that are still called though they have expired.
func (v OverviewView) called() []KeyUse {
	return slices.DeleteFunc(slices.Clone(v.Keys), func(k KeyUse) bool { return len(k.Calling) == 0 })
}

// rotations are the keys whose rotation waits for somebody.
func (v OverviewView) rotations() []KeyUse {
	return slices.DeleteFunc(slices.Clone(v.Keys), func(k KeyUse) bool { return !k.rotating() })
}

// link leads to the overview for one key, or for all keys if keyID is empty. The
// chart shows one day, or the latest hours or days if day is empty.
func (v OverviewView) link(by ChartBy, day, keyID string) string {
	query := url.Values{"by": {string(by)}}
	if day != "" {
		query.Set("day", day)
	}
	if keyID != "" {
		query.Set("key", keyID)
	}
	return "/?" + query.Encode() + "#chart"
}

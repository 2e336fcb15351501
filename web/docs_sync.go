package web

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// syncPage is the page size that the guide to syncing uses, the largest there is.
const syncPage = 100

// SyncRequests returns how many requests the guide to syncing takes for a round: to ask
// whether anything changed, to read all companies, and to read each one's new
// transactions. A first copy is a round in which all transactions are new.
func SyncRequests(companies, newTransactions int64) int64 {
	return 1 + syncPages(companies) + companies*syncPages(newTransactions)
}

// syncPages returns how many requests it takes to read to the end of a list.
func syncPages(items int64) int64 { return max(1, (items+syncPage-1)/syncPage) }

// SyncTime returns how long that many requests take at least, from the first to the last,
// if nothing else uses the limits: a minute and an hour begin with the first request
// that they count.
func SyncTime(requests, perMinute, perHour int64) time.Duration {
	perHour = hourly(perMinute, perHour)
	before := max(0, requests-1)
	return time.Duration(before/perHour)*time.Hour + time.Duration(before%perHour/perMinute)*time.Minute
}

// hourly returns how many requests fit into an hour.
func hourly(perMinute, perHour int64) int64 {
	return max(1, min(perHour, 60*perMinute))
}

// pace returns how many seconds apart requests never meet a limit, rounded up to tenths.
func pace(v DocsView) string {
	minute, hour := max(1, v.LimitMinute), max(1, v.LimitHour)
	tenths := max((600+minute-1)/minute, (36_000+hour-1)/hour)
	return strconv.FormatFloat(float64(tenths)/10, 'f', -1, 64)
}

// syncCosts are the rows of the guide's table.
func syncCosts() []syncCost {
	return []syncCost{
		{10, 100}, {10, 10_000}, {100, 100}, {100, 1_000}, {1_000, 100}, {1_000, 1_000}, {10_000, 100},
	}
}

// syncCost is a number of companies and of new transactions of each.
type syncCost struct{ companies, transactions int64 }

// plainDuration writes a duration in whole minutes with its two largest units.
func plainDuration(d time.Duration) string {
	const day = 24 * time.Hour
	var parts []string
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{day, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		n := d / unit.length
		d %= unit.length
		if n == 0 {
			continue
		}
		name := unit.name
		if n > 1 {
			name += "s"
		}
		if parts = append(parts, fmt.Sprintf("%d %s", n, name)); len(parts) == 2 {
			break
		}
	}
	if len(parts) == 0 {
		return "less than a minute"
	}
	return strings.Join(parts, " ")
}

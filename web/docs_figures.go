package web

import (
	"strconv"
	"strings"
	"time"
)

// docFigures are the service's figures, for the templates of the documentation.
type docFigures struct{ DocsView }

// Origin is the scheme and host of the API.
func (f docFigures) Origin() string { return strings.TrimSuffix(f.BaseURL, "/api") }

// Pages are the pages other than /docs.
func (f docFigures) Pages() []Doc { return Docs()[1:] }

// Samples are the sample programs.
func (f docFigures) Samples() []sample { return samples(f.BaseURL) }

// Minute is how many requests fit into a minute.
func (f docFigures) Minute() int64 { return max(1, f.LimitMinute) }

// Hourly is how many requests fit into an hour, at the pace of the minute's limit.
func (f docFigures) Hourly() int64 { return max(1, min(f.LimitHour, 60*f.Minute())) }

// Pace is how many seconds apart requests never meet a limit, rounded up to tenths.
func (f docFigures) Pace() string {
	tenths := max((600+f.Minute()-1)/f.Minute(), (36_000+f.Hourly()-1)/f.Hourly())
	return strconv.FormatFloat(float64(tenths)/10, 'f', -1, 64)
}

// syncPage is the page size that the guide to syncing uses, the largest there is.
const syncPage = 100

// SyncRequests returns how many requests the guide to syncing takes for a round: to ask
// whether anything changed, to read all companies, and to read each one's new
// transactions. A first copy is a round in which all transactions are new.
func SyncRequests(companies, newTransactions int64) int64 {
	pages := func(items int64) int64 { return max(1, (items+syncPage-1)/syncPage) }
	return 1 + pages(companies) + companies*pages(newTransactions)
}

// SyncTime returns how long that many requests take at least, from the first to the last,
// if nothing else uses the limits: a minute and an hour begin with the first request
// that they count.
func (f docFigures) SyncTime(requests int64) time.Duration {
	before := max(0, requests-1)
	return time.Duration(before/f.Hourly())*time.Hour + time.Duration(before%f.Hourly()/f.Minute())*time.Minute
}

// SyncCosts returns rows of a table: numbers of companies and of new transactions of each,
// and what a round takes for them.
func (f docFigures) SyncCosts() (rows []string) {
	for _, c := range [][2]int64{{10, 100}, {10, 10_000}, {100, 100}, {100, 1_000}, {1_000, 100}, {1_000, 1_000}, {10_000, 100}} {
		requests := SyncRequests(c[0], c[1])
		rows = append(rows, strings.Join([]string{
			count(c[0], "company", "companies"), number(c[1], English), number(requests, English), f.Duration(requests),
		}, " | "))
	}
	return rows
}

// Duration writes how long that many requests take, in hours and minutes.
func (f docFigures) Duration(requests int64) string {
	minutes := int64(f.SyncTime(requests) / time.Minute)
	switch {
	case minutes == 0:
		return "less than a minute"
	case minutes < 60:
		return count(minutes, "minute", "minutes")
	case minutes%60 == 0:
		return count(minutes/60, "hour", "hours")
	}
	return count(minutes/60, "hour", "hours") + " " + count(minutes%60, "minute", "minutes")
}

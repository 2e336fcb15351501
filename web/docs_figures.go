package web

import (
	"strconv"
	"strings"
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

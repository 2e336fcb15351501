package web

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"
)

var now = time.Date(2026, 11, 20, 12, 34, 56, 0, time.UTC)

func before(d time.Duration) time.Time { return now.Add(-d) }

const (
	dayLong   = 24 * time.Hour
	keyID     = "0192f0c1-5d0e-7cc3-8a51-6f3f0e3b8f0a"
	newID     = "0192f0c1-9a11-7b02-9c40-2d1f5a7e6b31"
	baseURL   = "https://dispo.example/api"
	sampleKey = "dispo_k3Jx9QmT2aLp_7hYb2NcVw4ZsRt8KdEq1MfUo6GjXi5Pa0BTqP4"
)

var copenhagen = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Copenhagen")
	if err != nil {
		panic(err)
	}
	return zone
}()

func frame(path string) Frame {
	return Frame{
		Path: path, Now: now, Locale: English, Zone: copenhagen, UserEmail: "mette.lund@nordlys.example", Role: Owner, CanManage: true, FormToken: "form-token",
		Organization: Organization{ID: "1", Name: "Nordlys Handel", Role: Owner},
		Organizations: []Organization{
			{ID: "1", Name: "Nordlys Handel", Role: Owner},
			{ID: "2", Name: "Vesterhav Transport & Logistik A/S", Role: Viewer},
		},
	}
}

func visitorFrame(path string) Frame {
	return Frame{Path: path, Now: now, Locale: English, Zone: time.UTC, FormToken: "form-token"}
}

var (
	bookkeeping = KeyRow{
		ID: keyID, Name: "Bookkeeping, production", Hint: "TqP4", State: KeyActive, CreatedBy: "mette.lund@nordlys.example",
		CreatedAt: before(212 * dayLong),
		LastUse:   LastUse{At: before(3 * time.Minute), Address: "203.0.113.7", UserAgent: "axios/1.7.2"},
	}
	successor = KeyRow{
		ID: newID, Name: "Bookkeeping, production", Hint: "9xWd", State: KeyActive, CreatedBy: "mette.lund@nordlys.example",
		CreatedAt: before(6 * time.Minute), ExpiresAt: now.Add(365 * dayLong),
	}
	successorUsed = func() KeyRow {
		k := successor
		k.LastUse = LastUse{At: before(40 * time.Second), Address: "203.0.113.9", UserAgent: "axios/1.7.2"}
		return k
	}()
)

func sampleBars(n int, length time.Duration, peak int64) []Bar {
	all := make([]Bar, n)
	for i := range all {
		wave := []int64{3, 5, 4, 8, 21, 55, 62, 70, 58, 66, 81, 40, 33, 60, 72, 90, 77, 51, 30, 12, 9, 7, 4, 2}[i%24]
		all[i] = Bar{Start: now.Truncate(length).Add(-time.Duration(n-1-i) * length), Served: wave * peak / 90}
		if i == n-9 {
			all[i].Refused = peak / 4
		}
		if i == n-2 {
			all[i].Refused = 3
		}
	}
	return all
}

func keyUses() []KeyUse {
	return []KeyUse{
		{KeyRow: KeyRow{ID: keyID, Name: "Bookkeeping, production", Hint: "TqP4", State: KeyActive}, Served: 18_214, Refused: 253},
		{KeyRow: KeyRow{ID: "3", Name: "Data warehouse", Hint: "b07Q", State: KeyActive, RevokesAt: now.AddDate(0, 0, 9), IdleDays: 14}, Served: 960},
		{KeyRow: KeyRow{ID: "5", Name: "Old importer", Hint: "oO0l", State: KeyRevoked}, Refused: 12},
	}
}

func overview(f Frame, by ChartBy) OverviewView {
	v := OverviewView{
		Frame:  f,
		Minute: Use{Used: 12, Limit: 60, ResetsAt: now.Add(4 * time.Second)},
		Hour:   Use{Used: 861, Limit: 1000, ResetsAt: now.Add(26 * time.Minute)},
		Chart:  Chart{By: ByHour, Bars: sampleBars(48, time.Hour, 820), Limit: 1000},
		Keys:   keyUses(),
		Refusals: []Refusal{
			{At: before(61 * time.Second), FirstAt: before(17 * time.Minute), Count: 12, KeyName: "Bookkeeping, production", KeyHint: "TqP4", Status: 429, Method: "GET",
				Path: "/api/v1/companies/12345674/transactions?limit=100&after=0192f0c1-9a11-7b02-9c40-2d1f5a7e6b31", Address: "203.0.113.7", UserAgent: "axios/1.7.2"},
			{At: before(5 * time.Hour), Count: 1, KeyName: "Old importer", KeyHint: "oO0l", Status: 401, Reason: "revoked", Method: "GET",
				Path: "/api/v1/companies", Address: "198.51.100.23", UserAgent: "curl/8.5.0"},
		},
	}
	if by == ByDay {
		v.Minute.Used = 60
		v.Chart = Chart{By: ByDay, Bars: sampleBars(30, dayLong, 9400), KeyID: keyID}
	}
	return v
}

const chrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"

func rendered(t *testing.T, page templ.Component) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, Render(&b, page))
	return b.String()
}

// inPage renders a part of a page as on a page with the frame.
func inPage(f Frame, part templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error { return part.Render(withReader(ctx, f), w) })
}

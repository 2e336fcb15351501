package web

import (
	"bytes"
	"context"
	"io"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/stretchr/testify/require"

	"dispo/models/terms"
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
		Path:         path,
		Now:          now,
		Locale:       English,
		Zone:         copenhagen,
		UserEmail:    "mette.lund@nordlys.example",
		Role:         terms.Owner,
		CanManage:    true,
		FormToken:    "form-token",
		Organization: Organization{ID: "1", Name: "Nordlys Handel", Role: terms.Owner},
		Organizations: []Organization{
			{ID: "1", Name: "Nordlys Handel", Role: terms.Owner},
			{ID: "2", Name: "Vesterhav Transport & Logistik A/S", Role: terms.Viewer},
		},
	}
}

func visitorFrame(path string) Frame {
	return Frame{Path: path, Now: now, Locale: English, Zone: time.UTC, FormToken: "form-token"}
}

var (
	bookkeeping = KeyRow{
		ID: keyID, Name: "Bookkeeping, production", Hint: "TqP4", State: terms.KeyActive,
		CreatedBy: "mette.lund@nordlys.example", CreatedAt: before(212 * dayLong),
		LastUse: LastUse{At: before(3 * time.Minute), Address: "203.0.113.7", UserAgent: "axios/1.7.2"},
	}
	successor = KeyRow{
		ID: newID, Name: "Bookkeeping, production", Hint: "9xWd", State: terms.KeyActive,
		CreatedBy: "mette.lund@nordlys.example", CreatedAt: before(6 * time.Minute), ExpiresAt: now.Add(365 * dayLong),
	}
	successorUsed = func() KeyRow {
		k := successor
		k.LastUse = LastUse{At: before(40 * time.Second), Address: "203.0.113.9", UserAgent: "axios/1.7.2"}
		return k
	}()
)

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

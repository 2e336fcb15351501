package dashboard

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/keys"
)

// Identical refused requests are one line with their number, and with when the first and
// the latest were. Any difference that the page shows makes another line.
func TestRefusalsOf(t *testing.T) {
	start := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	request := func(minute int, change func(r *keys.Refusal)) keys.Refusal {
		r := keys.Refusal{KeyName: "Production", KeyHint: "TqP4"}
		r.At, r.Status, r.Method, r.Path = start.Add(time.Duration(minute)*time.Minute), 429, "GET", "/api/v1/companies"
		change(&r)
		return r
	}
	same := func(*keys.Refusal) {}
	other := func(r *keys.Refusal) { r.Address = "10.0.0.7" }
	shown := refusalsOf([]keys.Refusal{request(9, same), request(8, other), request(7, same), request(3, same)})
	require.Len(t, shown, 2)
	require.Equal(t, int64(3), shown[0].Count)
	require.Equal(t, start.Add(9*time.Minute), shown[0].At)
	require.Equal(t, start.Add(3*time.Minute), shown[0].FirstAt)
	require.Equal(t, int64(1), shown[1].Count)

	var many []keys.Refusal
	for n := range refusalsRead {
		many = append(many, request(-n, func(r *keys.Refusal) { r.Path = fmt.Sprint(n) }))
	}
	require.Len(t, refusalsOf(many), refusalsShown)
}

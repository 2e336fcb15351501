package keys

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"dispo/models"
)

// BenchmarkRecord measures what counting a request costs it: one of a caller that the
// batch knows, and of one of 50 keys with two callers each.
func BenchmarkRecord(b *testing.B) {
	const keys = 50
	var callers []models.Caller
	for range keys {
		callers = append(callers, models.Caller{OrganizationID: uuid.New(), KeyID: uuid.New()})
	}
	requests := []Request{
		{Status: 200, Method: "GET", Path: "/api/v1/companies", Address: "192.0.2.1", UserAgent: "nightly-bookkeeping/3.1 (Linux; x86_64)"},
		{Status: 200, Method: "GET", Path: "/api/v1/companies", Address: "192.0.2.1", UserAgent: "ledger/1.0"},
	}
	now := time.Now()
	for name, count := range map[string]int{"one caller": 1, "many": keys * len(requests)} {
		b.Run(name, func(b *testing.B) {
			r := &Recorder{pending: newBatch(0), seen: map[uuid.UUID]struct{}{}, tried: map[uuid.UUID]struct{}{}}
			b.ReportAllocs()
			for i := range b.N {
				n := i % count
				r.record(callers[n%keys], requests[n/keys], now)
			}
		})
	}
}

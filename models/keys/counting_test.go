package keys

import (
	"strconv"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
)

// A batch has at most 100 callers of a key and the others together, also if it takes
// back one that could not be written. No request is lost.
func TestBatchIsBounded(t *testing.T) {
	t.Parallel()
	caller := models.Caller{OrganizationID: uuid.New(), KeyID: uuid.New()}
	var all callers
	for round := range 3 {
		batch := newCallers(0)
		for n := range 500 {
			batch.count(caller, Request{Status: 200, Address: "10.0.0.1", UserAgent: strconv.Itoa(1000*round + n)}, time.Now())
		}
		require.Len(t, batch.uses, callersKept+1)
		if round > 0 {
			batch.takeBack(all)
		}
		all = batch
	}
	require.Len(t, all.uses, callersKept+1)
	var total int64
	for _, u := range all.uses {
		total += u.requests
	}
	require.EqualValues(t, 1500, total)
}

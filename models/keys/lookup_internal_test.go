package keys

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// However many keys one address sends, the next query looks up those of every other
// address too, and only a share of that one's, the oldest first. Those whose caller has
// given up are not looked up, and do not stay in memory.
func TestLookupsAreSharedOutByAddress(t *testing.T) {
	t.Parallel()
	l := lookup{waiting: map[string][]*request{}}
	gone, giveUp := context.WithCancel(t.Context())
	giveUp()
	for i := range 1000 {
		l.waiting["flood"] = append(l.waiting["flood"], &request{ctx: gone}, &request{ctx: t.Context(), lookupID: fmt.Sprint(i)})
	}
	l.waiting["office"] = []*request{{ctx: t.Context(), lookupID: "good"}}

	batch := l.next()
	require.Len(t, batch, lookupShare+1)
	var flood []string
	for _, r := range batch {
		if r.lookupID != "good" {
			flood = append(flood, r.lookupID)
		}
	}
	require.Len(t, flood, lookupShare)
	require.Equal(t, "0", flood[0])
	require.Len(t, l.waiting, 1)
	require.Len(t, l.waiting["flood"], 2*(1000-lookupShare))

	for range l.waiting["flood"] {
		l.next()
	}
	require.Empty(t, l.waiting)
	require.False(t, l.running)
}

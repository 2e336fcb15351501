package mail_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/database"
	"dispo/models/modelstest"
)

// Three instances send each mail once, also those that the server refuses at first.
func TestThreeInstances(t *testing.T) {
	t.Parallel()
	w := newWorld(t, modelstest.MailPlain)
	var refusals atomic.Int64
	w.server.Answer(func(m modelstest.ReceivedMail) error {
		if m.Data != nil && refusals.Add(1)%5 == 0 {
			return modelstest.MailRefusal(451, [2]int{}, "later")
		}
		return nil
	})
	const mails = 100
	for i := range mails {
		w.write(t, fmt.Sprintf("user%d@example.com", i))
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for range 3 {
		sender := newSender(t, modelstest.Open(t, w.URL, database.Service), w.server.URL)
		running.Go(func() { sender.Run(ctx) })
	}
	modelstest.Eventually(t, func() bool {
		w.due(t) // what was refused
		return modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM mails WHERE sent_at IS NOT NULL`) == mails
	})
	cancel()
	running.Wait()
	seen := map[string]bool{}
	for _, m := range w.server.Mails() {
		id := m.Header(t, "Message-ID")
		require.False(t, seen[id], "%s was sent twice", m.To)
		seen[id] = true
	}
	require.Len(t, seen, mails)
}

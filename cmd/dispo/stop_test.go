package main_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// At a stop the use of keys is written, the place of a bulk read is free, even if its client
// still reads, and the mail that is being sent is sent or, if the mail server takes too long,
// given back.
func TestStopLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	for state, answers := range map[string]bool{"sent": true, "given back": false} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			path, _ := largeDelivery(t, 2<<20)
			w.run(t, "import", "delivery", path).requireDone(t)
			server, asked, answer := modelstest.NewMailServer(t, modelstest.MailPlain), make(chan struct{}, 9), make(chan struct{})
			server.Answer(func(m modelstest.ReceivedMail) error {
				if m.Data != nil {
					asked <- struct{}{}
					<-answer
				}
				return nil
			})
			s := w.mailed(server).serve(t)
			modelstest.ExecuteAt(t, w.URL, `INSERT INTO mails (organization_id, id, kind, recipient, details) VALUES ($1, gen_random_uuid(), 'sign_in', 'kari@example.com', '{}')`, w.acme.ID)
			<-asked

			bulk, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
			require.NoError(t, err)
			defer bulk.Close()
			require.NoError(t, bulk.(*net.TCPConn).SetReadBuffer(4<<10))
			_, err = fmt.Fprintf(bulk, "GET /api/v1/transactions HTTP/1.1\r\nHost: dispo\r\nX-API-Key: %s\r\nAccept: text/csv\r\n\r\n", w.key)
			require.NoError(t, err)
			_, err = io.ReadFull(bulk, make([]byte, 1<<10))
			require.NoError(t, err)
			require.Equal(t, 1, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM running_tasks`))
			for range 3 {
				require.Equal(t, http.StatusOK, s.get(t, "/api/v1/companies", w.key).status)
			}

			s.signal(t, terminate)
			modelstest.Eventually(t, func() bool { return len(s.entries("stopping")) > 0 })
			if answers {
				close(answer)
			} else {
				defer close(answer)
			}
			require.Zero(t, s.wait(t), s.err.String())
			require.Equal(t, 4, modelstest.ValueAt[int](t, w.URL, `SELECT sum(requests) FROM key_usage`))
			require.Zero(t, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM running_tasks`))
			require.Equal(t, []string{state}, []string{modelstest.ValueAt[string](t, w.URL, `SELECT CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN attempts = 0 THEN 'given back' ELSE 'failed' END FROM mails`)})
		})
	}
}

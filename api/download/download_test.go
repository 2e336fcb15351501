package download

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// leaver is a connection whose client may be gone.
type leaver struct {
	net.Conn
	gone atomic.Bool
}

func (l *leaver) Gone() bool                       { return l.gone.Load() }
func (l *leaver) SetWriteDeadline(time.Time) error { return nil }

// A job has not ended before nothing of it is sent any more: not when its rows are read, nor
// when its client has gone, its check fails or its place is lost. Then nothing more is sent,
// although more was made. If the service stops, it has ended at once.
func TestJobEndsWhenNothingIsSent(t *testing.T) {
	t.Parallel()
	lost, refused := errors.New("lost"), errors.New("refused")
	for name, test := range map[string]struct {
		whole bool // all rows are read
		want  error
	}{
		"gone": {false, ErrGone}, "refused": {true, refused}, "lost": {true, lost}, "lost while made": {false, lost}, "sent": {true, nil}, "stopped": {false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := NewMaker(1)
			defer m.Close()
			var ended atomic.Bool
			var failure atomic.Pointer[error]
			client := &leaver{}
			file, err := m.Start(t.Context(), client, Job{
				Kind: Dashboard,
				Write: func(ctx context.Context, to io.Writer) error {
					_, err := to.Write(make([]byte, 1<<20))
					if !test.whole {
						<-ctx.Done()
						err = ctx.Err()
					}
					return err
				},
				Check: func() error {
					if err := failure.Load(); err != nil {
						return *err
					}
					return nil
				},
				Ended: func() { ended.Store(true) },
			})
			require.NoError(t, err)
			_, err = file.Ready(false)
			require.NoError(t, err)
			if test.whole {
				<-file.finished
			}
			client.gone.Store(errors.Is(test.want, ErrGone))
			if test.want != nil && !errors.Is(test.want, ErrGone) {
				failure.Store(&test.want)
			}
			if name == "stopped" {
				go m.Close()
				require.Eventually(t, ended.Load, time.Minute, time.Millisecond)
			} else if test.want != nil {
				require.Eventually(t, func() bool { return file.ctx.Err() != nil }, time.Minute, time.Millisecond)
				require.Eventually(t, func() bool {
					_, err := file.Read(make([]byte, 1))
					return errors.Is(err, test.want)
				}, time.Minute, time.Millisecond)
			} else {
				n, err := io.Copy(io.Discard, file)
				require.NoError(t, err)
				require.EqualValues(t, 1<<20, n)
			}
			require.Equal(t, name == "stopped", ended.Load())
			require.Equal(t, "bulk 0 0, dashboard 1 0", counts(m))
			require.NoError(t, file.Close())
			require.True(t, ended.Load())
			require.Equal(t, fmt.Sprint("bulk 0 0, dashboard 0 ", file.sent), counts(m))
		})
	}
}

// counts returns how many files of each kind are open, and what was sent of them.
func counts(m *Maker) string {
	var all []string
	m.Each(func(kind Kind, open, sent float64) {
		all = append(all, fmt.Sprint(kind, " ", int(open), " ", int(sent)))
	})
	return strings.Join(all, ", ")
}

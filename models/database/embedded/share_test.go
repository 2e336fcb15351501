package embedded

import (
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// lines are the lines of a log.
type lines chan string

func (l lines) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// A service and a command each wait for a command that owns the server, and say so.
func TestCommandsTakeTurns(t *testing.T) {
	t.Parallel()
	for _, role := range []Role{Service, Command} {
		options := testOptions(newDir(t))
		options.Create = true
		log := make(lines, 100)
		options.Log = slog.New(slog.NewTextHandler(log, nil))
		owner := enterAs(t, Command, options)
		started := make(chan error, 1)
		var s *Server
		go func() {
			var err error
			s, err = Open(t.Context(), role, options)
			started <- err
		}()
		for said := ""; !strings.Contains(said, "waiting for another command"); {
			said = <-log
		}
		requireAnswer(t, owner, "SELECT 'here'", "here")
		require.NoError(t, owner.Stop())
		require.NoError(t, <-started)
		requireAnswer(t, s, "SELECT 'here'", "here")
		require.NoError(t, s.Stop())
	}
}

// Commands that start and stop concurrently all have a server that answers until they are done.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	options.Create = true
	var group sync.WaitGroup
	for worker := range 6 {
		group.Go(func() {
			for range 4 {
				s, err := Open(t.Context(), Command, options)
				if err != nil {
					t.Errorf("worker %d: %v", worker, err)
					return
				}
				if _, err := query(t.Context(), s, "SELECT 'here'"); err != nil {
					t.Errorf("worker %d: %v", worker, err)
				}
				if err := s.Stop(); err != nil {
					t.Errorf("worker %d: %v", worker, err)
				}
			}
		})
	}
	group.Wait()
}

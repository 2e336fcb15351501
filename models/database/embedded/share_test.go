package embedded

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// stopping runs Stop concurrently with the test.
func stopping(s *Server) <-chan error {
	result := make(chan error, 1)
	go func() { result <- s.Stop() }()
	return result
}

// A command that owns the server keeps it running until the last command that joined is done.
func TestCommandWaitsForOthers(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	options.Create = true
	var log logged
	options.Log = log.logger()
	owner := enterAs(t, Open, options)
	second := enterAs(t, Open, options)

	stopped := stopping(owner)
	require.Eventually(t, log.has("waiting for another command"), patience, pollEvery)
	third := enterAs(t, Open, options)
	require.NoError(t, second.Stop())
	requireAnswer(t, third, "SELECT 'here'", "here")
	require.Empty(t, stopped)

	require.NoError(t, third.Stop())
	require.NoError(t, <-stopped)
	_, err := query(t.Context(), third, "SELECT 'here'")
	require.Error(t, err)
}

// A stopping service gives commands limited time to finish.
func TestServiceWaitsForCommandsAWhile(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	options.Create = true
	var log logged
	options.Log = log.logger()

	s := enterAs(t, Start, options)
	s.grace = patience
	joined := enterAs(t, Open, options)
	stopped := stopping(s)
	require.Eventually(t, log.has("waiting for another command"), patience, pollEvery)
	requireAnswer(t, joined, "SELECT 'here'", "here")
	require.NoError(t, joined.Stop())
	require.NoError(t, <-stopped)

	s = enterAs(t, Start, options)
	s.grace = 50 * time.Millisecond
	joined = enterAs(t, Open, options)
	require.NoError(t, <-stopping(s))
	require.NoError(t, joined.Stop())
}

// A service waits for a command that owns the server, instead of failing.
func TestServiceWaitsForCommand(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	options.Create = true
	var log logged
	options.Log = log.logger()
	command := enterAs(t, Open, options)

	started := make(chan error, 1)
	var s *Server
	go func() {
		var err error
		s, err = Start(t.Context(), options)
		started <- err
	}()
	require.Eventually(t, log.has("waiting for another command"), patience, pollEvery)
	requireAnswer(t, command, "SELECT 'here'", "here")
	require.NoError(t, command.Stop())
	require.NoError(t, <-started)
	requireAnswer(t, s, "SELECT 'here'", "here")
	require.NoError(t, s.Stop())
}

// Commands and a service that start and stop concurrently all have a server that answers until they are done.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	options.Create = true

	var group sync.WaitGroup
	for worker := range 6 {
		open := Open
		if worker == 0 {
			open = Start
		}
		group.Go(func() {
			for range 8 {
				s, err := open(t.Context(), options)
				if err != nil {
					t.Errorf("worker %d: %v", worker, err)
					return
				}
				for range 3 {
					if _, err := query(t.Context(), s, "SELECT 'here'"); err != nil {
						t.Errorf("worker %d: %v", worker, err)
					}
				}
				if err := s.Stop(); err != nil {
					t.Errorf("worker %d: %v", worker, err)
				}
			}
		})
	}
	group.Wait()
}

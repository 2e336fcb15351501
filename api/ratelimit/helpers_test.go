package ratelimit

import (
	"cmp"
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// ctx is for requests. Cancelling theirs would have no effect.
var ctx = context.Background()

// openLimits returns limits that are closed with the test. Limits left out are the
// service's defaults.
func openLimits(t testing.TB, config Config) *Limits {
	t.Helper()
	config.Minute, config.Hour = cmp.Or(config.Minute, 60), cmp.Or(config.Hour, 1000)
	config.Failures = cmp.Or(config.Failures, 30)
	config.Patience = cmp.Or(config.Patience, 10*time.Second) // a busy machine must not look like an outage
	config.Log = cmp.Or(config.Log, slog.New(slog.DiscardHandler))
	limits, err := New(config)
	require.NoError(t, err)
	t.Cleanup(limits.Close)
	return limits
}

// take takes n requests of key, and returns the last decision.
func take(limits *Limits, key string, n int) (decision Decision) {
	for range n {
		decision = limits.Take(ctx, key)
	}
	return decision
}

// logTo returns a log that writes to text.
func logTo(text *modelstest.Log) *slog.Logger { return slog.New(slog.NewTextHandler(text, nil)) }

// count returns how often the words were logged.
func count(text *modelstest.Log, words string) int { return strings.Count(text.String(), words) }

// redisServer is a Redis for one test, on a socket in its own folder.
type redisServer struct {
	t       testing.TB
	folder  string
	options []string
	process *exec.Cmd
}

// startRedis starts a Redis that ends with the test, with redis-server's options.
func startRedis(t testing.TB, options ...string) *redisServer {
	t.Helper()
	folder, err := os.MkdirTemp("", "redis") // t.TempDir may be too long for a socket
	require.NoError(t, err)
	server := &redisServer{t: t, folder: folder, options: options}
	t.Cleanup(func() {
		server.kill()
		_ = os.RemoveAll(folder)
	})
	server.start()
	return server
}

func (s *redisServer) socket() string { return filepath.Join(s.folder, "socket") }

func (s *redisServer) url() string { return "unix://" + s.socket() }

func (s *redisServer) start() {
	s.t.Helper()
	program, err := exec.LookPath("redis-server")
	require.NoError(s.t, err, "these tests need redis-server on PATH: install Redis 7 or newer, or Valkey with that name")
	s.process = exec.Command(program, append([]string{
		"--port", "0", "--unixsocket", s.socket(), "--save", "", "--appendonly", "no", "--dir", s.folder,
	}, s.options...)...)
	require.NoError(s.t, s.process.Start())
	client := s.client()
	modelstest.Eventually(s.t, func() bool {
		err := client.Ping(ctx).Err()
		return err == nil || strings.HasPrefix(err.Error(), "NOAUTH")
	}, "redis-server did not start")
}

// kill ends the server at once. It can be started again, empty.
func (s *redisServer) kill() {
	if s.process != nil {
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
		s.process = nil
	}
}

// set changes a setting of the running server.
func (s *redisServer) set(setting, value string) {
	s.t.Helper()
	require.NoError(s.t, s.client().ConfigSet(ctx, setting, value).Err())
}

// client returns a client for the test itself.
func (s *redisServer) client() *redis.Client {
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: s.socket(), MaxRetries: -1})
	s.t.Cleanup(func() { _ = client.Close() })
	return client
}

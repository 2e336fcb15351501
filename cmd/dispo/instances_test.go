package main_test

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// newRedis starts a Redis server for the test and returns its URL. kill kills it.
func newRedis(t *testing.T) (url string, kill func()) {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	require.NoError(t, err, "this test needs redis-server on PATH: install Redis 7 or newer, or Valkey with that name")
	folder := newFolder(t)
	socket := filepath.Join(folder, "socket")
	server := exec.Command(program, "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", folder)
	require.NoError(t, server.Start())
	kill = func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}
	t.Cleanup(kill)
	redisClient := redis.NewClient(&redis.Options{Network: "unix", Addr: socket})
	defer redisClient.Close()
	modelstest.Eventually(t, func() bool { return redisClient.Ping(t.Context()).Err() == nil })
	return "unix://" + socket, kill
}

// take sends up to most requests to an instance until one is refused. It returns the
// number of accepted requests.
func (s *service) take(t *testing.T, key string, most int) (taken int) {
	t.Helper()
	for taken < most {
		got := s.get(t, "/api/v1/companies", key)
		if got.status == http.StatusTooManyRequests {
			got.requireError(t, http.StatusTooManyRequests, "RATE_LIMIT_EXCEEDED")
			require.NotEmpty(t, got.header.Get("Retry-After"))
			return taken
		}
		require.Equal(t, http.StatusOK, got.status, got.body)
		taken++
	}
	return taken
}

// Instances that use the same Redis share one limit. When Redis stops, each instance
// continues to count in its own memory, logs that, and fails no request because of it.
func TestLimitsAcrossInstances(t *testing.T) {
	t.Parallel()
	const limit = 20
	w := newWorld(t)
	bolt := w.Organization(t, "bolt")
	_, boltKey := w.Key(t, bolt)
	url, kill := newRedis(t)
	shared := w.with("REDIS_URL="+url, "DISPO_LIMIT_MINUTE="+strconv.Itoa(limit), "DISPO_METRICS_LISTEN=127.0.0.1:0")
	first, second := shared.serve(t), shared.serve(t)
	require.Equal(t, "0", first.metric(t, "dispo_limits_degraded"))

	require.Equal(t, 12, first.take(t, w.key, 12))
	require.Equal(t, limit-12, second.take(t, w.key, 2*limit))
	require.Zero(t, first.take(t, w.key, 1))
	require.Equal(t, 1, first.take(t, boltKey, 1), "another organization has its own limit")

	kill()
	require.Equal(t, limit-1, first.take(t, boltKey, 2*limit), "the count continues")
	require.Zero(t, second.take(t, w.key, 1), "the limit still holds")
	require.Equal(t, http.StatusOK, first.get(t, "/api/health", "").status)
	for _, s := range []*service{first, second} {
		require.Equal(t, "1", s.metric(t, "dispo_limits_degraded"))
		require.Contains(t, s.err.String(), "Redis does not answer")
	}
}

// The service starts without a running Redis.
func TestRedisDownAtStart(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.with("REDIS_URL=redis://:hunter2@"+nowhere, "DISPO_LIMIT_MINUTE=3").serve(t)
	require.Equal(t, 3, s.take(t, w.key, 10))
	require.Contains(t, s.err.String(), "Redis does not answer")
	require.NotContains(t, s.err.String(), "hunter2")
}

package ratelimit

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/ulule/limiter/v3"
	redisstore "github.com/ulule/limiter/v3/drivers/store/redis"
)

const (
	// redisTimeout is how long a dial, a read and a write may take each.
	redisTimeout = 100 * time.Millisecond
	// redisPatience is how long a request waits for Redis in all.
	redisPatience = 200 * time.Millisecond
	// redisPrefix stands before every key of ours in Redis.
	redisPrefix = "dispo:limit"
)

// sharedStore is the counts in Redis, there or away. It is away from the first
// error until a connection made beside the requests can count again.
type sharedStore struct {
	options    *redis.Options
	log        *slog.Logger
	retryEvery time.Duration

	current atomic.Pointer[connection] // nil while Redis is away
	gone    chan *connection           // those that failed, to be closed
	closing chan struct{}
	closed  chan struct{}
}

// connection is one client of Redis, with its pool, and limiter's store on it.
// It is thrown away at its first error, and all its sockets with it: a socket
// from before an outage would fail once more after it.
type connection struct {
	client *redis.Client
	store  limiter.Store
}

// openShared starts the keeping up of a connection. Its error names REDIS_URL,
// and holds nothing of the URL, which may hold a password anywhere if it is
// written wrongly.
func openShared(url string, log *slog.Logger, retryEvery time.Duration) (*sharedStore, error) {
	options, err := redis.ParseURL(url)
	if err != nil {
		return nil, errors.New("REDIS_URL is not the address of a Redis: write redis://[user:password@]host[:port][/database], rediss://… for TLS, or unix://[user:password@]/path/to/socket")
	}
	options.DialTimeout = redisTimeout
	options.ReadTimeout = redisTimeout
	options.WriteTimeout = redisTimeout
	options.PoolTimeout = redisTimeout
	options.ContextTimeoutEnabled = true
	options.DialerRetries = 1
	options.MaxRetries = -1 // a count sent twice is counted twice
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	logging.Disable() // go-redis writes a line to stderr for every failed dial

	s := &sharedStore{
		options:    options,
		log:        log,
		retryEvery: retryEvery,
		gone:       make(chan *connection, 1),
		closing:    make(chan struct{}),
		closed:     make(chan struct{}),
	}
	first, err := s.connect()
	if err != nil {
		s.sayAway(err)
		s.gone <- nil
	} else {
		s.current.Store(first)
	}
	go s.keep()
	return s, nil
}

// connected is the connection to count by, or nil where there is none.
func (s *sharedStore) connected() *connection {
	if s == nil {
		return nil
	}
	return s.current.Load()
}

// lost takes a connection that failed out of use. Of all who notice, one says so.
func (s *sharedStore) lost(failed *connection, err error) {
	if s.current.CompareAndSwap(failed, nil) {
		s.sayAway(err)
		s.gone <- failed // never waits: keep emptied it before it connected
	}
}

// keep closes what failed and connects again, until close.
func (s *sharedStore) keep() {
	defer close(s.closed)
	for {
		select {
		case <-s.closing:
			return
		case failed := <-s.gone:
			if failed != nil {
				_ = failed.client.Close()
			}
		}
		if !s.reconnect() {
			return
		}
	}
}

// reconnect tries until Redis counts, which makes it true, or until close.
func (s *sharedStore) reconnect() bool {
	ticker := time.NewTicker(s.retryEvery)
	defer ticker.Stop()
	for {
		select {
		case <-s.closing:
			return false
		case <-ticker.C:
		}
		if next, err := s.connect(); err == nil {
			s.log.Info("Redis answers again: limits are shared by all instances", "redis", s.options.Addr)
			s.current.Store(next)
			return true
		}
	}
}

// connect makes a connection that has proven to count: a Redis that answers but
// can't write, a replica or a full one, is as good as away.
func (s *sharedStore) connect() (*connection, error) {
	client := redis.NewClient(s.options)
	store, err := redisstore.NewStoreWithOptions(client, limiter.StoreOptions{Prefix: redisPrefix})
	if err == nil {
		ctx, cancel := patient(context.Background())
		defer cancel()
		_, err = store.Get(ctx, "probe", limiter.Rate{Limit: 1, Period: time.Minute})
	}
	if err != nil {
		_ = client.Close()
		return nil, err
	}
	return &connection{client: client, store: store}, nil
}

// close ends the connection and the keeping up of it.
func (s *sharedStore) close() {
	close(s.closing)
	<-s.closed
	if last := s.current.Swap(nil); last != nil {
		_ = last.client.Close()
	}
}

func (s *sharedStore) sayAway(err error) {
	reason := err.Error()
	if s.options.Password != "" { // servers quote commands in their errors, AUTH among them
		reason = strings.ReplaceAll(reason, s.options.Password, "***")
	}
	s.log.Warn("Redis does not answer: this instance limits by its own memory until it does",
		"redis", s.options.Addr, "error", reason)
}

// patient bounds one request's dealings with Redis. A caller who has gone away
// must not look like a Redis that has, so its cancellation is left out.
func patient(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), redisPatience)
}

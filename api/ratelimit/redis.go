package ratelimit

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/ulule/limiter/v3"
	redisstore "github.com/ulule/limiter/v3/drivers/store/redis"
)

const (
	redisPatience  = 200 * time.Millisecond
	connectTimeout = 2 * time.Second // nobody waits for it but the start
)

// redisConn keeps a Redis client. Redis counts as away from the client's first
// error until a new client, made in the background, can count.
type redisConn struct {
	options  *redis.Options
	log      *slog.Logger
	patience time.Duration
	client   atomic.Pointer[redisClient] // nil while Redis is away
	stop     context.CancelFunc
	renewing sync.WaitGroup
	away     sync.RWMutex // read-locked while a request counts in memory
	mu       sync.Mutex
	noted    map[string]noted // what memory has counted without Redis, by key in Redis
}

// noted is what memory has counted in a window without Redis, and in all.
type noted struct{ count, all, reset int64 }

// redisClient is discarded with all its sockets at its first error, because each
// socket from before an outage would fail once more after it.
type redisClient struct {
	*redis.Client
	store limiter.Store
}

// openRedis connects to Redis, or returns nil if none is configured. Its error does
// not quote the URL, because the password may be anywhere in a malformed one.
func openRedis(config Config) (*redisConn, error) {
	if config.RedisURL == "" {
		return nil, nil
	}
	options, err := redis.ParseURL(config.RedisURL)
	if err != nil {
		return nil, errors.New("REDIS_URL is invalid: expected redis://[user:password@]host[:port][/database], rediss://… for TLS, or unix://[user:password@]/path/to/socket")
	}
	patience := cmp.Or(config.Patience, redisPatience)
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = connectTimeout, patience/2, patience/2
	options.ContextTimeoutEnabled = true
	options.DialerRetries = 1
	options.ConnMaxIdleTime = -1 // connections stay open for the next burst
	options.MaxRetries = -1      // a count sent twice is counted twice
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	logging.Disable() // go-redis writes a line to stderr for every failed dial

	ctx, stop := context.WithCancel(context.Background())
	c := &redisConn{options: options, log: cmp.Or(config.Log, slog.Default()), patience: patience, stop: stop, noted: map[string]noted{}}
	if err := c.connect(); err != nil {
		c.logLost(err)
	}
	c.renewing.Go(func() { c.renew(ctx, cmp.Or(config.redisRetry, time.Second)) })
	return c, nil
}

// connect makes a client and counts with it once: a Redis that answers but
// cannot write, because it is a replica or full, counts as away. Before requests count
// in it, its connections are open, and it knows what memory has counted.
func (c *redisConn) connect() error {
	client := redis.NewClient(c.options)
	store, err := redisstore.NewStoreWithOptions(client, limiter.StoreOptions{Prefix: "dispo:limit"})
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), connectTimeout)
		defer cancel()
		_, err = store.Get(ctx, "probe", limiter.Rate{Limit: 1, Period: time.Minute})
		open(ctx, client)
	}
	if err == nil {
		err = c.carryOver(context.Background(), store)
	}
	c.away.Lock()
	defer c.away.Unlock()
	if err == nil { // the little that was counted meanwhile; requests wait for it
		ctx, cancel := context.WithTimeout(context.Background(), c.patience)
		defer cancel()
		err = c.carryOver(ctx, store)
	}
	if err != nil {
		_ = client.Close()
		return err
	}
	c.client.Store(&redisClient{Client: client, store: store})
	return nil
}

// open opens as many of a client's connections as Redis allows. On a busy machine, a request
// that has to open one may take longer than it waits.
func open(ctx context.Context, client *redis.Client) {
	for range client.Options().PoolSize {
		conn := client.Conn()
		defer conn.Close() // back to the pool, when all are open
		if conn.Ping(ctx).Err() != nil {
			return
		}
	}
}

// carryOver adds to Redis what memory has counted without it. A Redis that does not know a
// window gets all that memory knows of it. What fails is not tried again, because a count sent
// twice is counted twice.
func (c *redisConn) carryOver(ctx context.Context, to limiter.Store) error {
	c.mu.Lock()
	keys := slices.Collect(maps.Keys(c.noted))
	c.mu.Unlock()
	for _, key := range keys {
		c.mu.Lock()
		n := c.noted[key]
		delete(c.noted, key)
		c.mu.Unlock()
		rate := limiter.Rate{Limit: 1 << 53, Period: untilEnd(n.reset)}
		if rate.Period < time.Millisecond { // without a period, a window in Redis has no end
			continue
		}
		state, err := to.Increment(ctx, key, n.count, rate)
		if err == nil && state.Limit-state.Remaining == n.count && n.all != n.count {
			_, err = to.Increment(ctx, key, n.all-n.count, rate)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// untilEnd returns the time until a window ends. Reset is rounded down. An end late in that
// second gives the same Reset.
func untilEnd(reset int64) time.Duration { return time.Until(time.Unix(reset, 900e6)) }

// renew replaces lost clients until ctx is cancelled.
func (c *redisConn) renew(ctx context.Context, every time.Duration) {
	for {
		select {
		case <-ctx.Done():
			if client := c.client.Swap(nil); client != nil {
				_ = client.Close()
			}
			return
		case <-time.After(every):
			if c.client.Load() == nil && c.connect() == nil {
				c.log.Info("Redis answers again: limits are shared by all instances", "redis", c.options.Addr)
			}
			c.mu.Lock()
			maps.DeleteFunc(c.noted, func(_ string, n noted) bool { return untilEnd(n.reset) <= 0 })
			c.mu.Unlock()
		}
	}
}

// lost discards a client that failed. Of all requests that notice, one logs it.
func (c *redisConn) lost(failed *redisClient, err error) {
	if c.client.CompareAndSwap(failed, nil) {
		c.logLost(err)
		_ = failed.Close()
	}
}

func (c *redisConn) logLost(err error) {
	reason := err.Error()
	if c.options.Password != "" { // servers quote commands in their errors, AUTH among them
		reason = strings.ReplaceAll(reason, c.options.Password, "***")
	}
	c.log.Warn("Redis does not answer: this instance limits by its own memory until it does",
		"redis", c.options.Addr, "error", reason)
}

// patient limits how long one request waits for Redis. It ignores that the
// request is cancelled, because that must not look like an outage.
func (c *redisConn) patient(ctx context.Context) (context.Context, context.CancelFunc) {
	if c == nil {
		return ctx, func() {}
	}
	return context.WithTimeout(context.WithoutCancel(ctx), c.patience)
}

// redisStore is a [limiter.Store] for one window. It counts in Redis, and in
// memory while Redis is away. Its methods return no errors.
type redisStore struct {
	limiter.Store // memory; its Reset is never called from outside
	conn          *redisConn
	window        string
	following     sync.Mutex // keeps memory's Reset and Increment together
}

func (s *redisStore) Get(ctx context.Context, key string, rate limiter.Rate) (limiter.Context, error) {
	return s.Increment(ctx, key, 1, rate)
}

func (s *redisStore) Peek(ctx context.Context, key string, rate limiter.Rate) (limiter.Context, error) {
	return s.call(ctx, key, 0, rate, limiter.Store.Peek)
}

func (s *redisStore) Increment(ctx context.Context, key string, count int64, rate limiter.Rate) (limiter.Context, error) {
	return s.call(ctx, key, count, rate, func(store limiter.Store, ctx context.Context, key string, rate limiter.Rate) (limiter.Context, error) {
		return store.Increment(ctx, key, count, rate)
	})
}

type storeMethod func(limiter.Store, context.Context, string, limiter.Rate) (limiter.Context, error)

// call calls a method that counts so many requests.
func (s *redisStore) call(ctx context.Context, key string, count int64, rate limiter.Rate, method storeMethod) (limiter.Context, error) {
	client := s.conn.client.Load()
	if client == nil {
		s.conn.away.RLock()
		defer s.conn.away.RUnlock()
		if client = s.conn.client.Load(); client == nil {
			return s.inMemory(ctx, key, count, rate, method)
		}
	}
	// Redis ends a window only after its last millisecond, and a client that waits
	// for the whole length must not come too early.
	shorter := limiter.Rate{Limit: rate.Limit, Period: rate.Period - time.Millisecond}
	state, err := method(client.store, ctx, s.window+":"+key, shorter)
	if err != nil {
		s.conn.lost(client, err)
		s.conn.away.RLock()
		defer s.conn.away.RUnlock()
		return s.inMemory(ctx, key, count, rate, method)
	}
	// Memory follows: it takes over the count and the end that Redis returned.
	used := state.Limit - state.Remaining
	if state.Reached {
		used++ // at least: Take may give one back
	}
	s.following.Lock()
	defer s.following.Unlock()
	_, _ = s.Store.Reset(ctx, key, rate)
	if used > 0 {
		rate.Period = untilEnd(state.Reset)
		_, _ = s.Store.Increment(ctx, key, used, rate)
	}
	return state, nil
}

// inMemory counts in memory, and notes the count for Redis.
func (s *redisStore) inMemory(ctx context.Context, key string, count int64, rate limiter.Rate, method storeMethod) (limiter.Context, error) {
	s.conn.mu.Lock()
	defer s.conn.mu.Unlock()
	state, err := method(s.Store, ctx, key, rate)
	if count != 0 {
		key = s.window + ":" + key
		if n := s.conn.noted[key]; n.reset == state.Reset { // else it is of an earlier window
			count += n.count
		}
		s.conn.noted[key] = noted{count, state.Limit - state.Remaining, state.Reset}
	}
	return state, err
}

package ratelimit

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
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
}

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
	c, err := prepareRedis(config)
	if err != nil {
		return nil, err
	}
	if err := c.connect(); err != nil {
		c.logLost(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	c.stop = stop
	c.renewing.Go(func() { c.renew(ctx, cmp.Or(config.redisRetry, time.Second)) })
	return c, nil
}

// RedisTime counts once in the Redis at a URL, and returns its address and its clock. Its
// error has no password.
func RedisTime(ctx context.Context, url string) (address string, at time.Time, err error) {
	c, err := prepareRedis(Config{RedisURL: url})
	if err != nil {
		return "", time.Time{}, err
	}
	c.options.PoolSize = 1
	if err = c.connect(); err == nil {
		client := c.client.Load()
		defer client.Close()
		at, err = client.Time(ctx).Result()
	}
	if err != nil {
		err = errors.New(c.reason(err))
	}
	return c.options.Addr, at, err
}

// prepareRedis does not connect yet.
func prepareRedis(config Config) (*redisConn, error) {
	options, err := redis.ParseURL(config.RedisURL)
	if err != nil {
		return nil, errors.New(
			"REDIS_URL is invalid: expected redis://[user:password@]host[:port][/database], rediss://… for TLS, or unix://[user:password@]/path/to/socket",
		)
	}
	patience := cmp.Or(config.Patience, redisPatience)
	options.DialTimeout, options.ReadTimeout, options.WriteTimeout = max(connectTimeout, patience), patience/2, patience/2
	options.ContextTimeoutEnabled = true
	options.DialerRetries = 1
	options.ConnMaxIdleTime = -1 // connections stay open for the next burst
	options.MaxRetries = -1      // a count sent twice is counted twice
	options.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	logging.Disable() // go-redis writes a line to stderr for every failed dial

	return &redisConn{options: options, log: cmp.Or(config.Log, slog.Default()), patience: patience}, nil
}

// connect makes a client and counts with it once: a Redis that answers but
// cannot write, because it is a replica or full, counts as away. Its connections are open
// before requests count in it.
func (c *redisConn) connect() error {
	client := redis.NewClient(c.options)
	store, err := redisstore.NewStoreWithOptions(client, limiter.StoreOptions{Prefix: "dispo:limit"})
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), c.options.DialTimeout)
		defer cancel()
		_, err = store.Get(ctx, "probe", limiter.Rate{Limit: 1, Period: time.Minute})
		open(ctx, client)
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
	c.log.Warn("Redis does not answer: this instance limits by its own memory until it does",
		"redis", c.options.Addr, "error", c.reason(err))
}

// reason returns an error's text without the password, which servers quote in their errors
// about commands, AUTH among them.
func (c *redisConn) reason(err error) string {
	if c.options.Password == "" {
		return err.Error()
	}
	return strings.ReplaceAll(err.Error(), c.options.Password, "***")
}

// patient limits how long one request waits for Redis. It ignores that the
// request is cancelled, because that must not look like an outage.
func (c *redisConn) patient(ctx context.Context) (context.Context, context.CancelFunc) {
	if c == nil {
		return ctx, func() {}
	}
	return context.WithTimeout(context.WithoutCancel(ctx), c.patience)
}

// redisStore is a [limiter.Store] for one window. It counts in Redis and in memory, and while
// Redis is away in memory alone. Its methods return no errors.
type redisStore struct {
	mu            sync.Mutex // held to count in memory: a window may move
	limiter.Store            // memory
	conn          *redisConn
	window        string
}

func (s *redisStore) Get(ctx context.Context, key string, rate limiter.Rate) (limiter.Context, error) {
	return s.Increment(ctx, key, 1, rate)
}

func (s *redisStore) Peek(ctx context.Context, key string, rate limiter.Rate) (limiter.Context, error) {
	return s.Increment(ctx, key, 0, rate)
}

func (s *redisStore) Increment(ctx context.Context, key string, n int64, rate limiter.Rate) (limiter.Context, error) {
	client := s.conn.client.Load()
	if client == nil {
		return s.alone(ctx, key, n, rate)
	}
	// Redis ends a window only after its last millisecond, and a client that waits
	// for the whole length must not come too early.
	shorter := limiter.Rate{Limit: rate.Limit, Period: rate.Period - time.Millisecond}
	state, err := add(ctx, client.store, s.window+":"+key, n, shorter)
	if err != nil {
		s.conn.lost(client, err)
		return s.alone(ctx, key, n, rate)
	}
	own := s.follow(ctx, key, n, rate, state)
	if own.Remaining < state.Remaining || own.Reached && !state.Reached { // Redis did not count them all
		own.Limit = rate.Limit
		return own, nil
	}
	return state, nil
}

// alone counts in memory while Redis is away.
func (s *redisStore) alone(ctx context.Context, key string, n int64, rate limiter.Rate) (limiter.Context, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return add(ctx, s.Store, key, n, rate)
}

// follow counts in memory what Redis has counted in a window, up to twice the limit.
func (s *redisStore) follow(
	ctx context.Context, key string, n int64, rate limiter.Rate, redis limiter.Context,
) limiter.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	// A window in memory ends with the one in Redis. Reset is rounded down, and an end late
	// in that second gives the same Reset.
	twice := limiter.Rate{Limit: 2 * rate.Limit, Period: time.Until(time.Unix(redis.Reset, 900e6))}
	own, _ := add(ctx, s.Store, key, n, twice)
	// Redis may report the same end a second later. A refused request moves nothing: it begins
	// a new window in Redis each time, so a client that keeps asking would be refused forever.
	if n <= 0 || own.Reached || redis.Reset <= own.Reset+1 {
		return own
	}
	used := twice.Limit - own.Remaining
	if time.Duration(redis.Reset-own.Reset)*time.Second >= rate.Period-time.Second {
		// The window in Redis began when the one in memory ended, to the second.
		if used-n > rate.Limit {
			return own // too many to forget before its end, and to take into the next
		}
		used = n
	}
	// Otherwise Redis has lost its window, and the new one counts what this instance has let through.
	_, _ = s.Store.Reset(ctx, key, twice)
	own, _ = s.Store.Increment(ctx, key, used, twice)
	return own
}

// add adds n to a window, or only looks if n is 0, because adding 0 would begin a window.
func add(ctx context.Context, in limiter.Store, key string, n int64, rate limiter.Rate) (limiter.Context, error) {
	if n == 0 {
		return in.Peek(ctx, key, rate)
	}
	return in.Increment(ctx, key, n, rate)
}

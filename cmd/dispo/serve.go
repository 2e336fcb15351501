package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	neturl "net/url"
	"os"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/api"
	"dispo/api/download"
	"dispo/api/ratelimit"
	"dispo/api/server"
	"dispo/dashboard"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/database/embedded"
	"dispo/models/disk"
	"dispo/models/doctor"
	"dispo/models/erasures"
	"dispo/models/keys"
	"dispo/models/retention"
	"dispo/models/sandbox"
	"dispo/models/signon"
)

const (
	// drainTimeout is how long requests in progress may take at shutdown.
	drainTimeout = 10 * time.Second

	// readTimeout is how long a client of the metrics may take to send its headers.
	readTimeout = 10 * time.Second
)

// requestTimeout bounds the work for a request, and its wait for Redis. It is empty for
// the defaults of the API, of pages and of the limits. Tests build the program with another one, because a machine may be slow.
var requestTimeout string

type serveCommand struct{ listenFlag }

func (c *serveCommand) Run(e *environment) error {
	return serve(e, c.Listen, func(*models.Store, string, string) error { return nil })
}

// serve serves until the program is asked to stop. It calls prepare with the store, the
// database's URL and the listen address when the database is ready, before the first
// request.
func serve(
	e *environment, listen address, prepare func(store *models.Store, databaseURL, listen string) error,
) (err error) {
	if err := e.settings.checkService(); err != nil {
		return err
	}
	// Half as many collections, because a service that holds little collects often. Commands
	// end before theirs matter.
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(200)
	}
	if err := erasures.Append(e.ctx, e.settings.Erasures); errors.Is(err, disk.ErrSilent) {
		e.log.Warn(err.Error())
	} else if err != nil {
		return err
	}
	timeout, _ := time.ParseDuration(requestTimeout)
	limits, err := ratelimit.New(ratelimit.Config{
		Minute: int64(e.settings.LimitMinute), Hour: int64(e.settings.LimitHour), Failures: int64(e.settings.LimitFailures),
		RedisURL: e.settings.RedisURL, Patience: timeout, Log: e.log,
	})
	if err != nil {
		return usageErrorf("%v", err)
	}
	defer limits.Close()
	listener, err := net.Listen("tcp", string(listen))
	if err != nil {
		return fmt.Errorf("cannot listen on %s (--listen): %w", listen, database.RootCause(err))
	}
	defer listener.Close()
	warnOfFewFiles(e.log)

	opened, err := e.openDatabase(embedded.Service, embedded.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.close()) }()
	if opened.server != nil { // nobody else runs it
		if err := opened.server.Announce(e.settings.publicURL(withPort(listen, listener))); err != nil {
			return err
		}
		if err := retention.Store(e.ctx, opened.url, e.settings.Keep, "default",
			func(change string) { e.log.Info(change) }); err != nil {
			return err
		}
	}
	db, err := database.Open(e.ctx,
		database.Config{URL: opened.url, ReadURL: e.settings.ReadURL, Role: database.Service, Serving: true, Log: e.log})
	if err != nil {
		return err
	}
	defer db.Close()
	store := models.NewStore(db, opened.secret)
	store.KeepErasures(e.settings.Erasures)
	verifier := keys.NewVerifier(store, e.log)
	recorder := keys.NewRecorder(db, e.log)
	defer recorder.Close()
	if err := prepare(store, opened.url, withPort(listen, listener)); err != nil {
		return err
	}
	asked := e.ctx.Done()
	over, end := drained(e.ctx, e.settings.drain(), e.log)
	defer end()
	e = &environment{over, e.streams, e.settings, e.log}
	keeper := retention.New(store, e.settings.Keep, e.log)
	defer inBackground(e.ctx, keeper.Run,
		func(ctx context.Context) { erasures.Keep(ctx, store, e.log) },
		func(ctx context.Context) { keys.RevokeOnSchedule(ctx, store, e.log) },
		func(ctx context.Context) { sandbox.Run(ctx, store, e.log) })()

	public, err := neturl.Parse(e.settings.publicURL(withPort(listen, listener)))
	if err != nil {
		return err
	}
	pages := store.ForPages()
	users := accounts.New(pages)
	if err := users.RequireSecondFactor(e.ctx, e.settings.RequireSecondFactor); err != nil {
		return err
	}
	if len(opened.secret) > 1 {
		defer inBackground(e.ctx, func(ctx context.Context) { users.Renew(ctx, e.log) })()
	}
	mails, stopMails, err := sendMails(e, store, users, public)
	if err != nil {
		return err
	}
	defer stopMails()
	observer, lines := newObserver(e)
	defer lines.close()
	downloads := download.NewMaker(int(db.ForExports().Pool.Config().MaxConns))
	defer downloads.Close()
	measure, stopMetrics, err := serveMetrics(e,
		measured{e.settings, db, store, verifier, limits, downloads, keeper, mails, lines})
	if err != nil {
		return err
	}
	defer stopMetrics()
	observer.Measure = measure
	served, routesBeside := api.New(api.Config{
		Store:      store,
		Keys:       verifier,
		Usage:      recorder,
		Limits:     limits,
		LimitByKey: e.settings.LimitBy == byKey,
		Downloads:  downloads,
		Timeout:    timeout,
		Observer:   observer,
		CacheBytes: int(e.settings.CacheMB) << 20,
		Log:        e.log,
		DocsURL:    public.JoinPath("docs").String(),
		MCP:        e.settings.MCP,
		Origin:     public.Scheme + "://" + public.Host,
		Draining:   asked,
		Stopping:   e.ctx.Done(),
	})
	app := server.New(server.Config{HTTPS: public.Scheme == "https", Draining: asked, Prefix: api.Prefix, API: served,
		Larger: map[string]int{api.LeakedPath: api.LeakedMost}})
	defer routesBeside(app)()
	dashboard.Routes(app, dashboard.Config{
		Store:     pages,
		Accounts:  users,
		SignOn:    signon.New(users, pages, public, e.settings.OIDCPrivate),
		Downloads: downloads,
		Timeout:   timeout,
		PublicURL: public,
		Support:   string(e.settings.Support),
		Mail:      mails != nil,
		Log:       e.log,
		Limits:    shownLimits(e.settings, limits),
		Reference: api.Reference(),
		Clients:   api.Clients(),
		Observer:  observer,
	})
	defer inBackground(e.ctx, func(ctx context.Context) { notifyReady(ctx, store) })()
	e.log.Info("serving", "listen", listener.Addr().String(), "version", versionText())
	return serveUntilStopped(e, app, listener, opened.server)
}

// checkService refuses settings that contradict each other, or lack what the service needs.
func (s *settings) checkService() error {
	if s.DatabaseURL != "" && s.Secret == nil {
		return usageErrorf("DISPO_SECRET is required with DATABASE_URL: create one with `openssl rand -base64 32` and use " +
			"it for every instance")
	}
	if s.DatabaseURL == "" && s.ReadURL != "" {
		return usageErrorf("DATABASE_READ_URL needs DATABASE_URL: the embedded database has no replicas")
	}
	if s.Drain != nil && (*s.Drain < 0 || *s.Drain > drainMaximum) {
		return usageErrorf("DISPO_DRAIN is %v: choose a time from 0s to 10m, such as 5s", *s.Drain)
	}
	if err := s.checkMail(); err != nil {
		return err
	}
	if err := s.Keep.Check(); err != nil {
		return usageErrorf("%v", err)
	}
	return nil
}

// warnOfFewFiles warns if the limit of open files allows few connections.
func warnOfFewFiles(log *slog.Logger) {
	var files syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files) == nil && files.Cur < doctor.FewFiles {
		log.Warn("the limit of open files is low, and each connection needs one: raise it, such as with LimitNOFILE= "+
			"in systemd or `ulimit -n`", "limit", files.Cur, "recommended", doctor.FewFiles)
	}
}

// inBackground runs loops until stop is called, which waits for their end.
func inBackground(ctx context.Context, loops ...func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	for _, loop := range loops {
		running.Go(func() { loop(ctx) })
	}
	return func() {
		cancel()
		running.Wait()
	}
}

// shownLimits returns the API's limits for the dashboard.
func shownLimits(s *settings, limits *ratelimit.Limits) dashboard.Limits {
	return dashboard.Limits{
		Minute: int64(s.LimitMinute), Hour: int64(s.LimitHour), PerKey: s.LimitBy == byKey,
		Use: func(id uuid.UUID, own models.Limits) (minute, hour dashboard.Use) {
			m, h := limits.With(own.LimitMinute, own.LimitHour).Peek(context.Background(), id.String())
			return dashboard.Use(m), dashboard.Use(h)
		},
	}
}

// serveUntilStopped serves until the service has drained, and then finishes the requests in
// progress. It also returns if the listener or the embedded database fails.
func serveUntilStopped(e *environment, app *fiber.App, listener net.Listener, postgres *embedded.Server) error {
	served := make(chan error, 1)
	go func() { served <- server.Serve(app, listener) }()
	var databaseEnded <-chan struct{}
	if postgres != nil {
		databaseEnded = postgres.Done()
	}
	var failure error
	select {
	case err := <-served:
		return fmt.Errorf("serving failed: %w", err)
	case <-databaseEnded:
		failure = fmt.Errorf("the embedded database has stopped unexpectedly: see postgres/log in %s", e.settings.Data)
	case <-e.ctx.Done():
		e.log.Info("stopping")
	}
	if err := app.ShutdownWithTimeout(drainTimeout); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		failure = errors.Join(failure, err)
	}
	return failure
}

// publicURL returns the URL at which browsers reach the service.
func (s *settings) publicURL(listen string) string {
	if s.PublicURL != "" {
		return string(s.PublicURL)
	}
	return "http://" + reachable(listen)
}

// reachable returns the address at which to call a service that listens on an
// address. A service on all interfaces is called on the loopback interface.
func reachable(listen string) string {
	host, port, err := net.SplitHostPort(listen)
	if err != nil {
		return listen
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// withPort returns a listen address with the listener's actual port, which the system
// chooses if the address has port 0.
func withPort(listen address, listener net.Listener) string {
	host, _, _ := net.SplitHostPort(string(listen)) // the flag has been checked
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return net.JoinHostPort(host, port)
}

type healthCommand struct{ listenFlag }

func (c *healthCommand) Run(e *environment) error {
	client := &http.Client{Timeout: 5 * time.Second}
	request, err := http.NewRequestWithContext(e.ctx, http.MethodGet, "http://"+reachable(string(c.Listen))+"/api/health",
		nil)
	if err != nil {
		return err
	}
	answer, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("the service at %s does not answer: %w", c.Listen, database.RootCause(err))
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the service at %s is not healthy: status %d", c.Listen, answer.StatusCode)
	}
	fmt.Fprintln(e.streams.out, "ok")
	return nil
}

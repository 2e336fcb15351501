package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"net/url"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"dispo/api/download"
	"dispo/api/ratelimit"
	"dispo/migrations"
	"dispo/models"
	"dispo/models/database"
	"dispo/models/doctor"
	"dispo/models/erasures"
	"dispo/models/imports"
	"dispo/models/keys"
	"dispo/models/mail"
	"dispo/models/retention"
)

// measured is what the service's metrics are read from.
type measured struct {
	db        *database.DB
	store     *models.Store
	keys      *keys.Verifier
	limits    *ratelimit.Limits
	downloads *download.Maker
	keeper    *retention.Keeper
	mails     *mail.Sender // nil if no mail is sent
	lines     *accessLog
}

// serveMetrics serves Prometheus metrics and Go profiles on their own address, until stop is
// called. They are for operators and never served on the public port. measure is nil if
// metrics are off.
func serveMetrics(
	e *environment, m measured,
) (measure func(route string, status int, took time.Duration), stop func(), err error) {
	if e.settings.MetricsListen == "" {
		return nil, func() {}, nil
	}
	requests := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "dispo_request_duration_seconds",
		Help:    "Duration of requests to the API and to pages in seconds, by route and status, without waits for changes.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5},
	}, []string{"route", "status"})
	stop, err = listenForMetrics(e, append(m.collectors(e.settings), requests)...)
	return func(route string, status int, took time.Duration) {
		requests.WithLabelValues(route, strconv.Itoa(status)).Observe(took.Seconds())
	}, stop, err
}

// collectors returns all metrics but those of requests.
func (m measured) collectors(s *settings) (all []prometheus.Collector) {
	gauge := func(name, help string, value func() float64) { all = append(all, gauge(name, help, value)) }
	counter := func(name, help string, value func() float64) {
		all = append(all, prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value))
	}
	each := func(name, help, label string, values func(func(of string, value func() float64))) {
		values(func(of string, value func() float64) {
			all = append(
				all,
				prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help, ConstLabels: prometheus.Labels{label: of}},
					value),
			)
		})
	}
	build := prometheus.Labels{
		"version":   versionText(),
		"schema":    strconv.FormatInt(migrations.Latest(), 10),
		"goversion": runtime.Version(),
	}
	all = append(
		all,
		prometheus.NewGaugeFunc(
			prometheus.GaugeOpts{
				Name:        "dispo_build_info",
				Help:        "1, with the version of the program, of its schema and of Go.",
				ConstLabels: build,
			},
			func() float64 { return 1 },
		),
	)
	each(
		"dispo_key_checks_total",
		"API keys by how they were decided about: accepted from memory, by reading the row of a proven one, by fingerprint or by bcrypt; or refused.",
		"way",
		m.keys.Checks,
	)
	each("dispo_limits_reached_total", "Requests that were refused because a limit was reached, by its window.", "window",
		m.limits.Reached)
	gauge("dispo_limits_degraded", "1 while Redis does not answer and this instance counts requests in its own memory.",
		func() float64 { return flag(m.limits.Degraded()) })
	gauge("dispo_waiting_requests", "Requests that wait for a change of their organization's data.",
		func() float64 { return float64(m.store.DB().Feed.Waiting()) })
	m.downloads.Each(func(kind download.Kind, open, sent func() float64) {
		labels := prometheus.Labels{"kind": kind.String()}
		all = append(
			all,
			prometheus.NewGaugeFunc(
				prometheus.GaugeOpts{
					Name:        "dispo_downloads_open",
					Help:        "Bulk reads and downloads from the dashboard that are being made or sent, by kind.",
					ConstLabels: labels,
				},
				open,
			),
			prometheus.NewCounterFunc(
				prometheus.CounterOpts{
					Name:        "dispo_downloads_sent_bytes_total",
					Help:        "Bytes of bulk reads and downloads from the dashboard that were sent, by kind.",
					ConstLabels: labels,
				},
				sent,
			),
		)
	})
	counter("dispo_access_log_dropped_lines_total", "Lines of the access log that were dropped, because nobody read them.",
		func() float64 { return float64(m.lines.dropped.Load()) })

	gauge("dispo_change_feed_up",
		"1 while this instance is notified of changes; 0 while it queries the database for every request.",
		func() float64 { return flag(m.db.Feed.Fresh()) })
	gauge("dispo_change_feed_lag_seconds", "For how long changes may have gone unheard.",
		func() float64 { return m.db.Feed.Lag().Seconds() })
	m.db.EachPool(func(pool string, count func() database.Connections) {
		labels := prometheus.Labels{"pool": pool}
		gauge := func(name, help string, of func(database.Connections) int) {
			all = append(all, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help, ConstLabels: labels},
				func() float64 { return float64(of(count())) }))
		}
		gauge("dispo_database_connections", "Connections to the database, by pool.",
			func(c database.Connections) int { return c.Total })
		gauge("dispo_database_connections_busy", "Connections to the database that are in use, by pool.",
			func(c database.Connections) int { return c.Busy })
		gauge("dispo_database_connections_max", "Maximum number of connections to the database, by pool.",
			func(c database.Connections) int { return c.Max })
		counter := func(name, help string, of func(database.Connections) float64) {
			all = append(all, prometheus.NewCounterFunc(
				prometheus.CounterOpts{Name: name, Help: help, ConstLabels: labels},
				func() float64 { return of(count()) }))
		}
		counter("dispo_database_connection_waits_total",
			"How often something waited for a free connection to the database, by pool.",
			func(c database.Connections) float64 { return float64(c.Waits) })
		counter("dispo_database_connection_wait_seconds_total",
			"For how long something waited for a free connection to the database, by pool.",
			func(c database.Connections) float64 { return c.Waited.Seconds() })
	})
	if m.db.Replicas.Any() {
		each(
			"dispo_replica_reads_total",
			"Reads that could use a replica, by outcome: current was answered by it, all others by the primary.",
			"outcome",
			func(f func(string, func() float64)) {
				m.db.Replicas.Each(func(outcome database.ReplicaOutcome, count func() float64) { f(outcome.String(), count) })
			},
		)
	}

	each("dispo_retention_deleted_rows_total",
		"Rows that this instance has deleted because they were kept for long enough.", "kind", m.keeper.Deleted)
	gauge("dispo_retention_finished_timestamp_seconds",
		"When this instance last had deleted all that was kept for long enough; 0 for never.", m.keeper.Finished)
	if m.mails != nil {
		gauge("dispo_mails_waiting", "Mails in the outbox that are not sent yet, of all instances.",
			func() float64 { return float64(m.mails.Waiting()) })
		gauge("dispo_mails_given_up", "Mails of the last 30 days that could not be sent, of all instances.",
			func() float64 { return float64(m.mails.GivenUp()) })
	}
	all = append(all, prometheus.CollectorFunc(m.deliveries), prometheus.CollectorFunc(m.erasures))
	if s.Backups != "" {
		gauge(
			"dispo_backup_newest_timestamp_seconds",
			"When the newest backup in DISPO_BACKUPS was written; 0 if there is none.",
			func() float64 {
				if path, at, _ := doctor.NewestBackup(s.Backups); path != "" {
					return float64(at.Unix())
				}
				return 0
			},
		)
	}
	return all
}

var (
	deliveriesTotal = prometheus.NewDesc("dispo_deliveries_total",
		"Deliveries that were imported or refused, by any program on this database.", []string{"result"}, nil)
	deliveryRecords = prometheus.NewDesc("dispo_delivery_records_total",
		"Records of deliveries that were imported or refused, by any program on this database.", []string{"result"}, nil)
	deliveryLastImport = prometheus.NewDesc("dispo_delivery_last_import_timestamp_seconds",
		"When a delivery was last imported; 0 for never.", nil, nil)
)

// deliveries collects what the database knows of imports: nothing while it does not answer.
func (m measured) deliveries(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	counts, err := imports.Count(ctx, m.db)
	if err != nil {
		return
	}
	send := func(desc *prometheus.Desc, kind prometheus.ValueType, value int64, labels ...string) {
		to <- prometheus.MustNewConstMetric(desc, kind, float64(value), labels...)
	}
	send(deliveriesTotal, prometheus.CounterValue, counts.Imported, "imported")
	send(deliveriesTotal, prometheus.CounterValue, counts.Refused, "refused")
	send(deliveryRecords, prometheus.CounterValue, counts.ImportedRecords, "imported")
	send(deliveryRecords, prometheus.CounterValue, counts.RefusedRecords, "refused")
	send(deliveryLastImport, prometheus.GaugeValue, counts.LastImport)
}

var erasuresWaiting = prometheus.NewDesc(
	"dispo_erasures_waiting",
	"Deletions and revocations that have waited for over a minute to be in the file of DISPO_ERASURES, of all instances.",
	nil,
	nil,
)

// erasures collects what waits, where a file is kept: nothing while the database does not answer.
func (m measured) erasures(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	waiting, err := erasures.Count(ctx, m.db)
	if err == nil && waiting.Files != "" {
		to <- prometheus.MustNewConstMetric(erasuresWaiting, prometheus.GaugeValue, float64(waiting.Lines))
	}
}

// listenForMetrics serves metrics, and those of the process, on the address for them
// until stop is called. It does nothing if metrics are off.
func listenForMetrics(e *environment, metrics ...prometheus.Collector) (stop func(), err error) {
	if e.settings.MetricsListen == "" {
		return func() {}, nil
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(metrics...)
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	listener, err := net.Listen("tcp", string(e.settings.MetricsListen))
	if err != nil {
		return nil, fmt.Errorf("cannot listen on %s (DISPO_METRICS_LISTEN): %w", e.settings.MetricsListen,
			database.RootCause(err))
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	hosts := slices.Clip(
		append(e.settings.MetricsHosts, "localhost", (&url.URL{Host: string(e.settings.MetricsListen)}).Hostname()),
	)
	server := &http.Server{Handler: onlyFor(hosts, mux), ReadHeaderTimeout: readTimeout}
	var serving sync.WaitGroup
	serving.Go(func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			e.log.Error("metrics are no longer served", "error", err)
		}
	})
	e.log.Info("serving metrics", "listen", listener.Addr().String())
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = server.Shutdown(ctx)
		serving.Wait()
	}, nil
}

const profileMaximum = 60 // seconds that a profile takes

// onlyFor answers requests for hosts, for loopback addresses and for the address that was
// called. A page of another name, which its owner lets point here, cannot read the answers. A
// page of another site cannot start anything, if its browser says so, and no profile takes
// longer than a minute.
func onlyFor(hosts []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := (&url.URL{Host: r.Host}).Hostname()
		called, _, _ := net.SplitHostPort(fmt.Sprint(r.Context().Value(http.LocalAddrContextKey)))
		if !net.ParseIP(host).IsLoopback() &&
			!slices.ContainsFunc(append(hosts, called), func(known string) bool { return strings.EqualFold(known, host) }) {
			http.Error(w, "The metrics are not served under this name: add it to DISPO_METRICS_HOSTS.",
				http.StatusMisdirectedRequest)
			return
		}
		if from := r.Header.Get("Sec-Fetch-Site"); from != "" && from != "none" && from != "same-origin" {
			http.Error(w, "A page of another site asked for this: open it by its address.", http.StatusForbidden)
			return
		}
		if seconds, err := strconv.ParseFloat(r.FormValue("seconds"), 64); err == nil && !(seconds <= profileMaximum) {
			http.Error(w, fmt.Sprintf("A profile takes at most %d seconds: choose fewer.", profileMaximum),
				http.StatusBadRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func gauge(name, help string, value func() float64) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value)
}

func flag(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"dispo/api/ratelimit"
	"dispo/models"
	"dispo/models/database"
	"dispo/models/mail"
	"dispo/models/retention"
)

// serveMetrics serves Prometheus metrics and Go profiles on their own address, until stop is
// called. They are for operators and never served on the public port. observe is nil if
// metrics are off.
func serveMetrics(e *environment, db *database.DB, store *models.Store, limits *ratelimit.Limits, mails *mail.Sender, keeper *retention.Keeper) (
	observe func(route string, status int, took time.Duration), stop func(), err error) {
	if e.settings.MetricsListen == "" {
		return nil, func() {}, nil
	}
	requests := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "dispo_request_duration_seconds", Help: "Duration of requests to the API in seconds, by route and status.",
		Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5},
	}, []string{"route", "status"})
	all := []prometheus.Collector{requests,
		gauge("dispo_change_feed_up", "1 while this instance is notified of changes; 0 while it queries the database for every request.", func() float64 { return flag(db.Feed.Fresh()) }),
		gauge("dispo_limits_degraded", "1 while Redis does not answer and this instance counts requests in its own memory.", func() float64 { return flag(limits.Degraded()) }),
		gauge("dispo_waiting_requests", "Requests that wait for a change of their organization's data.", func() float64 { return float64(store.Waiting()) }),
		gauge("dispo_database_connections", "Connections to the database.", func() float64 { return float64(db.Connections().Total) }),
		gauge("dispo_database_connections_busy", "Connections to the database that are in use.", func() float64 { return float64(db.Connections().Busy) }),
		gauge("dispo_database_connections_max", "Maximum number of connections to the database.", func() float64 { return float64(db.Connections().Max) }),
	}
	if db.Replicas.Any() {
		db.Replicas.Each(func(outcome database.ReplicaOutcome, count func() float64) {
			all = append(all, prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "dispo_replica_reads_total", ConstLabels: prometheus.Labels{"outcome": outcome.String()},
				Help: "Reads that could use a replica, by outcome: current was answered by it, all others by the primary."}, count))
		})
	}
	keeper.Deleted(func(name string, rows func() float64) {
		all = append(all, prometheus.NewCounterFunc(prometheus.CounterOpts{Name: "dispo_retention_deleted_rows_total", ConstLabels: prometheus.Labels{"kind": name},
			Help: "Rows that this instance has deleted because they were kept for long enough."}, rows))
	})
	all = append(all, gauge("dispo_retention_finished_timestamp_seconds", "When this instance last had deleted all that was kept for long enough; 0 for never.", keeper.Finished))
	if mails != nil {
		all = append(all,
			gauge("dispo_mails_waiting", "Mails in the outbox that are not sent yet, of all instances.", func() float64 { return float64(mails.Waiting()) }),
			gauge("dispo_mails_given_up", "Mails of the last 30 days that could not be sent, of all instances.", func() float64 { return float64(mails.GivenUp()) }))
	}
	stop, err = listenForMetrics(e, all...)
	return func(route string, status int, took time.Duration) {
		requests.WithLabelValues(route, strconv.Itoa(status)).Observe(took.Seconds())
	}, stop, err
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
		return nil, fmt.Errorf("cannot listen on %s (DISPO_METRICS_LISTEN): %w", e.settings.MetricsListen, database.RootCause(err))
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	hosts := slices.Clip(append(e.settings.MetricsHosts, "localhost", (&url.URL{Host: string(e.settings.MetricsListen)}).Hostname()))
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

// onlyFor answers requests for hosts, for loopback addresses and for the address that was
// called. A page of another name, which its owner lets point here, cannot read the answers.
func onlyFor(hosts []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := (&url.URL{Host: r.Host}).Hostname()
		called, _, _ := net.SplitHostPort(fmt.Sprint(r.Context().Value(http.LocalAddrContextKey)))
		if !net.ParseIP(host).IsLoopback() && !slices.ContainsFunc(append(hosts, called), func(known string) bool { return strings.EqualFold(known, host) }) {
			http.Error(w, "The metrics are not served under this name: add it to DISPO_METRICS_HOSTS.", http.StatusMisdirectedRequest)
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

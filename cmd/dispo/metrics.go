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

	"dispo/models/database"
)

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
	stop, err = listenForMetrics(e, append(m.collectors(), requests)...)
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
		return nil, fmt.Errorf("cannot listen on %s (DISPO_METRICS_LISTEN): %w", e.settings.MetricsListen,
			database.RootCause(err))
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	hosts := slices.Clip(
		append(e.settings.MetricsHosts, "localhost", (&url.URL{Host: string(e.settings.MetricsListen)}).Hostname()))
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

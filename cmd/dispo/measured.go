package main

import (
	"context"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"dispo/api/download"
	"dispo/api/ratelimit"
	"dispo/migrations"
	"dispo/models"
	"dispo/models/backup/record"
	"dispo/models/database"
	"dispo/models/disk"
	"dispo/models/doctor"
	"dispo/models/erasures"
	"dispo/models/imports"
	"dispo/models/keys"
	"dispo/models/mail"
	"dispo/models/retention"
)

// sink takes metrics when they are read.
type sink chan<- prometheus.Metric

// add adds a gauge, or a counter if its name ends so. Labels are names, each with its value.
func (to sink) add(name, help string, value float64, labels ...string) {
	kind := prometheus.GaugeValue
	if strings.HasSuffix(name, "_total") {
		kind = prometheus.CounterValue
	}
	var names, values []string
	for label := range slices.Chunk(labels, 2) {
		names, values = append(names, label[0]), append(values, label[1])
	}
	to <- prometheus.MustNewConstMetric(prometheus.NewDesc(name, help, names, nil), kind, value, values...)
}

func flag(on bool) float64 {
	if on {
		return 1
	}
	return 0
}

// collector collects metrics, of which some may be missing at times.
type collector func(sink)

func (c collector) Collect(to chan<- prometheus.Metric) { c(to) }

// Describe promises nothing.
func (c collector) Describe(chan<- *prometheus.Desc) {}

// measured is what the service's metrics are read from.
type measured struct {
	settings  *settings
	db        *database.DB
	store     *models.Store
	keys      *keys.Verifier
	limits    *ratelimit.Limits
	downloads *download.Maker
	keeper    *retention.Keeper
	mails     *mail.Sender // nil if no mail is sent
	lines     *accessLog
}

// collectors returns all metrics but those of requests.
func (m measured) collectors() []prometheus.Collector {
	return []prometheus.Collector{
		collector(m.instance), collector(m.pools), collector(m.database), collector(m.disks), collector(m.backups),
	}
}

// instance collects what the instance knows.
func (m measured) instance(to sink) {
	to.add("dispo_build_info", "1, with the version of the program, of its schema and of Go.", 1,
		"version", versionText(), "schema", strconv.FormatInt(migrations.Latest(), 10), "goversion", runtime.Version())
	m.keys.Checks(func(way string, checks float64) {
		to.add("dispo_key_checks_total",
			"API keys: accepted from memory, by the row of a proven one, by fingerprint or by bcrypt; or refused.",
			checks, "way", way)
	})
	m.limits.Reached(func(window string, times float64) {
		to.add("dispo_limits_reached_total", "Requests that were refused because of a limit.", times, "window", window)
	})
	to.add("dispo_limits_degraded", "1 while Redis does not answer and this instance counts requests in its own memory.",
		flag(m.limits.Degraded()))
	to.add("dispo_waiting_requests", "Requests that wait for a change of data.", float64(m.db.Feed.Waiting()))
	m.downloads.Each(func(kind download.Kind, open, sent float64) {
		to.add("dispo_downloads_open", "Bulk reads, and downloads from the dashboard, that are being made or sent.",
			open, "kind", kind.String())
		to.add("dispo_downloads_sent_bytes_total", "Bytes sent of bulk reads and downloads.", sent, "kind", kind.String())
	})
	to.add("dispo_access_log_dropped_lines_total", "Lines of the access log that were dropped, because nobody read them.",
		float64(m.lines.dropped.Load()))
	to.add("dispo_change_feed_up", "1 while this instance is notified of changes; else it queries for every request.",
		flag(m.db.Feed.Fresh()))
	to.add("dispo_change_feed_lag_seconds", "For how long changes may have gone unheard.", m.db.Feed.Lag().Seconds())
	m.keeper.Deleted(func(kind string, rows float64) {
		to.add("dispo_retention_deleted_rows_total", "Rows that this instance deleted because of their age.", rows, "kind",
			kind)
	})
	to.add("dispo_retention_finished_timestamp_seconds", "When this instance last had deleted all that was too old, or 0.",
		m.keeper.Finished())
	if m.mails != nil {
		to.add("dispo_mails_waiting", "Mails of all instances that are not sent yet.", float64(m.mails.Waiting()))
		to.add("dispo_mails_given_up", "Mails of the last 30 days that could not be sent.", float64(m.mails.GivenUp()))
	}
}

// pools collects the connections to the database, and what replicas answered.
func (m measured) pools(to sink) {
	m.db.EachPool(func(pool string, count database.Connections) {
		to.add("dispo_database_connections", "Connections to the database.", count.Total, "pool", pool)
		to.add("dispo_database_connections_busy", "Connections that are in use.", count.Busy, "pool", pool)
		to.add("dispo_database_connections_max", "The most that may be open.", count.Max, "pool", pool)
		to.add("dispo_database_connection_waits_total", "Waits for a free connection.", count.Waits, "pool", pool)
		to.add("dispo_database_connection_wait_seconds_total", "How long they took.", count.WaitSeconds, "pool", pool)
	})
	if m.db.Replicas.Any() {
		m.db.Replicas.Each(func(outcome string, reads float64) {
			to.add("dispo_replica_reads_total",
				"Reads that could use a replica: current was answered by it, all others by the primary.", reads, "outcome", outcome)
		})
	}
}

// metricLimit is how long a metric waits for the database or a disk.
const metricLimit = time.Second

// database collects whether the database answers, and what it knows of imports and erasures.
func (m measured) database(to sink) {
	ctx, cancel := context.WithTimeout(context.Background(), metricLimit)
	defer cancel()
	to.add("dispo_database_up", "1 while the database answers; it is asked for each reading.", flag(m.db.Up(ctx)))
	if counts, err := imports.Count(ctx, m.db); err == nil {
		const deliveries, records = "dispo_deliveries_total", "dispo_delivery_records_total"
		to.add(deliveries, "Deliveries, of any program.", float64(counts.Imported), "result", "imported")
		to.add(deliveries, "Deliveries, of any program.", float64(counts.Refused), "result", "refused")
		to.add(records, "Records of deliveries, of any program.", float64(counts.ImportedRecords), "result", "imported")
		to.add(records, "Records of deliveries, of any program.", float64(counts.RefusedRecords), "result", "refused")
		to.add("dispo_delivery_last_import_timestamp_seconds", "When a delivery was last imported; 0 for never.",
			float64(counts.LastImport))
	}
	if waiting, err := erasures.Count(ctx, m.db); err == nil && waiting.Files != "" {
		to.add("dispo_erasures_waiting", "Erasures that have waited for over a minute to be in the file of DISPO_ERASURES.",
			float64(waiting.Lines))
	}
}

// disks collects the room on the disks of the folders in use.
func (m measured) disks(to sink) {
	data := m.settings.Data
	if m.settings.DatabaseURL != "" {
		data = ""
	}
	for setting, path := range doctor.Folders(data, m.settings.Erasures, m.settings.Backups) {
		free, _ := disk.Ask(context.Background(), metricLimit, path, func() (int64, error) { return disk.Free(path) })
		to.add("dispo_disk_free_bytes", "Bytes left on the disk of the folder that a setting names; 0 if it cannot be used.",
			float64(free), "setting", setting)
	}
}

// backups collects when the newest were made, or 0: nothing if their folder does not answer.
func (m measured) backups(to sink) {
	found, err := record.Find(context.Background(), metricLimit, m.settings.Backups)
	if err != nil {
		return
	}
	to.add("dispo_backup_newest_timestamp_seconds", "When the newest backup in DISPO_BACKUPS was made; 0 without one.",
		float64(max(0, found.Newest.At.Unix())))
	for kind, backup := range map[string]record.Backup{"quick": found.Checked, "whole": found.Whole} {
		to.add("dispo_backup_checked_timestamp_seconds",
			"When the newest backup was made that was checked: quick by its checksums, whole by restoring it; 0 if none was.",
			float64(max(0, backup.At.Unix())), "kind", kind)
	}
}

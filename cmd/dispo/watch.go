package main

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/imports/folder"
)

type watchCommand struct {
	Folder string `arg:"" help:"Folder that deliveries arrive in."`
	deliveryFlags
	Expect      *folder.Expectation `help:"When a file must have come, such as \"16:00 Europe/Copenhagen bank-days\"; or weekdays, or every-day." placeholder:"\"HH:MM ZONE DAYS\""`
	Settle      time.Duration       `help:"How long a file must stay unchanged before it is imported." default:"5s"`
	RefuseAfter time.Duration       `help:"How long a file that looks cut off must stay unchanged before it is refused." default:"10m"`
}

// Run imports files until the program is told to stop, which is a success.
func (c *watchCommand) Run(e *environment) error {
	if c.Settle < 0 || c.RefuseAfter < 0 {
		return usageErrorf("--settle and --refuse-after must not be negative")
	}
	layout, err := readLayout(c.Layout)
	if err != nil {
		return err
	}
	watcher, err := folder.Open(folder.Options{
		Folder: c.Folder, Settle: c.Settle, RefuseAfter: c.RefuseAfter, Expect: c.Expect, Describe: sentence, Log: e.log,
	})
	if err != nil {
		return err
	}
	defer watcher.Close()
	return e.withStore(func(store *models.Store) error {
		only, err := c.organization(e, store)
		if err != nil {
			return err
		}
		closeMetrics, err := listenForMetrics(e, watchMetrics(watcher)...)
		if err != nil {
			return err
		}
		defer closeMetrics()
		e.log.Info("watching", "folder", c.Folder, "version", versionText())
		watcher.Run(e.ctx, store.DB(), imports.DeliveryOptions{Layout: layout, Organization: only, SkipUnknown: c.SkipUnknown})
		e.log.Info("stopped", "folder", c.Folder)
		return nil
	})
}

func watchMetrics(w *folder.Watcher) []prometheus.Collector {
	files := func(result string, value func() int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "dispo_watch_files_total", Help: "Files that were dealt with, by result.", ConstLabels: prometheus.Labels{"result": result},
		}, func() float64 { return float64(value()) })
	}
	return []prometheus.Collector{
		files("imported", w.Imported.Load), files("already", w.Already.Load), files("refused", w.Refused.Load),
		gauge("dispo_watch_waiting_files", "Files in the folder that were neither imported nor refused yet.", func() float64 { return float64(w.Waiting.Load()) }),
		gauge("dispo_watch_last_import_timestamp_seconds", "When a file last came, in Unix seconds; 0 if never.", func() float64 { return float64(w.LastCame.Load()) }),
		gauge("dispo_watch_overdue", "1 while an expected file has not come (--expect).", func() float64 { return flag(w.Overdue.Load()) }),
	}
}

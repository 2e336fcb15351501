package main

import (
	"context"
	"sync/atomic"
	"time"

	"dispo/models"
	"dispo/models/database/embedded"
	"dispo/models/erasures"
	"dispo/models/imports"
	"dispo/models/imports/folder"
)

type watchCommand struct {
	Folder string `arg:"" help:"Folder that deliveries arrive in."`
	deliveryFlags
	Every  time.Duration `help:"How often the folder is read." default:"10s"`
	Settle time.Duration `help:"How long a file without a .done must stay unchanged before it is imported." default:"5m"`
}

// Run imports files until the program is asked to stop, which is a success.
func (c *watchCommand) Run(e *environment) error {
	if c.Every <= 0 || c.Settle < 0 {
		return usageErrorf("--every must be positive, and --settle must not be negative")
	}
	layout, err := readLayout(c.Layout)
	if err != nil {
		return err
	}
	watcher, err := folder.Open(folder.Options{
		Folder: c.Folder, Every: c.Every, Settle: c.Settle, Describe: sentence, Log: e.log,
	})
	if err != nil {
		return err
	}
	// An owner of the embedded database for as long as this runs would keep the service out.
	return e.withDatabase(embedded.Guest, embedded.Options{}, func(store *models.Store) error {
		only, err := e.onlyOrganization(store, c.Organization)
		if err != nil {
			return err
		}
		closeMetrics, err := listenForMetrics(e, watchMetrics(watcher))
		if err != nil {
			return err
		}
		defer closeMetrics()
		defer inBackground(e.ctx, func(ctx context.Context) { erasures.Keep(ctx, store, e.log) })()
		e.log.Info("watching", "folder", c.Folder, "version", versionText())
		watcher.Run(e.ctx, store.DB(),
			imports.DeliveryOptions{Layout: layout, Organization: only, SkipUnknown: c.SkipUnknown})
		e.log.Info("stopped", "folder", c.Folder)
		return nil
	})
}

// watchMetrics collects what a watcher did and has to do.
func watchMetrics(w *folder.Watcher) collector {
	return func(to sink) {
		for result, files := range map[string]*atomic.Int64{"imported": &w.Imported, "already": &w.Already, "refused": &w.Refused} {
			to.add("dispo_watch_files_total", "Files that were dealt with, by result.", float64(files.Load()), "result", result)
		}
		to.add("dispo_watch_waiting_files", "Files in the folder that were neither imported nor refused yet.",
			float64(w.Waiting.Load()))
		to.add("dispo_watch_last_import_timestamp_seconds", "When a file was last imported, in Unix seconds; 0 if never.",
			float64(w.LastCame.Load()))
	}
}

package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"dispo/models"
	"dispo/models/backup"
	"dispo/models/database/embedded"
)

type postgresCommands struct {
	Upgrade postgresUpgradeCommand `cmd:"" help:"Move the embedded database to the newest PostgreSQL on this machine, after a backup. Stop the service first."`
}

type postgresUpgradeCommand struct{}

func (c *postgresUpgradeCommand) Run(e *environment) (err error) {
	if e.settings.DatabaseURL != "" {
		return usageErrorf("this is for the embedded database: with DATABASE_URL, upgrade your PostgreSQL by its own means")
	}
	opened, err := e.openDatabase(embedded.Command, embedded.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.close()) }()
	var made backup.Manifest
	path := filepath.Join(cmp.Or(e.settings.Backups, e.settings.Data),
		time.Now().UTC().Format("before-upgrade-20060102T150405.dispo"))
	old, err := opened.server.Upgrade(e.ctx, func() error {
		return e.withOpened(opened, func(store *models.Store) (err error) {
			made, err = backup.Create(e.ctx, backup.Source{
				URL: opened.url, Pool: store.DB().Pool, BinDir: e.settings.PostgresBinDir, Program: versionText(),
			}, path)
			return report(e.streams.out, printable(path), made, err)
		})
	}, func() error { return made.Compare(e.ctx, opened.server.URL()) })
	if err == nil {
		fmt.Fprintf(e.streams.out, "The database is upgraded, and its contents match. Start the service. "+
			"When all is well, delete the old data: rm -r %s\n", old)
	}
	return err
}

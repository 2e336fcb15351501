package main

import (
	"cmp"
	"errors"
	"fmt"

	"dispo/migrations"
	"dispo/models/database/embedded"
)

type migrateCommand struct {
	Status bool `help:"Only print the schema's version; the exit status is 1 if this dispo needs another one."`
}

func (m *migrateCommand) Run(e *environment) (err error) {
	url := cmp.Or(e.settings.MigrationURL, e.settings.DatabaseURL)
	if url == "" {
		server, startErr := e.openEmbedded(embedded.Command, !m.Status)
		if startErr != nil {
			return startErr
		}
		defer func() { err = errors.Join(err, server.Stop()) }()
		url = server.URL()
	}
	if m.Status {
		return m.status(e, url)
	}
	applied, err := migrations.Up(e.ctx, url)
	for _, name := range applied {
		fmt.Fprintf(e.streams.out, "applied %s\n", name)
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(e.streams.out, "the schema is up to date, at version %d\n", migrations.Latest())
	return nil
}

func (m *migrateCommand) status(e *environment, url string) error {
	db, err := migrations.Connect(url)
	if err != nil {
		return err
	}
	defer db.Close()
	version, err := migrations.Version(e.ctx, db)
	if errors.Is(err, migrations.ErrEdition) {
		return err
	}
	if err != nil {
		return fmt.Errorf("cannot query the schema's version: %w", err)
	}
	fmt.Fprintf(e.streams.out, "the schema is at version %d, this dispo needs version %d\n", version, migrations.Latest())
	return migrations.Check(version)
}

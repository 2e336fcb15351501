package main

import (
	"errors"
	"fmt"

	"dispo/migrations"
	"dispo/models/database"
	"dispo/models/database/embedded"
	"dispo/models/retention"
)

type migrateCommand struct {
	Status bool `help:"Only print the schema's version; the exit status is 1 if this dispo needs another one."`
}

func (m *migrateCommand) Run(e *environment) (err error) {
	owned, err := e.openOwned(embedded.Options{Create: !m.Status})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, owned.close()) }()
	if m.Status {
		schema, err := readSchema(e, owned.url)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.streams.out, "the schema is at version %d, this dispo needs version %d%s\n", schema.Version,
			migrations.Latest(), stillServed(schema))
		return schema.Check()
	}
	if err := e.settings.Keep.Check(); err != nil {
		return usageErrorf("%v", err)
	}
	applied, err := migrations.Up(e.ctx, owned.url)
	for _, name := range applied {
		fmt.Fprintf(e.streams.out, "applied %s\n", name)
	}
	if err != nil {
		return err
	}
	if err := retention.Store(e.ctx, owned.url, e.settings.Keep, "",
		func(change string) { fmt.Fprintln(e.streams.out, change) }); err != nil {
		return err
	}
	schema, err := readSchema(e, owned.url)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.streams.out, "the schema is up to date, at version %d%s\n", schema.Version, stillServed(schema))
	return nil
}

// openOwned opens the database as its owner, or the embedded one with these options. It refuses a
// pooler that cannot work before anything is changed. The caller must close it.
func (e *environment) openOwned(options embedded.Options) (*openedDatabase, error) {
	url := e.settings.MigrationURL
	if url == "" {
		if url = e.settings.DatabaseURL; e.settings.refusedLogin != nil {
			return nil, e.settings.refusedLogin
		}
	}
	if url != "" {
		return &openedDatabase{url: url}, database.CheckSessions(e.ctx, url)
	}
	server, err := e.openEmbedded(embedded.Command, options)
	if err != nil {
		return nil, err
	}
	return &openedDatabase{url: server.URL(), server: server}, nil
}

func readSchema(e *environment, url string) (migrations.Schema, error) {
	db, err := migrations.Connect(url)
	if err != nil {
		return migrations.Schema{}, err
	}
	defer db.Close()
	schema, err := migrations.Read(e.ctx, db)
	if err != nil && !errors.Is(err, migrations.ErrEdition) && !errors.Is(err, migrations.ErrRestore) {
		err = fmt.Errorf("cannot query the schema's version: %w", err)
	}
	return schema, err
}

// stillServed says so of a newer schema that serves this program.
func stillServed(schema migrations.Schema) string {
	if schema.Newer() && schema.Check() == nil {
		return fmt.Sprintf("; it is newer and still serves this dispo, which knows version %d: upgrade it",
			migrations.Latest())
	}
	return ""
}

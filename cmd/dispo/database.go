package main

import (
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"dispo/migrations"
	"dispo/models"
	"dispo/models/database"
	"dispo/models/database/embedded"
	"dispo/models/disk"
	"dispo/models/erasures"
	"dispo/models/organizations"
	"dispo/models/secrets"
)

// databaseRequired is set by the linker in builds without an embedded database, such
// as the container image.
var databaseRequired string

// openedDatabase is DATABASE_URL, or the embedded database that this process uses.
type openedDatabase struct {
	url    string
	secret secrets.Secret   // the server's; nil if none is set and none was kept
	server *embedded.Server // nil for DATABASE_URL
}

// openDatabase opens the database of the settings, or the embedded one with these options.
// The caller must close it.
func (e *environment) openDatabase(role embedded.Role, options embedded.Options) (*openedDatabase, error) {
	opened := &openedDatabase{url: e.settings.DatabaseURL, secret: e.settings.Secret}
	if opened.url != "" {
		return opened, e.settings.refusedLogin
	}
	server, err := e.openEmbedded(role, options)
	if err != nil {
		return nil, err
	}
	opened.server = server
	opened.url = opened.server.URL()
	var applied []string
	var schema migrations.Schema
	if role != embedded.Service { // a command migrates only what it has just created
		schema, err = readSchema(e, opened.url)
	}
	if err == nil && (role == embedded.Service || options.Create && schema.Version == 0) {
		applied, err = migrations.Up(e.ctx, opened.url)
	}
	if err == nil && opened.secret == nil {
		isNew := len(applied) > 0
		opened.secret, err = e.keptSecret(isNew)
	}
	if err != nil {
		return nil, errors.Join(err, opened.close())
	}
	return opened, nil
}

func (o *openedDatabase) close() error {
	if o.server == nil {
		return nil
	}
	return o.server.Stop()
}

// openEmbedded opens the embedded database of the settings. Options may say more.
func (e *environment) openEmbedded(role embedded.Role, options embedded.Options) (*embedded.Server, error) {
	if databaseRequired != "" {
		return nil, usageErrorf("DATABASE_URL is required: this build has no embedded database")
	}
	options.Dir, options.BinDir, options.Log = e.settings.Data, e.settings.PostgresBinDir, e.log
	return embedded.Open(e.ctx, role, options)
}

// operatorConnections is enough for a command, which does one thing at a time.
const operatorConnections = 4

// withStore runs a command with the operator's store and then closes it.
func (e *environment) withStore(command func(store *models.Store) error) error {
	return e.withDatabase(embedded.Command, embedded.Options{}, command)
}

// withOrganization is withStore for a command on an organization.
func (e *environment) withOrganization(
	slug string, command func(store *models.Store, organization models.Organization) error,
) error {
	return e.withStore(func(store *models.Store) error {
		organization, err := organizations.BySlug(e.ctx, store, slug)
		if err != nil {
			return err
		}
		return command(store, organization)
	})
}

// withDatabase is withStore for a role that uses the embedded database, and with options for it.
func (e *environment) withDatabase(
	role embedded.Role, options embedded.Options, command func(store *models.Store) error,
) (err error) {
	opened, err := e.openDatabase(role, options)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.close()) }()
	if opened.server != nil { // links lead to the service that runs beside the command
		e.settings.PublicURL = cmp.Or(origin(opened.server.ServiceURL()), e.settings.PublicURL)
	}
	return e.withOpened(opened, command)
}

// withOpened runs a command with the operator's store on an open database.
func (e *environment) withOpened(opened *openedDatabase, command func(store *models.Store) error) error {
	db, err := database.Open(e.ctx,
		database.Config{URL: opened.url, Role: database.Operator, MaxConnections: operatorConnections, Log: e.log})
	if err != nil {
		return err
	}
	defer db.Close()
	store := models.NewStore(db, opened.secret)
	store.KeepErasures(e.settings.Erasures)
	err = command(store)
	// At the end, because revoking a key does not wait for its line to be in the file.
	if flushed := erasures.Flush(e.ctx, store); flushed != nil && err == nil && e.ctx.Err() == nil {
		e.log.Warn("what was deleted or revoked waits in the database until it is in the file", "error", flushed)
	}
	return err
}

// keptSecret returns the server's secret, or two, from the data directory. If the directory
// has no secret, keptSecret makes one, and logs a warning unless the database is new.
func (e *environment) keptSecret(isNew bool) (secrets.Secret, error) {
	path := e.secretPath()
	for {
		secret, err := readKeptSecret(path)
		if !errors.Is(err, fs.ErrNotExist) {
			return secret, err
		}
		if err := makeSecret(path); err != nil {
			return nil, fmt.Errorf("cannot store the server's secret: %w", err)
		}
		if !isNew {
			e.log.Warn("there was no secret beside the database, so a new one was made: if the database was restored, write "+
				"the DISPO_SECRET of its backup to the file", "file", path)
		}
	}
}

func (e *environment) secretPath() string { return filepath.Join(e.settings.Data, "secret") }

func readKeptSecret(path string) (secrets.Secret, error) {
	text, err := disk.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the server's secret: %w", err)
	}
	secret, err := decodeSecrets(string(text))
	if err != nil {
		return nil, fmt.Errorf("the secret in %s %w", path, err)
	}
	return secret, nil
}

// makeSecret stores a new secret.
func makeSecret(path string) error {
	secret := make([]byte, secretMinimum)
	_, _ = rand.Read(secret) // never fails; it aborts the program if the system has no randomness
	return storeSecret(path, encodeSecrets(secrets.Secret{secret}))
}

// encodeSecrets returns the secrets as DISPO_SECRET has them, and a line end.
func encodeSecrets(secrets secrets.Secret) []byte {
	var texts []string
	for _, secret := range secrets {
		texts = append(texts, base64.StdEncoding.EncodeToString(secret))
	}
	return []byte(strings.Join(texts, ",") + "\n")
}

// storeSecret writes a complete file and links it into place, so that two processes
// that create the secret at the same time both use the same one.
func storeSecret(path string, text []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), "secret-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(text)
	if err := errors.Join(err, disk.GiveToFolder(file), file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Link(file.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"dispo/migrations"
	"dispo/models"
	"dispo/models/embedded"
)

const (
	organizationCount        = 200
	companiesPerOrganization = 50
	bigShare                 = 10 // the base data's first company has a tenth of all its records
	benchSecret              = "a secret of thirty-two bytes and a bit"
)

// world is a database, and what asks it. The base organizations and their
// companies are always there; the rest is made where it is needed.
type world struct {
	options
	directory string
	server    *embedded.Server
	dispo     string   // the program
	log       *os.File // of the servers that were started
	started   []*process

	organizations []uuid.UUID
	keys          []string // one of each organization

	imported *imported // the base data's records; nil: not yet
	big      *bigWorld // nil: not yet
	fleet    []string  // the fleet's keys; nil: not yet
}

// cvrOf gives the number of a base organization's company.
func cvrOf(organization, company int) string {
	return fmt.Sprintf("%08d", 10_000_000+organization*companiesPerOrganization+company)
}

func newWorld(ctx context.Context, options options) (*world, error) {
	directory, err := os.MkdirTemp("", "dispo-bench-")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(directory, 0o755); err != nil { // PostgreSQL's user may be another one
		return nil, err
	}
	log, err := os.Create(filepath.Join(directory, "log"))
	if err != nil {
		return nil, err
	}
	w := &world{log: log, options: options, directory: directory, dispo: filepath.Join(directory, "dispo")}
	say("building the program, starting PostgreSQL, making %d organizations", organizationCount)
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", w.dispo, "dispo/cmd/dispo")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return w, fmt.Errorf("go build ./cmd/dispo, from the module's root: %w", err)
	}
	w.server, err = embedded.Start(ctx, embedded.Options{
		Dir: filepath.Join(directory, "data"), BinDir: os.Getenv("PG_BIN"), Log: slog.New(slog.DiscardHandler),
		Settings: map[string]string{"max_wal_size": "4GB", "shared_buffers": "512MB", "checkpoint_timeout": "30min"},
	})
	if err != nil {
		return w, err
	}
	if _, err := migrations.Up(ctx, w.server.URL()); err != nil {
		return w, err
	}
	return w, w.makeOrganizations(ctx)
}

// store opens the operator's store: close it before a service is measured.
func (w *world) store(ctx context.Context) (*models.Store, error) {
	return models.Open(ctx, models.Config{
		URL: w.server.URL(), Role: models.Operator, Secret: []byte(benchSecret), MaxConnections: 8, Log: slog.New(slog.DiscardHandler),
	})
}

func (w *world) makeOrganizations(ctx context.Context) error {
	store, err := w.store(ctx)
	if err != nil {
		return err
	}
	defer store.Close()
	for i := range organizationCount {
		var cvrs []string
		for j := range companiesPerOrganization {
			cvrs = append(cvrs, cvrOf(i, j))
		}
		id, key, err := w.makeOrganization(ctx, store, fmt.Sprintf("organization-%d", i), cvrs)
		if err != nil {
			return err
		}
		w.organizations, w.keys = append(w.organizations, id), append(w.keys, key)
	}
	return nil
}

// makeOrganization makes an organization with companies and a key.
func (w *world) makeOrganization(ctx context.Context, store *models.Store, slug string, cvrs []string) (uuid.UUID, string, error) {
	organization, err := store.OrganizationCreate(ctx, "The "+slug, slug)
	if err != nil {
		return uuid.Nil, "", err
	}
	var companies strings.Builder
	companies.WriteString("cvr,name,address,startDate,status,senderRegNumber,senderAccountNumber,defaultAmountCents\n")
	for j, cvr := range cvrs {
		fmt.Fprintf(&companies, "%s,Company %d of %s ApS,\"Storegade %d, 8000 Aarhus C\",2020-01-31,REGISTERED,1234,%010d,150000\n", cvr, j, slug, j, j)
	}
	path := filepath.Join(w.directory, "companies.csv")
	if err := os.WriteFile(path, []byte(companies.String()), 0o600); err != nil {
		return uuid.Nil, "", err
	}
	if _, err := store.ImportCompanies(ctx, organization, path, nil); err != nil {
		return uuid.Nil, "", err
	}
	_, key, err := store.Tenant(organization.ID).KeyCreate(ctx, models.NewAPIKey{Name: "bench"})
	return organization.ID, key, err
}

// connect connects as the database's superuser: row-level security is not in the
// way.
func (w *world) connect(ctx context.Context) (*pgx.Conn, error) {
	return pgx.Connect(ctx, w.server.URL())
}

func (w *world) psql(ctx context.Context, database, command string) error {
	psql := exec.CommandContext(ctx, "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", w.server.URLFor(database), "-c", command)
	psql.Stderr = os.Stderr
	if err := psql.Run(); err != nil {
		return fmt.Errorf("psql: %w", err)
	}
	return nil
}

func (w *world) close() {
	for _, process := range w.started {
		process.stop()
	}
	if w.server != nil {
		_ = w.server.Stop()
	}
	_ = os.RemoveAll(w.directory)
}

// lastLog gives the end of what the servers logged. All of it would be too much:
// some sections ask for more than the service can do, and it logs each refusal.
func (w *world) lastLog() string {
	text, _ := os.ReadFile(w.log.Name())
	return string(text[max(0, len(text)-4000):])
}

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
	"dispo/models/database"
	"dispo/models/database/embedded"
	"dispo/models/imports"
	"dispo/models/keys"
)

const (
	organizationCount        = 200
	companiesPerOrganization = 50
	largestShare             = 10 // the first company of the base data has 1/10 of all its records
	benchSecret              = "a secret of thirty-two bytes and a bit"
)

// bench is one run: its PostgreSQL server, its data, and the servers it started.
// The base organizations and their companies always exist. Sections create the
// rest when they need it.
type bench struct {
	options
	directory string
	server    *embedded.Server
	dispo     string   // path of the dispo binary
	log       *os.File // standard error of the started servers
	started   []*process

	organizations []uuid.UUID
	keys          []string // one per organization

	baseImport *importResult    // nil until the base records are imported
	big        *bigOrganization // nil until created
	fleetKeys  []string         // nil until the fleet is created
}

// companyCVR returns the CVR of a company of a base organization.
func companyCVR(organization, company int) string {
	return fmt.Sprintf("%08d", 10_000_000+organization*companiesPerOrganization+company)
}

// newBench builds dispo, starts PostgreSQL and creates the base organizations. If
// it returns both a bench and an error, the caller still has to close the bench.
func newBench(ctx context.Context, options options) (*bench, error) {
	directory, err := os.MkdirTemp("", "dispo-bench-")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(directory, 0o755); err != nil { // PostgreSQL may run as a different user
		return nil, err
	}
	log, err := os.Create(filepath.Join(directory, "log"))
	if err != nil {
		return nil, err
	}
	b := &bench{log: log, options: options, directory: directory, dispo: filepath.Join(directory, "dispo")}
	progress("building dispo, starting PostgreSQL, creating %d organizations", organizationCount)
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", b.dispo, "dispo/cmd/dispo")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return b, fmt.Errorf("go build dispo/cmd/dispo (run bench from the module's root): %w", err)
	}
	b.server, err = embedded.Start(ctx, embedded.Options{
		Dir: filepath.Join(directory, "data"), BinDir: os.Getenv("PG_BIN"), Log: slog.New(slog.DiscardHandler),
		Settings: map[string]string{"max_wal_size": "4GB", "shared_buffers": "512MB", "checkpoint_timeout": "30min"},
	})
	if err != nil {
		return b, err
	}
	if _, err := migrations.Up(ctx, b.server.URL()); err != nil {
		return b, err
	}
	return b, b.createOrganizations(ctx)
}

// quiet is the log of what the benchmark itself runs.
var quiet = slog.New(slog.DiscardHandler)

// openStore opens a store as the operator. Close it before measuring a service.
func (b *bench) openStore(ctx context.Context) (*models.Store, error) {
	db, err := database.Open(ctx, database.Config{URL: b.server.URL(), Role: database.Operator, MaxConnections: 8, Log: quiet})
	if err != nil {
		return nil, err
	}
	return models.NewStore(db, models.Secret(benchSecret)), nil
}

func (b *bench) createOrganizations(ctx context.Context) error {
	store, err := b.openStore(ctx)
	if err != nil {
		return err
	}
	defer store.DB().Close()
	for i := range organizationCount {
		var cvrs []string
		for j := range companiesPerOrganization {
			cvrs = append(cvrs, companyCVR(i, j))
		}
		id, key, err := b.createOrganization(ctx, store, fmt.Sprintf("organization-%d", i), cvrs)
		if err != nil {
			return err
		}
		b.organizations, b.keys = append(b.organizations, id), append(b.keys, key)
	}
	return nil
}

// createOrganization creates an organization with one company per CVR and an API
// key.
func (b *bench) createOrganization(ctx context.Context, store *models.Store, slug string, cvrs []string) (id uuid.UUID, key string, err error) {
	organization, err := store.OrganizationCreate(ctx, "The "+slug, slug)
	if err != nil {
		return uuid.Nil, "", err
	}
	var companies strings.Builder
	companies.WriteString("cvr,name,address,startDate,status,senderRegNumber,senderAccountNumber,defaultAmountCents\n")
	for j, cvr := range cvrs {
		fmt.Fprintf(&companies, "%s,Company %d of %s ApS,\"Storegade %d, 8000 Aarhus C\",2020-01-31,REGISTERED,1234,%010d,150000\n", cvr, j, slug, j, j)
	}
	path := filepath.Join(b.directory, "companies.csv")
	if err := os.WriteFile(path, []byte(companies.String()), 0o600); err != nil {
		return uuid.Nil, "", err
	}
	if _, err := imports.Companies(ctx, store.DB(), organization, path, nil); err != nil {
		return uuid.Nil, "", err
	}
	_, key, err = keys.Create(ctx, store.Tenant(organization.ID), keys.NewKey{Name: "bench"})
	return organization.ID, key, err
}

// connect connects as the database's superuser, which row-level security does not
// apply to.
func (b *bench) connect(ctx context.Context) (*pgx.Conn, error) {
	return pgx.Connect(ctx, b.server.URL())
}

// psql runs a command in psql.
func (b *bench) psql(ctx context.Context, database, command string) error {
	psql := exec.CommandContext(ctx, "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", b.server.URLFor(database), "-c", command)
	psql.Stderr = os.Stderr
	if err := psql.Run(); err != nil {
		return fmt.Errorf("psql: %w", err)
	}
	return nil
}

// close stops all servers and removes the data.
func (b *bench) close() {
	for _, process := range b.started {
		process.stop()
	}
	if b.server != nil {
		_ = b.server.Stop()
	}
	_ = os.RemoveAll(b.directory)
}

// logTail returns the last 4,000 bytes that the servers logged. Some sections
// overload the service on purpose, and it logs each refusal.
func (b *bench) logTail() string {
	text, _ := os.ReadFile(b.log.Name())
	return string(text[max(0, len(text)-4000):])
}

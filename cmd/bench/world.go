package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"dispo/cmd/dispo/embedded"
	"dispo/migrations"
	"dispo/models"
)

const (
	organizationCount       = 200
	companiesPerOrganzation = 50
	bigCompanyShare         = 10 // the one big company has a tenth of all records
	benchSecret             = "a secret of thirty-two bytes and a bit"
)

// world is a loaded database, and what asks it.
type world struct {
	directory string
	server    *embedded.Server
	dispo     string // the program
	records   int
	delivery  string // the file with all records
	started   []*exec.Cmd

	keys   []string // of every organization
	bigKey string   // of the organization that has the big company
}

func cvrOf(organization, company int) string {
	return fmt.Sprintf("%08d", 10_000_000+organization*companiesPerOrganzation+company)
}

var bigCVR = cvrOf(0, 0)

func newWorld(ctx context.Context, records int) (*world, error) {
	directory, err := os.MkdirTemp("", "dispo-bench-")
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(directory, 0o755); err != nil { // PostgreSQL's user may be another one
		return nil, err
	}
	w := &world{directory: directory, records: records, dispo: filepath.Join(directory, "dispo")}
	fmt.Fprintln(os.Stderr, "building the program, starting PostgreSQL")
	build := exec.CommandContext(ctx, "go", "build", "-o", w.dispo, "dispo/cmd/dispo")
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
	return w, w.load(ctx)
}

// load makes organizations, keys and companies, writes the delivery file, and
// imports nothing of it yet.
func (w *world) load(ctx context.Context) error {
	store, err := models.Open(ctx, models.Config{URL: w.server.URL(), Role: models.Operator, Secret: []byte(benchSecret), MaxConnections: 4, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer store.Close()
	for i := range organizationCount {
		organization, err := store.OrganizationCreate(ctx, fmt.Sprintf("Organization %d", i), fmt.Sprintf("organization-%d", i))
		if err != nil {
			return err
		}
		var companies strings.Builder
		companies.WriteString("cvr,name,address,startDate,status,senderRegNumber,senderAccountNumber,defaultAmountCents\n")
		for j := range companiesPerOrganzation {
			fmt.Fprintf(&companies, "%s,Company %d of %d ApS,\"Storegade %d, 8000 Aarhus C\",2020-01-31,REGISTERED,1234,%010d,150000\n", cvrOf(i, j), j, i, j, j)
		}
		path := filepath.Join(w.directory, "companies.csv")
		if err := os.WriteFile(path, []byte(companies.String()), 0o600); err != nil {
			return err
		}
		if _, err := store.ImportCompanies(ctx, organization, path, nil); err != nil {
			return err
		}
		_, key, err := store.Tenant(organization.ID).KeyCreate(ctx, models.NewAPIKey{Name: "bench"})
		if err != nil {
			return err
		}
		w.keys = append(w.keys, key)
	}
	w.bigKey = w.keys[0]
	return w.writeDelivery()
}

func (w *world) writeDelivery() error {
	w.delivery = filepath.Join(w.directory, "delivery.csv")
	file, err := os.Create(w.delivery)
	if err != nil {
		return err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	fmt.Fprintln(out, "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk")
	small := organizationCount*companiesPerOrganzation - 1
	for i := range w.records {
		cvr := bigCVR
		if i%bigCompanyShare != 0 {
			n := 1 + (i/bigCompanyShare*(bigCompanyShare-1)+i%bigCompanyShare)%small
			cvr = cvrOf(n/companiesPerOrganzation, n%companiesPerOrganzation)
		}
		fmt.Fprintf(out, "%s,1234,%010d,CARD,2026-%02d-%02d,%d,%d.%02d\n", cvr, i%9999, 1+i%12, 1+i%28, i%500, 1000+i%99999, i%100)
	}
	return out.Flush()
}

// start starts a server of ours in a process of its own, and waits until it
// takes connections.
func (w *world) start(ctx context.Context, address string, command *exec.Cmd) error {
	command.Stderr = os.Stderr
	if err := command.Start(); err != nil {
		return err
	}
	w.started = append(w.started, command)
	for range 200 {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return fmt.Errorf("%s did not start", command.Path)
}

// freeAddress is a loopback address that nobody listens on.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

// environment is that of our program's commands.
func (w *world) environment(extra ...string) []string {
	return append(append(os.Environ(), "DATABASE_URL="+w.server.URL(), "DISPO_SECRET="+base64.StdEncoding.EncodeToString([]byte(benchSecret))), extra...)
}

func (w *world) close() {
	for _, command := range w.started {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
	}
	if w.server != nil {
		_ = w.server.Stop()
	}
	_ = os.RemoveAll(w.directory)
}

package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"dispo/models/database/embedded"
)

const (
	organizationCount        = 100
	companiesPerOrganization = 100
	password                 = "bench: kvik brun rev"
)

// bench is one run: its PostgreSQL server, its data, and the servers it started. The
// organizations and their companies always exist. Sections import the transactions when
// they need them.
type bench struct {
	records, rounds int
	length          time.Duration

	ctx       context.Context
	directory string
	server    *embedded.Server
	dispo     string // path of the dispo binary

	organizations []string      // their ids
	keys          []string      // one per organization
	importing     time.Duration // how long the import took, 0 before
	importMemory  int64         // its peak, in MB
}

// companyCVR returns the CVR of a company.
func companyCVR(organization, company int) string {
	return fmt.Sprintf("%08d", 10_000_000+organization*companiesPerOrganization+company)
}

// largest has half of all transactions.
var largest = companyCVR(0, 0)

// prepare builds dispo, starts PostgreSQL and creates the organizations.
func (b *bench) prepare() {
	b.directory = must(os.MkdirTemp("", "dispo-bench-"))
	must(0, os.Chmod(b.directory, 0o755)) // PostgreSQL may run as a different user
	b.dispo = filepath.Join(b.directory, "dispo")
	progress("building dispo, starting PostgreSQL, creating %d organizations", organizationCount)
	b.run("", "go", "build", "-buildvcs=false", "-o", b.dispo, "dispo/cmd/dispo")
	b.server = must(embedded.Start(b.ctx, embedded.Options{
		Dir: filepath.Join(b.directory, "data"), BinDir: os.Getenv("PG_BIN"), Log: slog.New(slog.DiscardHandler),
		Settings: map[string]string{"max_wal_size": "4GB", "shared_buffers": "512MB", "checkpoint_timeout": "30min"},
	}))
	for name, value := range map[string]string{"DATABASE_URL": b.server.URL(), "DISPO_SECRET": base64.StdEncoding.EncodeToString(make([]byte, 32))} {
		must(0, os.Setenv(name, value))
	}
	b.run("", b.dispo, "migrate")
	for i := range organizationCount {
		b.createOrganization(fmt.Sprintf("organization-%d", i), companiesPerOrganization, func(j int) string {
			return fmt.Sprintf("%s,Company %d ApS,REGISTERED", companyCVR(i, j), j)
		})
	}
}

// createOrganization creates an organization with companies and an API key, by the real
// commands. company returns a company's CVR, name and status, separated by commas.
func (b *bench) createOrganization(slug string, companies int, company func(i int) string) {
	b.run("", b.dispo, "organization", "create", "The "+slug, "--slug", slug)
	b.run("", b.dispo, "import", "companies", "--organization", slug,
		b.writeFile("companies.csv", "cvr,name,status,address,senderRegNumber,senderAccountNumber,defaultAmountCents", companies, func(i int) string {
			return company(i) + ",\"Storegade 1, 8000 Aarhus C\",1234,0000000001,150000"
		}))
	b.organizations = append(b.organizations, b.psql("dispo", "SELECT id FROM organizations WHERE slug = '"+slug+"'"))
	b.keys = append(b.keys, b.createKey(slug))
}

func (b *bench) createKey(slug string) string {
	text, _ := b.run("", b.dispo, "key", "create", "--organization", slug, "--name", "bench")
	return text
}

// writeFile writes a file with a header and lines, and returns its path. It keeps this
// program small: the kernel counts its memory as the peak of each program that it starts.
func (b *bench) writeFile(name, header string, lines int, line func(i int) string) string {
	path := filepath.Join(b.directory, name)
	file := must(os.Create(path))
	buffered := bufio.NewWriter(file)
	fmt.Fprintln(buffered, header)
	for i := range lines {
		fmt.Fprintln(buffered, line(i))
	}
	must(0, buffered.Flush())
	must(0, file.Close())
	return path
}

// ensureRecords imports the transactions with the real command, as one delivery. Every
// second record is of the largest company.
func (b *bench) ensureRecords() {
	if b.importing > 0 {
		return
	}
	path := b.writeFile("delivery.csv", "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk", b.records, func(i int) string {
		cvr := largest
		if n := i / 2 % (organizationCount*companiesPerOrganization - 1); i%2 == 1 {
			cvr = companyCVR(0, n+1)
		}
		return fmt.Sprintf("%s,1234,%010d,CARD,2026-%02d-%02d,%d,%d.%02d", cvr, i%9999, 1+i%12, 1+i%28, i%500, 1000+i%99999, i%100)
	})
	b.settle()
	progress("importing %d records", b.records)
	start := time.Now()
	_, state := b.run("", b.dispo, "import", "delivery", path)
	b.importing, b.importMemory = time.Since(start), peakMemory(state)
	b.psql("dispo", "VACUUM ANALYZE")
}

// measureImport compares the import with psql's \copy of the same rows into the same
// tables: those of a copy of the database that lacks nothing but these rows.
func (b *bench) measureImport() {
	b.ensureRecords()
	rows := filepath.Join(b.directory, "rows")
	b.psql("postgres", "CREATE DATABASE baseline TEMPLATE dispo")
	b.psql("baseline", `\copy (SELECT * FROM transactions ORDER BY ctid) TO '`+rows+`'`)
	b.psql("baseline", "TRUNCATE transactions")
	b.settle()
	start := time.Now()
	b.psql("baseline", `\copy transactions FROM '`+rows+`'`)
	copied, records := time.Since(start).Seconds(), float64(b.records)
	b.psql("postgres", "DROP DATABASE baseline WITH (FORCE)")
	fmt.Printf("records of a csv delivery a second; peak memory of the import %d MB:\n", b.importMemory)
	printRates(`psql \copy, same tables`, rates{fmt.Sprintf("import of %d records", b.records), 0.45,
		[]float64{records / b.importing.Seconds()}, []float64{records / copied}})
}

// settle flushes pending writes to disk, so that a measurement does not include writes
// left over from the step before.
func (b *bench) settle() {
	syscall.Sync()
	b.psql("dispo", "CHECKPOINT")
}

// psql runs a command in psql and returns its output.
func (b *bench) psql(database, command string) string {
	text, _ := b.run("", "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", b.server.URLFor(database), "-c", command)
	return text
}

// peakMemory returns the most memory that a process has used, in MB.
func peakMemory(ended *os.ProcessState) int64 { return ended.SysUsage().(*syscall.Rusage).Maxrss >> 10 }

// run runs a program with this input, and returns its output and how it ended.
func (b *bench) run(input, program string, arguments ...string) (string, *os.ProcessState) {
	command := exec.CommandContext(b.ctx, program, arguments...)
	command.Stdin = strings.NewReader(input)
	text, err := command.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		err = fmt.Errorf("%s: %w: %s", command, err, failed.Stderr)
	}
	return strings.TrimSpace(string(must(text, err))), command.ProcessState
}

// close stops PostgreSQL and removes the data.
func (b *bench) close() {
	if b.server != nil {
		_ = b.server.Stop()
	}
	_ = os.RemoveAll(b.directory)
}

package main

import (
	"encoding/base64"
	"errors"
	"fmt"
	"log"
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

// companyCVR returns the CVR of a company.
func companyCVR(organization, company int) string {
	return fmt.Sprintf("%08d", 10_000_000+organization*companiesPerOrganization+company)
}

// largest has half of all transactions.
var largest = companyCVR(0, 0)

// prepare builds dispo, starts PostgreSQL, creates the organizations and imports their data.
func (b *bench) prepare() {
	b.directory = must(os.MkdirTemp("", "dispo-bench-"))
	must(0, os.Chmod(b.directory, 0o755)) // PostgreSQL may run as a different user
	b.dispo = filepath.Join(b.directory, "dispo")
	log.Printf("building dispo, starting PostgreSQL, creating %d organizations", organizationCount)
	b.run("", "go", "build", "-buildvcs=false", "-o", b.dispo, "dispo/cmd/dispo")
	b.server = must(embedded.Open(b.ctx, embedded.Service, embedded.Options{
		Dir: filepath.Join(b.directory, "data"), BinDir: os.Getenv("PG_BIN"), Log: slog.New(slog.DiscardHandler),
		Settings: map[string]string{"max_wal_size": "4GB", "shared_buffers": "512MB", "checkpoint_timeout": "30min"},
	}))
	must(0, os.Setenv("DATABASE_URL", b.server.URL()))
	must(0, os.Setenv("DISPO_SECRET", base64.StdEncoding.EncodeToString(make([]byte, 32))))
	b.run("", b.dispo, "migrate")
	for i := range organizationCount {
		b.createOrganization(fmt.Sprintf("organization-%d", i), companyCVR(i, 0), companiesPerOrganization)
	}
	b.importRecords()
}

// createOrganization creates an organization with companies, whose CVRs count up, and an
// API key, by the real commands.
func (b *bench) createOrganization(slug, firstCVR string, companies int) {
	b.run("", b.dispo, "organization", "create", "The "+slug, "--slug", slug)
	b.run("", b.dispo, "import", "companies", "--organization", slug,
		b.writeFile("companies.csv", `SELECT `+firstCVR+` + i AS cvr,
		(ARRAY['Nordlys Varehus', 'Havnens Byg', 'Skovens VVS', 'Jensens Transport', 'Hansen & Søn', 'Aarhus Revision', 'Vejle Café'])[1 + i % 7] || ' ' || i || ' ApS' AS name,
		(ARRAY['REGISTERED', 'CREATED', 'MODIFIED'])[1 + i % 3] AS status, 'Storegade 1, 8000 Aarhus C' AS address,
		1234 AS "senderRegNumber", '0000000001' AS "senderAccountNumber", 150000 AS "defaultAmountCents"`, companies))
	b.organizations = append(b.organizations, b.psql("postgres", "SELECT id FROM organizations WHERE slug = '"+slug+"'"))
	b.keys = append(b.keys, b.run("", b.dispo, "key", "create", "--organization", slug, "--name", "bench"))
}

// writeFile writes a csv file with a row for each i from 0, and returns its path. psql
// writes it, because the kernel counts this program's memory as the peak of each program
// that it starts.
func (b *bench) writeFile(name, query string, rows int) string {
	path := filepath.Join(b.directory, name)
	b.psql("postgres", fmt.Sprintf(`\copy (%s FROM generate_series(0, %d) i) TO '%s' CSV HEADER`, query, rows-1, path))
	return path
}

// importRecords imports the transactions with the real command, as one delivery. Every
// second record is of the largest company.
func (b *bench) importRecords() {
	path := b.writeFile("delivery.csv",
		`SELECT CASE i % 2 WHEN 0 THEN `+largest+` ELSE `+largest+` + 1 + i / 2 % 9999 END AS cvr, 1234 AS "regNumber",
		lpad((i % 9999)::text, 10, '0') AS "accountNumber", 'CARD' AS "transferType", make_date(2026, 1 + i % 12, 1 + i % 28) AS "dispositionDate",
		i % 500 AS count, 1000 + i % 99999 + (i % 100 / 100.0)::numeric(3, 2) AS "amountDkk"`, b.records)
	b.settle()
	log.Printf("importing %d records", b.records)
	start := time.Now()
	b.run("", b.dispo, "import", "delivery", path)
	b.importing, b.importMemory = float64(b.records)/time.Since(start).Seconds(), peakMemory(b.ended)
	b.psql("postgres", "VACUUM ANALYZE")
}

// measureImport compares the import with psql's \copy of the same rows into the same
// tables: those of a copy of the database that lacks nothing but these rows.
func (b *bench) measureImport() {
	rows := filepath.Join(b.directory, "rows")
	b.psql("postgres", "CREATE DATABASE baseline TEMPLATE postgres")
	b.psql("baseline", `\copy (SELECT * FROM transactions ORDER BY ctid) TO '`+rows+`'`)
	b.psql("baseline", "TRUNCATE transactions")
	b.settle()
	fmt.Printf("records of a csv delivery a second; peak memory of the import %d MB:\n", b.importMemory)
	compare(1, `psql \copy, same tables`,
		row{fmt.Sprintf("import of %d records", b.records), 0.45, func() float64 { return b.importing }, func() float64 {
			start := time.Now()
			b.psql("baseline", `\copy transactions FROM '`+rows+`'`)
			return float64(b.records) / time.Since(start).Seconds()
		}})
	b.psql("postgres", "DROP DATABASE baseline WITH (FORCE)")
}

// settle flushes pending writes to disk, so that a measurement does not include writes
// left over from the step before.
func (b *bench) settle() {
	syscall.Sync()
	b.psql("postgres", "CHECKPOINT")
}

// superuser returns the database's address as the cluster's superuser, for whom no policy holds.
func (b *bench) superuser() string {
	return strings.Replace(b.server.URL(), "dispo_owner@", "dispo@", 1)
}

// psql runs a command in psql, as one line, and returns its output.
func (b *bench) psql(database, command string) string {
	return b.run("", "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d",
		strings.Replace(b.superuser(), "/postgres?", "/"+database+"?", 1), "-c", strings.ReplaceAll(command, "\n", " "))
}

// peakMemory returns the most memory that a process has used, in MB.
func peakMemory(ended *os.ProcessState) int64 { return ended.SysUsage().(*syscall.Rusage).Maxrss >> 10 }

// run runs a program with this input, and returns its output.
func (b *bench) run(input, program string, arguments ...string) string {
	command := exec.CommandContext(b.ctx, program, arguments...)
	command.Stdin = strings.NewReader(input)
	text, err := command.Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		err = fmt.Errorf("%s: %w: %s", command, err, failed.Stderr)
	}
	b.ended = command.ProcessState
	return strings.TrimSpace(string(must(text, err)))
}

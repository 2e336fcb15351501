package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// importResult is the cost of an import by the real command.
type importResult struct {
	records int
	elapsed time.Duration
	memory  int // peak, in MB
}

func (r importResult) String() string {
	return fmt.Sprintf("%.1f s, %.0f records/s, peak memory %d MB", r.elapsed.Seconds(), float64(r.records)/r.elapsed.Seconds(), r.memory)
}

// baseCompany returns the company of the base data's i-th record. The first company
// has a tenth of all records, and the others share the rest.
func baseCompany(i int) string {
	if i%largestShare == 0 {
		return companyCVR(0, 0)
	}
	small := organizationCount*companiesPerOrganization - 1
	n := 1 + (i/largestShare*(largestShare-1)+i%largestShare)%small
	return companyCVR(n/companiesPerOrganization, n%companiesPerOrganization)
}

// ensureRecords imports the base data's transactions.
func (b *bench) ensureRecords(ctx context.Context) error {
	if b.baseImport != nil {
		return nil
	}
	delivery, err := b.writeDelivery("base.csv", b.records, baseCompany)
	if err != nil {
		return err
	}
	result, err := b.importDelivery(ctx, delivery, b.records)
	if err != nil {
		return err
	}
	b.baseImport = &result
	return b.psql(ctx, "dispo", "VACUUM ANALYZE")
}

// measureImport compares an import of the base data by the real command with psql's
// \copy of the same rows into the same tables, with and without the triggers that
// keep the totals.
func (b *bench) measureImport(ctx context.Context) error {
	if err := b.copyDatabase(ctx); err != nil {
		return err
	}
	if err := b.ensureRecords(ctx); err != nil {
		return err
	}
	rows, err := b.exportDelivery(ctx, "base.csv")
	if err != nil {
		return err
	}
	withTriggers, err := b.psqlCopy(ctx, rows)
	if err != nil {
		return err
	}
	if err := b.psql(ctx, "baseline", "TRUNCATE transactions; ALTER TABLE transactions DISABLE TRIGGER USER"); err != nil {
		return err
	}
	withoutTriggers, err := b.psqlCopy(ctx, rows)
	if err != nil {
		return err
	}
	elapsed := b.baseImport.elapsed.Seconds()
	fmt.Printf("import of %d csv records: %v\n", b.records, b.baseImport)
	fmt.Printf("  psql \\copy of the same rows, same tables: %.1f s, ratio of speeds %.2f (aim >= 0.5); without the tables' triggers: %.1f s, ratio %.2f\n",
		withTriggers.Seconds(), withTriggers.Seconds()/elapsed, withoutTriggers.Seconds(), withoutTriggers.Seconds()/elapsed)
	return b.psql(ctx, "postgres", "DROP DATABASE baseline WITH (FORCE)")
}

// writeDelivery writes a delivery file. company returns the CVR of the i-th record.
func (b *bench) writeDelivery(name string, records int, company func(i int) string) (string, error) {
	path := filepath.Join(b.directory, name)
	file, err := os.Create(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	out := bufio.NewWriter(file)
	fmt.Fprintln(out, "cvr,regNumber,accountNumber,transferType,dispositionDate,count,amountDkk")
	for i := range records {
		fmt.Fprintf(out, "%s,1234,%010d,CARD,2026-%02d-%02d,%d,%d.%02d\n", company(i), i%9999, 1+i%12, 1+i%28, i%500, 1000+i%99999, i%100)
	}
	return path, out.Flush()
}

// importDelivery settles the machine, then imports a delivery file with the real
// command.
func (b *bench) importDelivery(ctx context.Context, path string, records int) (importResult, error) {
	if err := b.settle(ctx); err != nil {
		return importResult{}, err
	}
	return b.runImport(ctx, path, records)
}

// settle flushes pending writes to disk, so that a measurement does not include
// writes left over from the step before.
func (b *bench) settle(ctx context.Context) error {
	syscall.Sync()
	return b.psql(ctx, "dispo", "CHECKPOINT")
}

func (b *bench) runImport(ctx context.Context, path string, records int) (importResult, error) {
	progress("importing %d records", records)
	start := time.Now()
	command := exec.CommandContext(ctx, b.dispo, "import", "delivery", path)
	command.Env, command.Stderr = b.environment(), os.Stderr
	err := command.Run()
	elapsed := time.Since(start)
	if err != nil {
		return importResult{}, err
	}
	return importResult{records, elapsed, int(command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10)}, nil
}

// copyDatabase copies the database before an import, so that psql can load the same
// rows into the copy. No other connection to the database may be open.
func (b *bench) copyDatabase(ctx context.Context) error {
	return b.psql(ctx, "postgres", "CREATE DATABASE baseline TEMPLATE dispo")
}

// exportDelivery writes the transactions that an import stored to a file, and copies
// the rows of its delivery and files to the copied database.
func (b *bench) exportDelivery(ctx context.Context, name string) (rows string, err error) {
	rows = filepath.Join(b.directory, "rows")
	for _, table := range [][2]string{
		{"deliveries", "id, filename, layout, record_count, total_amount_dkk"},
		{"delivery_files", "organization_id, id, delivery_id, last_id, filename, layout"},
	} {
		path := filepath.Join(b.directory, table[0])
		if err := b.psql(ctx, "dispo", `\copy (SELECT `+table[1]+` FROM `+table[0]+` WHERE filename = '`+name+`') TO '`+path+`'`); err != nil {
			return "", err
		}
		if err := b.psql(ctx, "baseline", `\copy `+table[0]+` (`+table[1]+`) FROM '`+path+`'`); err != nil {
			return "", err
		}
	}
	return rows, b.psql(ctx, "dispo", `\copy (SELECT * FROM transactions WHERE delivery_file_id IN (SELECT id FROM delivery_files WHERE filename = '`+name+`') ORDER BY ctid) TO '`+rows+`'`)
}

// psqlCopy settles the machine, then times psql's \copy into the copied database.
func (b *bench) psqlCopy(ctx context.Context, rows string) (time.Duration, error) {
	if err := b.settle(ctx); err != nil {
		return 0, err
	}
	return b.runCopy(ctx, rows)
}

func (b *bench) runCopy(ctx context.Context, rows string) (time.Duration, error) {
	start := time.Now()
	err := b.psql(ctx, "baseline", `\copy transactions FROM '`+rows+`'`)
	return time.Since(start), err
}

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

// imported is what an import by the real command took.
type imported struct {
	records int
	took    time.Duration
	memory  int // the most that the process held, in MB
}

func (i imported) String() string {
	return fmt.Sprintf("%.1f s, %.0f records/s, %d MB of memory at most", i.took.Seconds(), float64(i.records)/i.took.Seconds(), i.memory)
}

// baseCompany gives the company of the base data's i-th record: the first one has
// a tenth of all, the others share the rest.
func baseCompany(i int) string {
	if i%bigShare == 0 {
		return cvrOf(0, 0)
	}
	small := organizationCount*companiesPerOrganization - 1
	n := 1 + (i/bigShare*(bigShare-1)+i%bigShare)%small
	return cvrOf(n/companiesPerOrganization, n%companiesPerOrganization)
}

// ensureRecords imports the base data's transactions.
func (w *world) ensureRecords(ctx context.Context) error {
	if w.imported != nil {
		return nil
	}
	delivery, err := w.writeDelivery("base.csv", w.records, baseCompany)
	if err != nil {
		return err
	}
	done, err := w.importDelivery(ctx, delivery, w.records)
	if err != nil {
		return err
	}
	w.imported = &done
	return w.psql(ctx, "dispo", "VACUUM ANALYZE")
}

// measureImport imports the base data by the real command, and the same rows by
// psql's \copy into the same tables, with and without the triggers that keep the
// totals.
func (w *world) measureImport(ctx context.Context) error {
	if err := w.copyDatabase(ctx); err != nil {
		return err
	}
	if err := w.ensureRecords(ctx); err != nil {
		return err
	}
	rows, err := w.exportDelivery(ctx, "base.csv")
	if err != nil {
		return err
	}
	withTriggers, err := w.psqlCopy(ctx, rows)
	if err != nil {
		return err
	}
	if err := w.psql(ctx, "baseline", "TRUNCATE transactions; ALTER TABLE transactions DISABLE TRIGGER USER"); err != nil {
		return err
	}
	without, err := w.psqlCopy(ctx, rows)
	if err != nil {
		return err
	}
	took := w.imported.took.Seconds()
	fmt.Printf("import of %d csv records: %v\n", w.records, w.imported)
	fmt.Printf("  psql \\copy of the same rows, same tables: %.1f s, ratio of speeds %.2f (aim >= 0.5); without the tables' triggers: %.1f s, ratio %.2f\n",
		withTriggers.Seconds(), withTriggers.Seconds()/took, without.Seconds(), without.Seconds()/took)
	return w.psql(ctx, "postgres", "DROP DATABASE baseline WITH (FORCE)")
}

// writeDelivery writes a delivery file of records of the companies that company
// names.
func (w *world) writeDelivery(name string, records int, company func(i int) string) (string, error) {
	path := filepath.Join(w.directory, name)
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

// importDelivery imports by the real command.
func (w *world) importDelivery(ctx context.Context, path string, records int) (imported, error) {
	if err := w.settle(ctx); err != nil {
		return imported{}, err
	}
	return w.runImport(ctx, path, records)
}

// settle lets the machine write what is still to be written: nobody's figure is
// to hold the writing of what somebody else has left.
func (w *world) settle(ctx context.Context) error {
	syscall.Sync()
	return w.psql(ctx, "dispo", "CHECKPOINT")
}

func (w *world) runImport(ctx context.Context, path string, records int) (imported, error) {
	say("importing %d records", records)
	start := time.Now()
	command := exec.CommandContext(ctx, w.dispo, "import", "delivery", path)
	command.Env, command.Stderr = w.environment(), os.Stderr
	err := command.Run()
	took := time.Since(start)
	if err != nil {
		return imported{}, err
	}
	return imported{records, took, int(command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss >> 10)}, nil
}

// copyDatabase copies the database as it is before an import, for psql to do the
// same. Nothing else may be connected to it.
func (w *world) copyDatabase(ctx context.Context) error {
	return w.psql(ctx, "postgres", "CREATE DATABASE baseline TEMPLATE dispo")
}

// exportDelivery writes the rows that an import made to a file, and gives the
// delivery file's own rows to the copied database.
func (w *world) exportDelivery(ctx context.Context, name string) (rows string, err error) {
	rows, files := filepath.Join(w.directory, "rows"), filepath.Join(w.directory, "files")
	if err := w.psql(ctx, "dispo", `\copy (SELECT organization_id, id, filename, layout, sha256 FROM delivery_files WHERE filename = '`+name+`') TO '`+files+`'`); err != nil {
		return "", err
	}
	if err := w.psql(ctx, "baseline", `\copy delivery_files (organization_id, id, filename, layout, sha256) FROM '`+files+`'`); err != nil {
		return "", err
	}
	return rows, w.psql(ctx, "dispo", `\copy (SELECT * FROM transactions WHERE delivery_file_id IN (SELECT id FROM delivery_files WHERE filename = '`+name+`') ORDER BY ctid) TO '`+rows+`'`)
}

// psqlCopy times psql's \copy into the copied database.
func (w *world) psqlCopy(ctx context.Context, rows string) (time.Duration, error) {
	if err := w.settle(ctx); err != nil {
		return 0, err
	}
	return w.runCopy(ctx, rows)
}

func (w *world) runCopy(ctx context.Context, rows string) (time.Duration, error) {
	start := time.Now()
	err := w.psql(ctx, "baseline", `\copy transactions FROM '`+rows+`'`)
	return time.Since(start), err
}

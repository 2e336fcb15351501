package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// measureImport imports the delivery by the real command, and the same rows by
// psql's \copy into the same table, with and without the triggers that keep the
// totals.
func (w *world) measureImport(ctx context.Context) error {
	fmt.Fprintf(os.Stderr, "importing %d records\n", w.records)
	start := time.Now()
	command := exec.CommandContext(ctx, w.dispo, "import", "delivery", w.delivery)
	command.Env, command.Stderr = w.environment(), os.Stderr
	if err := command.Run(); err != nil {
		return err
	}
	took := time.Since(start)
	memory := command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10

	rows := filepath.Join(w.directory, "rows")
	if err := w.psql(ctx, "dispo", `\copy (SELECT * FROM transactions ORDER BY ctid) TO '`+rows+`'`); err != nil {
		return err
	}
	if err := w.psql(ctx, "postgres", "CREATE DATABASE baseline TEMPLATE dispo"); err != nil {
		return err
	}
	empty := "TRUNCATE transactions; UPDATE companies SET transaction_count = 0; UPDATE delivery_files SET record_count = 0"
	withTriggers, err := w.psqlCopy(ctx, rows, empty)
	if err != nil {
		return err
	}
	without, err := w.psqlCopy(ctx, rows, empty+"; ALTER TABLE transactions DISABLE TRIGGER USER")
	if err != nil {
		return err
	}
	fmt.Printf("import of %d csv records: %.1f s, %.0f records/s, %d MB of memory at most\n", w.records, took.Seconds(), float64(w.records)/took.Seconds(), memory>>20)
	fmt.Printf("  psql \\copy of the same rows, same table: %.1f s, ratio of speeds %.2f; without the table's triggers: %.1f s, ratio %.2f\n\n",
		withTriggers.Seconds(), withTriggers.Seconds()/took.Seconds(), without.Seconds(), without.Seconds()/took.Seconds())
	if err := w.psql(ctx, "postgres", "DROP DATABASE baseline WITH (FORCE)"); err != nil {
		return err
	}
	return w.psql(ctx, "dispo", "VACUUM ANALYZE")
}

// psqlCopy times psql's \copy into the emptied table.
func (w *world) psqlCopy(ctx context.Context, rows, empty string) (time.Duration, error) {
	if err := w.psql(ctx, "baseline", empty); err != nil {
		return 0, err
	}
	start := time.Now()
	err := w.psql(ctx, "baseline", `\copy transactions FROM '`+rows+`'`)
	return time.Since(start), err
}

func (w *world) psql(ctx context.Context, database, command string) error {
	psql := exec.CommandContext(ctx, "psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-d", w.server.URLFor(database), "-c", command)
	psql.Stderr = os.Stderr
	if err := psql.Run(); err != nil {
		return fmt.Errorf("psql: %w", err)
	}
	return nil
}

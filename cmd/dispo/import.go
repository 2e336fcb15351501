package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/schollz/progressbar/v3"

	"dispo/models"
	"dispo/models/delivery"
)

type importCommands struct {
	Companies importCompaniesCommand `cmd:"" help:"Insert or update an organization's companies from a CSV file."`
	Delivery  importDeliveryCommand  `cmd:"" help:"Import delivery files of the card network."`
}

type importCompaniesCommand struct {
	File         string `arg:"" help:"CSV file with a header line: cvr and name, and what else there is."`
	Organization string `required:"" help:"Slug of the organization." placeholder:"SLUG"`
}

func (c *importCompaniesCommand) Run(e *environment) error {
	return e.withStore(func(store *models.Store) error {
		organization, err := store.OrganizationBySlug(e.ctx, c.Organization)
		if err != nil {
			return err
		}
		progress, finish := e.progress(c.File)
		done, err := store.ImportCompanies(e.ctx, organization, c.File, progress)
		finish()
		if err != nil {
			return interrupted(e, err)
		}
		for _, warning := range done.Warnings {
			fmt.Fprintf(e.streams.err, "warning: line %d: %s: %s\n", warning.Line, warning.Field, warning.Reason)
		}
		if done.MoreWarnings > 0 {
			fmt.Fprintf(e.streams.err, "warning: and %d more\n", done.MoreWarnings)
		}
		fmt.Fprintf(e.streams.out, "%s: %s inserted, %d updated, %d unchanged\n", filepath.Base(c.File), count(done.Inserted, "company", "companies"), done.Updated, done.Unchanged)
		return nil
	})
}

type importDeliveryCommand struct {
	Files        []string `arg:"" name:"file" help:"Delivery files."`
	Organization string   `help:"Slug of the one organization that gets the records." placeholder:"SLUG"`
	Layout       string   `help:"Description of the files' layout; without it, a file that starts with OS1 is read as os, any other as csv." placeholder:"FILE.yaml"`
	SkipUnknown  bool     `help:"Leave out, and count, the records of companies that no organization has."`
}

// Run imports one file after the other, each whole or not at all: a bad one does
// not keep the others out.
func (c *importDeliveryCommand) Run(e *environment) error {
	var layout *delivery.Layout
	if c.Layout != "" {
		text, err := os.ReadFile(c.Layout)
		if err != nil {
			return fmt.Errorf("the layout %s can't be read: %w", c.Layout, errors.Unwrap(err))
		}
		if layout, err = delivery.ParseLayout(text); err != nil {
			return fmt.Errorf("the layout %s can't be used: %w", c.Layout, err)
		}
	}
	return e.withStore(func(store *models.Store) error {
		var only *models.Organization
		if c.Organization != "" {
			organization, err := store.OrganizationBySlug(e.ctx, c.Organization)
			if err != nil {
				return err
			}
			only = &organization
		}
		failed := false
		for _, file := range c.Files {
			progress, finish := e.progress(file)
			done, err := store.ImportDelivery(e.ctx, models.DeliveryImport{
				Path: file, Layout: layout, Organization: only, SkipUnknown: c.SkipUnknown, Progress: progress,
			})
			finish()
			if e.ctx.Err() != nil && err != nil {
				return interrupted(e, err)
			}
			if err != nil {
				fmt.Fprintln(e.streams.err, "dispo:", sentence(err))
				failed = true
				continue
			}
			fmt.Fprintln(e.streams.out, deliveryReport(done))
		}
		if failed {
			return errToldAlready
		}
		return nil
	})
}

func deliveryReport(done models.DeliveryImported) string {
	if done.Already {
		return done.Filename + ": imported before, nothing has changed"
	}
	report := fmt.Sprintf("%s: %s, %s stored for %s", done.Filename, count(done.Records, "record", "records"),
		count(done.Stored, "transaction", "transactions"), count(int64(done.Organizations), "organization", "organizations"))
	if done.Unknown > 0 {
		report += fmt.Sprintf("; %d left out because nobody has their company", done.Unknown)
	}
	if done.Others > 0 {
		report += fmt.Sprintf("; %d left out because other organizations have their company", done.Others)
	}
	return report
}

func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// interrupted says what a signal did to an import: nothing.
func interrupted(e *environment, err error) error {
	if e.ctx.Err() != nil {
		return errors.New("interrupted: nothing of the file was imported")
	}
	return err
}

// progress shows, on a terminal, how far a file's import has come, once it has
// taken a second. finish takes it away.
func (e *environment) progress(file string) (told models.Progress, finish func()) {
	if !isTerminal(e.streams.err) {
		return nil, func() {}
	}
	start := time.Now()
	var bar *progressbar.ProgressBar
	return func(done, total int64) {
			if bar == nil && time.Since(start) > time.Second {
				// Twice the whole: once all is read, the database works as long again,
				// and the bar stays, at its half, until finish.
				bar = progressbar.NewOptions64(2*total, progressbar.OptionSetWriter(e.streams.err),
					progressbar.OptionSetDescription(filepath.Base(file)), progressbar.OptionThrottle(100*time.Millisecond))
			}
			if bar != nil {
				_ = bar.Set64(done)
			}
		}, func() {
			if bar != nil {
				_ = bar.Clear()
			}
		}
}

package main

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/organizations"
)

type importCommands struct {
	Companies importCompaniesCommand `cmd:"" help:"Insert or update an organization's companies from a CSV file."`
	Delivery  importDeliveryCommand  `cmd:"" help:"Import the card network's delivery files."`
}

type importCompaniesCommand struct {
	Files        []string `arg:"" name:"file" help:"CSV files with a header line: cvr, name and optionally other fields. A .gz is unpacked."`
	Organization string   `required:"" help:"Slug of the organization." placeholder:"SLUG"`
	DryRun       bool     `help:"Do everything but store it."`
}

func (c *importCompaniesCommand) Run(e *environment) error {
	return e.withOrganization(c.Organization, func(store *models.Store, organization models.Organization) error {
		return e.importAll(c.Files, c.DryRun, func(file string, progress imports.Progress) (report func(), err error) {
			done, err := imports.Companies(e.ctx, store.DB(),
				imports.CompaniesOptions{Organization: organization, Path: file, DryRun: c.DryRun, Progress: progress})
			return func() {
				e.reportCompanies(printable(imports.Filename(file)), organization.Slug, done, wouldBe(c.DryRun))
			}, err
		})
	})
}

func (e *environment) reportCompanies(file, slug string, done imports.CompaniesResult, wouldBe string) {
	for _, warning := range done.Warnings {
		fmt.Fprintf(e.streams.err, "warning: %s\n", printable(warning.String()))
	}
	if done.MoreWarnings > 0 {
		fmt.Fprintf(e.streams.err, "warning: and %d more\n", done.MoreWarnings)
	}
	fmt.Fprintf(e.streams.out, "%s: %s %sinserted, %d %supdated, %d unchanged\n", file,
		count(done.Inserted, "company", "companies"), wouldBe, done.Updated, wouldBe, done.Unchanged)
	if done.Delivered.Records > 0 {
		fmt.Fprintf(e.streams.out, "%s: %s of %s DKK %sdelivered that had been held for new companies\n", file,
			count(done.Delivered.Records, "record", "records"), done.Delivered.TotalAmountDKK, wouldBe)
	}
	if done.History > 0 {
		fmt.Fprintf(
			e.streams.err,
			"Other organizations have at least %s of the new companies. `dispo delivery backfill --organization %s` delivers them.\n",
			count(done.History, "record", "records"),
			slug,
		)
	}
}

const dryRunNote = "This was a dry run: nothing was stored."

// wouldBe precedes what a dry run has not done.
func wouldBe(dryRun bool) string {
	if dryRun {
		return "would be "
	}
	return ""
}

// importAll imports files one after the other, each completely or not at all. After a
// bad file it continues with the next one. At the end it says which were not imported.
func (e *environment) importAll(
	files []string, dryRun bool, load func(file string, progress imports.Progress) (report func(), err error),
) error {
	var failed []string
	for i, file := range files {
		progress, finish := e.progress(file)
		report, err := load(file, progress)
		finish()
		if err == nil {
			report()
			continue
		}
		failed = append(failed, file)
		if e.ctx.Err() != nil {
			err, failed = interruption(e, err), append(failed, files[i+1:]...)
		}
		fmt.Fprintln(e.streams.err, "dispo:", sentence(err))
		if e.ctx.Err() != nil {
			break
		}
	}
	if len(failed) > 0 {
		if len(files) > 1 {
			fmt.Fprintf(e.streams.err, "%d of %d files were not imported: %s\n", len(failed), len(files),
				printable(strings.Join(failed, ", ")))
		}
		return errReported
	}
	if dryRun {
		fmt.Fprintln(e.streams.err, dryRunNote)
	}
	return nil
}

type importDeliveryCommand struct {
	Files []string `arg:"" name:"file" help:"Delivery files. A .gz is unpacked."`
	deliveryFlags
	Replace    bool `xor:"repeated" help:"Withdraw the stored delivery of the same identity, and store this one instead."`
	Additional bool `xor:"repeated" help:"Store the delivery although one of the same identity, or some of its records, are stored."`
	DryRun     bool `help:"Do everything but store it, and show what each organization would get."`
}

// deliveryFlags are the flags of the commands that import deliveries.
type deliveryFlags struct {
	Organization string `help:"Slug of the only organization that gets the records." placeholder:"SLUG"`
	Layout       string `help:"csv, os, or a file that describes the layout; by default, files that start with OS1 are read as os and others as csv." placeholder:"LAYOUT"`
	SkipUnknown  bool   `help:"Hold the records of companies that no organization has, until one has."`
}

// onlyOrganization returns the organization with that slug, or nil for none.
func (e *environment) onlyOrganization(store *models.Store, slug string) (*models.Organization, error) {
	if slug == "" {
		return nil, nil
	}
	organization, err := organizations.BySlug(e.ctx, store, slug)
	return &organization, err
}

func (c *importDeliveryCommand) repeated() imports.Repeated {
	switch {
	case c.Replace:
		return imports.RepeatedReplace
	case c.Additional:
		return imports.RepeatedAdditional
	}
	return imports.RepeatedRefuse
}

func (c *importDeliveryCommand) Run(e *environment) error {
	layout, err := readLayout(c.Layout)
	if err != nil {
		return err
	}
	return e.withStore(func(store *models.Store) error {
		only, err := e.onlyOrganization(store, c.Organization)
		if err != nil {
			return err
		}
		return e.importAll(c.Files, c.DryRun, func(file string, progress imports.Progress) (report func(), err error) {
			done, err := imports.Delivery(e.ctx, store.DB(), imports.DeliveryOptions{
				Path:         file,
				Layout:       layout,
				Organization: only,
				SkipUnknown:  c.SkipUnknown,
				Repeated:     c.repeated(),
				DryRun:       c.DryRun,
				Progress:     progress,
			})
			return func() {
				fmt.Fprintln(e.streams.out, deliveryReport(done, wouldBe(c.DryRun)))
				if c.DryRun {
					for _, share := range done.Shares {
						fmt.Fprintf(e.streams.out, "  %s: %s of %s DKK\n", share.Slug, count(share.Records, "record", "records"),
							share.TotalAmountDKK)
					}
				}
			}, err
		})
	})
}

func deliveryReport(done imports.DeliveryResult, wouldBe string) string {
	if done.Already {
		report := printable(done.Filename) + ": already imported, nothing has changed"
		if done.Lacking > 0 {
			report += fmt.Sprintf("; %s with companies in it got none of it: --organization SLUG delivers it",
				count(int64(done.Lacking), "organization", "organizations"))
		}
		return report
	}
	report := fmt.Sprintf("%s: %s, %s %sstored for %s", printable(done.Filename), count(done.Records, "record", "records"),
		count(done.Stored, "transaction", "transactions"), wouldBe,
		count(int64(done.Organizations), "organization", "organizations"))
	if done.Held > 0 {
		report += fmt.Sprintf("; %d %sheld because no organization has their company", done.Held, wouldBe)
	}
	if done.Others > 0 {
		report += fmt.Sprintf("; %d %sskipped because their company belongs to other organizations", done.Others, wouldBe)
	}
	if done.Replaced != nil {
		report += fmt.Sprintf("; %s (%s) with %s of %s DKK %sreplaced", printable(done.Replaced.Filename), done.Replaced.ID,
			count(done.Replaced.RecordCount, "record", "records"), done.Replaced.TotalAmountDKK, wouldBe)
	}
	if len(done.LeftOut) > 0 {
		report += fmt.Sprintf("; none %sstored for %s, from which it had been withdrawn: --organization SLUG delivers it",
			wouldBe, strings.Join(done.LeftOut, ", "))
	}
	return report
}

// interruption replaces the error of an import that was interrupted by a signal.
func interruption(e *environment, err error) error {
	if e.ctx.Err() != nil {
		return errors.New("interrupted, nothing was imported from the file")
	}
	return err
}

// progress returns a function that shows the progress on a terminal if an import takes
// longer than a second. finish removes it.
func (e *environment) progress(file string) (report imports.Progress, finish func()) {
	if !isTerminal(e.streams.err) {
		return nil, func() {}
	}
	start, shown, percent := time.Now(), "", int64(-1)
	return func(done, total int64) {
			// Reading the file is about half of the work. At 50 % the database does the rest.
			if now := 50 * done / max(total, 1); now != percent && time.Since(start) > time.Second {
				percent = now
				shown = fmt.Sprintf("%s %3d %%", printable(imports.Filename(file)), percent)
				fmt.Fprintf(e.streams.err, "\r%s", shown)
			}
		}, func() {
			if shown != "" {
				fmt.Fprintf(e.streams.err, "\r%s\r", strings.Repeat(" ", utf8.RuneCountInString(shown)))
			}
		}
}

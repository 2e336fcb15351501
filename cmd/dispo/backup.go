package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"dispo/models"
	"dispo/models/backup"
	"dispo/models/backup/record"
	"dispo/models/database/embedded"
	"dispo/models/erasures"
)

type backupCommands struct {
	Create backupCreateCommand `cmd:"" default:"withargs" help:"Write the whole database into one file."`
	Check  backupCheckCommand  `cmd:"" help:"Restore a backup into a private database that is deleted again, and compare everything with its manifest."`
	Drill  backupDrillCommand  `cmd:"" help:"Check the newest backup of a folder, whether DISPO_SECRET opens what it has, and whether a key reads from the copy."`
}

type backupCreateCommand struct {
	File       string `arg:"" help:"File to write, such as /backups/2026-11-24.dispo; - is standard output."`
	WithSecret bool   `help:"Include the secret that is kept beside the embedded database. Then the file alone is enough to decrypt second factors."`
}

func (c *backupCreateCommand) Run(e *environment) (err error) {
	toOutput := c.File == "-"
	if toOutput && isTerminal(e.streams.out.to) {
		return usageErrorf("a backup is not for a terminal: redirect standard output, or name a file")
	}
	if c.WithSecret && e.settings.DatabaseURL != "" {
		return usageErrorf("--with-secret is for the embedded database: with DATABASE_URL, keep DISPO_SECRET as you keep " +
			"your other secrets")
	}
	opened, err := e.openDatabase(embedded.Command, embedded.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, opened.close()) }()
	source := backup.Source{URL: opened.url, BinDir: e.settings.PostgresBinDir, Program: versionText()}
	if c.WithSecret {
		source.Secret = encodeSecrets(opened.secret)
		fmt.Fprintln(
			e.streams.err,
			"The backup has DISPO_SECRET: whoever reads it can decrypt second factors and forge links. Encrypt it before it leaves this machine.",
		)
	}
	return e.withOpened(opened, func(store *models.Store) error {
		source.Pool = store.DB().Pool
		if toOutput {
			m, err := backup.Stream(e.ctx, source, e.streams.out)
			return report(e.streams.err, "standard output", m, err)
		}
		m, err := backup.Create(e.ctx, source, c.File)
		return report(e.streams.out, printable(c.File), m, err)
	})
}

// report prints what a backup has, unless it was not written.
func report(to io.Writer, name string, m backup.Manifest, err error) error {
	if err == nil {
		fmt.Fprintf(to, "%s: %s\n", name, describe(m))
	}
	return err
}

func describe(m backup.Manifest) string {
	return fmt.Sprintf(
		"%s, %s and %s, as of %s",
		count(m.Contents.Count("organizations"), "organization", "organizations"),
		count(m.Contents.Count("companies"), "company", "companies"),
		count(m.Contents.Count("transactions"), "transaction", "transactions"),
		m.At.Format(time.RFC3339),
	)
}

type backupCheckCommand struct {
	File  string `arg:"" help:"Backup to check."`
	Quick bool   `help:"Only compare the checksums. That needs no PostgreSQL."`
}

func (c *backupCheckCommand) Run(e *environment) error {
	return e.check(c.File, func(file *backup.File) (kind, done string, err error) {
		if c.Quick {
			return record.Quick, "the checksums are right", nil
		}
		err = file.Check(e.ctx, e.settings.PostgresBinDir)
		return record.Whole, "everything in it was restored and is there", err
	})
}

type backupDrillCommand struct {
	Dir string `arg:"" help:"Folder of the backups, such as /var/backups/dispo."`
}

func (c *backupDrillCommand) Run(e *environment) error {
	found, err := record.Find(e.ctx, 10*time.Second, c.Dir)
	if err == nil && found.Newest.Path == "" {
		err = fmt.Errorf("there is no backup in %s that can be read", c.Dir)
	}
	secret := e.settings.Secret
	if err == nil && secret == nil {
		secret, err = readKeptSecret(e.secretPath())
	}
	if err != nil {
		return err
	}
	return e.check(found.Newest.Path, func(file *backup.File) (kind, done string, err error) {
		tried, err := file.Drill(e.ctx, e.settings.PostgresBinDir, secret)
		if !tried {
			return record.Whole, "it was restored; the secret and a key were not tried, because it has the schema of " +
				printable(file.Manifest.Program), err
		}
		return record.Drill, "it was restored, the secret fits, and a key reads it", err
	})
}

// check checks a backup, prints what was done, and notes it beside the backup.
func (e *environment) check(path string, more func(*backup.File) (kind, done string, err error)) error {
	began := time.Now()
	file, err := backup.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	kind, done, err := more(file)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	fmt.Fprintf(e.streams.out, "%s: %s: %s\n", printable(path), done, describe(file.Manifest))
	check := record.Check{
		At: time.Now().UTC(), Kind: kind, SHA256: file.Manifest.SHA256, Seconds: time.Since(began).Seconds(),
	}
	if err := record.Add(path, check); err != nil {
		e.log.Warn("the backup is good, but that cannot be noted beside it", "error", err)
	}
	return nil
}

type restoreCommand struct {
	File       string `arg:"" help:"Backup to restore."`
	KeysActive bool   `help:"Accept the keys of the backup at once, instead of pausing them."`
}

func (c *restoreCommand) Run(e *environment) (err error) {
	target := backup.Target{BinDir: e.settings.PostgresBinDir, KeysActive: c.KeysActive, Deleting: func(name string) {
		fmt.Fprintf(e.streams.err, "Deleting %s, because DISPO_ERASURES names it.\n", printable(name))
	}}
	if e.settings.Erasures != "" {
		if target.Erased, err = erasures.Read(e.ctx, e.settings.Erasures); err != nil {
			return fmt.Errorf("%w; set DISPO_ERASURES to the newest copy of the file, or unset it if nothing was deleted or "+
				"revoked since the backup", err)
		}
	}
	file, err := backup.Open(c.File)
	if err != nil {
		return err
	}
	defer file.Close()
	owned, err := e.openOwned(embedded.Options{Create: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, owned.close()) }()
	target.URL = owned.url
	done, err := file.Restore(e.ctx, target)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.streams.out, "%s is restored: %s\n", printable(c.File), describe(file.Manifest))
	if e.settings.Erasures == "" {
		fmt.Fprintln(e.streams.err,
			"DISPO_ERASURES is not set: what was deleted or revoked since the backup is back, so delete and revoke it again.")
	}
	if len(target.Erased) > 0 {
		fmt.Fprintf(e.streams.err, "What DISPO_ERASURES names is deleted and revoked again: %s.\n",
			count(int64(len(target.Erased)), "line", "lines"))
	}
	fmt.Fprintln(e.streams.err, "Sessions, links and invitations have ended.")
	if done.Paused > 0 {
		fmt.Fprintf(
			e.streams.err,
			"Paused keys: %d. Members resume them under Settings → API Keys, and `dispo key resume --restored` resumes them all.\n",
			done.Paused,
		)
	}
	if done.Held > 0 {
		fmt.Fprintf(e.streams.err,
			"Mails that wait: %d. `dispo mail list` shows them, and `dispo mail release` sends them.\n", done.Held)
	}
	return c.tellSecret(e, owned.server != nil, file.Secret)
}

// tellSecret says what to do about DISPO_SECRET. It stores the backup's beside a new embedded
// database.
func (c *restoreCommand) tellSecret(e *environment, own bool, secret []byte) error {
	_, missing := os.Stat(e.secretPath())
	if own && secret != nil && errors.Is(missing, fs.ErrNotExist) {
		if err := storeSecret(e.secretPath(), secret); err != nil {
			return fmt.Errorf("everything is restored but the secret, which `unzip -p FILE secret` prints: %w", err)
		}
		fmt.Fprintf(e.streams.err, "The backup's secret is in %s.\n", e.secretPath())
		return nil
	}
	where := "Set DISPO_SECRET to what it was for the backup"
	if own {
		where = "Before any other command, put the DISPO_SECRET of the backup's database into " + e.secretPath()
	}
	if secret != nil {
		where += ", which `unzip -p FILE secret` prints"
	}
	fmt.Fprintln(e.streams.err, where+". Without it, second factors do not work, and known devices count as new.")
	return nil
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	neturl "net/url"
	"os"
	"strings"
	"time"

	"dispo/api/ratelimit"
	"dispo/models/database/embedded"
	"dispo/models/doctor"
)

type doctorCommand struct {
	listenFlag
	JSON bool `help:"Print a JSON array of findings."`
	All  bool `help:"Count the transactions of all organizations, not of ten; this can take long."`
}

func (c *doctorCommand) Run(e *environment) (err error) {
	s := e.settings
	public, err := neturl.Parse(s.publicURL(string(c.Listen)))
	if err != nil {
		return err
	}
	config := doctor.Config{
		Refused:        cmp.Or(s.checkMail(), s.Keep.Check()),
		Secret:         s.Secret,
		Mail:           s.MailServer,
		PublicURL:      public,
		PublicSet:      s.PublicURL != "",
		TrustedProxies: s.TrustedProxies,
		DatabaseURL:    s.DatabaseURL,
		ReadURL:        s.ReadURL,
		SecretFiles:    s.secretFiles(),
		Ignored:        s.ignored,
		Misspelt:       s.misspelt,
		Erasures:       s.Erasures,
		Backups:        s.Backups,
		RequireFactor:  s.RequireSecondFactor,
		Kept:           s.Keep.JSON(),
		All:            c.All,
		Open:           func(context.Context) (string, error) { return s.DatabaseURL, nil },
	}
	if s.RedisURL != "" {
		config.Redis = func(ctx context.Context) (string, time.Time, error) { return ratelimit.RedisTime(ctx, s.RedisURL) }
	}
	if s.DatabaseURL == "" {
		var server *embedded.Server
		defer func() {
			if server != nil {
				err = errors.Join(err, server.Stop())
			}
		}()
		config.Open = func(ctx context.Context) (string, error) {
			limited := environment{ctx, e.streams, s, e.log}
			if server, err = limited.openEmbedded(embedded.Command, embedded.Options{}); err != nil {
				return "", err
			}
			if running, err := neturl.Parse(server.ServiceURL()); err == nil && s.PublicURL == "" && running.Host != "" {
				*public = *running
			}
			return server.URL(), nil
		}
		config.Data = s.Data
		config.SecretFiles = append(config.SecretFiles, e.secretPath())
		if s.Secret == nil {
			kept, err := readKeptSecret(e.secretPath())
			if config.Secret = kept; !errors.Is(err, fs.ErrNotExist) {
				config.Refused = cmp.Or(err, config.Refused)
			}
		}
	}
	failures, all := 0, []doctor.Finding{}
	doctor.Run(e.ctx, config, func(f doctor.Finding) {
		f.Message, f.Do = printable(f.Message), printable(f.Do)
		if f.Level == doctor.Failure {
			failures++
		}
		if all = append(all, f); !c.JSON {
			fmt.Fprintln(e.streams.out,
				strings.TrimSpace(fmt.Sprintf("%-8s %-13s  %s. %s", f.Level, f.Check, strings.TrimSuffix(f.Message, "."), f.Do)))
		}
	})
	if err := e.ctx.Err(); err != nil {
		return err
	}
	if c.JSON {
		if err := e.printJSON(all); err != nil {
			return err
		}
	}
	if failures > 0 {
		return fmt.Errorf("%s found", count(int64(failures), "failure", "failures"))
	}
	return nil
}

// secretFiles returns the files with secrets that the settings name. Empty paths are none.
func (s *settings) secretFiles() []string {
	var files []string
	if s.EnvFile != "none" {
		files = append(files, s.EnvFile, s.EnvFile+"-commands")
	}
	for _, name := range secretNames {
		files = append(files, os.Getenv(name+"_FILE"))
	}
	for _, address := range []string{s.DatabaseURL, s.ReadURL, s.MigrationURL} {
		if u, err := neturl.Parse(address); err == nil {
			files = append(files, u.Query().Get("passfile"), u.Query().Get("sslkey"), u.Query().Get("servicefile"))
		}
	}
	return files
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	neturl "net/url"
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
		Ignored:        s.ignored,
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
			if databaseRequired != "" {
				return "", errors.New("DATABASE_URL is required: this build has no embedded database")
			}
			if server, err = embedded.Open(
				ctx,
				embedded.Command,
				embedded.Options{Dir: s.Data, BinDir: s.PostgresBinDir, Log: e.log},
			); err != nil {
				return "", err
			}
			return server.URL(), nil
		}
		config.Data = s.Data
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

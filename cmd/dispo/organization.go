package main

import (
	"context"
	"fmt"
	"time"

	"dispo/models"
	"dispo/models/database/embedded"
	"dispo/models/organizations"
	"dispo/models/sandbox"
)

type organizationCommands struct {
	Create organizationCreateCommand `cmd:"" help:"Create an organization."`
	List   organizationListCommand   `cmd:"" help:"List the organizations."`

	Limit   organizationLimitCommand   `cmd:"" help:"Show or set how many requests an organization may make, or each of its keys where keys are counted."`
	Suspend organizationSuspendCommand `cmd:"" help:"Refuse an organization's keys, and keep its members from working in it."`
	Resume  organizationResumeCommand  `cmd:"" help:"End a suspension."`

	SignIn organizationSignInCommand `cmd:"" help:"Stop requiring an organization's single sign-on."`

	Export organizationExportCommand `cmd:"" help:"Write everything that an organization has into a folder, as CSV and JSON Lines."`
	Delete organizationDeleteCommand `cmd:"" help:"Delete an organization with everything that it has, for good."`
}

type organizationCreateCommand struct {
	Name    string `arg:"" help:"Display name."`
	Slug    string `required:"" help:"Name for commands: lower-case letters, digits and hyphens." placeholder:"SLUG"`
	Sandbox bool   `help:"Fill it with made-up data, which arrives every day. It stays a sandbox for good."`
}

func (c *organizationCreateCommand) Run(e *environment) error {
	return e.withDatabase(embedded.Command, embedded.Options{Create: true}, func(store *models.Store) error {
		if c.Sandbox {
			return c.createSandbox(e, store)
		}
		organization, err := organizations.Create(e.ctx, store, c.Name, c.Slug)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.streams.out, "created organization %s (%s)\n", organization.Slug, printable(organization.Name))
		return nil
	})
}

func (c *organizationCreateCommand) createSandbox(e *environment, store *models.Store) error {
	created, err := sandbox.Create(e.ctx, store, c.Name, c.Slug, time.Now())
	if created.Slug == "" {
		return err
	}
	fmt.Fprintf(e.streams.out, "created sandbox %s (%s)\n", created.Slug, printable(created.Name))
	if err != nil {
		return fmt.Errorf("its data is not complete yet, the service adds the rest later: %w", err)
	}
	fmt.Fprintf(
		e.streams.err,
		"It has %s and made-up deliveries of %s, up to %s. One more arrives every day while `dispo serve` runs.\n"+
			"Create a test key with `dispo key create --organization %s --name NAME`.\n",
		count(created.CompanyCount, "company", "companies"),
		count(sandbox.HistoryDays, "day", "days"),
		created.SandboxDay.Format(time.DateOnly),
		created.Slug,
	)
	return nil
}

type organizationListCommand struct{}

func (c *organizationListCommand) Run(e *environment) error {
	return e.withStore(func(store *models.Store) error {
		organizations, err := organizations.List(e.ctx, store)
		if err != nil {
			return err
		}
		none := "There are no organizations yet: create one with `dispo organization create NAME --slug SLUG`."
		return printTable(e, organizations, none,
			"SLUG\tNAME\tCOMPANIES\tCREATED\tSTATE\tKIND\tLIMITS", func(o models.Organization) string {
				state, kind := "active", "real"
				if o.SuspendedAt != nil {
					state = "suspended"
				}
				if o.DeletionStartedAt != nil {
					state = "deletion unfinished"
				}
				if o.Sandbox {
					kind = "sandbox"
				}
				return fmt.Sprintf("%s\t%s\t%d\t%s\t%s\t%s\t%s", o.Slug, printable(o.Name), o.CompanyCount,
					o.CreatedAt.Format(time.DateOnly), state, kind, o.Describe())
			})
	})
}

type organizationArgument struct {
	Slug string `arg:"" help:"Slug of the organization."`
}

func (a organizationArgument) run(
	e *environment, change func(context.Context, models.Tenant) error, done string,
) error {
	return e.withOrganization(a.Slug, func(store *models.Store, organization models.Organization) error {
		if err := change(e.ctx, store.Tenant(organization.ID)); err != nil {
			return err
		}
		fmt.Fprintf(e.streams.out, done+"\n", organization.Slug, printable(organization.Name))
		return nil
	})
}

type organizationSuspendCommand struct{ organizationArgument }

func (c *organizationSuspendCommand) Run(e *environment) error {
	return c.run(e, organizations.Suspend,
		"%s (%s) is suspended: its keys are refused within a second, and its members cannot work in it.")
}

type organizationResumeCommand struct{ organizationArgument }

func (c *organizationResumeCommand) Run(e *environment) error {
	return c.run(e, organizations.Resume, "%s (%s) is active: its keys are accepted, and its members can work in it.")
}

type organizationExportCommand struct {
	organizationArgument
	Folder string `arg:"" help:"Folder to write. It must not exist yet." placeholder:"DIR"`
}

func (c *organizationExportCommand) Run(e *environment) error {
	return e.withOrganization(c.Slug, func(store *models.Store, organization models.Organization) error {
		if err := organizations.Export(e.ctx, store, organization, c.Folder); err != nil {
			return err
		}
		fmt.Fprintf(e.streams.out,
			"%s (%s) is exported to %s. The files have personal data and bank numbers: keep them safe.\n", organization.Slug,
			printable(organization.Name), printable(c.Folder))
		return nil
	})
}

type organizationDeleteCommand struct {
	organizationArgument
	Confirm string `required:"" help:"The slug again, because a deletion cannot be undone." placeholder:"SLUG"`
}

func (c *organizationDeleteCommand) Run(e *environment) error {
	if c.Confirm != c.Slug {
		return usageErrorf("--confirm is %q: to delete %s for good, repeat its slug", c.Confirm, c.Slug)
	}
	return e.withStore(func(store *models.Store) error {
		organization, err := organizations.ToDelete(e.ctx, store, c.Slug)
		if err != nil {
			return err
		}
		users, err := organizations.Delete(e.ctx, store, organization, e.log)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.streams.out, "%s (%s) is deleted. Backups keep it until the last one goes.\n", organization.Slug,
			printable(organization.Name))
		if len(users) > 0 {
			fmt.Fprintln(e.streams.err,
				"Its members' accounts stay. `dispo user delete` deletes those that belong to no other organization:")
		}
		for _, address := range users {
			fmt.Fprintf(e.streams.err, "  %s\n", printable(address))
		}
		return nil
	})
}

type organizationLimitCommand struct {
	organizationArgument
	Minute  *limit `help:"Requests allowed in a minute." placeholder:"N" xor:"minute"`
	Hour    *limit `help:"Requests allowed in an hour." placeholder:"N" xor:"hour"`
	Default bool   `help:"Remove the organization's own limits: the service's settings apply again." xor:"minute,hour"`
}

func (c *organizationLimitCommand) Run(e *environment) error {
	return e.withOrganization(c.Slug, func(store *models.Store, organization models.Organization) error {
		own, err := organizations.Limit(e.ctx, store.Tenant(organization.ID), func(own *models.Limits) {
			if c.Default {
				*own = models.Limits{}
			}
			if c.Minute != nil {
				own.LimitMinute = int64(*c.Minute)
			}
			if c.Hour != nil {
				own.LimitHour = int64(*c.Hour)
			}
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(e.streams.out, "%s (%s): %s\n", organization.Slug, printable(organization.Name), own.Describe())
		return nil
	})
}

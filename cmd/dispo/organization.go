package main

import (
	"fmt"
	"text/tabwriter"

	"dispo/models"
)

type organizationCommands struct {
	Create organizationCreateCommand `cmd:"" help:"Create an organization."`
	List   organizationListCommand   `cmd:"" help:"List the organizations."`
}

type organizationCreateCommand struct {
	Name string `arg:"" help:"Display name."`
	Slug string `required:"" help:"Name for commands: lower-case letters, digits and hyphens." placeholder:"SLUG"`
}

func (c *organizationCreateCommand) Run(e *environment) error {
	return e.withStore(func(store *models.Store) error {
		organization, err := store.OrganizationCreate(e.ctx, c.Name, c.Slug)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.streams.out, "created organization %s (%s)\n", organization.Slug, organization.Name)
		return nil
	})
}

type organizationListCommand struct{}

func (c *organizationListCommand) Run(e *environment) error {
	return e.withStore(func(store *models.Store) error {
		organizations, err := store.Organizations(e.ctx)
		if err != nil {
			return err
		}
		if len(organizations) == 0 {
			fmt.Fprintln(e.streams.err, "There are no organizations yet: create one with `dispo organization create NAME --slug SLUG`.")
			return nil
		}
		table := tabwriter.NewWriter(e.streams.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "SLUG\tNAME\tCOMPANIES\tCREATED")
		for _, o := range organizations {
			fmt.Fprintf(table, "%s\t%s\t%d\t%s\n", o.Slug, o.Name, o.CompanyCount, o.CreatedAt.UTC().Format("2006-01-02"))
		}
		return table.Flush()
	})
}

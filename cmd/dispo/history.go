package main

import (
	"fmt"

	"dispo/models"
	"dispo/models/organizations"
)

type historyCommands struct {
	Renew historyRenewCommand `cmd:"" help:"Make clients copy all data again, after a failover or a recovery that may have lost commits. A restore does it by itself."`
}

type historyRenewCommand struct {
	Organization string `help:"Only of the organization with this slug." placeholder:"SLUG"`
}

func (c *historyRenewCommand) Run(e *environment) error {
	return e.withStore(func(store *models.Store) error {
		renewed, err := organizations.RenewHistory(e.ctx, store, c.Organization)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.streams.out, "The history of %s is renewed: clients copy all data again.\n",
			count(renewed, "organization", "organizations"))
		return nil
	})
}

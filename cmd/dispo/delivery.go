package main

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/imports"
)

type deliveryCommands struct {
	List     deliveryListCommand     `cmd:"" help:"List the imported deliveries, the newest first."`
	Show     deliveryShowCommand     `cmd:"" help:"Show a delivery: who holds its records, and its totals."`
	Held     deliveryHeldCommand     `cmd:"" help:"List the records that wait for a company."`
	Backfill deliveryBackfillCommand `cmd:"" help:"Deliver to an organization the earlier records of its companies that other organizations have."`
	Withdraw deliveryWithdrawCommand `cmd:"" help:"Remove a delivery's transactions from every organization, or from one."`
}

type deliveryListCommand struct {
	JSON bool `help:"Print a JSON array of deliveries, with times in RFC 3339."`
}

func (c *deliveryListCommand) Run(e *environment) error {
	return e.withStore(func(store *models.Store) error {
		deliveries, err := imports.List(e.ctx, store)
		if err != nil {
			return err
		}
		if c.JSON {
			return e.printJSON(deliveries)
		}
		return printTable(e, deliveries, "There are no deliveries yet: import one with `dispo import delivery FILE`.",
			"ID\tFILE\tLAYOUT\tIMPORTED\tRECORDS\tORGANIZATIONS\tSUM\tHELD\tWITHDRAWN", func(d imports.Summary) string {
				return fmt.Sprintf("%s\t%s\t%s\t%s\t%d\t%d\t%s\t%d\t%s", d.ID, printable(d.Filename), printable(d.Layout),
					moment(&d.CreatedAt, ""), d.RecordCount, d.Organizations, d.TotalAmountDKK, d.Held, moment(d.WithdrawnAt, ""))
			})
	})
}

// parseDeliveryID parses the argument of a command on one delivery.
func parseDeliveryID(text string) (uuid.UUID, error) {
	id, err := uuid.Parse(text)
	if err != nil {
		return id, usageErrorf("%q is not the id of a delivery: expected a UUID as shown by `dispo delivery list`", text)
	}
	return id, nil
}

type deliveryShowCommand struct {
	ID string `arg:"" help:"The delivery's id, as shown by delivery list."`
}

func (c *deliveryShowCommand) Run(e *environment) error {
	id, err := parseDeliveryID(c.ID)
	if err != nil {
		return err
	}
	return e.withStore(func(store *models.Store) error {
		d, err := imports.Get(e.ctx, store, id)
		if err != nil {
			return err
		}
		out := e.streams.out
		fmt.Fprintf(out, "%s  %s, layout %s, imported %s\n", d.ID, printable(d.Filename), printable(d.Layout),
			moment(&d.CreatedAt, ""))
		for _, name := range d.Names {
			fmt.Fprintf(out, "identity: %s\n", printable(name))
		}
		if d.WithdrawnAt != nil {
			fmt.Fprintf(out, "withdrawn %s: %s\n", moment(d.WithdrawnAt, ""), printable(*d.WithdrawnReason))
		}
		if d.FirstDate != nil && d.LastDate != nil {
			fmt.Fprintf(out, "dates: %s to %s\n", d.FirstDate.Format(time.DateOnly), d.LastDate.Format(time.DateOnly))
		}
		fmt.Fprintf(out, "file: %s of %s DKK, %d held\n", count(d.RecordCount, "record", "records"), d.TotalAmountDKK, d.Held)
		return printTable(e, d.Shares, "No organization has records of it.",
			"ORGANIZATION\tRECORDS\tSUM\tARRIVED\tWITHDRAWN", func(share imports.Share) string {
				withdrawn := ""
				if share.Withdrawn != nil {
					withdrawn = printable(*share.Withdrawn)
				}
				return fmt.Sprintf("%s\t%d\t%s\t%s\t%s", share.Slug, share.Records, share.TotalAmountDKK,
					moment(share.ArrivedAt, ""), withdrawn)
			})
	})
}

type deliveryHeldCommand struct{}

func (c *deliveryHeldCommand) Run(e *environment) error {
	return e.withStore(func(store *models.Store) error {
		groups, err := imports.Held(e.ctx, store)
		if err != nil {
			return err
		}
		return printTable(e, groups, "No records are held.",
			"CVR\tFILE\tDELIVERY\tRECORDS\tSUM\tFOR", func(g imports.HeldGroup) string {
				whom := "any organization"
				if g.Slug != nil {
					whom = *g.Slug
				}
				return fmt.Sprintf("%s\t%s\t%s\t%d\t%s\t%s", g.CVR, printable(g.Filename), g.DeliveryID, g.Records,
					g.TotalAmountDKK, whom)
			})
	})
}

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"dispo/models"
	"dispo/models/imports"
)

type deliveryBackfillCommand struct {
	Organization string `required:"" help:"Slug of the organization that gets the records." placeholder:"SLUG"`
	CVR          string `name:"cvr" help:"Only the records of this company." placeholder:"CVR"`
	From         string `help:"Only records with this disposition date or a later one." placeholder:"YYYY-MM-DD"`
	DryRun       bool   `help:"Do everything but store it."`
}

func (c *deliveryBackfillCommand) Run(e *environment) error {
	var from *time.Time
	if c.From != "" {
		day, err := time.Parse(time.DateOnly, c.From)
		if err != nil {
			return usageErrorf("--from is %q: expected a date such as 2027-01-31", c.From)
		}
		from = &day
	}
	return e.withOrganization(c.Organization, func(store *models.Store, organization models.Organization) error {
		done, err := imports.Backfill(e.ctx, store.DB(),
			imports.BackfillOptions{Organization: organization, CVR: c.CVR, From: from, DryRun: c.DryRun})
		if err != nil {
			return err
		}
		fmt.Fprintf(e.streams.out, "%s: %s of %s DKK %sdelivered\n", organization.Slug,
			count(done.Records, "earlier record", "earlier records"), done.TotalAmountDKK, wouldBe(c.DryRun))
		if c.DryRun {
			fmt.Fprintln(e.streams.err, dryRunNote)
		}
		return nil
	})
}

type deliveryWithdrawCommand struct {
	ID           string `arg:"" help:"The delivery's id, as shown by delivery list."`
	Reason       string `required:"" help:"Why, for the audit logs of the organizations." placeholder:"TEXT"`
	Organization string `help:"Slug of the only organization to withdraw it from." placeholder:"SLUG"`
	Yes          bool   `help:"Do not ask for confirmation."`
}

func (c *deliveryWithdrawCommand) Run(e *environment) error {
	id, err := parseDeliveryID(c.ID)
	if err != nil {
		return err
	}
	if !c.Yes && !isTerminal(e.streams.in) {
		return usageErrorf(
			"a withdrawal asks for confirmation, but there is no terminal: pass --yes to withdraw without being asked")
	}
	return e.withStore(func(store *models.Store) error {
		d, err := imports.Get(e.ctx, store, id)
		if err != nil {
			return err
		}
		only, err := e.onlyOrganization(store, c.Organization)
		if err != nil {
			return err
		}
		if !c.Yes && !confirmed(e, withdrawQuestion(d, only)) {
			return errors.New("not confirmed, nothing was withdrawn")
		}
		done, err := imports.Withdraw(e.ctx, store.DB(), id, c.Reason, only)
		if err != nil {
			return err
		}
		for _, share := range done.Shares {
			fmt.Fprintf(e.streams.out, "%s: %s of %s DKK withdrawn\n", share.Slug,
				count(share.Records, "transaction", "transactions"), share.TotalAmountDKK)
		}
		if done.Held > 0 {
			fmt.Fprintf(e.streams.out, "%s withdrawn\n", count(done.Held, "held record", "held records"))
		}
		again := "It can be imported again."
		if only != nil {
			again = "To bring it back, import it again with --organization " + only.Slug + "."
		}
		fmt.Fprintf(e.streams.err, "Withdrew %s (%s). %s\n", printable(d.Filename), d.ID, again)
		return nil
	})
}

func withdrawQuestion(d imports.Detail, only *models.Organization) string {
	where := count(d.Organizations, "organization", "organizations")
	if only != nil {
		where = only.Slug
	}
	return fmt.Sprintf("Withdraw %s (%s), imported %s, with %s of %s DKK, from %s?", printable(d.Filename), d.ID,
		moment(&d.CreatedAt, ""), count(d.RecordCount, "record", "records"), d.TotalAmountDKK, where)
}

// confirmed asks a question on the terminal.
func confirmed(e *environment, question string) bool {
	fmt.Fprintf(e.streams.err, "%s [y/N] ", question)
	answer, err := bufio.NewReader(e.streams.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false
	}
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}

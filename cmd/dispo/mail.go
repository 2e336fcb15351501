package main

import (
	"context"
	"fmt"
	neturl "net/url"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/keys"
	"dispo/models/mail"
	"dispo/models/organizations"
)

func (s *settings) checkMail() error {
	switch {
	case s.MailServer == nil:
		return nil
	case s.MailFrom.Address == "":
		return usageErrorf(
			"DISPO_MAIL_FROM is required with DISPO_SMTP_URL: the sender's address, such as Dispo <dispo@example.com>")
	case s.PublicURL == "":
		return usageErrorf("DISPO_PUBLIC_URL is required with DISPO_SMTP_URL, because links in mails start with it")
	}
	return nil
}

// sendMails sends mails in the background until stop is called. Without a mail server it
// does nothing, and returns no sender.
func sendMails(
	e *environment, store *models.Store, users *accounts.Accounts, public *neturl.URL,
) (sender *mail.Sender, stop func(), err error) {
	if e.settings.MailServer == nil {
		return nil, func() {}, nil
	}
	sender, err = mail.NewSender(e.ctx, mail.Config{
		Store:     store,
		Server:    *e.settings.MailServer,
		From:      e.settings.MailFrom,
		PublicURL: public,
		Log:       e.log,
	})
	if err != nil {
		return nil, nil, err
	}
	return sender, inBackground(e.ctx, sender.Run,
		func(ctx context.Context) { users.SendPasswordLinks(ctx, e.log) },
		func(ctx context.Context) { keys.Announce(ctx, store, e.log) },
		func(ctx context.Context) { mail.AnnounceDeliveries(ctx, store, e.log) }), nil
}

type mailCommands struct {
	Test    mailTestCommand    `cmd:"" help:"Send a mail to try the mail server, and print its answer."`
	List    mailListCommand    `cmd:"" help:"List the mails that wait or were given up."`
	Release mailReleaseCommand `cmd:"" help:"Send the mails that waited in a backup when it was restored."`
	Retry   mailRetryCommand   `cmd:"" help:"Send the mails that wait or were given up in the last three days again, now."`
}

type mailTestCommand struct {
	listenFlag
	Address string `arg:"" help:"E-mail address to send to."`
}

// Run needs no database.
func (c *mailTestCommand) Run(e *environment) error {
	if e.settings.MailServer == nil {
		return usageErrorf(
			"DISPO_SMTP_URL is required: the mail server, as smtp://user:password@host:587, or smtp://localhost:25?tls=none on the same machine",
		)
	}
	if err := e.settings.checkMail(); err != nil {
		return err
	}
	address, err := models.ReadEmail(c.Address)
	if err != nil {
		return usageErrorf("%v", err)
	}
	public, err := neturl.Parse(e.settings.publicURL(string(c.Listen)))
	if err != nil {
		return err
	}
	answer, err := mail.SendTest(e.ctx, *e.settings.MailServer, e.settings.MailFrom, public, address)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.streams.out, "%s accepted the mail to %s: %s\n", e.settings.MailServer, printable(address),
		printable(answer))
	return nil
}

type mailListCommand struct{}

func (c *mailListCommand) Run(e *environment) error {
	return e.withStore(func(store *models.Store) error {
		mails, err := mail.Unsent(e.ctx, store)
		if err != nil {
			return err
		}
		organizations, err := organizations.List(e.ctx, store)
		if err != nil {
			return err
		}
		slugs := map[uuid.UUID]string{}
		for _, o := range organizations {
			slugs[o.ID] = o.Slug
		}
		return printTable(e, mails, "No mails wait or were given up.",
			"ID\tORGANIZATION\tMAIL\tTO\tWRITTEN\tATTEMPTS\tSTATE\tNEXT ATTEMPT\tANSWER", func(m mail.Mail) string {
				state, next := "waiting", moment(&m.NextAttemptAt, "")
				if m.Held() {
					state, next = "held", ""
				}
				if m.GivenUpAt != nil {
					state, next = "given up", ""
				}
				return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s", m.ID, slugs[m.OrganizationID], m.Kind,
					printable(m.Recipient), moment(&m.CreatedAt, ""), m.Attempts, state, next, printable(m.Answer))
			})
	})
}

type mailRetryCommand struct{}

func (c *mailRetryCommand) Run(e *environment) error {
	return sendAgain(e, mail.Retry, "Mails that are sent again now: %d\n")
}

type mailReleaseCommand struct{}

func (c *mailReleaseCommand) Run(e *environment) error {
	return sendAgain(e, mail.Release, "Mails that were held and are sent now: %d\n")
}

func sendAgain(e *environment, change func(context.Context, *models.Store) (int64, error), done string) error {
	return e.withStore(func(store *models.Store) error {
		count, err := change(e.ctx, store)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.streams.out, done, count)
		return nil
	})
}

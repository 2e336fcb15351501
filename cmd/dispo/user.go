package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/terms"
)

type userCommands struct {
	Create   userCreateCommand   `cmd:"" help:"Create a user, or invite an existing one to another organization."`
	Password userPasswordCommand `cmd:"" help:"Print a one-time link to set a new password."`

	Disable           userDisableCommand           `cmd:"" help:"Keep a user from signing in, and end the user's sessions."`
	Enable            userEnableCommand            `cmd:"" help:"Let a disabled user sign in again."`
	EndSessions       userEndSessionsCommand       `cmd:"" help:"Sign a user out everywhere."`
	ResetSecondFactor userResetSecondFactorCommand `cmd:"" help:"Turn off a user's second factor, and sign the user out everywhere."`

	Delete userDeleteCommand `cmd:"" help:"Delete a user's account and e-mail address everywhere, for good."`
}

type userCreateCommand struct {
	listenFlag
	Email         string `arg:"" help:"E-mail address to sign in with."`
	Organization  string `required:"" help:"Slug of the organization." placeholder:"SLUG"`
	Role          string `required:"" enum:"owner,admin,viewer" help:"owner, admin or viewer." placeholder:"ROLE"`
	PasswordStdin bool   `help:"Read the password from standard input instead of printing a link to set it."`
}

func (c *userCreateCommand) Run(e *environment) error {
	password := ""
	if c.PasswordStdin {
		line, err := bufio.NewReader(e.streams.in).ReadString('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("cannot read the password from standard input: %w", err)
		}
		if password = strings.TrimRight(line, "\r\n"); password == "" {
			return usageErrorf("the first line of standard input has no password")
		}
	}
	return e.withOrganization(c.Organization, func(store *models.Store, organization models.Organization) error {
		link, err := accounts.New(store).
			UserCreate(e.ctx, store.Tenant(organization.ID), c.Email, terms.Role(c.Role), password)
		if err != nil {
			return err
		}
		if strings.HasPrefix(link, "/invitations/") {
			fmt.Fprintf(e.streams.err, "%s already has an account. ", printable(c.Email))
			return c.printLink(e, "join "+printable(organization.Name), link)
		}
		fmt.Fprintf(e.streams.err, "%s is now %s of %s.\n", printable(c.Email), c.Role, printable(organization.Name))
		if link == "" {
			return nil
		}
		return c.printLink(e, "set the password", link)
	})
}

func (l listenFlag) printLink(e *environment, do, path string) error {
	fmt.Fprintf(e.streams.err, "This link to %s works once and expires after a week:\n", do)
	_, err := fmt.Fprintf(e.streams.out, "%s%s\n", e.settings.publicURL(string(l.Listen)), path)
	return err
}

type userPasswordCommand struct {
	listenFlag
	Email string `arg:"" help:"E-mail address of the user."`
}

func (c *userPasswordCommand) Run(e *environment) error {
	return e.withStore(func(store *models.Store) error {
		token, err := accounts.New(store).PasswordLinkCreate(e.ctx, c.Email)
		if err != nil {
			return err
		}
		return c.printLink(e, "set the password", "/password/"+token)
	})
}

type userArgument struct {
	Email string `arg:"" help:"E-mail address of the user."`
}

func (a userArgument) run(
	e *environment, change func(*accounts.Accounts, context.Context, string) error, done string,
) error {
	return e.withStore(func(store *models.Store) error {
		if err := change(accounts.New(store), e.ctx, a.Email); err != nil {
			return err
		}
		fmt.Fprintf(e.streams.out, done+"\n", printable(a.Email))
		return nil
	})
}

type userDisableCommand struct{ userArgument }

func (c *userDisableCommand) Run(e *environment) error {
	return c.run(e, (*accounts.Accounts).UserDisable,
		"%s is disabled and signed out everywhere. Keys that they created go on working: `dispo key list` shows them.")
}

type userEnableCommand struct{ userArgument }

func (c *userEnableCommand) Run(e *environment) error {
	return c.run(e, (*accounts.Accounts).UserEnable, "%s is enabled and can sign in.")
}

type userEndSessionsCommand struct{ userArgument }

func (c *userEndSessionsCommand) Run(e *environment) error {
	return c.run(e, (*accounts.Accounts).UserEndSessions, "%s is signed out everywhere.")
}

type userResetSecondFactorCommand struct{ userArgument }

func (c *userResetSecondFactorCommand) Run(e *environment) error {
	return c.run(e, (*accounts.Accounts).UserResetSecondFactor,
		"The second factor of %s is off. They are signed out everywhere, and sign in with their password alone.")
}

type userDeleteCommand struct{ userArgument }

func (c *userDeleteCommand) Run(e *environment) error {
	return c.run(
		e,
		(*accounts.Accounts).UserDelete,
		"%s is deleted. Audit logs name a deleted user instead. Keys that they created go on working. Backups and logs keep the address until the last one goes.",
	)
}

package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"dispo/models"
	"dispo/models/people"
)

type userCommands struct {
	Create   userCreateCommand   `cmd:"" help:"Create a user, or invite an existing one to another organization."`
	Password userPasswordCommand `cmd:"" help:"Print a one-time link to set a new password."`
}

type userCreateCommand struct {
	listenFlag
	Email         string `arg:"" help:"E-mail address to sign in with."`
	Organization  string `required:"" help:"Slug of the organization." placeholder:"SLUG"`
	Role          string `required:"" enum:"owner,admin,member" help:"owner, admin or member." placeholder:"ROLE"`
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
	return e.withStore(func(store *models.Store) error {
		organization, err := store.OrganizationBySlug(e.ctx, c.Organization)
		if err != nil {
			return err
		}
		link, err := people.New(store).UserCreate(e.ctx, store.Tenant(organization.ID), c.Email, people.Role(c.Role), password)
		if err != nil {
			return err
		}
		if strings.HasPrefix(link, "/invitations/") {
			fmt.Fprintf(e.streams.err, "%s already has an account. This link to join %s works once and expires after a week:\n", c.Email, organization.Name)
			fmt.Fprintf(e.streams.out, "%s%s\n", e.settings.publicURL(string(c.Listen)), link)
			return nil
		}
		fmt.Fprintf(e.streams.err, "%s is now %s of %s.\n", c.Email, c.Role, organization.Name)
		if link != "" {
			fmt.Fprintln(e.streams.err, "This link to set the password works once and expires after a week:")
			fmt.Fprintf(e.streams.out, "%s%s\n", e.settings.publicURL(string(c.Listen)), link)
		}
		return nil
	})
}

type userPasswordCommand struct {
	listenFlag
	Email string `arg:"" help:"E-mail address of the user."`
}

func (c *userPasswordCommand) Run(e *environment) error {
	return e.withStore(func(store *models.Store) error {
		token, err := people.New(store).PasswordLinkCreate(e.ctx, c.Email)
		if err != nil {
			return err
		}
		fmt.Fprintln(e.streams.err, "This link to set the password works once and expires after a week:")
		fmt.Fprintf(e.streams.out, "%s/password/%s\n", e.settings.publicURL(string(c.Listen)), token)
		return nil
	})
}

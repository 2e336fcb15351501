package main

import "dispo/models/signon"

type organizationSignInCommand struct {
	organizationArgument
	Off bool `required:"" help:"Let members sign in by password again. Owners get a mail."`
}

func (c *organizationSignInCommand) Run(e *environment) error {
	return c.run(e, signon.Off, "%s (%s) no longer requires single sign-on: members can sign in by password.")
}

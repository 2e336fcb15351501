package main

import (
	"errors"
	"fmt"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/keys"
)

type keyResumeCommand struct {
	ID           string `arg:"" optional:"" help:"The key's id, as shown by key list." xor:"key"`
	Restored     bool   `help:"Resume all keys that a restore has paused, and none that a member has paused." xor:"key"`
	Organization string `help:"Slug of the only organization whose keys to resume." placeholder:"SLUG"`
	Yes          bool   `help:"Do not ask for confirmation."`
}

func (c *keyResumeCommand) Run(e *environment) error {
	switch {
	case c.Restored:
		return c.resumeRestored(e)
	case c.ID == "" || c.Organization != "":
		return usageErrorf("expected the id of a key, or --restored, which --organization may limit")
	}
	return e.withKey(c.ID, func(tenant models.Tenant, id uuid.UUID) error {
		key, err := keys.Resume(e.ctx, tenant, id)
		if err == nil && key.RevokedAt != nil {
			err = fmt.Errorf("key %s (%s) is revoked for good", id, printable(key.Name))
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(e.streams.err, "Key %s (%s) is %s.\n", id, printable(key.Name), key.State())
		return nil
	})
}

// resumeRestored resumes the keys that restores have paused, after it has said what that means.
func (c *keyResumeCommand) resumeRestored(e *environment) error {
	if !c.Yes && !isTerminal(e.streams.in) {
		return usageErrorf("this asks for confirmation, but there is no terminal: pass --yes to resume without being asked")
	}
	return e.withStore(func(store *models.Store) error {
		only, err := e.onlyOrganization(store, c.Organization)
		if err != nil {
			return err
		}
		paused, err := keys.Restored(e.ctx, store, only)
		if err != nil {
			return err
		}
		if len(paused) == 0 {
			fmt.Fprintln(e.streams.err, "No key is paused since a restore.")
			return nil
		}
		fmt.Fprintf(e.streams.err,
			"The backup was made at %s. Keys that were revoked since then, and are missing in DISPO_ERASURES, work again.\n",
			moment(paused[0].RestoredFrom, ""))
		if !c.Yes && !confirmed(e, fmt.Sprintf("Resume %s?", count(int64(len(paused)), "key", "keys"))) {
			return errors.New("not confirmed, no key was resumed")
		}
		for _, key := range paused {
			if _, err := keys.Resume(e.ctx, store.Tenant(key.OrganizationID), key.ID); err != nil {
				return err
			}
		}
		fmt.Fprintf(e.streams.out, "Resumed keys: %d\n", len(paused))
		return nil
	})
}

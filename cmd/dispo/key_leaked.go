package main

import (
	"fmt"
	"io"
	"os"

	"dispo/models"
	"dispo/models/keys"
)

type keyLeakedCommand struct {
	File string `arg:"" help:"The text that may have keys in it; - is standard input."`
}

func (c *keyLeakedCommand) Run(e *environment) (err error) {
	from := io.NopCloser(e.streams.in)
	if c.File != "-" {
		if from, err = os.Open(c.File); err != nil {
			return err
		}
	}
	text, err := io.ReadAll(from)
	_ = from.Close()
	if err != nil {
		return err
	}
	found := keys.Find(string(text))
	return e.withStore(func(store *models.Store) error {
		verifier := keys.NewVerifier(store, e.log)
		suspects, err := verifier.Suspects(e.ctx, found)
		if err != nil {
			return err
		}
		leaked, err := verifier.EndLeaked(e.ctx, suspects, models.OperatorActor, 0)
		for _, key := range leaked {
			done := "Revoked"
			if key.RevokedAt == nil {
				done = "Reported, because its organization chose that,"
			}
			fmt.Fprintf(e.streams.out, "%s key %s (%s) of %s.\n",
				done, key.ID, printable(key.Name), printable(key.Organization.Name))
		}
		fmt.Fprintf(e.streams.err, "%s recognized by their form, of which %d were not revoked yet.\n",
			count(int64(len(found)), "key", "keys"), len(leaked))
		return err
	})
}

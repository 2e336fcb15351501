package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/i18n"
	"dispo/models/keys"
	"dispo/models/retention"
	"dispo/models/terms"
)

type keyCommands struct {
	Create keyCreateCommand `cmd:"" help:"Create an API key and print it; it cannot be shown again."`
	List   keyListCommand   `cmd:"" help:"List an organization's API keys."`
	Revoke keyRevokeCommand `cmd:"" help:"Revoke an API key permanently."`
	Leaked keyLeakedCommand `cmd:"" help:"Revoke the API keys in a text, such as a log that was published."`
	Resume keyResumeCommand `cmd:"" help:"Resume a paused API key, or all those that are paused since a restore."`
}

type keyCreateCommand struct {
	Organization string   `required:"" help:"Slug of the organization." placeholder:"SLUG"`
	Name         string   `required:"" help:"What the key is for." placeholder:"NAME"`
	Allow        []string `help:"Addresses and networks that the key may be used from, at most 50; anywhere by default. ::/0 is all of IPv6 and shuts out IPv4." placeholder:"NET"`
	Expires      string   `help:"When the key expires: at the end of a day, such as 2027-01-31 or, in 90 days, 90d; or after hours, such as 12h; never by default." placeholder:"90d"`
}

func (c *keyCreateCommand) Run(e *environment) error {
	expiresAt, err := parseExpiry(c.Expires)
	if err != nil {
		return err
	}
	networks, err := keys.ReadNetworks(strings.Join(c.Allow, ","))
	if err != nil {
		return usageErrorf("--allow: %v", err)
	}
	return e.withOrganization(c.Organization, func(store *models.Store, organization models.Organization) error {
		now := time.Now().In(i18n.StoredZone(organization.TimeZone))
		key, text, err := keys.Create(e.ctx, store.Tenant(organization.ID),
			keys.NewKey{Name: c.Name, ExpiresAt: expiresAt(now), Networks: networks})
		if err != nil {
			return err
		}
		fmt.Fprintln(e.streams.out, text)
		if unseen := e.streams.out.close(); unseen != nil {
			if _, err := keys.Revoke(context.WithoutCancel(e.ctx), store.Tenant(organization.ID), key.ID); err != nil {
				return fmt.Errorf("%w; revoke the key with `dispo key revoke %s`, because nobody can see it: %w", unseen, key.ID,
					err)
			}
			return fmt.Errorf("%w; the key %s is revoked again, because nobody can see it", unseen, key.ID)
		}
		what, of := "key", printable(organization.Name)
		if organization.Sandbox {
			what, of = "test key", "the sandbox "+of
		}
		fmt.Fprintf(e.streams.err,
			"Created %s %s (%s) of %s. It is shown only once: store it where only your application can read it.\n", what, key.ID,
			printable(key.Name), of)
		return nil
	})
}

// parseExpiry parses a date or a period such as 90d. It returns when the key expires, from a time
// where its organization is: at the end of the date or of the period's last day, or after the
// period if that is hours. A key without either never expires.
func parseExpiry(text string) (func(now time.Time) *time.Time, error) {
	var period retention.Length
	_, noDate := time.Parse(time.DateOnly, text)
	if noDate != nil && text != "" && period.UnmarshalText([]byte(text)) != nil {
		return nil, usageErrorf("--expires is %q: expected a date such as 2027-01-31, or days or hours such as 90d or 12h",
			text)
	}
	return func(now time.Time) *time.Time {
		end := period.After(now)
		switch {
		case text == "":
			return nil
		case noDate == nil:
			end, _ = i18n.EndOfDate(text, now.Location())
		case !strings.HasSuffix(text, "h"):
			end = i18n.EndOfDay(end)
		}
		return &end
	}, nil
}

type keyListCommand struct {
	Organization string `required:"" help:"Slug of the organization." placeholder:"SLUG"`
	JSON         bool   `help:"Print a JSON array of keys, with times in RFC 3339."`
}

func (c *keyListCommand) Run(e *environment) error {
	return e.withOrganization(c.Organization, func(store *models.Store, organization models.Organization) error {
		listed, err := keys.List(e.ctx, store.Tenant(organization.ID))
		if err != nil {
			return err
		}
		if c.JSON {
			return writeKeysJSON(e, listed)
		}
		none := fmt.Sprintf("%s has no API keys yet: create one with `dispo key create --organization %s --name NAME`.",
			printable(organization.Name), organization.Slug)
		return printTable(e, listed, none,
			"ID\tNAME\tKEY\tSTATE\tCREATED\tEXPIRES\tALLOWED FROM\tLAST USED\tFROM", func(key keys.Detail) string {
				return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s", key.ID, printable(key.Name), shownKey(key), key.State(),
					moment(&key.CreatedAt, ""), moment(key.ExpiresAt, "never"), allowedFrom(key), moment(key.LastUsedAt, "never"),
					usedFrom(key))
			})
	})
}

const networksShown = 2

func shownKey(key keys.Detail) string {
	return keys.Prefix(key.Sandbox) + key.LookupID + "_…" + key.Hint
}

// allowedFrom names the key's networks, the first few of many.
func allowedFrom(key keys.Detail) string {
	if more := len(key.Networks) - networksShown; more > 1 {
		return fmt.Sprintf("%s and %d more", key.Networks[:networksShown], more)
	}
	return key.Networks.String()
}

func usedFrom(key keys.Detail) string {
	if key.LastUsedAddress == nil {
		return ""
	}
	from := printable(*key.LastUsedAddress)
	if key.LastUsedUserAgent != nil && *key.LastUsedUserAgent != "" {
		from += " (" + printable(*key.LastUsedUserAgent) + ")"
	}
	return from
}

func moment(t *time.Time, otherwise string) string {
	if t == nil {
		return otherwise
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}

func writeKeysJSON(e *environment, keys []keys.Detail) error {
	type keyJSON struct {
		ID                uuid.UUID      `json:"id"`
		Name              string         `json:"name"`
		LookupID          string         `json:"lookupId"`
		Hint              string         `json:"hint"`
		Sandbox           bool           `json:"sandbox"`
		State             terms.KeyState `json:"state"`
		CreatedAt         time.Time      `json:"createdAt"`
		ExpiresAt         *time.Time     `json:"expiresAt"`
		AllowedNetworks   []string       `json:"allowedNetworks"`
		RevokedAt         *time.Time     `json:"revokedAt"`
		LastUsedAt        *time.Time     `json:"lastUsedAt"`
		LastUsedAddress   *string        `json:"lastUsedAddress"`
		LastUsedUserAgent *string        `json:"lastUsedUserAgent"`
	}
	list := make([]keyJSON, len(keys))
	for i, key := range keys {
		list[i] = keyJSON{
			key.ID, key.Name, key.LookupID, key.Hint, key.Sandbox, key.State(), key.CreatedAt, key.ExpiresAt,
			append([]string{}, key.Networks.Texts()...), key.RevokedAt,
			key.LastUsedAt, key.LastUsedAddress, key.LastUsedUserAgent,
		}
	}
	return e.printJSON(list)
}

func (e *environment) printJSON(value any) error {
	encoder := json.NewEncoder(e.streams.out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

type keyRevokeCommand struct {
	ID string `arg:"" help:"The key's id, as shown by key list."`
}

func (c *keyRevokeCommand) Run(e *environment) error {
	return e.withKey(c.ID, func(tenant models.Tenant, id uuid.UUID) error {
		key, err := keys.Revoke(e.ctx, tenant, id)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.streams.err, "Revoked key %s (%s) at %s.\n", key.ID, printable(key.Name), moment(key.RevokedAt, ""))
		return nil
	})
}

// withKey is withStore for a command on the key with that id.
func (e *environment) withKey(text string, command func(tenant models.Tenant, id uuid.UUID) error) error {
	id, err := uuid.Parse(text)
	if err != nil {
		// The argument is not repeated, because it may be a key.
		return usageErrorf("expected the id of a key, a UUID as shown by `dispo key list`")
	}
	return e.withStore(func(store *models.Store) error {
		tenant, err := keys.TenantOf(e.ctx, store, id)
		if models.ErrorKind(err) == models.KindNotFound {
			return fmt.Errorf("there is no key with the id %s: `dispo key list` shows the ids", id)
		}
		if err != nil {
			return err
		}
		return command(tenant, id)
	})
}

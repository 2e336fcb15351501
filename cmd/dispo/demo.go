package main

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/imports"
	"dispo/models/keys"
	"dispo/models/organizations"
	"dispo/models/sandbox"
	"dispo/models/terms"
)

type demoCommand struct{ listenFlag }

// Run serves made-up data on the embedded database. The first start imports the
// data. Later starts repeat the imports, which then change nothing.
func (c *demoCommand) Run(e *environment) error {
	if e.settings.DatabaseURL != "" {
		return usageErrorf("the demo runs only on the embedded database: unset DATABASE_URL")
	}
	return serve(e, c.Listen, func(service *models.Store, databaseURL, listen string) error {
		db, err := database.Open(e.ctx,
			database.Config{URL: databaseURL, Role: database.Operator, MaxConnections: operatorConnections, Log: e.log})
		if err != nil {
			return err
		}
		defer db.Close()
		operator := models.NewStore(db, nil)
		present, err := organizations.List(e.ctx, operator)
		if err != nil {
			return err
		}
		day := time.Now() // of the first start, so that the files are the same at every start
		for _, organization := range present {
			if organization.CreatedAt.Before(day) {
				day = organization.CreatedAt
			}
		}
		set, err := sandbox.WriteDemo(filepath.Join(e.settings.Data, "demo"), day.UTC())
		if err != nil {
			return err
		}
		organizations, err := loadDemo(e, operator, present, set)
		if err != nil {
			return err
		}
		password, err := demoPassword(e, operator, set)
		if err != nil {
			return err
		}
		return introduce(e, service, listen, password, organizations[0], set)
	})
}

// loadDemo imports the demo's files with the imports that an operator uses.
func loadDemo(
	e *environment, store *models.Store, present []models.Organization, set sandbox.Demo,
) (loaded []models.Organization, err error) {
	bySlug := map[string]models.Organization{}
	for _, organization := range present {
		if !organization.Sandbox { // its data is made up too
			bySlug[organization.Slug] = organization
		}
	}
	loaded = make([]models.Organization, len(set.Organizations))
	for i, made := range set.Organizations {
		loaded[i] = bySlug[made.Slug]
		delete(bySlug, made.Slug)
	}
	if len(bySlug) > 0 {
		return nil, fmt.Errorf(
			"%s has organizations that are not the demo's, choose another directory for the demo with --data", e.settings.Data)
	}
	for i, made := range set.Organizations {
		if loaded[i].Slug == "" {
			if loaded[i], err = organizations.Create(e.ctx, store, made.Name, made.Slug); err != nil {
				return nil, err
			}
		}
		if _, err := accounts.New(store).
			UserCreate(e.ctx, store.Tenant(loaded[i].ID), made.UserEmail, terms.Owner, ""); err != nil &&
			models.ErrorKind(err) != models.KindConflict {
			return nil, err
		}
		if loaded[i].CompanyCount > 0 {
			continue
		}
		options := imports.CompaniesOptions{Organization: loaded[i], Path: made.CompaniesFile}
		if _, err := imports.Companies(e.ctx, store.DB(), options); err != nil {
			return nil, err
		}
	}
	for _, path := range set.Deliveries {
		if _, err := imports.Delivery(e.ctx, store.DB(), imports.DeliveryOptions{Path: path}); err != nil {
			return nil, err
		}
	}
	return loaded, nil
}

// demoPassword sets a new password, the same for all of the demo's users.
func demoPassword(e *environment, store *models.Store, set sandbox.Demo) (string, error) {
	password := strings.ToLower(rand.Text()[:16])
	for _, made := range set.Organizations {
		token, err := accounts.New(store).PasswordLinkCreate(e.ctx, made.UserEmail)
		if err != nil {
			return "", err
		}
		if err := accounts.New(store).PasswordSet(e.ctx, token, password, "command line"); err != nil {
			return "", err
		}
	}
	return password, nil
}

const demoKeyName = "Demo, made by dispo demo"

// introduce replaces the key of an earlier start by a new one and prints how to use
// it.
func introduce(
	e *environment, store *models.Store, listen, password string, organization models.Organization, set sandbox.Demo,
) error {
	made := set.Organizations[0]
	tenant := store.Tenant(organization.ID).As(models.OperatorActor)
	listed, err := keys.List(e.ctx, tenant)
	if err != nil {
		return err
	}
	for _, key := range listed {
		if key.Name == demoKeyName && key.State() == terms.KeyActive {
			if _, err := keys.Revoke(e.ctx, tenant, key.ID); err != nil {
				return err
			}
		}
	}
	_, key, err := keys.Create(e.ctx, tenant, keys.NewKey{Name: demoKeyName})
	if err != nil {
		return err
	}
	base := e.settings.publicURL(listen)
	command := os.Args[0] + " organization list --data '" + strings.ReplaceAll(e.settings.Data, "'", `'\''`) + "'"
	if _, err := os.Stat(e.settings.EnvFile); err == nil && e.settings.EnvFile != "none" {
		command += " --env-file none"
	}
	_, err = fmt.Fprintf(e.streams.out, `
Dispo serves made-up data at %s
  Sign in as %s, with the password %s
  (or as %s of %s, with the same password).
  Request a company of %s and its first transactions, and list the organizations:

curl -H 'X-API-Key: %s' '%s/api/v1/companies/%s'
curl -H 'X-API-Key: %s' '%s/api/v1/companies/%s/transactions?limit=2'
%s

Press Ctrl-C to stop; the data is kept in %s.

`, base, made.UserEmail, password, set.Organizations[1].UserEmail, set.Organizations[1].Name, organization.Name, key, base, made.SampleCVR, key, base, made.SampleCVR, command, e.settings.Data)
	return err
}

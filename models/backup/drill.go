package backup

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/models/secrets"
)

// Drill is Check, and proves two more things: the secret fits the backup's keys and opens its
// second factors, and a key made in the copy reads companies. It does not try these, and so reports
// false, if the backup has another schema than this program's, as the one before an upgrade has.
func (f *File) Drill(ctx context.Context, binDir string, secret secrets.Secret) (tried bool, err error) {
	return f.isOurs(), f.inCopy(ctx, binDir, func(url string) error {
		config := database.Config{URL: url, Role: database.Operator, MaxConnections: 2, Restoring: true,
			Log: slog.New(slog.DiscardHandler)}
		operator, err := database.Open(ctx, config)
		if err != nil {
			return err
		}
		defer operator.Close()
		config.Role = database.Service
		service, err := database.Open(ctx, config)
		if err != nil {
			return err
		}
		defer service.Close()
		if err := checkSecret(ctx, models.NewStore(operator, secret)); err != nil {
			return err
		}
		return readWithKey(ctx, models.NewStore(operator, secret), models.NewStore(service, secret))
	})
}

// checkSecret returns an error unless the store's secret fits what it encrypted.
func checkSecret(ctx context.Context, store *models.Store) error {
	var tags [][]byte
	for i := range store.Secret() {
		tags = append(tags, store.Secret()[i:].FingerprintTag())
	}
	var foreign bool
	err := store.DB().
		GORM(database.WithOperator(ctx)).
		Raw(`SELECT count(*) > 0 AND NOT bool_or(substr(fingerprint, 1, 4) IN ?)
		FROM api_keys WHERE revoked_at IS NULL AND fingerprint IS NOT NULL`, tags).
		Scan(&foreign).
		Error
	if err != nil {
		return err
	}
	factors, err := accounts.New(store).Encrypted(ctx)
	if err == nil && (foreign || factors.Lost > 0) {
		err = errors.New("all of it was restored, but under another DISPO_SECRET than this one: keep that one too")
	}
	return err
}

// readWithKey creates a key of the largest organization, if there is any, and reads with it.
func readWithKey(ctx context.Context, operator, service *models.Store) error {
	found, err := models.Find[models.Organization](operator.DB().GORM(database.WithOperator(ctx)).
		Where("suspended_at IS NULL AND deletion_started_at IS NULL").Order("company_count DESC").Limit(1))
	if err != nil || len(found) == 0 {
		return err
	}
	_, text, err := keys.Create(ctx, operator.Tenant(found[0].ID), keys.NewKey{Name: "drill"})
	if err != nil {
		return err
	}
	key, err := keys.Parse(text)
	if err != nil {
		return err
	}
	caller, err := keys.NewVerifier(service, slog.New(slog.DiscardHandler)).Verify(ctx, key, netip.IPv6Loopback())
	if err != nil {
		return err
	}
	page, err := ledger.Companies(ctx, service.Tenant(caller.OrganizationID), ledger.Cursor{Limit: 1})
	if err == nil && int64(len(page.Items)) != min(1, found[0].CompanyCount) {
		err = fmt.Errorf("all of it was restored, but a key of %s reads no company", found[0].Slug)
	}
	return err
}

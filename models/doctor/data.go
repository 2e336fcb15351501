package doctor

import (
	"context"
	"log/slog"
	"strings"

	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/ledger"
	"dispo/models/organizations"
)

// sample is how many organizations' totals are counted, unless all are.
const sample = 10

// withStore calls use with a store that sees what the login may see.
func (d *doctor) withStore(ctx context.Context, use func(*models.Store) error) error {
	db, err := database.Open(ctx,
		database.Config{URL: d.url, Role: d.role, MaxConnections: 2, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	defer db.Close()
	return use(models.NewStore(db, d.Secret))
}

// secret counts what is left on the secret before the present one, and what fits neither.
func (d *doctor) secret(ctx context.Context, f *findings) error {
	if len(d.Secret) == 0 {
		f.warn("Run doctor with the service's DISPO_SECRET.", "not checked, because DISPO_SECRET is not set")
		return nil
	}
	var left accounts.Encrypted
	if err := d.withStore(ctx, func(store *models.Store) (err error) {
		left, err = accounts.New(store).Encrypted(ctx)
		return err
	}); err != nil {
		return err
	}
	if left.Lost > 0 {
		f.fail("Use the service's secret, or add the one before it after a comma. If lost: `dispo user reset-second-factor`.",
			"Second factors and recovery codes that do not fit DISPO_SECRET: %d.", left.Lost)
	}
	if left.Old > 0 {
		f.warn("Keep both: a running service renews them within minutes.",
			"Second factors and recovery codes left on the old DISPO_SECRET: %d.", left.Old)
	}
	keys, err := read[Finding](ctx, d, "keys", d.Secret.FingerprintTag())
	*f = append(*f, keys...)
	return err
}

// totals compares kept totals with what counting says, as far as there is time.
func (d *doctor) totals(ctx context.Context, f *findings) (err error) {
	if *f, err = read[Finding](ctx, d, "deletions", organizations.ReservedSlugs); err != nil {
		return err
	}
	all, err := read[models.Organization](ctx, d, "organizations")
	if err != nil {
		return err
	}
	chosen := all
	if !d.All {
		chosen = all[:min(sample, len(all))]
	}
	for i, o := range chosen {
		wrong, err := read[struct{ Message string }](ctx, d, "totals", o.ID)
		if ctx.Err() != nil {
			f.warn("Run doctor with --all at a quiet time.",
				"There was only time to count the transactions of %d organizations.", i)
			return nil //nolint:nilerr // the rest is not counted
		}
		if err != nil {
			return err
		}
		for _, w := range wrong {
			f.fail("Something other than dispo changed the database, or dispo is wrong: keep a copy, and restore a backup.",
				"%s: %s.", o.Slug, w.Message)
		}
	}
	f.ok("counted for %d of %d organizations", len(chosen), len(all))
	return nil
}

// deliveries looks for those that are late.
func (d *doctor) deliveries(ctx context.Context, f *findings) error {
	expecting, err := read[models.Organization](ctx, d, "expecting")
	if err != nil {
		return err
	}
	return d.withStore(ctx, func(store *models.Store) error {
		now, err := database.Now(store.DB().GORM(ctx))
		var late []string
		for i := 0; i < len(expecting) && err == nil; i++ {
			var day *ledger.LateDay
			if day, err = ledger.LateDelivery(ctx, store.Tenant(expecting[i].ID), now); day != nil {
				late = append(late, expecting[i].Slug)
			}
		}
		if len(late) > 0 {
			f.warn("Ask the card network, and see whether `dispo watch` runs.", "Organizations whose delivery is late: %d (%s).",
				len(late), strings.Join(late[:min(len(late), sample)], ", "))
		}
		return err
	})
}

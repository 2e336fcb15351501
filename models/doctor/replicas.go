package doctor

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"

	"dispo/models/database"
)

// replicas looks whether each replica answers, is a standby, and follows the primary.
func (d *doctor) replicas(ctx context.Context, f *findings) error {
	if d.ReadURL == "" {
		return nil
	}
	primary, err := read[struct{ Written string }](ctx, d, "written")
	if err != nil {
		return err
	}
	all, err := pgxpool.ParseConfig(d.ReadURL)
	if err != nil {
		return err
	}
	for _, one := range database.EachHost(all) {
		ctx, cancel := context.WithTimeout(ctx, replicaLimit)
		host := fmt.Sprintf("%s:%d", one.ConnConfig.Host, one.ConnConfig.Port)
		found, err := read[Finding](ctx, &doctor{replica: one.ConnConfig}, "replica", host, primary[0].Written)
		cancel()
		if err != nil {
			f.fail("See whether it runs, and whether DATABASE_READ_URL is right. Until then the primary is read.",
				"The replica at %s cannot be used: %v.", host, database.RootCause(err))
		}
		*f = append(*f, found...)
	}
	return nil
}

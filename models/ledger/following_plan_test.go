package ledger

import (
	"context"
	"time"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/database"
)

// FollowingPlan returns PostgreSQL's plan for what EachFollowing reads.
func FollowingPlan(ctx context.Context, t models.Tenant, day *time.Time, after uuid.UUID) (plan string, err error) {
	err = models.ReadSnapshot(ctx, t, func(s database.Snapshot) error {
		read, err := following{ctx, t, day, after}.inOrder(s)
		if err != nil {
			return err
		}
		return database.Each(s, t.Compose(ctx).Raw("EXPLAIN ?", read), func(line *struct {
			Line string `db:"QUERY PLAN"`
		}) error {
			plan += line.Line + "\n"
			return nil
		})
	})
	return plan, err
}

package ledger

import (
	"context"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
)

// FollowingPlans returns PostgreSQL's plans for how EachFollowing describes the transactions,
// and how it reads them.
func FollowingPlans(
	ctx context.Context, t models.Tenant, part Part, after uuid.UUID,
) (described, read string, err error) {
	err = models.ReadSnapshot(ctx, t, func(s database.Snapshot) error {
		explain := func(plan *string, query *gorm.DB) error {
			return database.Each(s, t.DB(ctx).Raw("EXPLAIN ?", query), func(line *struct {
				Line string `db:"QUERY PLAN"`
			}) error {
				*plan += line.Line + "\n"
				return nil
			})
		}
		query := following{ctx, t, part, after}
		if err := explain(&described, query.described()); err != nil {
			return err
		}
		inOrder, err := query.inOrder(s)
		if err != nil {
			return err
		}
		return explain(&read, inOrder)
	})
	return described, read, err
}

package ledger

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
)

// ErrBulkRuns means that a bulk read of the organization is under way.
var ErrBulkRuns = errors.New("a bulk read of the organization is under way")

const bulkReleaseTimeout = 10 * time.Second

// BeginBulk begins a bulk read, of which an organization has one at a time over all
// instances. Call end when all is sent. Errors: ErrBulkRuns.
func BeginBulk(ctx context.Context, t models.Tenant) (end func(), err error) {
	read := models.RunningTask{Task: "bulk read", Until: time.Now().Add(database.EachTimeout + time.Minute).Truncate(time.Microsecond)}
	begun := t.DB(ctx).Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "organization_id"}, {Name: "task"}}, DoUpdates: clause.AssignmentColumns([]string{"until"}),
		Where: clause.Where{Exprs: []clause.Expression{clause.Expr{SQL: "running_tasks.until < now()"}}},
	}).Create(&read)
	if begun.Error != nil {
		return nil, models.Wrap(begun.Error)
	}
	if begun.RowsAffected == 0 {
		return nil, ErrBulkRuns
	}
	return func() {
		ctx, cancel := context.WithTimeout(context.Background(), bulkReleaseTimeout)
		defer cancel()
		_ = t.DB(ctx).Where("task = ? AND until = ?", read.Task, read.Until).Delete(&models.RunningTask{}).Error // it ends by itself
	}, nil
}

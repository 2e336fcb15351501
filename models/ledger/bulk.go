package ledger

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"gorm.io/gorm/clause"

	"dispo/models"
)

// ErrBulkRuns means that a bulk read of the organization is under way.
var ErrBulkRuns = errors.New("a bulk read of the organization is under way")

const (
	bulkLease          = time.Minute // after which a bulk read whose instance was killed has ended
	bulkRenewal        = bulkLease / 4
	bulkReleaseTimeout = 10 * time.Second
)

// BeginBulk begins a bulk read, of which an organization has one at a time over all
// instances. Call end when all is sent. If the instance is killed, the read ends within a
// minute. Errors: ErrBulkRuns.
func BeginBulk(ctx context.Context, t models.Tenant, log *slog.Logger) (end func(), err error) {
	until := func() time.Time { return time.Now().Add(bulkLease).Truncate(time.Microsecond) }
	read := models.RunningTask{Task: "bulk read", Until: until()}
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
	// If the row is another read's by now, it has another time.
	const own = "task = ? AND until = ?"
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		models.Every(running, bulkRenewal, log, "cannot renew a bulk read", func(ctx context.Context) error {
			// An update that is cut off may have been made, and then the row is not ours to delete.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), bulkReleaseTimeout)
			defer cancel()
			next := until()
			renewed := t.DB(ctx).Model(&models.RunningTask{}).Where(own, read.Task, read.Until).Update("until", next)
			if renewed.RowsAffected > 0 {
				read.Until = next
			}
			return renewed.Error
		})
	}()
	return func() {
		stop()
		<-stopped
		ctx, cancel := context.WithTimeout(context.Background(), bulkReleaseTimeout)
		defer cancel()
		_ = t.DB(ctx).Where(own, read.Task, read.Until).Delete(&models.RunningTask{}).Error // it ends by itself
	}, nil
}

package ledger

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
)

// ErrBulkRuns means that a bulk read of the organization is under way.
var ErrBulkRuns = errors.New("a bulk read of the organization is under way")

// ErrBulkLost means that a bulk read could not be renewed, so that another may begin.
var ErrBulkLost = models.NewError(
	models.KindBusy,
	"The database did not answer for seconds, so this was stopped. Try again in a minute.",
)

const (
	bulkLease   = 10 * time.Second // after which a bulk read whose instance was killed has ended
	bulkCut     = bulkLease - time.Second
	bulkRenewal = 2 * time.Second
	bulkTimeout = 3 * time.Second // of a renewal, and of the end
)

// BeginBulk begins a bulk read, of which an organization has one at a time over all
// instances. Call end when all is sent. If the instance is killed, the read ends within
// ten seconds. If it cannot be renewed for almost as long, held ends with ErrBulkLost as
// its cause, and the read must end. Errors: ErrBulkRuns.
func BeginBulk(ctx context.Context, t models.Tenant, log *slog.Logger) (held context.Context, end func(), err error) {
	read := models.RunningTask{Task: "bulk read", ID: database.NewID()}
	asked := time.Now()
	begun := t.DB(ctx).Clauses(clause.OnConflict{
		Columns: []clause.Column{
			{Name: "organization_id"},
			{Name: "task"},
		},
		DoUpdates: clause.AssignmentColumns([]string{"id", "renewed_at"}),
		Where: clause.Where{
			Exprs: []clause.Expression{
				gorm.Expr("running_tasks.renewed_at < now() - make_interval(secs => ?)", bulkLease.Seconds()),
			},
		},
	}).Create(&read)
	if begun.Error != nil {
		return nil, nil, models.Wrap(begun.Error)
	}
	if begun.RowsAffected == 0 {
		return nil, nil, ErrBulkRuns
	}
	own := func(ctx context.Context) *gorm.DB {
		return t.DB(ctx).Model(&models.RunningTask{}).Where("id = ?", read.ID)
	}
	held, lose := context.WithCancelCause(context.WithoutCancel(ctx))
	cut := time.AfterFunc(time.Until(asked.Add(bulkCut)), func() { lose(ErrBulkLost) })
	var renewing sync.WaitGroup
	renewing.Go(func() {
		models.Every(held, bulkRenewal, log, "cannot renew a bulk read", func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, bulkTimeout)
			defer cancel()
			asked := time.Now()
			renewed := own(ctx).Update("renewed_at", gorm.Expr("now()"))
			if renewed.RowsAffected > 0 && cut.Stop() {
				cut.Reset(time.Until(asked.Add(bulkCut)))
			}
			return renewed.Error
		})
	})
	return held, func() {
		cut.Stop()
		lose(context.Canceled)
		renewing.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), bulkTimeout)
		defer cancel()
		_ = own(ctx).Delete(&models.RunningTask{}).Error // it ends by itself
	}, nil
}

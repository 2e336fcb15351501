// Package tasks runs periodic work, and lets an organization run one task of a kind at a time.
package tasks

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
)

// Task marks a task that one instance runs for the organization; no other starts it meanwhile.
type Task struct {
	OrganizationID uuid.UUID
	Task           string
	ID             uuid.UUID // another one each time
	RenewedAt      time.Time `gorm:"default:clock_timestamp()"`
}

// TableName is the tasks' table.
func (Task) TableName() string { return "running_tasks" }

// ErrRuns means that the organization's task is running.
var ErrRuns = errors.New("this task of the organization is running")

// ErrLost means that a task could not be renewed, so that another may begin.
var ErrLost = models.NewError(models.KindBusy,
	"The database did not answer for seconds, so this was stopped. Try again in a minute.")

const (
	lease   = 10 * time.Second // after which a task whose instance was killed has ended
	cut     = lease - time.Second
	renewal = 2 * time.Second
	timeout = 3 * time.Second // of a renewal, and of the end
)

// Begin begins a task, of which an organization has one at a time over all instances. Call
// end when it is done. If the instance is killed, the task ends within ten seconds. If it
// cannot be renewed for almost as long, held ends with ErrLost as its cause, and the task must
// end. Errors: ErrRuns.
func Begin(
	ctx context.Context, t models.Tenant, task string, log *slog.Logger,
) (held context.Context, end func(), err error) {
	own := Task{Task: task, ID: database.NewID()}
	asked := time.Now()
	begun := t.DB(ctx).Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "organization_id"}, {Name: "task"}},
		DoUpdates: clause.AssignmentColumns([]string{"id", "renewed_at"}),
		Where: clause.Where{Exprs: []clause.Expression{
			gorm.Expr("running_tasks.renewed_at < now() - make_interval(secs => ?)", lease.Seconds()),
		}},
	}).Create(&own)
	if begun.Error != nil {
		return nil, nil, models.Wrap(begun.Error)
	}
	if begun.RowsAffected == 0 {
		return nil, nil, ErrRuns
	}
	row := func(ctx context.Context) *gorm.DB { return t.DB(ctx).Model(&Task{}).Where("id = ?", own.ID) }
	held, lose := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := time.AfterFunc(time.Until(asked.Add(cut)), func() { lose(ErrLost) })
	var renewing sync.WaitGroup
	renewing.Go(func() {
		Every(held, renewal, log, "cannot renew a "+task, func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, timeout)
			defer cancel()
			asked := time.Now()
			renewed := row(ctx).Update("renewed_at", database.Clock)
			if renewed.RowsAffected > 0 && stop.Stop() {
				stop.Reset(time.Until(asked.Add(cut)))
			}
			return renewed.Error
		})
	})
	return held, func() {
		stop.Stop()
		lose(context.Canceled)
		renewing.Wait()
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		_ = row(ctx).Delete(&Task{}).Error // it ends by itself
	}, nil
}

// Every does some work now, and again and again until ctx ends. It logs a warning if the
// work fails.
func Every(
	ctx context.Context, period time.Duration, log *slog.Logger, warning string, work func(context.Context) error,
) {
	ticker := time.NewTicker(period)
	defer ticker.Stop()
	for {
		if err := work(ctx); err != nil && ctx.Err() == nil {
			log.Warn(warning, "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

package mail

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
	"dispo/models/ledger"
	"dispo/models/tasks"
)

const (
	announceEvery  = time.Minute
	companiesNamed = 20 // in a mail
)

// AnnounceDeliveries writes the mails about deliveries that arrived or are late, until ctx
// ends. Each is written by one instance only.
func AnnounceDeliveries(ctx context.Context, s *models.Store, log *slog.Logger) {
	tasks.Every(ctx, announceEvery, log, "cannot announce deliveries: trying again soon", func(ctx context.Context) error {
		now, err := database.Now(s.DB().GORM(ctx))
		if err != nil {
			return models.Wrap(err)
		}
		return AnnounceDue(ctx, s, now)
	})
}

// AnnounceDue writes the mails that are due at a time, of all organizations: an hour after
// a day's first delivery about those of the day, from the day's end on about those that came
// later, and about a delivery that is late.
func AnnounceDue(ctx context.Context, s *models.Store, now time.Time) error {
	arrived, err := database.Query[struct {
		OrganizationID uuid.UUID
		TimeZone       string
		FirstAt        time.Time
	}](ctx, s.DB(), `SELECT organization_id, time_zone, first_at FROM deliveries_undecided($1)`, now)
	if err != nil {
		return models.Wrap(err)
	}
	var failed error // of an organization, which others need not wait for
	for _, a := range arrived {
		zone := i18n.StoredZone(a.TimeZone)
		failed = errors.Join(failed,
			announceArrived(ctx, s.Tenant(a.OrganizationID), ledger.DayOf(a.FirstAt, zone), zone, now))
	}
	expected, err := database.Query[struct {
		OrganizationID uuid.UUID
		Decided        *time.Time
		ledger.Expectation
	}](ctx, s.DB(), `SELECT organization_id, time_zone, expected_by, expected_since, decided FROM deliveries_expected()`)
	if err != nil {
		return errors.Join(failed, models.Wrap(err))
	}
	for _, e := range expected {
		day, ok := e.Last(now)
		if !ok || e.Decided != nil && !e.Decided.Before(day.By) {
			continue
		}
		failed = errors.Join(failed, announceLate(ctx, s.Tenant(e.OrganizationID), day, now))
	}
	return failed
}

// announceArrived writes the mails about a day's deliveries, unless another instance has.
// Those that arrived after that have to wait for the day's end, and those that are stored
// after it have mails of their own. If all were withdrawn
// again, nothing is decided: another may come.
func announceArrived(ctx context.Context, t models.Tenant, day time.Time, zone *time.Location, now time.Time) error {
	start, end := startOfDay(day, zone), startOfDay(day.AddDate(0, 0, 1), zone)
	return t.Write(ctx, func(tx *gorm.DB) error {
		// The sums of a large delivery take long, and another instance waits for this one.
		limit := fmt.Sprintf("SET LOCAL statement_timeout = %d", database.EachTimeout.Milliseconds())
		if err := tx.Exec(limit).Error; err != nil {
			return err
		}
		var told []time.Time
		err := tx.Model(&DeliveryNotice{}).
			Where("kind = ? AND starts_at >= ? AND starts_at < ?", DeliveryArrived, start, end).
			Order("ends_at DESC").Limit(1).Pluck("ends_at", &told).Error
		if err != nil {
			return err
		}
		kind, over := DeliveryArrived, !now.Before(end)
		if len(told) > 0 {
			if !over {
				return nil
			}
			kind, start = DeliveriesLater, told[0]
		}
		files := func() *gorm.DB {
			return tx.Model(&models.DeliveryFile{}).
				Where("created_at >= ? AND created_at < ? AND created_at <= ?", start, end, now)
		}
		var total struct {
			Files, Records, Amount, OnlyID string
			Last                           time.Time
		}
		err = files().Select(`count(*)::text AS files, coalesce(sum(record_count), 0)::text AS records,
			coalesce(sum(total_amount_dkk), 0)::text AS amount, CASE count(*) WHEN 1 THEN min(id::text) ELSE '' END AS only_id,
			coalesce(max(created_at), now()) AS last`).Scan(&total).Error
		if err != nil || total.Files == "0" {
			return err
		}
		goesOn := ""
		if !over {
			goesOn = "yes"
		}
		// What is being stored now arrived after the last one, also if that was before midnight.
		if first, err := decide(tx, DeliveryArrived, start, total.Last.Add(time.Microsecond)); err != nil || !first {
			return err
		}
		if wanted, err := wanted(tx, kind); err != nil || !wanted {
			return err
		}
		companies, all, err := arrivedCompanies(tx, files())
		if err != nil {
			return err
		}
		list, err := json.Marshal(companies)
		if err != nil {
			return err
		}
		return WriteToMembers(tx, t.OrganizationID(), kind, nil, Details{
			"day":         day.Format(time.DateOnly),
			"at":          Time(now),
			"files":       total.Files,
			"records":     total.Records,
			"amount":      total.Amount,
			"companies":   string(list),
			"more":        strconv.FormatInt(all-int64(len(companies)), 10),
			"day_goes_on": goesOn,
			"delivery_id": total.OnlyID,
		})
	})
}

// arrivedCompanies returns what files have of companies, the largest sums first and at
// most as many as a mail names, and the number of all these companies.
func arrivedCompanies(tx *gorm.DB, files *gorm.DB) (companies []Company, all int64, err error) {
	sums := tx.Table("(?) AS f", files.Select("id, last_id")).
		Joins("JOIN (?) AS t ON t.id > f.id AND t.id <= f.last_id", tx.Model(&models.Transaction{}).Where("record_index >= 0").Select("id, cvr, amount_dkk")).
		Group("t.cvr").Select("t.cvr, count(*) AS count, sum(t.amount_dkk) AS amount")
	var rows []struct {
		Company
		Companies int64
	}
	err = tx.Table("(?) AS s", sums).
		Joins("JOIN (?) AS c ON c.cvr = s.cvr", tx.Model(&models.Company{}).Select("cvr, name")).
		Order("s.amount DESC, s.cvr").
		Limit(companiesNamed).
		Select("c.name, s.cvr, s.count, s.amount::text AS amount_dkk, count(*) OVER () AS companies").
		Scan(&rows).Error
	for _, row := range rows {
		companies, all = append(companies, row.Company), row.Companies
	}
	return companies, all, err
}

// announceLate writes the mails about a day's delivery if it is late, unless another
// instance has decided that.
func announceLate(ctx context.Context, t models.Tenant, day ledger.LateDay, now time.Time) error {
	late, err := ledger.LateDays(ctx, t, day.By, now)
	if err != nil {
		return err
	}
	return t.Write(ctx, func(tx *gorm.DB) error {
		first, err := decide(tx, DeliveryLate, day.By, day.By)
		if err != nil || !first || len(late) == 0 || late[0].ArrivedAt != nil {
			return err
		}
		return WriteToMembers(tx, t.OrganizationID(), DeliveryLate, nil, Details{
			"day": day.Day.Format(time.DateOnly), "by": Time(day.By), "at": Time(now),
		})
	})
}

// decide notes that the transaction decides about mails. It reports false if another one
// has, for which it waits.
func decide(tx *gorm.DB, kind Kind, start, end time.Time) (bool, error) {
	noted := tx.Clauses(clause.OnConflict{DoNothing: true}).
		Create(&DeliveryNotice{Kind: kind, StartsAt: start, EndsAt: end})
	return noted.RowsAffected > 0, noted.Error
}

func startOfDay(day time.Time, zone *time.Location) time.Time {
	start := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone)
	if start.Day() != day.Day() { // the clocks skip midnight, and Date returns the hour before
		start = start.Add(time.Hour)
	}
	return start
}

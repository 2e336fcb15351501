package ledger

import (
	"context"
	"maps"
	"slices"
	"time"

	"gorm.io/gorm"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/i18n"
)

// longestBreak is more days than there ever are from one bank day to the next.
const longestBreak = 10

// LateDay is a bank day on which no delivery had arrived by the time that the
// organization expects one.
type LateDay struct {
	Day       time.Time  // midnight UTC
	By        time.Time  // when a delivery was expected
	ArrivedAt *time.Time // when the next delivery arrived; nil if none has
}

// Expectation says by when an organization expects deliveries.
type Expectation struct {
	TimeZone      string
	ExpectedBy    string // HH:MM
	ExpectedSince time.Time
}

// days returns the bank days since a time whose deliveries should have come by now, the
// latest first.
func (e Expectation) days(since, now time.Time) (days []LateDay) {
	at, err := time.Parse("15:04", e.ExpectedBy)
	if err != nil {
		return nil // nothing is expected
	}
	zone := i18n.StoredZone(e.TimeZone)
	for day := DayOf(now, zone); !day.Before(DayOf(since, zone)); day = day.AddDate(0, 0, -1) {
		by := time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), 0, 0, zone)
		if BankDay(day) && by.After(e.ExpectedSince) && !by.After(now) {
			days = append(days, LateDay{Day: day, By: by})
		}
	}
	return days
}

// Last returns the latest bank day whose delivery should have come by now, if it was lately.
func (e Expectation) Last(now time.Time) (day LateDay, ok bool) {
	days := e.days(now.AddDate(0, 0, -longestBreak), now)
	if len(days) == 0 {
		return LateDay{}, false
	}
	return days[0], true
}

// DayOf returns the day of a time in a zone, as midnight UTC.
func DayOf(at time.Time, zone *time.Location) time.Time {
	year, month, day := at.In(zone).Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// LateDelivery returns the last bank day whose delivery should have come by now, if none
// has arrived since that day began. Otherwise it returns nil.
func LateDelivery(ctx context.Context, t models.Tenant, now time.Time) (*LateDay, error) {
	days, err := LateDays(ctx, t, now.AddDate(0, 0, -longestBreak), now)
	if err != nil || len(days) == 0 || days[0].ArrivedAt != nil {
		return nil, err
	}
	return &days[0], nil
}

// LateDays returns the bank days from the day of since on, in the organization's time
// zone, without a delivery by the time that one was expected, the latest first. A delivery
// that was withdrawn before that time does not count.
func LateDays(ctx context.Context, t models.Tenant, since, now time.Time) ([]LateDay, error) {
	expected, err := expectation(ctx, t)
	if err != nil {
		return nil, err
	}
	return expected.late(ctx, t, since, now)
}

func expectation(ctx context.Context, t models.Tenant) (Expectation, error) {
	found, err := models.Find[Expectation](
		t.DB(ctx).Model(&models.Organization{}).Clauses(database.Columns("time_zone, expected_by, expected_since")))
	if err != nil || len(found) == 0 {
		return Expectation{}, err
	}
	return found[0], nil
}

// DeliveredBy returns by when a day's deliveries are in, HH:MM in the organization's time zone: by
// when they are expected, or else the median time of the last one of each day in the last
// four weeks. It is empty if fewer than ComparedLeast such days are known.
func DeliveredBy(ctx context.Context, t models.Tenant, now time.Time) (string, error) {
	expected, err := expectation(ctx, t)
	if err != nil || expected.ExpectedBy != "" {
		return expected.ExpectedBy, err
	}
	zone := i18n.StoredZone(expected.TimeZone)
	today := DayOf(now, zone)
	arrived, err := arrivalTimes(ctx, t, now.AddDate(0, 0, -28), now)
	last := map[time.Time]string{}
	for _, a := range arrived { // the earliest first
		if day := DayOf(a.CreatedAt, zone); day.Before(today) {
			last[day] = a.CreatedAt.In(zone).Format("15:04")
		}
	}
	if err != nil || len(last) < ComparedLeast {
		return "", err
	}
	return slices.Sorted(maps.Values(last))[len(last)/2], nil
}

// late is LateDays for what an organization expects.
func (e Expectation) late(ctx context.Context, t models.Tenant, since, now time.Time) ([]LateDay, error) {
	days := e.days(since, now)
	if len(days) == 0 {
		return nil, nil
	}
	zone, first := i18n.StoredZone(e.TimeZone), days[len(days)-1].Day
	arrived, err := arrivalTimes(ctx, t, first.AddDate(0, 0, -1), now)
	if err != nil {
		return nil, err
	}
	var late []LateDay
	for _, day := range days {
		for _, a := range arrived { // the earliest first
			if !DayOf(a.CreatedAt, zone).Before(day.Day) && (a.WithdrawnAt == nil || a.WithdrawnAt.After(day.By)) {
				day.ArrivedAt = &a.CreatedAt
				break
			}
		}
		if day.ArrivedAt == nil || day.ArrivedAt.After(day.By) {
			late = append(late, day)
		}
	}
	return late, nil
}

type arrivalTime struct {
	CreatedAt   time.Time
	WithdrawnAt *time.Time
}

// arrivalTimes returns when deliveries arrived between two times, the earliest first.
func arrivalTimes(ctx context.Context, t models.Tenant, from, to time.Time) ([]arrivalTime, error) {
	parts := arrivals(ctx, t, func(files *gorm.DB) *gorm.DB { return files.Where("created_at BETWEEN ? AND ?", from, to) })
	return models.Find[arrivalTime](t.DB(ctx).Table("(? UNION ALL ?) AS files", parts[0], parts[1]).
		Order("created_at").Clauses(database.Columns("created_at, withdrawn_at")))
}

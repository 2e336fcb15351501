package demodata

import (
	"math/rand/v2"
	"time"
)

// disposition is a record of a delivery file.
type disposition struct {
	company      *company
	day          time.Time
	transferType string
	count        int64 // card payments in it
	amountOre    int64
}

// transferTypes are the network's types of disposition, and how many of a thousand
// dispositions have each type.
var transferTypes = []struct {
	name     string
	perMille int
	// back means that the money goes back to the customers.
	back bool
}{
	{name: "CARD", perMille: 690},
	{name: "ONLINE", perMille: 165},
	{name: "MOBILE", perMille: 110},
	{name: "REFUND", perMille: 30, back: true},
	{name: "CHARGEBACK", perMille: 5, back: true},
}

// seasonPercent is each month's sales in percent of the average month.
var seasonPercent = map[time.Month]int64{
	time.January: 84, time.February: 86, time.March: 95, time.April: 98,
	time.May: 102, time.June: 104, time.July: 108, time.August: 101,
	time.September: 96, time.October: 99, time.November: 112, time.December: 138,
}

// disposeWeek generates a week's dispositions, ordered by day and company.
func disposeWeek(r *rand.Rand, week []time.Time, companies []*company) []disposition {
	var all []disposition
	for _, day := range week {
		for _, c := range companies {
			if !c.sellsOn(day) {
				continue
			}
			for range (c.dispositionsPerWeek + r.IntN(5)) / 5 {
				all = append(all, dispose(r, c, day))
			}
		}
	}
	return all
}

func dispose(r *rand.Rand, c *company, day time.Time) disposition {
	d := disposition{company: c, day: day}
	left := r.IntN(1000)
	kind := 0
	for left >= transferTypes[kind].perMille {
		left -= transferTypes[kind].perMille
		kind++
	}
	d.transferType = transferTypes[kind].name
	if transferTypes[kind].back {
		d.count = 1 + r.Int64N(3)
		d.amountOre = -spread(r, d.count*c.ticketKroner*100)
		return d
	}
	d.count = int64(c.size.paymentsPerDisposition) * seasonPercent[day.Month()] / 100
	if day.Weekday() == time.Monday { // includes the weekend's sales
		d.count = d.count * 17 / 10
	}
	d.count = max(1, spread(r, d.count))
	d.amountOre = spread(r, d.count*c.ticketKroner*100)
	return d
}

// spread returns a random number around n. The product of several independent factors
// is close to the lognormal distribution of sales, and integers make it the same on
// every machine.
func spread(r *rand.Rand, n int64) int64 {
	for range 5 {
		n = n * (70 + r.Int64N(61)) / 100
	}
	return n
}

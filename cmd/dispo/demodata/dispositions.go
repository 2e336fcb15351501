package demodata

import (
	"math/rand/v2"
	"time"
)

// disposition is what becomes a record of a delivery file.
type disposition struct {
	company      *company
	day          time.Time
	transferType string
	count        int64 // card payments in it
	amountOre    int64
}

// transferTypes are the network's words for what a disposition gathers, and how
// many of a thousand dispositions are such.
var transferTypes = []struct {
	name     string
	perMille int
	// back is for money that goes back to the customers.
	back bool
}{
	{name: "CARD", perMille: 690},
	{name: "ONLINE", perMille: 165},
	{name: "MOBILE", perMille: 110},
	{name: "REFUND", perMille: 30, back: true},
	{name: "CHARGEBACK", perMille: 5, back: true},
}

// seasonPercent is how each month's sales compare with the year's.
var seasonPercent = map[time.Month]int64{
	time.January: 84, time.February: 86, time.March: 95, time.April: 98,
	time.May: 102, time.June: 104, time.July: 108, time.August: 101,
	time.September: 96, time.October: 99, time.November: 112, time.December: 138,
}

// disposeWeek makes up what the network disposes in a week, by day and company.
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
	if day.Weekday() == time.Monday { // Saturday's and Sunday's sales come with it.
		d.count = d.count * 17 / 10
	}
	d.count = max(1, spread(r, d.count))
	d.amountOre = spread(r, d.count*c.ticketKroner*100)
	return d
}

// spread scatters a figure around itself: a product of several independent
// factors comes close to the lognormal distribution that sales have, and whole
// numbers make it the same on every machine.
func spread(r *rand.Rand, n int64) int64 {
	for range 5 {
		n = n * (70 + r.Int64N(61)) / 100
	}
	return n
}

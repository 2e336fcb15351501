package sandbox

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"dispo/models"
	"dispo/models/terms"
)

var (
	// The streets are made up; the towns and their postal codes are real.
	streets = []string{
		"Tjørnehegnsvej", "Lærkespurvestien", "Gamle Tovværksgade", "Kvistbuen",
		"Sømandshvilet", "Østre Pakhusgang", "Ålekistevænget", "Klokkestøberstræde",
		"Rugskelsvej", "Vestre Kranvej", "Humlemarksgade", "Skibstømrerpladsen",
	}
	towns = []string{
		"1620 København V", "2100 København Ø", "3000 Helsingør", "4600 Køge", "5000 Odense C", "5700 Svendborg",
		"6000 Kolding", "6700 Esbjerg", "8000 Aarhus C", "8900 Randers C", "9000 Aalborg", "9990 Skagen",
	}
	floors = []string{"", "", ", st. th.", ", 1. tv.", ", 2. th."}
)

var openEnd = time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)

// seller is a company that may sell something.
type seller struct {
	models.Company
	shop shop
}

// newCompany makes up a company, as it is on a day. taken are the CVRs that there are
// already.
func newCompany(r *rand.Rand, s shop, day time.Time, taken map[string]bool) models.Company {
	before := func(least, most int) time.Time { return day.AddDate(0, 0, -least-r.IntN(most-least)) }
	c := models.Company{CVR: newCVR(r, taken), Name: s.name, Status: s.status, EndDate: openEnd}
	if r.IntN(12) > 0 {
		c.Address = new(newAddress(r))
	}
	if r.IntN(5) > 1 {
		c.DefaultAmountCents = new((1 + r.Int64N(40)) * 25_000)
	}
	switch s.status {
	case terms.Created:
		c.StartDate = before(-28, -7)
		return c
	case terms.Rejected:
		c.StartDate = before(60, 300)
		c.EndDate = c.StartDate.AddDate(0, 0, 5+r.IntN(20))
	case terms.Terminated:
		c.StartDate, c.EndDate = before(900, 2500), before(330, 500)
	default:
		c.StartDate = before(600, 4500)
		// Some small companies are new: their records begin with their registration.
		if s.size == small && r.IntN(4) == 0 {
			c.StartDate = before(60, 450)
		}
	}
	c.SenderRegNumber, c.SenderAccountNumber = newAccount(r)
	if r.IntN(6) > 0 {
		c.ReceiverRegNumber, c.ReceiverAccountNumber = newAccount(r)
	}
	return c
}

// newCVR makes up a CVR with a valid check digit. It begins with 99, far from the numbers
// that are being issued, so that nobody takes it for a real one.
func newCVR(r *rand.Rand, taken map[string]bool) string {
	for {
		digits, sum := fmt.Sprintf("99%05d", r.IntN(100_000)), 0
		for i, weight := range [7]int{2, 7, 6, 5, 4, 3, 2} { // by modulus 11
			sum += weight * int(digits[i]-'0')
		}
		cvr := fmt.Sprintf("%s%d", digits, (11-sum%11)%11)
		if len(cvr) == len("99990007") && !taken[cvr] {
			taken[cvr] = true
			return cvr
		}
	}
}

func newAccount(r *rand.Rand) (reg, number *string) {
	return new(fmt.Sprintf("%04d", r.IntN(10_000))), new(fmt.Sprintf("%010d", r.Int64N(10_000_000_000)))
}

// account returns an account of a company as text, or one of its own if there is none.
func account(cvr string, reg, number *string) (string, string) {
	if reg == nil || number == nil {
		return cvr[:4], "00" + cvr
	}
	return *reg, *number
}

func newAddress(r *rand.Rand) string {
	pick := func(from []string) string { return from[r.IntN(len(from))] }
	return fmt.Sprintf("%s %d%s, %s", pick(streets), 1+r.IntN(140), pick(floors), pick(towns))
}

// disposition is a record of a delivery file.
type disposition struct {
	seller       *seller
	day          time.Time
	transferType string
	count        int64 // card payments in it
	ore          int64
}

// transferTypes are the network's types of disposition, and how many of a thousand
// dispositions have each type.
var transferTypes = []struct {
	name     string
	perMille int
	back     bool // the money goes back to the customers
}{
	{"CARD", 690, false}, {"ONLINE", 165, false}, {"MOBILE", 110, false}, {"REFUND", 30, true}, {"CHARGEBACK", 5, true},
}

// seasonPercent is each month's sales, from January on, in percent of the average month.
var seasonPercent = [12]int64{84, 86, 95, 98, 102, 104, 108, 101, 96, 99, 112, 138}

// dispose makes up the dispositions of some days, ordered by day and company.
func dispose(r *rand.Rand, days []time.Time, sellers []*seller) []disposition {
	var all []disposition
	for _, day := range days {
		for _, s := range sellers {
			if s.Status == terms.Created || s.Status == terms.Rejected || day.Before(s.StartDate) || day.After(s.EndDate) {
				continue
			}
			for range (s.shop.size.dispositionsPerWeek + r.IntN(5)) / 5 {
				all = append(all, disposeOnce(r, s, day))
			}
		}
	}
	return all
}

func disposeOnce(r *rand.Rand, s *seller, day time.Time) disposition {
	kind, left := 0, r.IntN(1000)
	for left >= transferTypes[kind].perMille {
		left -= transferTypes[kind].perMille
		kind++
	}
	d := disposition{seller: s, day: day, transferType: transferTypes[kind].name}
	if transferTypes[kind].back {
		d.count = 1 + r.Int64N(3)
		d.ore = -spread(r, d.count*s.shop.ticketKroner*100)
		return d
	}
	d.count = s.shop.size.paymentsPerDisposition * seasonPercent[day.Month()-1] / 100
	if day.Weekday() == time.Monday { // includes the weekend's sales
		d.count = d.count * 17 / 10
	}
	d.count = max(1, spread(r, d.count))
	d.ore = spread(r, d.count*s.shop.ticketKroner*100)
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

func csvDelivery(dispositions []disposition) []byte {
	rows := [][]string{{"cvr", "regNumber", "accountNumber", "transferType", "dispositionDate", "count", "amountDkk"}}
	for _, d := range dispositions {
		reg, number := account(d.seller.CVR, d.seller.SenderRegNumber, d.seller.SenderAccountNumber)
		amount := fmt.Sprintf("%d.%02d", d.ore/100, max(d.ore, -d.ore)%100)
		if d.ore < 0 && d.ore > -100 {
			amount = "-" + amount
		}
		rows = append(rows, []string{
			d.seller.CVR,
			reg,
			number,
			d.transferType,
			d.day.Format(time.DateOnly),
			strconv.FormatInt(d.count, 10),
			amount,
		})
	}
	return csvFile(rows)
}

func csvFile(rows [][]string) []byte {
	var file bytes.Buffer
	_ = csv.NewWriter(&file).WriteAll(rows) // it is written to memory
	return file.Bytes()
}

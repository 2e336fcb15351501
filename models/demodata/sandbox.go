package demodata

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"dispo/models"
)

const (
	sandboxCompanies    = 20 // on the first day
	sandboxArrivalDays  = 14 // from one new company to the next
	sandboxChangeDays   = 3  // from one company that changes to the next
	sandboxTerminations = 20 // from one of these changes that is a termination to the next
	sandboxWithdrawalOn = 15 // day of the month on which the delivery of the day before is withdrawn
)

// SandboxDay is what arrives in a sandbox on one day.
type SandboxDay struct {
	Companies []models.Company // those that are new or have changed, with all of their fields
	Filename  string           // of the delivery
	Delivery  []byte           // in the csv layout
	Withdrawn string           // the file name of the delivery that is withdrawn; empty for none
}

// SandboxOn returns what arrives in a sandbox on a day. It depends on the sandbox's id,
// the day, and the companies that are present.
func SandboxOn(id uuid.UUID, day time.Time, present []models.Company) SandboxDay {
	number := day.Unix() / int64(24*time.Hour/time.Second)
	r := rand.New(rand.NewPCG(binary.BigEndian.Uint64(id[:8])^binary.BigEndian.Uint64(id[8:]), uint64(number)))
	s := &sandbox{r: r, day: day, companies: slices.Clone(present), roster: sandboxRoster(id)}
	switch {
	case len(present) == 0:
		for range sandboxCompanies {
			s.arrive()
		}
	case number%sandboxArrivalDays == 0:
		s.arrive()
	}
	if number%sandboxChangeDays == 0 && len(present) > 0 {
		s.change(number/sandboxChangeDays%sandboxTerminations == 0)
	}
	made := SandboxDay{Companies: s.changed, Filename: sandboxFilename(day), Delivery: s.delivery()}
	if day.Day() == sandboxWithdrawalOn {
		made.Withdrawn = sandboxFilename(day.AddDate(0, 0, -1))
	}
	return made
}

func sandboxFilename(day time.Time) string { return "sandbox-" + day.Format(time.DateOnly) + ".csv" }

// sandboxRoster returns all shops, in an order of the sandbox's own.
func sandboxRoster(id uuid.UUID) []shop {
	roster := slices.Concat([]shop{sharedShop}, nordlysShops, havnensShops)
	r := rand.New(rand.NewPCG(binary.BigEndian.Uint64(id[8:]), streamCompanies))
	r.Shuffle(len(roster), func(i, j int) { roster[i], roster[j] = roster[j], roster[i] })
	return roster
}

// sandbox is a sandbox while a day arrives.
type sandbox struct {
	r         *rand.Rand
	day       time.Time
	companies []models.Company
	changed   []models.Company
	roster    []shop
}

// arrive adds the next company of the roster, until all of them are there.
func (s *sandbox) arrive() {
	present := func(shop shop) bool {
		return slices.ContainsFunc(s.companies, func(c models.Company) bool { return c.Name == shop.name })
	}
	for _, shop := range s.roster {
		if present(shop) {
			continue
		}
		taken := map[string]bool{}
		for _, c := range s.companies {
			taken[c.CVR] = true
		}
		made := makeCompany(s.r, shop, s.day, taken)
		made.cvr = sandboxCVR(s.r, taken)
		added := made.model()
		s.companies, s.changed = append(s.companies, added), append(s.changed, added)
		return
	}
}

// sandboxCVR generates a CVR that nobody takes for a real one: it begins with 99, far
// from the numbers that are being issued.
func sandboxCVR(r *rand.Rand, taken map[string]bool) string {
	return withCheckDigit(func() string {
		for {
			digits := fmt.Sprintf("99%05d", r.IntN(100_000))
			if !slices.ContainsFunc([]byte("0123456789"), func(check byte) bool { return taken[digits+string(check)] }) {
				return digits
			}
		}
	})
}

// model returns the company as it is stored.
func (c *company) model() models.Company {
	m := models.Company{CVR: c.cvr, Name: c.name, StartDate: c.start, EndDate: date(9999, time.December, 31), Status: c.status}
	if c.address != "" {
		m.Address = &c.address
	}
	if !c.end.IsZero() {
		m.EndDate = c.end
	}
	if !c.senderUnknown {
		m.SenderRegNumber, m.SenderAccountNumber = &c.sender.reg, &c.sender.number
	}
	if !c.receiverUnknown {
		m.ReceiverRegNumber, m.ReceiverAccountNumber = &c.receiver.reg, &c.receiver.number
	}
	if c.defaultAmountCents > 0 {
		cents := int64(c.defaultAmountCents)
		m.DefaultAmountCents = &cents
	}
	return m
}

// change changes one of the companies, as the card network does.
func (s *sandbox) change(terminate bool) {
	var open []int
	for i, c := range s.companies {
		if c.Status != terminated && c.Status != rejected {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return
	}
	c := &s.companies[open[s.r.IntN(len(open))]]
	sender, place := makeAccount(s.r), address(s.r)
	switch {
	case c.Status == created: // the network has accepted it
		c.Status, c.SenderRegNumber, c.SenderAccountNumber = registered, &sender.reg, &sender.number
		if c.StartDate.After(s.day) {
			c.StartDate = s.day
		}
	case terminate:
		c.Status, c.EndDate = terminated, s.day
	case c.Status == modified:
		c.Status = registered
	default:
		c.Status, c.Address, c.SenderRegNumber, c.SenderAccountNumber = modified, &place, &sender.reg, &sender.number
	}
	i := slices.IndexFunc(s.changed, func(other models.Company) bool { return other.CVR == c.CVR })
	if i >= 0 { // it arrived today
		s.changed[i] = *c
	} else {
		s.changed = append(s.changed, *c)
	}
}

// delivery returns the day's delivery.
func (s *sandbox) delivery() []byte {
	companies := make([]*company, len(s.companies))
	for i, c := range s.companies {
		companies[i] = s.seller(c)
	}
	file, err := csvDelivery(disposeWeek(s.r, []time.Time{s.day}, companies))
	if err != nil {
		panic(err) // impossible: it is written to memory
	}
	return file
}

// seller returns a stored company as one that makes dispositions.
func (s *sandbox) seller(c models.Company) *company {
	made := &company{shop: shop{name: c.Name, size: small, ticketKroner: 200}, cvr: c.CVR, start: c.StartDate, end: c.EndDate}
	if i := slices.IndexFunc(s.roster, func(shop shop) bool { return shop.name == c.Name }); i >= 0 {
		made.shop = s.roster[i]
	}
	made.status, made.dispositionsPerWeek = c.Status, made.size.dispositionsPerWeek
	if c.SenderRegNumber != nil && c.SenderAccountNumber != nil {
		made.sender = account{reg: *c.SenderRegNumber, number: *c.SenderAccountNumber}
	} else {
		made.sender = account{reg: c.CVR[:4], number: c.CVR}
	}
	return made
}

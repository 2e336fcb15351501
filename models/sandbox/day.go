package sandbox

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"dispo/models"
	"dispo/models/terms"
)

const (
	firstCompanies    = 20 // on the first day
	arrivalEvery      = 14 // days from one new company to the next
	changeEvery       = 3  // days from one company that changes to the next
	terminationEvery  = 20 // changes from one that is a termination to the next
	withdrawalOn      = 15 // day of the month on which the delivery of the day before is withdrawn
	seed              = 0x44495350
	companiesStream   = 1 // of random numbers, so that a change to one does not affect the other
	deliveriesStream  = 2
	millisecondsOfDay = int64(24 * time.Hour / time.Millisecond)
)

type arriving struct {
	companies []models.Company // those that are new or have changed, with all of their fields
	filename  string           // of the delivery
	delivery  []byte           // in the csv layout
	withdrawn string           // the file name of the delivery that is withdrawn; empty for none
}

// arrivingOn returns what arrives in a sandbox on a day. It depends on the sandbox's id,
// the day, and the companies that are present.
func arrivingOn(id uuid.UUID, day time.Time, present []models.Company) arriving {
	number := day.UnixMilli() / millisecondsOfDay
	r := rand.New(rand.NewPCG(binary.BigEndian.Uint64(id[:8])^binary.BigEndian.Uint64(id[8:]), uint64(number)))
	s := &sandboxDay{r: r, day: day, companies: slices.Clone(present), roster: rosterOf(id), changed: map[string]bool{}}
	switch {
	case len(present) == 0:
		for range firstCompanies {
			s.arrive()
		}
	case number%arrivalEvery == 0:
		s.arrive()
	}
	if number%changeEvery == 0 && len(present) > 0 {
		terminate := number/changeEvery%terminationEvery == 0
		s.change(terminate)
	}
	made := arriving{filename: filenameOf(day), delivery: s.delivery()}
	for _, c := range s.companies {
		if s.changed[c.CVR] {
			made.companies = append(made.companies, c)
		}
	}
	if day.Day() == withdrawalOn {
		made.withdrawn = filenameOf(day.AddDate(0, 0, -1))
	}
	return made
}

func filenameOf(day time.Time) string { return "sandbox-" + day.Format(time.DateOnly) + ".csv" }

// rosterOf returns all shops, in an order of the sandbox's own.
func rosterOf(id uuid.UUID) []shop {
	roster := slices.Concat([]shop{sharedShop}, nordlysShops, havnensShops)
	r := rand.New(rand.NewPCG(binary.BigEndian.Uint64(id[8:]), companiesStream))
	r.Shuffle(len(roster), func(i, j int) { roster[i], roster[j] = roster[j], roster[i] })
	return roster
}

// sandboxDay is a sandbox while a day arrives.
type sandboxDay struct {
	r         *rand.Rand
	day       time.Time
	companies []models.Company
	changed   map[string]bool // by CVR
	roster    []shop
}

// arrive adds the next company of the roster, until all of them are there.
func (s *sandboxDay) arrive() {
	present, taken := map[string]bool{}, map[string]bool{}
	for _, c := range s.companies {
		present[c.Name], taken[c.CVR] = true, true
	}
	if i := slices.IndexFunc(s.roster, func(shop shop) bool { return !present[shop.name] }); i >= 0 {
		added := newCompany(s.r, s.roster[i], s.day, taken)
		s.companies = append(s.companies, added)
		s.changed[added.CVR] = true
	}
}

// change changes one of the companies, as the card network does.
func (s *sandboxDay) change(terminate bool) {
	var open []*models.Company
	for i := range s.companies {
		if c := &s.companies[i]; c.Status != terms.Terminated && c.Status != terms.Rejected {
			open = append(open, c)
		}
	}
	if len(open) == 0 {
		return
	}
	c := open[s.r.IntN(len(open))]
	s.changed[c.CVR] = true
	switch {
	case c.Status == terms.Created: // the network has accepted it
		c.Status = terms.Registered
		c.SenderRegNumber, c.SenderAccountNumber = newAccount(s.r)
		if c.StartDate.After(s.day) {
			c.StartDate = s.day
		}
	case terminate:
		c.Status, c.EndDate = terms.Terminated, s.day
	case c.Status == terms.Modified:
		c.Status = terms.Registered
	default:
		c.Status, c.Address = terms.Modified, new(newAddress(s.r))
		c.SenderRegNumber, c.SenderAccountNumber = newAccount(s.r)
	}
}

func (s *sandboxDay) delivery() []byte {
	sellers := make([]*seller, len(s.companies))
	for i, c := range s.companies {
		sellers[i] = &seller{Company: c, shop: shop{name: c.Name, size: small, ticketKroner: 200}}
		if known := slices.IndexFunc(s.roster, func(shop shop) bool { return shop.name == c.Name }); known >= 0 {
			sellers[i].shop = s.roster[known]
		}
	}
	return csvDelivery(dispose(s.r, []time.Time{s.day}, sellers))
}

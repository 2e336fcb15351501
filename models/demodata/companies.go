package demodata

import (
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// account is a bank account: a registration number of 4 digits and an account
// number of 10.
type account struct {
	reg    string
	number string
}

// company is a made-up company: the fields of its organization's file, and its sales.
type company struct {
	shop
	cvr     string
	address string // "" if unknown
	start   time.Time
	end     time.Time // zero if the registration is open-ended

	sender   account
	receiver account
	// If these are set, the file of companies has no accounts.
	senderUnknown   bool
	receiverUnknown bool

	defaultAmountCents  int // 0 if there is none
	dispositionsPerWeek int
}

// group is an organization, its companies and the format of their file.
type group struct {
	organization Organization
	companies    []*company
	form         companiesForm
}

// makeGroups generates both organizations with their companies, as of the day of the
// newest delivery.
func makeGroups(r *rand.Rand, newest time.Time) []group {
	taken := map[string]bool{supplierCVR: true}
	shared := makeCompany(r, sharedShop, newest, taken)
	companies := func(shops []shop) []*company {
		made := make([]*company, 0, len(shops)+1)
		for _, s := range shops {
			made = append(made, makeCompany(r, s, newest, taken))
		}
		return append(made, shared)
	}
	return []group{
		{
			organization: Organization{
				Name: "Nordlys Butikker A/S", Slug: "nordlys",
				UserEmail: "freja@nordlys.example.com", UserName: "Freja Lyngqvist",
			},
			companies: companies(nordlysShops),
			form:      companiesForm{separator: ','},
		},
		{
			organization: Organization{
				Name: "Havnens Handel ApS", Slug: "havnens",
				UserEmail: "anker@havnens.example.com", UserName: "Anker Tangmose",
			},
			companies: companies(havnensShops),
			form:      companiesForm{separator: ';', byteOrderMark: true, crlf: true, openEnd: "9999-12-31"},
		},
	}
}

func makeCompany(r *rand.Rand, s shop, newest time.Time, taken map[string]bool) *company {
	c := &company{
		shop:            s,
		sender:          makeAccount(r),
		receiver:        makeAccount(r),
		receiverUnknown: r.IntN(6) == 0,
	}
	for c.cvr == "" || taken[c.cvr] {
		c.cvr = cvr(r)
	}
	taken[c.cvr] = true
	if r.IntN(12) > 0 {
		c.address = address(r)
	}
	if r.IntN(5) > 1 {
		c.defaultAmountCents = (1 + r.IntN(40)) * 25_000
	}
	c.dispositionsPerWeek = s.size.dispositionsPerWeek * (80 + r.IntN(41)) / 100
	c.register(r, newest)
	return c
}

// register sets the company's dates according to its status.
func (c *company) register(r *rand.Rand, newest time.Time) {
	daysBefore := func(least, most int) time.Time {
		return newest.AddDate(0, 0, -least-r.IntN(most-least))
	}
	switch c.status {
	case created:
		c.start = daysBefore(-28, -7)
		c.senderUnknown, c.receiverUnknown = true, true
	case rejected:
		c.start = daysBefore(60, 300)
		c.end = c.start.AddDate(0, 0, 5+r.IntN(20))
	case terminated:
		c.start = daysBefore(900, 2500)
		c.end = daysBefore(330, 500)
	default:
		c.start = daysBefore(600, 4500)
		// Some small companies are new: their records begin with their registration.
		if c.size == small && r.IntN(4) == 0 {
			c.start = daysBefore(60, 450)
		}
	}
}

// sellsOn reports whether the company has dispositions on a day.
func (c *company) sellsOn(day time.Time) bool {
	if c.status == created || c.status == rejected {
		return false
	}
	return !day.Before(c.start) && (c.end.IsZero() || !day.After(c.end))
}

func makeAccount(r *rand.Rand) account {
	return account{reg: digits(r, 4), number: digits(r, 10)}
}

// digits generates a number of count digits, which may have leading zeros.
func digits(r *rand.Rand, count int) string {
	text := make([]byte, count)
	for i := range text {
		text[i] = byte('0' + r.IntN(10))
	}
	return string(text)
}

// distinctCompanies returns the companies of all groups, each once, sorted by CVR.
func distinctCompanies(groups []group) []*company {
	var all []*company
	for _, g := range groups {
		all = append(all, g.companies...)
	}
	slices.SortFunc(all, func(a, b *company) int { return strings.Compare(a.cvr, b.cvr) })
	return slices.Compact(all)
}

package sandbox

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"

	"dispo/models/terms"
)

const (
	weekCount   = 78 // deliveries, about eighteen months
	osWeekCount = 8  // the newest of them have the os layout
)

// Demo describes the files that WriteDemo has written.
type Demo struct {
	Organizations []DemoOrganization
	// Deliveries are the paths of the delivery files, oldest first. A file holds
	// records of the companies of all organizations.
	Deliveries []string
}

// DemoOrganization is one made-up organization and the file of its companies.
type DemoOrganization struct {
	Name, Slug    string
	UserEmail     string // of a made-up user, on an example domain
	CompaniesFile string // the path of the CSV file with the organization's companies
	SampleCVR     string // of the REGISTERED company with the most records in the deliveries

	shops []shop
}

// WriteDemo writes the files that `dispo demo` imports to dir, which it creates if it is
// missing: two organizations with sixty companies between them, and eighteen months of
// weekly deliveries with about fifty thousand records. The newest delivery is of the last
// Friday on lastDay or before. The same lastDay results in the same bytes.
//
// Every name, address, account and number is invented.
func WriteDemo(dir string, lastDay time.Time) (Demo, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Demo{}, fmt.Errorf("cannot create the directory of the demo data: %w", err)
	}
	year, month, today := lastDay.Date()
	last := time.Date(year, month, today, 0, 0, 0, 0, time.UTC)
	friday := last.AddDate(0, 0, -(int(last.Weekday())+7-int(time.Friday))%7)
	demo := Demo{Organizations: []DemoOrganization{
		{Name: "Nordlys Butikker A/S", Slug: "nordlys", UserEmail: "freja@nordlys.example.com", shops: nordlysShops},
		{Name: "Havnens Handel ApS", Slug: "havnens", UserEmail: "anker@havnens.example.com", shops: havnensShops},
	}}
	r, taken := rand.New(rand.NewPCG(seed, companiesStream)), map[string]bool{supplierCVR: true}
	sellers := []*seller{{newCompany(r, sharedShop, friday, taken), sharedShop}}
	shared := sellers[0]
	companies := make([][]*seller, len(demo.Organizations))
	for i, organization := range demo.Organizations {
		for _, s := range organization.shops {
			companies[i] = append(companies[i], &seller{newCompany(r, s, friday, taken), s})
		}
		sellers = append(sellers, companies[i]...)
		companies[i] = append(companies[i], shared)
	}
	slices.SortFunc(sellers, func(a, b *seller) int { return strings.Compare(a.CVR, b.CVR) })

	r = rand.New(rand.NewPCG(seed, deliveriesStream))
	records := map[*seller]int{}
	for week := range weekCount {
		day := friday.AddDate(0, 0, 7*(week+1-weekCount))
		dispositions := dispose(r, bankDays(day), sellers)
		name, content := "dispositions-"+day.Format(time.DateOnly)+".csv", csvDelivery(dispositions)
		if week >= weekCount-osWeekCount {
			// The os layout's amounts have no sign.
			dispositions = slices.DeleteFunc(dispositions, func(d disposition) bool { return d.ore < 0 })
			name, content = "delivery-"+day.Format(time.DateOnly)+".os", osDelivery(r, day, dispositions)
		}
		for _, d := range dispositions {
			records[d.seller]++
		}
		demo.Deliveries = append(demo.Deliveries, filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return Demo{}, err
		}
	}
	for i := range demo.Organizations {
		o := &demo.Organizations[i]
		o.CompaniesFile = filepath.Join(dir, "companies-"+o.Slug+".csv")
		if err := os.WriteFile(o.CompaniesFile, companiesFile(companies[i]), 0o644); err != nil {
			return Demo{}, err
		}
		active := slices.DeleteFunc(companies[i], func(s *seller) bool { return s.Status != terms.Registered })
		o.SampleCVR = slices.MaxFunc(active, func(a, b *seller) int { return cmp.Compare(records[a], records[b]) }).CVR
	}
	return demo, nil
}

// bankDays returns the days of the week that ends on a Friday, without holidays that are on
// the same date every year.
func bankDays(friday time.Time) (days []time.Time) {
	for i := -4; i <= 0; i++ {
		day := friday.AddDate(0, 0, i)
		if !slices.Contains([]string{"01-01", "06-05", "12-24", "12-25", "12-26", "12-31"}, day.Format("01-02")) {
			days = append(days, day)
		}
	}
	return days
}

// companiesFile writes the file that `dispo import companies` reads.
func companiesFile(companies []*seller) []byte {
	text := func(value *string) string { return *cmp.Or(value, new("")) }
	rows := [][]string{{
		"cvr", "name", "address", "startDate", "endDate", "status", "senderRegNumber", "senderAccountNumber",
		"receiverRegNumber", "receiverAccountNumber", "defaultAmountCents",
	}}
	for _, c := range companies {
		cents := ""
		if c.DefaultAmountCents != nil {
			cents = strconv.FormatInt(*c.DefaultAmountCents, 10)
		}
		rows = append(rows, []string{
			c.CVR, c.Name, text(c.Address), c.StartDate.Format(time.DateOnly),
			c.EndDate.Format(time.DateOnly), c.Status, text(c.SenderRegNumber), text(c.SenderAccountNumber),
			text(c.ReceiverRegNumber), text(c.ReceiverAccountNumber), cents,
		})
	}
	return csvFile(rows)
}

// supplierCVR is the CVR of the made-up network.
const supplierCVR = "99990007"

// osDelivery writes a delivery in the os layout, in Windows-1252 with CR LF line ends.
// Each disposition is a section, which starts with an OS2, has some OS5 transfers and
// ends with an OS8, its record. Its count is the number of its transfers, and its type
// always 80, because the layout has no names for types.
func osDelivery(r *rand.Rand, day time.Time, dispositions []disposition) []byte {
	var file strings.Builder
	line := func(format string, fields ...any) { fmt.Fprintf(&file, format+"\r\n", fields...) }
	_, week := day.ISOWeek()
	text := fmt.Sprintf("Kortomsætning uge %02d", week)
	var count, sum int64
	line("OS121%-14s%09d%012d%s%03d%s%d%020d", "DEMO-NETVÆRKET", 0, 0, day.Format("20060102"), 0, supplierCVR, 0, 0)
	for _, d := range dispositions {
		date, cvr := d.day.Format("020106"), d.seller.CVR
		reg, number := account(cvr, d.seller.SenderRegNumber, d.seller.SenderAccountNumber)
		payeeReg, payeeNumber := account(cvr, d.seller.ReceiverRegNumber, d.seller.ReceiverAccountNumber)
		line("OS280%026d%s%s%s%s%s%013d", 0, date, reg, number, supplierCVR, cvr, 0)
		transfers := 1 + r.Int64N(4)
		for i, left := int64(0), d.ore; i < transfers; i++ {
			part := left / (transfers - i)
			left -= part
			count++
			line("OS580%s%s%012d%s%s%s%-20s%013d%044d", payeeReg, payeeNumber, part, date, reg, number, text, count, 0)
		}
		line("OS880%04d%010d%012d%s%s%s%s%s%013d", 0, transfers, d.ore, date, reg, number, supplierCVR, cvr, 0)
		sum += d.ore
	}
	line("OS929%04d%010d%012d%06d%s%s%021d", 0, count, sum, 0, strings.Repeat("9", 14), supplierCVR, 0)
	encoded, err := charmap.Windows1252.NewEncoder().String(file.String())
	if err != nil {
		panic(err) // impossible: all letters are Danish
	}
	return []byte(encoded)
}

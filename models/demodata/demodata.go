// Package demodata generates the files that `dispo demo` imports: two organizations
// with sixty companies between them, and eighteen months of weekly deliveries with
// about fifty thousand records. For a sandbox it generates what arrives there each day.
//
// Every name, address, account and number is invented. The seeds are fixed, so that the
// demo shows the same data every time.
package demodata

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// seed seeds all random numbers. Companies and deliveries use separate streams, so that
// a change to one does not affect the other.
const (
	seed             = 0x44495350
	streamCompanies  = 1
	streamDeliveries = 2
)

// Set describes the files that Write has written.
type Set struct {
	Organizations []Organization
	// Deliveries are the paths of the delivery files, oldest first. A file holds
	// records of the companies of all organizations.
	Deliveries []string
}

// Organization is one made-up organization and the file of its companies.
type Organization struct {
	Name string
	Slug string

	// UserEmail and UserName belong to a made-up user, on an example domain.
	UserEmail string
	UserName  string

	// CompaniesFile is the path of the CSV file with the organization's companies.
	CompaniesFile string

	// SampleCVR is the CVR of the REGISTERED company with the most records in
	// the deliveries.
	SampleCVR string
}

// Write writes the files to dir, which it creates if it is missing. The newest delivery
// is the last one that is complete on lastDay. The same lastDay results in the same
// bytes.
func Write(dir string, lastDay time.Time) (Set, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Set{}, fmt.Errorf("cannot create the directory of the demo data: %w", err)
	}
	weeks := bankingWeeks(lastDay, weekCount)
	groups := makeGroups(rand.New(rand.NewPCG(seed, streamCompanies)), newestDay(weeks))

	deliveries, tally, err := writeDeliveries(dir, weeks, distinctCompanies(groups))
	if err != nil {
		return Set{}, err
	}
	set := Set{Deliveries: deliveries}
	for _, g := range groups {
		organization := g.organization
		organization.CompaniesFile = filepath.Join(dir, "companies-"+organization.Slug+".csv")
		organization.SampleCVR = busiest(g.companies, tally)
		if err := writeCompanies(organization.CompaniesFile, g); err != nil {
			return Set{}, err
		}
		set.Organizations = append(set.Organizations, organization)
	}
	return set, nil
}

// busiest returns the CVR of the REGISTERED company with the most records.
func busiest(companies []*company, tally map[*company]int) string {
	var best *company
	for _, c := range companies {
		if c.status == registered && (best == nil || tally[c] > tally[best]) {
			best = c
		}
	}
	return best.cvr
}

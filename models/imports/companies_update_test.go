package imports_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

const wholeCompany = "cvr,name,address,startDate,endDate,status,senderRegNumber,senderAccountNumber,receiverRegNumber,receiverAccountNumber,defaultAmountCents\n" +
	"10150817,Nordlys A/S,Vej 1,2024-01-01,2027-12-31,REGISTERED,1234,1,4321,2,150000\n"

// An existing company is updated by its CVR, in the columns that the file has and in
// no other. Its id and its creation time stay.
func TestCompaniesUpdateTheColumnsOfTheFile(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	for _, organization := range []models.Organization{a, b} {
		loadCompanies(t, w, organization, wholeCompany)
	}
	elsewhere := company(t, w, b, "10150817")
	for _, c := range []struct {
		text   string
		change func(c *models.Company)
	}{
		{"cvr,name\n10150817,Nordlys ApS\n", func(c *models.Company) { c.Name = "Nordlys ApS" }},
		{"cvr,name,status\n10150817,Nordlys ApS,TERMINATED\n", func(c *models.Company) { c.Status = "TERMINATED" }},
		{"cvr,name,status\n10150817,Nordlys ApS,REGISTERED\n", func(c *models.Company) { c.Status = "REGISTERED" }}, // no transition is forbidden
		{"cvr,name,address,senderRegNumber\n10150817,Nordlys ApS,,\n", func(c *models.Company) { c.Address, c.SenderRegNumber = nil, nil }},
		{"cvr,name,address\n10150817,Nordlys ApS,Vej 2\n", func(c *models.Company) { c.Address = new("Vej 2") }},
		{"cvr,name,defaultAmountCents,receiverAccountNumber\n10150817,Nordlys ApS,-1,3\n", func(c *models.Company) { c.DefaultAmountCents, c.ReceiverAccountNumber = new(int64(-1)), new("3") }},
	} {
		expected := company(t, w, a, "10150817")
		c.change(&expected)
		done := loadCompanies(t, w, a, c.text)
		require.Equal(t, imports.CompaniesResult{Updated: 1}, done)
		found := company(t, w, a, "10150817")
		require.True(t, found.UpdatedAt.After(expected.UpdatedAt), c.text)
		expected.UpdatedAt = found.UpdatedAt
		require.Equal(t, expected, found, c.text)
	}
	require.Equal(t, elsewhere, company(t, w, b, "10150817"), "another organization's company of the same CVR")
}

// A blank status, startDate or endDate leaves that of an existing company as it is. In
// the other columns, blank means null.
func TestCompaniesBlankLeavesStatusAndDates(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	loadCompanies(t, w, a, wholeCompany)
	before := company(t, w, a, "10150817")
	done := loadCompanies(t, w, a, "cvr,name,startDate,endDate,status\n10150817,Nordlys A/S,, ,\n10000001,new,,,\n")
	require.Equal(t, []int64{1, 0, 1}, []int64{done.Inserted, done.Updated, done.Unchanged})
	require.Equal(t, before, company(t, w, a, "10150817"))
	require.Equal(t, "CREATED", company(t, w, a, "10000001").Status)

	loadCompanies(t, w, a, "cvr,name,address,startDate,endDate,status\n10150817,Nordlys ApS,,,2028-01-31,\n")
	after := company(t, w, a, "10150817")
	before.Name, before.Address, before.EndDate, before.UpdatedAt = "Nordlys ApS", nil, day(2028, 1, 31), after.UpdatedAt
	require.Equal(t, before, after)
}

// Rows that equal the stored ones change nothing: neither updatedAt nor the
// organization's data version, which caches depend on. A row that differs moves
// its own updatedAt.
func TestCompaniesUnchangedChangeNothing(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b", "10150817")
	conn := modelstest.Conn(t, w.URL)
	version := func(organization models.Organization) int64 {
		return modelstest.Value[int64](t, conn, `SELECT data_version FROM organizations WHERE id = $1`, organization.ID)
	}
	text := wholeCompany + "10000001,x,,2024-01-01,,,,,,,\n"
	done := loadCompanies(t, w, a, text)
	require.EqualValues(t, 2, done.Inserted)
	before, versionBefore, elsewhere := modelstest.Companies(t, w.Service, a), version(a), version(b)

	done = loadCompanies(t, w, a, text)
	require.Equal(t, imports.CompaniesResult{Unchanged: 2, Warnings: done.Warnings}, done)
	require.Equal(t, before, modelstest.Companies(t, w.Service, a))
	require.Equal(t, versionBefore, version(a))

	done = loadCompanies(t, w, a, "cvr,name\n10000001,y\n10150817,Nordlys A/S\n20000001,new\n")
	require.Equal(t, []int64{1, 1, 1}, []int64{done.Inserted, done.Updated, done.Unchanged})
	require.Equal(t, before[0], company(t, w, a, "10150817"))
	require.True(t, company(t, w, a, "10000001").UpdatedAt.After(before[1].UpdatedAt))
	require.Greater(t, version(a), versionBefore)
	require.Equal(t, elsewhere, version(b))
}

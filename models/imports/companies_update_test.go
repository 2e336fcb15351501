package imports_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

const wholeCompany = "cvr,name,address,startDate,endDate,status,senderRegNumber,senderAccountNumber,receiverRegNumber,receiverAccountNumber,defaultAmountCents\n" +
	"10150817,Nordlys A/S,Vej 1,2024-01-01,2027-12-31,REGISTERED,1234,1,4321,2,150000\n"

// A new company is inserted. An existing one is updated by its CVR, in the columns that the
// file has and in no other, and keeps its id and its creation time. Blank means null, except
// for startDate, endDate and status: there a new company gets today, 9999-12-31 and CREATED,
// and an existing one stays as it is. Rows that equal the stored ones change nothing: neither
// updatedAt nor the organization's data version, which caches depend on.
func TestCompaniesUpdate(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a, b := w.Organization(t, "a"), w.Organization(t, "b")
	loadCompanies(t, w, b, wholeCompany)
	conn := modelstest.Conn(t, w.URL)
	version := func(organization models.Organization) int64 {
		return modelstest.Value[int64](t, conn, `SELECT data_version FROM organizations WHERE id = $1`, organization.ID)
	}
	today := func() string { return time.Now().UTC().Format(time.DateOnly) }
	earliest, elsewhere, others := today(), company(t, w, b, "10150817"), version(b)
	blank := strings.SplitAfter(wholeCompany, "\n")[0]
	for _, row := range []struct {
		text     string
		counts   [3]int64 // inserted, updated and unchanged
		cvr      string
		expected string
	}{
		{"cvr,name\n", [3]int64{0, 0, 0}, "", ""},
		{"cvr,name\n10000001,x\n", [3]int64{1, 0, 0}, "10000001", "(x,,TODAY,9999-12-31,CREATED,,,,,)"},
		{blank + "10000002,x,,,,,,,,,\n", [3]int64{1, 0, 0}, "10000002", "(x,,TODAY,9999-12-31,CREATED,,,,,)"},
		{blank + "10000003,x, ,\t,  , , , , ,\" \", \n", [3]int64{1, 0, 0}, "10000003", "(x,,TODAY,9999-12-31,CREATED,,,,,)"},
		{wholeCompany + "10000004,x,,2024-01-01,,,,,,,\n", [3]int64{2, 0, 0}, "10150817", `("Nordlys A/S","Vej 1",2024-01-01,2027-12-31,REGISTERED,1234,1,4321,2,150000)`},
		{wholeCompany + "10000004,x,,2024-01-01,,,,,,,\n", [3]int64{0, 0, 2}, "10150817", `("Nordlys A/S","Vej 1",2024-01-01,2027-12-31,REGISTERED,1234,1,4321,2,150000)`},
		{"cvr,name\n10000004,y\n10150817,Nordlys A/S\n20000001,new\n", [3]int64{1, 1, 1}, "10000004", "(y,,2024-01-01,9999-12-31,CREATED,,,,,)"},
		{"cvr,name\n10150817,Nordlys ApS\n", [3]int64{0, 1, 0}, "10150817", `("Nordlys ApS","Vej 1",2024-01-01,2027-12-31,REGISTERED,1234,1,4321,2,150000)`},
		{"cvr,name,status\n10150817,Nordlys ApS,TERMINATED\n", [3]int64{0, 1, 0}, "10150817", `("Nordlys ApS","Vej 1",2024-01-01,2027-12-31,TERMINATED,1234,1,4321,2,150000)`},
		// No transition is forbidden.
		{"cvr,name,status\n10150817,Nordlys ApS,REGISTERED\n", [3]int64{0, 1, 0}, "10150817", `("Nordlys ApS","Vej 1",2024-01-01,2027-12-31,REGISTERED,1234,1,4321,2,150000)`},
		{"cvr,name,startDate,endDate,status\n10150817,Nordlys ApS,, ,\n10000005,new,,,\n", [3]int64{1, 0, 1}, "10150817", `("Nordlys ApS","Vej 1",2024-01-01,2027-12-31,REGISTERED,1234,1,4321,2,150000)`},
		{"cvr,name,address,startDate,endDate,status\n10150817,Nordlys ApS,,,2028-01-31,\n", [3]int64{0, 1, 0}, "10150817", `("Nordlys ApS",,2024-01-01,2028-01-31,REGISTERED,1234,1,4321,2,150000)`},
		{"cvr,name,address,senderRegNumber\n10150817,Nordlys ApS,Vej 2,\n", [3]int64{0, 1, 0}, "10150817", `("Nordlys ApS","Vej 2",2024-01-01,2028-01-31,REGISTERED,,1,4321,2,150000)`},
		{"cvr,name,defaultAmountCents,receiverAccountNumber\n10150817,Nordlys ApS,-1,3\n", [3]int64{0, 1, 0}, "10150817", `("Nordlys ApS","Vej 2",2024-01-01,2028-01-31,REGISTERED,,1,4321,3,-1)`},
	} {
		before, stored := version(a), map[string]models.Company{}
		for _, c := range modelstest.Companies(t, w.Service, a) {
			stored[c.CVR] = c
		}
		done := loadCompanies(t, w, a, row.text)
		require.Equal(t, row.counts, [3]int64{done.Inserted, done.Updated, done.Unchanged}, row.text)
		require.Equal(t, row.counts[0]+row.counts[1] > 0, version(a) > before, row.text)
		updated := int64(0)
		for _, c := range modelstest.Companies(t, w.Service, a) {
			was, known := stored[c.CVR]
			if !known {
				require.Equal(t, c.CreatedAt, c.UpdatedAt)
				require.WithinDuration(t, time.Now(), c.CreatedAt, time.Minute)
			} else if c.UpdatedAt.After(was.UpdatedAt) {
				require.Equal(t, was.ID, c.ID)
				require.Equal(t, was.CreatedAt, c.CreatedAt)
				updated++
			} else {
				require.Equal(t, was, c, row.text)
			}
		}
		require.Equal(t, done.Updated, updated, row.text)
		if row.cvr != "" {
			found := modelstest.Value[string](
				t,
				conn,
				`SELECT (name, address, start_date, end_date, status, sender_reg_number, sender_account_number, receiver_reg_number,
				receiver_account_number, default_amount_cents)::text FROM companies WHERE organization_id = $1 AND cvr = $2`,
				a.ID,
				row.cvr,
			)
			require.Contains(t,
				[]string{strings.Replace(row.expected, "TODAY", earliest, 1), strings.Replace(row.expected, "TODAY", today(), 1)},
				found, row.text)
		}
	}
	before, stored := version(a), company(t, w, a, "10150817")
	modelstest.Execute(t, conn, `UPDATE companies SET folded_name = 'x', sort_key = 'x'
		WHERE organization_id = $1 AND cvr = '10150817'`, a.ID)
	require.EqualValues(t, 1, loadCompanies(t, w, a, "cvr,name\n10150817,Nordlys ApS\n").Unchanged)
	require.Equal(t, stored, company(t, w, a, "10150817"), "as a newer program computes it")
	require.Equal(t, before, version(a))
	require.Equal(t, elsewhere, company(t, w, b, "10150817"), "another organization's company of the same CVR")
	require.Equal(t, others, version(b))
}

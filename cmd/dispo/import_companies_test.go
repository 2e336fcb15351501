package main_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// An import of companies prints how many it has inserted, updated and left unchanged.
// A CVR with a wrong check digit is a warning.
func TestImportCompanies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	imported := func(text string) result {
		return w.run(t, "import", "companies", file(t, "companies.csv", text), "--organization", "acme")
	}
	r := imported("\ufeffcvr;name;status;senderAccountNumber\r\n" + cvr + ";Company " + cvr + ";;\r\n" + otherCVR + ";\"Køb; & Salg\";REGISTERED;12345678\r\n87654321;C;;\r\n")
	require.Equal(t, "companies.csv: 2 companies inserted, 1 updated, 0 unchanged", strings.Replace(r.requireDone(t), "0 updated, 1", "1 updated, 0", 1))
	require.Equal(t, "warning: line 4: cvr: the check digit of 87654321 does not fit: check for a typo\n", r.err)
	require.Equal(t, "Køb; & Salg REGISTERED 12345678", modelstest.ValueAt[string](t, w.URL, `SELECT concat_ws(' ', name, status, sender_account_number) FROM companies WHERE cvr = $1`, otherCVR))

	r = imported("name,cvr\nOther," + otherCVR + "\nCompany " + cvr + "," + cvr + "\n")
	require.Equal(t, "companies.csv: 0 companies inserted, 1 updated, 1 unchanged", r.requireDone(t))
	require.Empty(t, r.err)
	require.Equal(t, "Other REGISTERED", modelstest.ValueAt[string](t, w.URL, `SELECT concat_ws(' ', name, status) FROM companies WHERE cvr = $1`, otherCVR))

	again := imported("cvr,name\n" + otherCVR + ",Other")
	require.Equal(t, "companies.csv: 0 companies inserted, 0 updated, 1 unchanged", again.requireDone(t))
}

// requireBadLines requires that a file was refused because of these lines.
func (r result) requireBadLines(t *testing.T, lines ...string) {
	t.Helper()
	require.Equal(t, 1, r.status, "%s%s", r.out, r.err)
	require.Empty(t, r.out)
	printed := strings.Split(strings.TrimSuffix(r.err, "\n"), "\n")
	require.Regexp(t, `^dispo: bad\.csv has \d+ bad lines?, so nothing of it was imported:$`, printed[0])
	require.Len(t, printed[1:], len(lines), r.err)
	for i, line := range lines {
		require.Contains(t, printed[1+i], line)
	}
}

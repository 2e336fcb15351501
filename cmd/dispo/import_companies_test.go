package main_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
	require.Equal(t, "Køb; & Salg REGISTERED 12345678", query[string](t, w.URL, `SELECT concat_ws(' ', name, status, sender_account_number) FROM companies WHERE cvr = $1`, otherCVR))

	r = imported("name,cvr\nOther," + otherCVR + "\nCompany " + cvr + "," + cvr + "\n")
	require.Equal(t, "companies.csv: 0 companies inserted, 1 updated, 1 unchanged", r.requireDone(t))
	require.Empty(t, r.err)
	require.Equal(t, "Other REGISTERED", query[string](t, w.URL, `SELECT concat_ws(' ', name, status) FROM companies WHERE cvr = $1`, otherCVR))

	again := imported("cvr,name\n" + otherCVR + ",Other")
	require.Equal(t, "companies.csv: 0 companies inserted, 0 updated, 1 unchanged", again.requireDone(t))
}

// Nothing of a bad file of companies is stored. Its bad lines are reported, with exit
// status 1.
func TestBadCompanies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before := rows(t, w.URL)
	for text, lines := range map[string][]string{
		"":                                    {"line 1: the file has no header line: expected some of cvr, name"},
		"cvr,name\n" + otherCVR + ",K\xf8b\n": {"line 2: name: it is not UTF-8", "iconv -f WINDOWS-1252 -t UTF-8"},
		"cvr,name,status,startDate\n123,A,,\n" + otherCVR + ",,,\n" + noCVR + ",A,GOOD,2026-02-30\n" + cvr + ",A,,\n" + cvr + ",B,,\n": {
			`line 2: cvr: "123" is not 8 digits`,
			"line 3: name: it is required, but blank",
			`line 4: startDate: "2026-02-30" is not a date`,
			`line 4: status: "GOOD" is not a status`,
			"line 6: cvr: " + cvr + " is already on line 5",
		},
	} {
		w.run(t, "import", "companies", file(t, "bad.csv", text), "--organization", "acme").requireBadLines(t, lines...)
	}
	w.run(t, "import", "companies", file(t, "good.csv", "cvr,name\n"+otherCVR+",A\n"), "--organization", "nobody").
		requireRefused(t, 1, `"nobody"`, "dispo organization list")
	require.Equal(t, before, rows(t, w.URL))
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

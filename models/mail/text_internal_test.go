package mail

import (
	"encoding/json"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/i18n"
)

// Every language has the text of every mail, and each text can be filled in.
func TestEveryMailHasAText(t *testing.T) {
	t.Parallel()
	expected := slices.Sorted(maps.Keys(texts()[i18n.English]))
	require.Len(t, expected, 29)
	require.Len(t, texts(), len(i18n.Offered))
	for in, texts := range texts() {
		require.Equal(t, expected, slices.Sorted(maps.Keys(texts)), in)
		for name, content := range texts {
			if name == "footer" {
				continue
			}
			require.NotNil(t, content.subject, "%s/%s", in, name)
			require.Equal(t, named(t, i18n.English, name), named(t, in, name), "%s/%s", in, name)
			for _, with := range []Details{{}, {"actor": "x", "role": "owner", "records": "1", "days": "1", "idle_days": "1", "ends_at": "x", "because": BecauseRole, "optional": "yes", "files": "1", "more": "1", "by_link": "yes", "day_goes_on": "yes", "delivery_id": "x"}} {
				filled, err := compose(in, Kind(name), with, []company{{Count: "1"}}, "https://dispo.example.com/x")
				require.NoError(t, err, "%s/%s", in, name)
				require.NotEmpty(t, filled.Subject)
				require.Contains(t, filled.Text, "https://dispo.example.com/x")
				require.Contains(t, filled.HTML, `lang="`+string(in)+`"`)
			}
		}
	}
}

// named returns the details that a text names.
func named(t *testing.T, in i18n.Language, name string) []string {
	t.Helper()
	text, err := files.ReadFile("texts/" + string(in) + "/" + name + ".txt")
	require.NoError(t, err)
	found := regexp.MustCompile(`\.[a-zA-Z_]+`).
		FindAllString(strings.Join(regexp.MustCompile(`{{.*?}}`).FindAllString(string(text), -1), ""), -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// What an attacker may choose, such as a key's name or the reason of a withdrawal, is no link
// in a mail: no part of it looks like an address to a mail program.
func TestNamesAreNoLinks(t *testing.T) {
	t.Parallel()
	address := regexp.MustCompile(`(?i)\w+://|www\.\w|\w\.[a-z]{2,}|\w@\w`)
	sender := &Sender{}
	const name = "Pay at https://evil.example/x or www.evil.example, evil.com, a@evil.com"
	for kind, named := range map[Kind][]string{KeyCreated: {"key", "user_agent"}, DeliveryWithdrawn: {"reason", "file", "replaced_by"}} {
		chosen := Details{}
		for _, detail := range named {
			chosen[detail] = name
		}
		details, err := json.Marshal(chosen)
		require.NoError(t, err)
		with, _, err := sender.readDetails(i18n.English,
			claimed{Details: string(details), OrganizationName: name, TimeZone: "UTC"})
		require.NoError(t, err)
		filled, err := compose(i18n.English, kind, with, nil, "")
		require.NoError(t, err)
		for _, text := range []string{filled.Subject, filled.Text, html.UnescapeString(filled.HTML)} {
			require.Contains(t, text, "evil")
			require.NotRegexp(t, address, regexp.MustCompile(`(?s)<style>.*?</style>|<[^>]*>`).ReplaceAllString(text, ""), kind)
		}
	}
}

// Only a delivery that nothing replaced has people correct their books.
func TestReplacedDelivery(t *testing.T) {
	t.Parallel()
	for file, expected := range map[string]string{"": "correct your books", "second.csv": "A corrected file, second.csv, took the file’s place"} {
		filled, err := compose(i18n.English, DeliveryWithdrawn, Details{"records": "2", "replaced_by": file}, nil,
			"https://dispo.example.com/deliveries")
		require.NoError(t, err)
		require.Contains(t, filled.Text, expected)
		require.Equal(t, file == "", strings.Contains(filled.Text, "correct your books"))
	}
}

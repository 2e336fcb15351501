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

	"dispo/models"
	"dispo/models/i18n"
)

// Every language has the text of every mail, and each text can be filled in.
func TestEveryMailHasAText(t *testing.T) {
	t.Parallel()
	expected := slices.Sorted(maps.Keys(texts[i18n.English]))
	require.Len(t, expected, 14)
	require.Len(t, texts, len(i18n.Offered))
	for in, texts := range texts {
		require.Equal(t, expected, slices.Sorted(maps.Keys(texts)), in)
		for name, content := range texts {
			if name == "footer" {
				continue
			}
			require.NotNil(t, content.subject, "%s/%s", in, name)
			for _, with := range []values{{}, {Actor: "x", Role: "owner", Records: "1", Days: "1", QuietDays: "1", RevokeAt: "x", Because: models.BecauseRole, Optional: true, Files: "1", More: "1", Companies: []company{{Count: "1"}}}} {
				filled, err := compose(in, models.MailKind(name), with, "https://dispo.example.com/x")
				require.NoError(t, err, "%s/%s", in, name)
				require.NotEmpty(t, filled.Subject)
				require.Contains(t, filled.Text, "https://dispo.example.com/x")
				require.Contains(t, filled.HTML, `lang="`+string(in)+`"`)
			}
		}
	}
}

// What an attacker may choose, such as a key's name, is no link in a mail: no part of it
// looks like an address to a mail program.
func TestNamesAreNoLinks(t *testing.T) {
	t.Parallel()
	address := regexp.MustCompile(`(?i)\w+://|www\.\w|\w\.[a-z]{2,}|\w@\w`)
	sender := &Sender{Config: Config{Client: func(_ i18n.Language, agent string) string { return agent }}}
	const name = "Pay at https://evil.example/x or www.evil.example, evil.com, a@evil.com"
	details, err := json.Marshal(models.MailDetails{"key": name, "user_agent": name})
	require.NoError(t, err)
	with, _, err := sender.readValues(i18n.English, claimed{Details: string(details), OrganizationName: name, TimeZone: "UTC"})
	require.NoError(t, err)
	filled, err := compose(i18n.English, models.MailKeyCreated, with, "")
	require.NoError(t, err)
	for _, text := range []string{filled.Subject, filled.Text, html.UnescapeString(filled.HTML)} {
		require.Contains(t, text, "evil")
		require.NotRegexp(t, address, regexp.MustCompile(`(?s)<style>.*?</style>|<[^>]*>`).ReplaceAllString(text, ""))
	}
}

// Only a delivery that nothing replaced has people correct their books.
func TestReplacedDelivery(t *testing.T) {
	t.Parallel()
	for file, expected := range map[string]string{"": "correct your books", "second.csv": "A corrected file, second.csv, took the file’s place"} {
		filled, err := compose(i18n.English, models.MailDeliveryWithdrawn, values{Records: "2", Replaced: file}, "https://dispo.example.com/deliveries")
		require.NoError(t, err)
		require.Contains(t, filled.Text, expected)
		require.Equal(t, file == "", strings.Contains(filled.Text, "correct your books"))
	}
}

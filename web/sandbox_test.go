package web

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every page of a sandbox says in words that it is one: in its title, in its frame and
// wherever organizations are listed. Its keys are shown as test keys. Pages of a real
// organization say nothing of that.
func TestSandboxIsNamed(t *testing.T) {
	english, danish := realisticPages(), danishPages()
	for _, page := range []string{"overview", "keys", "key", "key-created"} {
		for language, words := range map[string][]string{
			"English": {"<title>", "Nordlys Handel (sandbox)", "<strong>Sandbox.</strong> All data here is made up."},
			"Danish":  {"<title>", "Nordlys Handel (testmiljø)", "<strong>Testmiljø.</strong> Alle data her er opdigtede."},
		} {
			pages := english
			if language == "Danish" {
				pages = danish
			}
			made, real := rendered(t, pages["sandbox-"+page]), rendered(t, pages[page])
			for _, word := range words {
				require.Contains(t, made, word, page)
			}
			title, _, _ := strings.Cut(made[strings.Index(made, "<title>"):], "</title>")
			require.Contains(t, title, map[string]string{"English": "(sandbox)", "Danish": "(testmiljø)"}[language])
			require.NotRegexp(t, "(?i)sandbox|testmilj|dispo_test_", real)
		}
	}
	for _, page := range []string{"keys", "key", "key-created"} {
		require.Regexp(t, "(?i)test key", rendered(t, english["sandbox-"+page]))
		require.Regexp(t, "(?i)testnøgle", rendered(t, danish["sandbox-"+page]))
	}
	require.Contains(t, rendered(t, english["sandbox-key"]), "dispo_test_…TqP4")

	between := frame("/")
	between.Organizations[1].Sandbox = true
	require.Contains(t, rendered(t, OverviewPage(overview(between, ByHour))), ">Vesterhav Transport &amp; Logistik A/S (sandbox)</button>")
}

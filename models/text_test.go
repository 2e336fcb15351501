package models_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

const (
	shownKey  = "dispo_0aZ9bY8cX7dW_"
	keySecret = "abcdefghijklmnopqrstuvwxyz012345Zz9Yy8"
)

// leaks are texts with keys, or parts of keys, and what may be kept of them.
var leaks = map[string]string{
	shownKey + keySecret: shownKey + "…",
	"/api/v1/companies/" + shownKey + keySecret + "/transactions":                  "/api/v1/companies/" + shownKey + "…/transactions",
	"curl/8 (key=" + shownKey + keySecret + "; " + shownKey + keySecret[20:] + ")": "curl/8 (key=" + shownKey + "…; " + shownKey + "…)",
	"dispo_test_0aZ9bY8cX7dW_" + keySecret:                                         "dispo_test_0aZ9bY8cX7dW_…",
	"cut " + shownKey + keySecret[:20]:                                             "cut " + shownKey + "…",
	"cut " + shownKey + keySecret[:1]:                                              "cut " + shownKey + "…",
	"longer " + shownKey + keySecret + keySecret:                                   "longer " + shownKey + "…",
	strings.ToUpper(shownKey + keySecret):                                          strings.ToUpper(shownKey) + "…",
	strings.ToLower(shownKey + keySecret):                                          strings.ToLower(shownKey) + "…",
	"one less dispo_0aZ9bY8cX7d_" + keySecret:                                      "one less dispo_…",
	"one more dispo_0aZ9bY8cX7dWx_" + keySecret:                                    "one more dispo_…",
	"dispo_" + keySecret:                                                           "dispo_…",
	"q=" + strings.ReplaceAll(shownKey+keySecret, "_", "%5F"):                      "q=dispo%5F0aZ9bY8cX7dW%5F…",
	"q=" + strings.ReplaceAll(shownKey+keySecret, "_", "%255f"):                    "q=dispo%255f0aZ9bY8cX7dW%255f…",
	"q=" + encoded(shownKey+keySecret):                                             "q=" + encoded(shownKey) + "…",
	"q=" + encoded("dispo_test_0aZ9bY8cX7dW_"+keySecret): "q=" + encoded(
		"dispo_test_0aZ9bY8cX7dW_",
	) + "…",
	"q=" + url.QueryEscape(encoded(shownKey+keySecret)): "q=" + url.QueryEscape(
		encoded(shownKey),
	) + "…",
	shownKey + keySecret + "@example.com":      shownKey + "…@example.com",
	"\xff" + shownKey + keySecret + "\xff\x00": "\xff" + shownKey + "…\xff\x00",
}

// encoded percent-encodes every character.
func encoded(text string) string {
	var all strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&all, "%%%02x", c)
	}
	return all.String()
}

// MaskKeys keeps of a key what is not secret, however the key is spelled, cut or
// mistyped. Its result stays as it is.
func TestMaskKeys(t *testing.T) {
	t.Parallel()
	for text, masked := range leaks {
		require.Equal(t, masked, models.MaskKeys(text))
		require.Equal(t, masked, models.MaskKeys(masked))
		require.True(t, models.HasKey(text), text)
	}
	for _, plain := range []string{
		"", "dispo", "dispo_", "dispo_operator", shownKey, "dispo_organization_", "dispo_0aZ9bY8cX7dW", "100 %", "%5F%", "Østre Å/S_1",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "/api/v1/companies?limit=1&after=01a1f74b-efa4-72f7-8634-e887f34268f1",
	} {
		require.Equal(t, plain, models.MaskKeys(plain))
		require.False(t, models.HasKey(plain), plain)
	}
}

// A text is masked before it is cut, so that no part of a key's secret is stored,
// wherever the cut falls.
func TestStorable(t *testing.T) {
	t.Parallel()
	for before := range 80 {
		for _, key := range []string{shownKey + keySecret, "dispo_0aZ9bY8cX7d_" + keySecret} {
			text := models.Storable(strings.Repeat("x", before)+key, 60)
			require.LessOrEqual(t, len(text), 60)
			require.NotContains(t, text, keySecret[:2])
		}
	}
	require.Equal(t, "ab", models.Storable("a\x00b\xff", 200))
	require.Equal(t, "x", models.Storable("xø", 2))
}

// A log with MaskLog contains no key: not in messages, texts or errors.
func TestMaskLog(t *testing.T) {
	t.Parallel()
	var written bytes.Buffer
	key := shownKey + keySecret
	log := slog.New(slog.NewJSONHandler(&written, &slog.HandlerOptions{ReplaceAttr: models.MaskLog}))
	log.Error("bad "+key, "path", "/"+key, "error", fmt.Errorf("panic: %w", errors.New(key)),
		slog.Group("request", "agent", key), "id", uuid.Nil, "n", 1)
	require.NotContains(t, written.String(), keySecret[:4])
	require.Equal(t, 4, strings.Count(written.String(), shownKey+"…"))
	require.Contains(t, written.String(), `"id":"00000000-0000-0000-0000-000000000000","n":1}`)
}

// A name that looks like another one, moves the text around it, or has an API key in
// it is refused, for keys and organizations alike. Other languages' names are not.
func TestNames(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	create := func(name string) (forKey, forOrganization error) {
		_, _, forKey = keys.Create(t.Context(), w.Operator.Tenant(a.ID), keys.NewKey{Name: name})
		_, forOrganization = organizations.Create(t.Context(), w.Operator.Store, name, "b")
		return forKey, forOrganization
	}
	for name, reason := range map[string]string{
		"a\x1b[31mb": "control characters", "a\nb": "control characters", "a\u0085b": "control characters", "a\xffb": "control characters",
		"a\u202eb": "U+202E", "a\u2066b": "U+2066", "\u200fa": "U+200F", "a\u061cb": "U+061C", "a\u200bb": "U+200B", "a\ufeffb": "U+FEFF", "a\u00adb": "U+00AD",
		"a\u2028b": "U+2028", "\u3164": "U+3164", "a\U000e0041b": "U+E0041",
		"of " + shownKey + keySecret: "API key", shownKey + "…": "API key",
	} {
		forKey, forOrganization := create(name)
		modelstest.RequireKind(t, models.KindInvalid, forKey)
		require.ErrorContains(t, forKey, reason)
		modelstest.RequireKind(t, models.KindInvalid, forOrganization)
		require.ErrorContains(t, forOrganization, reason)
		require.NotContains(t, forKey.Error()+forOrganization.Error(), keySecret)
	}
	for i, name := range []string{"Årø & Søn A/S", "会社", "شركة", "חברה", "no\u00a0break", "→ dispo_…jVMc"} {
		_, _, err := keys.Create(t.Context(), w.Operator.Tenant(a.ID), keys.NewKey{Name: name})
		require.NoError(t, err, name)
		require.NoError(t, modelstest.ErrorOf(organizations.Create(t.Context(), w.Operator.Store, name, string(rune('c'+i)))),
			name)
	}
}

// A slug is 1 to 63 lower-case letters, digits and hyphens, with no hyphen at either
// end, and belongs to one organization. Anything else is refused in a sentence that says so.
func TestOrganizationSlugs(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	for _, slug := range []string{"a", "0", "nordlys", "a-b", "a--b", "x1", strings.Repeat("a", 63)} {
		organization, err := organizations.Create(t.Context(), w.Operator.Store, "  Name ", slug)
		require.NoError(t, err, slug)
		found, err := organizations.BySlug(t.Context(), w.Operator.Store, slug)
		require.NoError(t, err)
		require.Equal(t, organization.ID, found.ID)
		require.Equal(t, slug, found.Slug)
		require.Equal(t, "Name", found.Name)
		_, err = organizations.Create(t.Context(), w.Operator.Store, "Name", slug)
		modelstest.RequireKind(t, models.KindConflict, err)
		require.Equal(t, `an organization with the slug "`+slug+`" already exists`, err.Error())
	}
	for _, slug := range []string{"", "-", "-a", "a-", "A", "å", "a b", "a_b", "a.b", "a\n", "\na", strings.Repeat("a", 64), "a\x00"} {
		_, err := organizations.Create(t.Context(), w.Operator.Store, "Name", slug)
		modelstest.RequireKind(t, models.KindInvalid, err)
		require.Contains(t, err.Error(), "is not a valid slug: expected 1 to 63 lower-case letters, digits and hyphens")
	}
	for _, name := range []string{"", " \t\n"} {
		_, err := organizations.Create(t.Context(), w.Operator.Store, name, "b")
		modelstest.RequireKind(t, models.KindInvalid, err)
		require.Equal(t, "An organization needs a name.", err.Error())
	}
}

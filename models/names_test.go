package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/keys"
	"dispo/models/modelstest"
	"dispo/models/organizations"
)

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
		require.NoError(
			t,
			modelstest.ErrorOf(organizations.Create(t.Context(), w.Operator.Store, name, string(rune('c'+i)))),
			name,
		)
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

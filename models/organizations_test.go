package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// A slug is 1 to 63 lower-case letters, digits and hyphens, with no hyphen at either
// end, and belongs to one organization. Anything else is refused in a sentence that says so.
func TestOrganizationSlugs(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	for _, slug := range []string{"a", "0", "nordlys", "a-b", "a--b", "x1", strings.Repeat("a", 63)} {
		organization, err := w.Operator.OrganizationCreate(t.Context(), "  Name ", slug)
		require.NoError(t, err, slug)
		found, err := w.Operator.OrganizationBySlug(t.Context(), slug)
		require.NoError(t, err)
		require.Equal(t, organization.ID, found.ID)
		require.Equal(t, slug, found.Slug)
		require.Equal(t, "Name", found.Name)
		_, err = w.Operator.OrganizationCreate(t.Context(), "Name", slug)
		modelstest.RequireKind(t, models.KindConflict, err)
		require.Equal(t, `an organization with the slug "`+slug+`" already exists`, err.Error())
	}
	for _, slug := range []string{"", "-", "-a", "a-", "A", "å", "a b", "a_b", "a.b", "a\n", "\na", strings.Repeat("a", 64), "a\x00"} {
		_, err := w.Operator.OrganizationCreate(t.Context(), "Name", slug)
		modelstest.RequireKind(t, models.KindInvalid, err)
		require.Contains(t, err.Error(), "is not a valid slug: expected 1 to 63 lower-case letters, digits and hyphens")
	}
	for _, name := range []string{"", " \t\n"} {
		_, err := w.Operator.OrganizationCreate(t.Context(), name, "b")
		modelstest.RequireKind(t, models.KindInvalid, err)
		require.Equal(t, "An organization needs a name.", err.Error())
	}
}

// Organizations are listed by slug, with their numbers of companies. The error for
// one that does not exist says how to list them.
func TestOrganizationsAreListed(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	w.Organization(t, "b", "10000001", "10000002")
	a := w.Organization(t, "a")
	listed, err := w.Operator.Organizations(t.Context())
	require.NoError(t, err)
	require.Len(t, listed, 2)
	require.Equal(t, a.ID, listed[0].ID)
	require.Zero(t, listed[0].CompanyCount)
	require.EqualValues(t, 2, listed[1].CompanyCount)
	require.False(t, listed[0].CreatedAt.IsZero())

	_, err = w.Operator.OrganizationBySlug(t.Context(), "c")
	modelstest.RequireKind(t, models.KindNotFound, err)
	require.Contains(t, err.Error(), "there is no organization \"c\": `dispo organization list`")
}

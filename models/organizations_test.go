package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"dispo/models"
	"dispo/models/modelstest"
)

// A slug is 1 to 63 lower-case letters, digits and hyphens, with no hyphen at either
// end. Anything else is refused in a sentence that says so.
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

// A slug belongs to one organization. If several take it at once, one gets it.
func TestOrganizationSlugIsTaken(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	errs := make([]error, 6)
	var all errgroup.Group
	for i := range errs {
		all.Go(func() error {
			_, errs[i] = w.Operator.OrganizationCreate(t.Context(), "Name", "a")
			return nil
		})
	}
	require.NoError(t, all.Wait())
	created := 0
	for _, err := range errs {
		if err == nil {
			created++
			continue
		}
		modelstest.RequireKind(t, models.KindConflict, err)
		require.Equal(t, `an organization with the slug "a" already exists`, err.Error())
	}
	require.Equal(t, 1, created)
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

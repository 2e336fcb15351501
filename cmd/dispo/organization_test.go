package main_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// An organization needs a unique slug of lower-case letters, digits and hyphens, and a
// name.
func TestOrganizationCreate(t *testing.T) {
	t.Parallel()
	acme := on(modelstest.Database(t))
	r := acme.run(t, "organization", "create", "Acme & Sønner", "--slug", "acme-1")
	require.Equal(t, "created organization acme-1 (Acme & Sønner)", r.requireDone(t))
	require.Empty(t, r.err)

	acme.run(t, "organization", "create", "Other", "--slug", "acme-1").requireRefused(t, 1, `"acme-1"`, "already")
	for _, slug := range []string{"Acme", "-acme", "acme-", "a b", "æble", strings.Repeat("a", 64)} {
		acme.run(t, "organization", "create", "Other", "--slug="+slug).requireRefused(t, 1, slug, "lower-case letters, digits and hyphens")
	}
	acme.run(t, "organization", "create", "  ", "--slug", "blank").requireRefused(t, 1, "name")
}

// The list is a table, sorted by slug. Without organizations, the command says how to
// create one.
func TestOrganizationList(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	empty := on(w.URL).run(t, "organization", "list")
	require.Empty(t, empty.requireDone(t))
	require.Contains(t, empty.err, "dispo organization create NAME --slug SLUG")

	w.Organization(t, "zeta", cvr, otherCVR)
	w.Organization(t, "alfa")
	r := on(w.URL).run(t, "organization", "list")
	lines := strings.Split(r.requireDone(t), "\n")
	require.Len(t, lines, 3)
	require.Equal(t, []string{"SLUG", "NAME", "COMPANIES", "CREATED", "STATE", "KIND"}, strings.Fields(lines[0]))
	require.Regexp(t, `^alfa +Organization alfa +0 +\d{4}-\d\d-\d\d +active +real$`, lines[1])
	require.Regexp(t, `^zeta +Organization zeta +2 +\d{4}-\d\d-\d\d +active +real$`, lines[2])
	require.Empty(t, r.err)
}

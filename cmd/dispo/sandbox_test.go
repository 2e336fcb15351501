package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// A sandbox has its data at once, says how to get a key, and is listed as one. Its keys are
// test keys, and nothing can be imported for it.
func TestSandboxCommands(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	acme := on(w.URL)
	created := acme.run(t, "organization", "create", "Acme", "--slug", "acme-test", "--sandbox")
	require.Equal(t, "created sandbox acme-test (Acme)", created.requireDone(t))
	require.Regexp(t, `^It has \d\d companies and made-up deliveries of 90 days, up to \d{4}-\d\d-\d\d\.`, created.err)
	require.Contains(t, created.err, "dispo key create --organization acme-test --name NAME")
	acme.run(t, "organization", "create", "Acme", "--slug", "acme-test", "--sandbox").requireRefused(t, 1, `"acme-test"`, "already")

	list := strings.Split(acme.run(t, "organization", "list").requireDone(t), "\n")
	require.Regexp(t, `^acme-test +Acme +\d\d +\d{4}-\d\d-\d\d +active +sandbox$`, list[1])

	key := acme.run(t, "key", "create", "--organization", "acme-test", "--name", "First")
	require.Regexp(t, `^dispo_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$`, key.requireDone(t))
	require.Regexp(t, `^Created test key [0-9a-f-]{36} \(First\) of the sandbox Acme\. `, key.err)
	require.Regexp(t, ` dispo_test_\w{12}_…\w{4} `, acme.run(t, "key", "list", "--organization", "acme-test").requireDone(t))
	var keys []struct{ Sandbox bool }
	require.NoError(t, json.Unmarshal([]byte(acme.run(t, "key", "list", "--organization", "acme-test", "--json").requireDone(t)), &keys))
	require.True(t, keys[0].Sandbox)

	companies := modelstest.File(t, "companies.csv", "cvr,name\n10000001,Real\n")
	acme.run(t, "import", "companies", companies, "--organization", "acme-test").requireRefused(t, 1, "acme-test is a sandbox")
	acme.run(t, "import", "delivery", modelstest.DeliveryFile(t, modelstest.Record("10000001")), "--organization", "acme-test").requireRefused(t, 1, "acme-test is a sandbox")
	acme.run(t, "delivery", "backfill", "--organization", "acme-test").requireRefused(t, 1, "acme-test is a sandbox")
	require.Empty(t, acme.run(t, "delivery", "list").requireDone(t))
}

// The service brings the days that a sandbox lacks when it starts, and its key reads them.
func TestServiceFillsSandboxes(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	require.NoError(t, modelstest.ErrorOf(w.Operator.SandboxCreate(t.Context(), "Acme", "acme", time.Now().UTC().AddDate(0, 0, -2))))
	organization, err := w.Operator.OrganizationBySlug(t.Context(), "acme")
	require.NoError(t, err)
	_, text := w.Key(t, organization)
	service := on(modelstest.Login(t, w.URL, "dispo_app")).serve(t)
	modelstest.Eventually(t, func() bool {
		return modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM delivery_files`) == 3
	})
	answer := service.get(t, "/api/v1/companies?limit=1", text)
	require.Equal(t, http.StatusOK, answer.status, fmt.Sprint(answer))
}

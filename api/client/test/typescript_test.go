package client_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/api/apitest"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// node returns a command of Node, and fails if it is missing or too old, or if npm ci has
// not been run.
func node(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	const help = "run .ci/setup node typescript, and put .build/bin first on the PATH"
	require.NoError(t, exec.Command("node", "--eval", "process.exit(process.features.typescript ? 0 : 1)").Run(), help)
	require.FileExists(t, filepath.Join(folder, "node_modules/typescript/package.json"), help)
	command := exec.Command("node", arguments...)
	command.Dir = folder
	return command
}

// folder is the client's.
const folder = "../typescript"

const tsc = "node_modules/typescript/bin/tsc"

// The TypeScript client, its tests and the sample have no type errors, under tsc --strict and more.
func TestTypes(t *testing.T) {
	t.Parallel()
	text, err := node(t, tsc, "--noEmit").CombinedOutput()
	require.NoError(t, err, "%s", text)
}

// The README shows the sample program, which has a test of its own.
func TestReadmeShowsTheSample(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile(filepath.Join(folder, "README.md"))
	require.NoError(t, err)
	sample, err := os.ReadFile("../../../web/samples/sync.mts")
	require.NoError(t, err)
	_, code, found := strings.Cut(string(sample), "\nasync function main")
	require.True(t, found)
	require.Contains(t, string(readme), "```ts\nasync function main"+code+"```\n")
}

// The package has no dependencies at run time, and its lock file names no registry.
func TestPackageHasNoDependencies(t *testing.T) {
	t.Parallel()
	var manifest map[string]any
	text, err := os.ReadFile(filepath.Join(folder, "package.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &manifest))
	for _, field := range []string{"dependencies", "peerDependencies", "optionalDependencies"} {
		require.NotContains(t, manifest, field)
	}
	lock, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	require.NoError(t, err)
	require.NotContains(t, string(lock), `"resolved"`)
}

// The TypeScript client's own tests pass on a service.
func TestTypeScriptClient(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"client.test.ts", "sync.test.ts"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := node(t, "--test", "--test-reporter=spec", filepath.Join("test", name))
			command.Env = append(os.Environ(), serve(t)...)
			text, err := command.CombinedOutput()
			require.NoError(t, err, "%s", text)
			require.Contains(t, string(text), "ℹ skipped 0")
		})
	}
}

// serve starts a service with an organization whose companies have no transactions, one,
// three and seven of them. It returns the environment of a program that reads them, and
// that may change them by DISPO_CONTROL.
func serve(t *testing.T) []string {
	t.Helper()
	w := modelstest.NewWorld(t)
	acme := w.Organization(t, "acme")
	w.Companies(t, acme, cvrs...)
	w.Delivery(t, cvrs[1], 1)
	w.Delivery(t, cvrs[2], 7)
	w.Delivery(t, cvrs[3], 3)
	_, key := w.Key(t, acme)
	baseURL := apitest.Serve(t, w.Service, 0)

	control := http.NewServeMux()
	control.HandleFunc("/rows", func(answer http.ResponseWriter, r *http.Request) {
		rows := []map[string]string{}
		for _, x := range modelstest.Transactions(t, w.Service, acme, r.FormValue("cvr")) {
			rows = append(rows, map[string]string{"id": x.ID.String(), "amountDkk": x.AmountDKK, "rawLine": x.RawLine})
		}
		_ = json.NewEncoder(answer).Encode(rows)
	})
	control.HandleFunc("/deliver", func(answer http.ResponseWriter, r *http.Request) {
		records, err := strconv.Atoi(r.FormValue("records"))
		require.NoError(t, err)
		apitest.Change(t, baseURL, key, func() { fmt.Fprint(answer, w.Delivery(t, r.FormValue("cvr"), records).ID) })
	})
	control.HandleFunc("/withdraw", func(_ http.ResponseWriter, r *http.Request) {
		apitest.Change(t, baseURL, key, func() {
			_, err := imports.Withdraw(r.Context(), w.Operator.DB(), uuid.MustParse(r.FormValue("id")), "wrong", nil)
			require.NoError(t, err)
		})
	})
	server := httptest.NewServer(control)
	t.Cleanup(server.Close)
	return []string{"DISPO_URL=" + baseURL, "DISPO_KEY=" + key, "DISPO_CONTROL=" + server.URL}
}

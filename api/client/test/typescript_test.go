package client_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/api"
	"dispo/api/apitest"
	"dispo/api/client"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// nodeRuns is an error if Node is missing or too old, or if npm ci has not been run.
var nodeRuns = sync.OnceValue(func() error {
	_, missing := os.Stat(filepath.Join(folder, "node_modules/typescript/package.json"))
	old := exec.Command("node", "--eval", "process.exit(process.features.typescript ? 0 : 1)").Run()
	return errors.Join(missing, old)
})

// node returns a command of Node.
func node(t *testing.T, arguments ...string) *exec.Cmd {
	t.Helper()
	require.NoError(t, nodeRuns(), "run .ci/setup node typescript, and put .build/bin first on the PATH")
	command := exec.Command("node", arguments...)
	command.Dir = folder
	return command
}

// folder is the client's.
const folder = "../typescript"

const tsc = "node_modules/typescript/bin/tsc"

// The TypeScript client, its tests and the sample have no type errors, under tsc --strict and
// more. The archive has what the client is compiled to.
func TestTypes(t *testing.T) {
	t.Parallel()
	built := t.TempDir()
	text, err := node(
		t,
		tsc,
		"--noEmit",
		"false",
		"--declaration",
		"--stripInternal",
		"--rootDir",
		"../../..",
		"--outDir",
		built,
	).CombinedOutput()
	require.NoError(t, err, "%s", text)
	source := filepath.Join(built, "api/client/typescript/src")
	names, err := os.ReadDir(source)
	require.NoError(t, err)
	unpacked := t.TempDir()
	unpack(t, unpacked)
	archived, err := os.ReadDir(filepath.Join(unpacked, "dist"))
	require.NoError(t, err)
	require.Len(t, archived, len(names))
	for _, name := range names {
		now, err := os.ReadFile(filepath.Join(source, name.Name()))
		require.NoError(t, err)
		then, err := os.ReadFile(filepath.Join(unpacked, "dist", name.Name()))
		require.NoError(t, err)
		require.True(t, string(now) == string(then), "%s is out of date in the archive: run make generate", name.Name())
	}
}

// unpack unpacks the archive of /docs/clients into a folder.
func unpack(t *testing.T, folder string) {
	t.Helper()
	command := exec.Command("tar", "-xz", "--strip-components=1", "-C", folder)
	command.Stdin = bytes.NewReader(api.Clients()[archive])
	text, err := command.CombinedOutput()
	require.NoError(t, err, "%s", text)
}

const archive = "dispo-client-typescript.tar.gz"

// The archive of /docs/clients can be installed with npm, and works in every kind of program:
// imported, required, compiled and bundled.
func TestArchive(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(project, name), []byte(text), 0o600))
	}
	write(archive, string(api.Clients()[archive]))
	write("package.json", "{}")
	npm := exec.Command("npm", "install", "--offline", "--no-audit", "--no-fund", "./"+archive)
	npm.Dir = project
	// Debian's npm works with Debian's node alone, and not with the one in .build.
	path := slices.DeleteFunc(
		filepath.SplitList(os.Getenv("PATH")),
		func(folder string) bool { return strings.HasSuffix(folder, ".build/bin") },
	)
	npm.Env = append(
		os.Environ(),
		"PATH="+strings.Join(path, string(filepath.ListSeparator)),
		"npm_config_cache="+t.TempDir(),
	)
	text, err := npm.CombinedOutput()
	require.NoError(t, err, "%s", text)

	// Plain JavaScript is TypeScript too, so one program serves all.
	const sync = `new Dispo({ baseURL: process.env.DISPO_URL, key: process.env.DISPO_KEY }).sync(process.argv[2]).then((report) => console.log(report.companies, 'companies'))
`
	write("import.mjs", "import { Dispo } from 'dispo-client'\n"+sync)
	write("require.cjs", "const { Dispo } = require('dispo-client')\n"+sync)
	write("types.ts", `import { Dispo, DispoError, type Company, type Report } from 'dispo-client'
const dispo = new Dispo({ baseURL: 'https://dispo.example/api', key: 'dispo_x' })
export const names = async (companies: AsyncIterable<Company>): Promise<string[]> => { const found = []; for await (const { name } of companies) found.push(name); return found }
export const report: Promise<Report> = dispo.sync('dispo.sqlite')
export const code = (error: unknown): string | undefined => error instanceof DispoError ? error.code : undefined
// @ts-expect-error there is no such method
void dispo.nothing
void names(dispo.companies())
`)
	write(
		"types.cts",
		"import client = require('dispo-client')\nexport const dispo: client.Dispo | undefined = undefined\n",
	)
	write("nodenext.json", `{"files": ["types.ts", "types.cts"], "compilerOptions":
{"module": "nodenext", "target": "es2022", "noEmit": true, "strict": true, "skipDefaultLibCheck": true}}`)
	write("bundler.json", `{"extends": "./nodenext.json", "files": ["types.ts"], "compilerOptions":
{"module": "esnext", "moduleResolution": "bundler"}}`)
	modules, err := filepath.Abs(folder + "/node_modules")
	require.NoError(t, err)
	run := func(t *testing.T, environment []string, arguments ...string) string {
		t.Helper()
		command := node(t, arguments...)
		command.Dir, command.Env = project, append(os.Environ(), environment...)
		text, err := command.CombinedOutput()
		require.NoError(t, err, "%s", text)
		return string(text)
	}
	service := serve(t)
	requireSynced := func(t *testing.T, program string) {
		t.Helper()
		require.Equal(t, "4 companies\n", run(t, service, program, newPath(t)))
	}
	for _, program := range []string{"import.mjs", "require.cjs"} {
		t.Run(program, func(t *testing.T) {
			t.Parallel()
			requireSynced(t, program)
		})
		for _, format := range []string{"esm", "cjs"} {
			t.Run(program+" bundled to "+format, func(t *testing.T) {
				t.Parallel()
				bundled := program + map[string]string{"esm": ".bundle.mjs", "cjs": ".bundle.cjs"}[format]
				bundler := exec.Command(
					modules+"/.bin/esbuild",
					program,
					"--bundle",
					"--platform=node",
					"--format="+format,
					"--outfile="+bundled,
				)
				bundler.Dir = project
				text, err := bundler.CombinedOutput()
				require.NoError(t, err, "%s", text)
				requireSynced(t, bundled)
			})
		}
	}
	t.Run("types", func(t *testing.T) {
		t.Parallel()
		run(t, nil, modules+"/typescript/bin/tsc", "--build", "nodenext.json", "bundler.json")
	})
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

// The package has no dependencies at run time, its lock file names no registry, and its version
// is the one that both clients send.
func TestPackageHasNoDependencies(t *testing.T) {
	t.Parallel()
	var manifest map[string]any
	text, err := os.ReadFile(filepath.Join(folder, "package.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &manifest))
	for _, field := range []string{"dependencies", "peerDependencies", "optionalDependencies"} {
		require.NotContains(t, manifest, field)
	}
	source, err := os.ReadFile(filepath.Join(folder, "src/client.ts"))
	require.NoError(t, err)
	require.Contains(t, string(source), fmt.Sprintf("export const version = '%s'\n", manifest["version"]))
	require.Equal(t, manifest["version"], client.Version)
	lock, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	require.NoError(t, err)
	require.NotContains(t, string(lock), `"resolved"`)
}

// The TypeScript client's own tests pass on a service.
func TestTypeScriptClient(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"client.test.ts", "sync.test.ts", "scenario.test.ts"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := node(t, "--test-reporter=spec", filepath.Join("test", name))
			if command.Env = os.Environ(); name != "scenario.test.ts" { // whose answers are from memory
				command.Env = append(command.Env, serve(t)...)
			}
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

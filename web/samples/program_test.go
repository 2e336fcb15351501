package main_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/api"
	"dispo/models/modelstest"
)

// program is a sample, and the command that runs it.
type program struct {
	name    string
	command []string
}

var (
	folder                                   string // where the samples are
	goSample, typescriptSample, pythonSample program
)

// prepare unpacks the clients, and builds the samples with them as /docs/clients says. It prints
// the path of Python itself, because python3 may be a slow script that chooses one.
const prepare = `
cp sync.* "$1" && cd "$1" && mkdir go node_modules
tar -xzf dispo-client-typescript.tar.gz -C node_modules
mv node_modules/dispo-client-typescript node_modules/dispo-client
sed '/^.*go:build ignore/d' sync.go > go/sync.go && cd go
tar -xzf ../dispo-client-go.tar.gz
go mod init example.com/copy
go mod edit -replace dispo/api/client=./dispo-client-go
go get dispo/api/client@v0.0.0
go vet . dispo/api/client
go build -ldflags=-w -o sample
python3 -c 'import sys; print(sys.executable)' >../python
`

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if folder, err = os.MkdirTemp("", "dispo-samples-"); err != nil {
			panic(err)
		}
		defer os.RemoveAll(folder)
		for name, archive := range api.Clients() {
			if err := os.WriteFile(filepath.Join(folder, name), archive, 0o600); err != nil {
				panic(err)
			}
		}
		if text, err := exec.Command("bash", "-euc", prepare, "prepare", folder).CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s\nrun .ci/setup samples node typescript, and put .build/bin first on the PATH\n", text)
			return 1
		}
		python, _ := os.ReadFile(filepath.Join(folder, "python"))
		goSample = program{"go", []string{filepath.Join(folder, "go/sample")}}
		typescriptSample = program{"typescript", []string{"node", filepath.Join(folder, "sync.mts")}}
		pythonSample = program{"python", []string{strings.TrimSpace(string(python)), "sync.py"}}
		return modelstest.Main(m)
	}())
}

// each runs a test for each program.
func each(t *testing.T, test func(t *testing.T, s program)) {
	for _, s := range []program{goSample, typescriptSample, pythonSample} {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			test(t, s)
		})
	}
}

// process is a program that runs, and what it writes.
type process struct {
	*exec.Cmd
	out bytes.Buffer
}

// start starts the program, which is killed when ctx ends, with nothing but the address and the
// key in its environment, and where Node finds the TypeScript that it has compiled before.
func (s program) start(ctx context.Context, t *testing.T, baseURL, key string, arguments ...string) *process {
	p := &process{Cmd: exec.CommandContext(ctx, s.command[0], s.command[1:]...)}
	p.Args = append(p.Args, arguments...)
	p.Stdout, p.Stderr = &p.out, &p.out
	p.Env = []string{
		"PATH=" + os.Getenv("PATH"),
		"DISPO_URL=" + baseURL,
		"DISPO_KEY=" + key,
		"NODE_COMPILE_CACHE=" + folder,
	}
	require.NoError(t, p.Start())
	return p
}

// end waits until the process ends, and returns its exit status, or -1 if it was killed.
func (p *process) end() int {
	_ = p.Wait() // ProcessState has the result
	return p.ProcessState.ExitCode()
}

// run runs the program until it ends, requires an exit status, and returns what it wrote, which
// must not have the key.
func (s program) run(t *testing.T, status int, baseURL, key, file string) string {
	t.Helper()
	p := s.start(t.Context(), t, baseURL, key, file)
	require.Equal(t, status, p.end(), "%s", &p.out)
	require.NotContains(t, p.out.String(), strings.TrimSpace(key))
	return p.out.String()
}

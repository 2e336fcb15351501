package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/api"
	"dispo/models/modelstest"
)

// built is the folder of what is compiled.
var built string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if built, err = os.MkdirTemp("", "dispo-samples-"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(built)
		return modelstest.Main(m)
	}())
}

// program is a sample, and the command that runs it.
type program struct {
	name    string
	command func(t *testing.T) []string
}

// syncing are the samples.
var syncing = []program{
	{"go", func(t *testing.T) []string { return []string{must(t, goProgram)} }},
	{"typescript", func(t *testing.T) []string { return []string{must(t, node), must(t, nodeProgram)} }},
	pythonProgram,
}

var pythonProgram = program{"python", func(t *testing.T) []string { return []string{must(t, python), "sync.py"} }}

// each runs a test for each program.
func each(t *testing.T, test func(t *testing.T, s program)) {
	for _, s := range syncing {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			command := s.command(t)
			test(t, program{s.name, func(*testing.T) []string { return command }})
		})
	}
}

// tool returns the path of a program that must run with these arguments, and what it prints.
func tool(name string, arguments ...string) (path, output string, err error) {
	var text []byte
	if path, err = exec.LookPath(name); err == nil {
		text, err = exec.Command(path, arguments...).Output()
	}
	if err != nil {
		err = fmt.Errorf(
			"%s is missing or too old: run .ci/setup samples node typescript, and put .build/bin first on the PATH: %w",
			name,
			err,
		)
	}
	return path, strings.TrimSpace(string(text)), err
}

var node = sync.OnceValues(func() (string, error) {
	path, _, err := tool("node", "--eval", "process.exit(process.features.typescript ? 0 : 1)")
	return path, err
})

// python finds the interpreter itself, because python3 may be a slow script that chooses one.
var python = sync.OnceValues(func() (string, error) {
	_, path, err := tool("python3", "-c", "import sys; print(sys.executable)")
	return path, err
})

// must returns what has been found or compiled.
func must(t *testing.T, find func() (string, error)) string {
	t.Helper()
	path, err := find()
	require.NoError(t, err)
	return path
}

// unpack unpacks a client's archive into a folder, as /docs/clients says.
func unpack(name, folder string) error {
	packed := filepath.Join(folder, name)
	return errors.Join(
		os.MkdirAll(folder, 0o700),
		os.WriteFile(packed, api.Clients()[name], 0o600),
		run("tar", "-xzf", packed, "-C", folder),
	)
}

// goProgram builds the sample in a module of its own, with the client as /docs/clients says.
var goProgram = sync.OnceValues(func() (string, error) {
	folder := filepath.Join(built, "go")
	err := errors.Join(unpack("dispo-client-go.tar.gz", folder), copyFile("sync.go", folder),
		run("go", "-C", folder, "mod", "init", "example.com/copy"),
		run("go", "-C", folder, "mod", "edit", "-replace", "dispo/api/client=./dispo-client-go"),
		run("go", "-C", folder, "get", "dispo/api/client@v0.0.0"),
		run("go", "-C", folder, "vet", ".", "dispo/api/client"),
		run("go", "-C", folder, "build", "-o", "sample"))
	return filepath.Join(folder, "sample"), err
})

// nodeProgram installs the TypeScript client beside the sample, as npm install does.
var nodeProgram = sync.OnceValues(func() (string, error) {
	folder := filepath.Join(built, "typescript")
	modules := filepath.Join(folder, "node_modules")
	err := errors.Join(unpack("dispo-client-typescript.tar.gz", modules), copyFile("sync.mts", folder),
		os.Rename(filepath.Join(modules, "dispo-client-typescript"), filepath.Join(modules, "dispo-client")))
	return filepath.Join(folder, "sync.mts"), err
})

func copyFile(path, folder string) error {
	text, err := os.ReadFile(path)
	text = bytes.TrimPrefix(text, []byte("//go:build ignore\n\n")) // as the docs page shows it
	return errors.Join(err, os.WriteFile(filepath.Join(folder, path), text, 0o600))
}

func run(name string, arguments ...string) error {
	if text, err := exec.Command(name, arguments...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, text)
	}
	return nil
}

// process is a running program.
type process struct {
	cmd      *exec.Cmd
	out, err bytes.Buffer
	started  chan struct{}
	ended    atomic.Bool
}

// prepare returns a process that has not started.
func (s program) prepare(t *testing.T, arguments ...string) *process {
	t.Helper()
	command := append(slices.Clip(s.command(t)), arguments...)
	p := &process{cmd: exec.Command(command[0], command[1:]...), started: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that what it starts is killed with it
	return p
}

// start starts the process with nothing but the address and the key in its environment, and
// where Node finds the TypeScript that it has compiled before.
func (p *process) start(t *testing.T, baseURL, key string) {
	t.Helper()
	p.cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"),
		"DISPO_URL=" + baseURL,
		"DISPO_KEY=" + key,
		"NODE_COMPILE_CACHE=" + filepath.Join(built, "node"),
	}
	require.NoError(t, p.cmd.Start())
	close(p.started)
	t.Cleanup(p.kill)
}

// kill kills the process and everything that it has started, if it still runs.
func (p *process) kill() {
	<-p.started
	if !p.ended.Load() {
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	}
}

// wait waits until the process ends, and returns its exit status, or -1 if it was killed.
func (p *process) wait(t *testing.T) int {
	t.Helper()
	err := p.cmd.Wait()
	p.ended.Store(true)
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return p.cmd.ProcessState.ExitCode()
}

// run runs the program until it ends, and requires an exit status.
func (s program) run(t *testing.T, status int, baseURL, key, file string) *process {
	t.Helper()
	p := s.prepare(t, file)
	p.start(t, baseURL, key)
	require.Equal(t, status, p.wait(t), "%s", p)
	return p
}

// String returns what the process wrote before it ended.
func (p *process) String() string { return p.out.String() + p.err.String() }

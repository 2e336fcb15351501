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

	"dispo/models/modelstest"
)

// built is the folder of the samples that are compiled.
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

var all = []program{
	{"curl", func(t *testing.T) []string {
		tool(t, "curl", "--version")
		tool(t, "jq", "--version")
		return []string{tool(t, "bash", "--version"), "sync.sh"}
	}},
	{"go", func(t *testing.T) []string { return compiled(t, goProgram) }},
	{"typescript", func(t *testing.T) []string {
		return []string{tool(t, "node", "--eval", "process.exit(process.features.typescript ? 0 : 1)"), "sync.ts"}
	}},
	{"python", func(t *testing.T) []string { return []string{python(t), "sync.py"} }},
	{"csharp", func(t *testing.T) []string {
		if _, err := exec.LookPath("dotnet"); err != nil {
			t.Skip("NOT TESTED: the C# sample needs dotnet, which Debian does not have")
		}
		return compiled(t, csharpProgram)
	}},
}

// each runs a test for every sample.
func each(t *testing.T, test func(t *testing.T, s program)) {
	for _, s := range all {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			command := s.command(t) // skips the test if the sample cannot run here
			test(t, program{s.name, func(*testing.T) []string { return command }})
		})
	}
}

// together starts every sample with start, and then checks each one's result. It is for
// samples that wait for long, which would keep other tests from running in parallel.
func together(t *testing.T, start func(s program) *process, check func(t *testing.T, p *process, got result)) {
	started := map[string]*process{}
	for _, s := range all {
		t.Run(s.name+" starts", func(sub *testing.T) {
			command := s.command(sub)
			started[s.name] = start(program{s.name, func(*testing.T) []string { return command }})
		})
	}
	for name, p := range started {
		t.Run(name, func(t *testing.T) { check(t, p, p.result(t)) })
	}
}

// tool returns the path of a program, which must run with these arguments.
func tool(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err == nil {
		err = exec.Command(path, arguments...).Run()
	}
	require.NoError(t, err, "%s is missing or too old: run .ci/setup samples, and put .build/bin first on the PATH", name)
	return path
}

// python returns the path of the interpreter itself, because python3 may be a slow script
// that chooses one.
func python(t *testing.T) string {
	t.Helper()
	text, err := exec.Command(tool(t, "python3", "--version"), "-c", "import sys; print(sys.executable)").Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(text))
}

func compiled(t *testing.T, compile func() (string, error)) []string {
	t.Helper()
	path, err := compile()
	require.NoError(t, err)
	return []string{path}
}

var goProgram = sync.OnceValues(func() (string, error) {
	path := filepath.Join(built, "go")
	return path, compile("go", "build", "-o", path, "sync.go")
})

var csharpProgram = sync.OnceValues(func() (string, error) {
	folder := filepath.Join(built, "csharp")
	text, err := os.ReadFile("sync.cs")
	if err == nil {
		err = compile("dotnet", "new", "console", "--name", "sync", "--output", folder)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "Program.cs"), text, 0o600)
	}
	if err == nil {
		err = compile("dotnet", "build", folder, "--output", folder+"/out")
	}
	return filepath.Join(folder, "out", "sync"), err
})

func compile(name string, arguments ...string) error {
	text, err := exec.Command(name, arguments...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, text)
	}
	return nil
}

// process is a running sample.
type process struct {
	cmd      *exec.Cmd
	folder   string
	out, err bytes.Buffer
	started  chan struct{}
	ended    atomic.Bool
}

// prepare returns a process that has not started, and that copies to a folder.
func (s program) prepare(t *testing.T, folder string) *process {
	t.Helper()
	command := append(slices.Clip(s.command(t)), folder)
	p := &process{cmd: exec.Command(command[0], command[1:]...), folder: folder, started: make(chan struct{})}
	p.cmd.Stdout, p.cmd.Stderr = &p.out, &p.err
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // so that what it starts is killed with it
	return p
}

// start starts the process with nothing but these settings in its environment.
func (p *process) start(t *testing.T, settings ...string) {
	t.Helper()
	p.cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, settings...)
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

// result is the exit status and the output of a sample.
type result struct {
	status   int
	out, err string
}

// run runs the sample and waits for it.
func (s program) run(t *testing.T, folder string, settings ...string) result {
	t.Helper()
	p := s.prepare(t, folder)
	p.start(t, settings...)
	return p.result(t)
}

// result waits until the process ends.
func (p *process) result(t *testing.T) result {
	t.Helper()
	status := p.wait(t)
	return result{status, p.out.String(), p.err.String()}
}

func (r result) requireStatus(t *testing.T, status int) {
	t.Helper()
	require.Equal(t, status, r.status, "%s%s", r.out, r.err)
}

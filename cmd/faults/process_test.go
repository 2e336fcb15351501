package faults_test

import (
	"os"
	"os/exec"
	"syscall"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// process is a running program. It is killed at the end of the test.
type process struct {
	cmd      *exec.Cmd
	out, err modelstest.Log
	ended    chan struct{}
}

func (f *fleet) start(environment []string, name string, arguments ...string) *process {
	p := &process{cmd: exec.Command(name, arguments...), ended: make(chan struct{})}
	p.cmd.Env = append(
		[]string{"PATH=" + os.Getenv("PATH"), "PG_BIN=" + os.Getenv("PG_BIN"), "HOME=" + f.folder,
			"DISPO_ENV_FILE=none", "DISPO_DRAIN=0s"},
		environment...)
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr = f.folder, &p.out, &p.err
	require.NoError(f, p.cmd.Start())
	go func() {
		defer close(p.ended)
		_ = p.cmd.Wait() // ProcessState has the result
	}()
	f.Cleanup(p.kill)
	return p
}

// kill ends the process by SIGKILL, and returns when it has ended.
func (p *process) kill() { p.end(syscall.SIGKILL) }

func (p *process) end(signal syscall.Signal) {
	_ = p.cmd.Process.Signal(signal)
	<-p.ended
}

// status returns the exit status when the process ends, or -1 if a signal ended it.
func (p *process) status() int {
	<-p.ended
	return p.cmd.ProcessState.ExitCode()
}

// command starts a command of the program on the database itself.
func (f *fleet) command(arguments ...string) *process {
	return f.start(f.settings, dispo, arguments...)
}

// must runs a command that has to succeed, and returns its standard output and error.
func (f *fleet) must(arguments ...string) (out, err string) {
	f.Helper()
	p := f.command(arguments...)
	require.Zero(f, p.status(), "dispo %v: %s", arguments, p.err.String())
	return p.out.String(), p.err.String()
}

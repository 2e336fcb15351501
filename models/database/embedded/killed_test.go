package embedded

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// helperArg as first argument makes the test's binary a service that runs until it is interrupted.
const helperArg = "embedded-helper"

// helper runs a service on a data directory, with binaries from another directory, and prints its progress. When it
// is interrupted, it sends one more query before it stops.
func helper(args []string) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt)

	options := testOptions(args[0])
	options.BinDir = args[1]
	if len(args) > 2 { // where a newer PostgreSQL is
		folders = args[2:]
		s, err := Open(context.Background(), Command, options)
		if err == nil {
			_, err = s.Upgrade(context.Background(), nothing, nothing)
		}
		fmt.Println(err)
		return
	}
	s, err := Open(context.Background(), Service, options)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("started")
	<-signals
	answer, err := query(context.Background(), s, "SELECT 'drained'")
	fmt.Println(answer, err)
	fmt.Println("stopped", s.Stop())
}

// startHelper runs the helper in its own process group.
func startHelper(t *testing.T, arguments ...string) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, append([]string{helperArg}, arguments...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	return cmd, bufio.NewScanner(out)
}

// says requires the helper's next line.
func says(t *testing.T, lines *bufio.Scanner, line string) {
	t.Helper()
	require.True(t, lines.Scan(), "the helper has ended")
	require.Equal(t, line, lines.Text())
}

// realBin returns the directory of the installed PostgreSQL.
func realBin(t *testing.T) string {
	t.Helper()
	user, err := serverAccount(home{})
	require.NoError(t, err)
	bin, err := findBinaries(t.Context(), "", home{user: user}, 0)
	require.NoError(t, err)
	return bin.dir
}

// scriptBin returns a directory with scripts as binaries. In the scripts, $bin is the directory of PostgreSQL's own.
func scriptBin(t *testing.T, initdb, postgres string) string {
	t.Helper()
	dir := filepath.Dir(newDir(t))
	for name, text := range map[string]string{"initdb": initdb, "postgres": postgres} {
		text = fmt.Sprintf("#!/bin/sh\nbin='%s'\n%s\n", realBin(t), text)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
	}
	return dir
}

// halfBin has an initdb that creates half a cluster, then the file half in the data directory, and then hangs.
func halfBin(t *testing.T) string {
	t.Helper()
	return scriptBin(t, `"$bin/initdb" "$@" && rm "$2/global/pg_control" && touch "$2/half" || exit
		i=0; while [ $i -lt 200 ]; do i=$((i+1)); sleep 0.1; done; exit 1`, `exec "$bin/postgres" "$@"`)
}

const half = "postgres.new/half"

// While a server outlives the killed service, as on systems that do not signal the children of a process that dies,
// there is never a second one on the directory. The next start works when it has ended.
func TestServerOutlivesService(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	service, lines := startHelper(
		t,
		options.Dir,
		scriptBin(t, `exec "$bin/initdb" "$@"`,
			`[ "$1" = --single ] && exec "$bin/postgres" "$@"; "$bin/postgres" "$@" & wait`),
	)
	says(t, lines, "started")
	pid := postmaster(t, options.Dir)
	require.NoError(t, service.Process.Kill())
	service.Wait()
	requireSentence(t, openBriefly(t, Service, options), options.Dir, "does not answer, try again")
	require.NoError(t, syscall.Kill(pid, syscall.SIGINT))
	enterAs(t, Service, options)
}

func postmaster(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "postgres", "postmaster.pid"))
	require.NoError(t, err)
	var pid int
	_, err = fmt.Sscan(string(text), &pid)
	require.NoError(t, err)
	return pid
}

// A service that is killed while it creates the cluster does not leave half a cluster for the next start.
func TestKilledWhileCreating(t *testing.T) {
	t.Parallel()
	options := testOptions(newDir(t))
	service, _ := startHelper(t, options.Dir, halfBin(t))
	require.Eventually(t, exists(options.Dir, half), patience, pollEvery)
	require.NoError(t, service.Process.Kill())
	service.Wait()
	require.False(t, exists(options.Dir, "postgres")())

	s := enterAs(t, Service, options)
	requireAnswer(t, s, "SELECT 'here'", "here")
	require.NoDirExists(t, filepath.Join(options.Dir, "postgres.new"))
}

// Ctrl-C, which the terminal sends to the whole process group, does not stop the server, so that the service can
// finish its work.
func TestInterruptLeavesServerToService(t *testing.T) {
	t.Parallel()
	service, lines := startHelper(t, newDir(t), "")
	says(t, lines, "started")
	require.NoError(t, syscall.Kill(-service.Process.Pid, syscall.SIGINT))
	says(t, lines, "drained <nil>")
	says(t, lines, "stopped <nil>")
	require.NoError(t, service.Wait())
}

// A stale postmaster.pid does not prevent a start, even if its process id is that of a running server, which keeps
// running.
func TestStalePostmasterPid(t *testing.T) {
	t.Parallel()
	options, copied := testOptions(newDir(t)), testOptions(newDir(t))
	s := enterAs(t, Service, options)
	require.NoError(t, s.Stop())
	require.NoError(t, exec.Command("cp", "-a", options.Dir, copied.Dir).Run())
	other := enterAs(t, Service, copied)
	text, err := os.ReadFile(filepath.Join(other.home.data(), "postmaster.pid"))
	require.NoError(t, err)

	for name, stale := range map[string]string{
		"process id of another server": strings.ReplaceAll(string(text), other.home.dir, s.home.dir),
		"copied with the directory":    string(text),
	} {
		t.Run(name, func(t *testing.T) {
			for _, path := range []string{
				filepath.Join(s.home.data(), "postmaster.pid"),
				filepath.Join(s.home.data(), socketName+".lock"),
			} {
				require.NoError(t, os.WriteFile(path, []byte(stale), 0o600))
				require.NoError(t, s.home.user.own(path))
			}
			again := enterAs(t, Service, options)
			requireAnswer(t, again, "SELECT 'here'", "here")
			require.NoError(t, again.Stop())
			requireAnswer(t, other, "SELECT 'here'", "here")
		})
	}
}

package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"syscall"
)

// majorMin is the oldest supported major version of PostgreSQL.
const majorMin = 15

// binaries is a directory of PostgreSQL's programs.
type binaries struct {
	dir   string
	major int
}

// folders are patterns of the directories where distributions install PostgreSQL.
var folders = []string{
	"/usr/lib/postgresql/*/bin", // Debian, Ubuntu
	"/usr/pgsql-*/bin",          // PGDG on Red Hat
	"/usr/libexec/postgresql*",  // Alpine
	"/usr/local/pgsql/bin",      // from source
	"/opt/homebrew/opt/postgresql@*/bin",
	"/usr/local/opt/postgresql@*/bin",
}

// findBinaries finds binaries of a major version, or of any supported version if major is 0: in binDir if that is
// set, else on PATH and then in the usual directories.
func findBinaries(ctx context.Context, binDir string, h home, major int) (binaries, error) {
	if binDir != "" {
		dir, err := filepath.Abs(binDir)
		if err != nil {
			return binaries{}, fmt.Errorf("cannot use PG_BIN, set it to an absolute path: %w", err)
		}
		bin, err := probe(ctx, dir, h.user)
		if err != nil {
			return binaries{}, fmt.Errorf("PG_BIN must be the directory of PostgreSQL's programs, but %s %w", binDir, err)
		}
		if major != 0 && bin.major != major {
			return binaries{}, fmt.Errorf("the database in %s needs PostgreSQL %d, but PG_BIN is %s, which has PostgreSQL %d", h.dir, major, bin.dir, bin.major)
		}
		return bin, nil
	}
	for _, dir := range directories(filepath.SplitList(os.Getenv("PATH")), folders) {
		if bin, err := probe(ctx, dir, h.user); err == nil && (major == 0 || bin.major == major) {
			return bin, nil
		}
	}
	if major != 0 {
		return binaries{}, fmt.Errorf("the database in %s was created by PostgreSQL %d, which is not installed: install it (apt-get install postgresql-%d) or set PG_BIN to the directory of its programs", h.dir, major, major)
	}
	return binaries{}, fmt.Errorf("PostgreSQL %d or newer is not installed: install it (apt-get install postgresql), set PG_BIN to the directory of its programs, or set DATABASE_URL to use a running server", majorMin)
}

// directories returns where the programs may be: on a path, in its order, and then in folders, the newest version of
// each pattern first.
func directories(path, folders []string) (dirs []string) {
	for _, dir := range path {
		// The entry on PATH is often a link to one program; the others are beside the link's target. Files in the
		// current directory are not trusted.
		if program, err := filepath.EvalSymlinks(filepath.Join(dir, "postgres")); err == nil && filepath.IsAbs(dir) {
			dirs = append(dirs, filepath.Dir(program))
		}
	}
	for _, pattern := range folders {
		found, _ := filepath.Glob(pattern) // in order; fails only for a malformed pattern
		slices.Reverse(found)
		dirs = append(dirs, found...)
	}
	return dirs
}

var versionPattern = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// probe returns the binaries in a directory. Its error completes a sentence that starts with the directory.
func probe(ctx context.Context, dir string, user account) (binaries, error) {
	for _, program := range []string{"postgres", "initdb"} {
		if info, err := os.Stat(filepath.Join(dir, program)); err != nil || !info.Mode().IsRegular() {
			return binaries{}, fmt.Errorf("has no %s", program)
		}
	}
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user.credential}
	out, err := cmd.Output()
	if err != nil {
		return binaries{}, fmt.Errorf("has a postgres that cannot be run: %w", err)
	}
	match := versionPattern.FindSubmatch(out)
	if match == nil {
		return binaries{}, errors.New("has a postgres that does not report its version")
	}
	major, err := strconv.Atoi(string(match[1]))
	if err != nil || major < majorMin {
		return binaries{}, fmt.Errorf("has PostgreSQL %s, but version %d or newer is needed", match[1], majorMin)
	}
	return binaries{dir: dir, major: major}, nil
}

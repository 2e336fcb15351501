package embedded

import (
	"context"
	"fmt"
	"iter"
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
		bin, err := probe(ctx, dir, h.user, "postgres", "initdb")
		if err != nil {
			return binaries{}, fmt.Errorf("PG_BIN must be the directory of PostgreSQL's programs, but %s %w", binDir, err)
		}
		if major != 0 && bin.major != major {
			return binaries{}, fmt.Errorf("the database in %s needs PostgreSQL %d, but PG_BIN is %s, which has PostgreSQL %d",
				h.dir, major, bin.dir, bin.major)
		}
		return bin, nil
	}
	for bin := range installed(ctx, h.user) {
		if major == 0 || bin.major == major {
			return bin, nil
		}
	}
	if major != 0 {
		return binaries{}, fmt.Errorf("the database in %[1]s needs PostgreSQL %[3]d, which is not installed: install it "+
			"(apt-get install postgresql-%[3]d), set PG_BIN to the directory of its programs, or, if your system no longer "+
			"offers it, move the database away (mv %[2]s %[2]s.%[3]d) and restore the newest backup (dispo restore FILE)",
			h.dir, h.data(), major)
	}
	return binaries{}, fmt.Errorf("PostgreSQL %d or newer is not installed: install it (apt-get install postgresql), "+
		"set PG_BIN to the directory of its programs, or set DATABASE_URL to use a running server", majorMin)
}

// installed returns the binaries on PATH and in the usual directories. It runs each only when its turn comes,
// because that can take as long as the rest of a command.
func installed(ctx context.Context, user account) iter.Seq[binaries] {
	return func(yield func(binaries) bool) {
		for _, dir := range directories("postgres", filepath.SplitList(os.Getenv("PATH")), folders) {
			if bin, err := probe(ctx, dir, user, "postgres", "initdb"); err == nil && !yield(bin) {
				return
			}
		}
	}
}

// newest returns the newest of the installed binaries, or none.
func newest(ctx context.Context, user account) (newest binaries) {
	for bin := range installed(ctx, user) {
		if bin.major > newest.major {
			newest = bin
		}
	}
	return newest
}

// Environment returns the part of this process's environment that PostgreSQL's programs need. It has no secrets.
func Environment() []string {
	environment := []string{"LC_ALL=C"}
	for _, name := range []string{"PATH", "HOME", "TMPDIR"} {
		if value, set := os.LookupEnv(name); set {
			environment = append(environment, name+"="+value)
		}
	}
	return environment
}

// Clients is a directory with pg_dump and pg_restore.
type Clients struct {
	Dir   string
	Major int // their major version
}

// FindClients finds pg_dump and pg_restore for a server of a major version, as for the server's
// programs. They must not be older than the server. Of newer ones it prefers the oldest,
// because an older server does not understand everything that they say.
func FindClients(ctx context.Context, binDir string, major int) (Clients, error) {
	dirs := []string{binDir}
	if binDir == "" {
		dirs = directories("pg_dump", filepath.SplitList(os.Getenv("PATH")), folders)
	}
	var best Clients
	problem := fmt.Errorf("pg_dump and pg_restore are not installed: install them (apt-get install "+
		"postgresql-client-%d), or set PG_BIN to the directory of PostgreSQL's programs", major)
	for _, dir := range dirs {
		bin, err := probe(ctx, dir, account{}, "pg_dump", "pg_restore")
		switch {
		case err != nil && binDir != "":
			return best, fmt.Errorf("PG_BIN must be the directory of PostgreSQL's programs, but %s %w", binDir, err)
		case err != nil:
		case bin.major < major:
			problem = fmt.Errorf("pg_dump and pg_restore in %s are of PostgreSQL %d, but the server needs %d: install those "+
				"(apt-get install postgresql-client-%[3]d), or set PG_BIN to their directory", dir, bin.major, major)
		case best.Dir == "" || bin.major < best.Major:
			best = Clients{bin.dir, bin.major}
		}
	}
	if best.Dir == "" {
		return best, problem
	}
	return best, nil
}

// directories returns where a program may be, each once: on a path, in its order, and then in folders, the newest
// version of each pattern first.
func directories(program string, path, folders []string) (dirs []string) {
	add := func(dir string) {
		if !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
	}
	for _, dir := range path {
		// The entry on PATH is often a link to one program; the others are beside the link's target. Files in the
		// current directory are not trusted.
		if found, err := filepath.EvalSymlinks(filepath.Join(dir, program)); err == nil && filepath.IsAbs(dir) {
			add(filepath.Dir(found))
		}
	}
	for _, pattern := range folders {
		found, _ := filepath.Glob(pattern) // in order; fails only for a malformed pattern
		for _, dir := range slices.Backward(found) {
			add(dir)
		}
	}
	return dirs
}

var versionPattern = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// probe returns the binaries in a directory, which must have the programs. Its error completes a sentence that starts
// with the directory.
func probe(ctx context.Context, dir string, user account, programs ...string) (binaries, error) {
	for _, program := range programs {
		if info, err := os.Stat(filepath.Join(dir, program)); err != nil || !info.Mode().IsRegular() {
			return binaries{}, fmt.Errorf("has no %s", program)
		}
	}
	cmd := exec.CommandContext(ctx, filepath.Join(dir, programs[0]), "--version")
	cmd.Dir, cmd.Env = "/", Environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user.credential}
	out, err := cmd.Output()
	if err != nil {
		return binaries{}, fmt.Errorf("has a %s that cannot be run: %w", programs[0], err)
	}
	match := versionPattern.FindSubmatch(out)
	if match == nil {
		return binaries{}, fmt.Errorf("has a %s that does not report its version", programs[0])
	}
	major, err := strconv.Atoi(string(match[1]))
	if err != nil || major < majorMin {
		return binaries{}, fmt.Errorf("has PostgreSQL %s, but version %d or newer is needed", match[1], majorMin)
	}
	return binaries{dir: dir, major: major}, nil
}

package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	embeddedpostgres "github.com/fergusstrange/embedded-postgres"
)

// majorMin is the oldest PostgreSQL that will do.
const majorMin = 15

// fetchable are the versions that can be fetched, by their major. A new cluster gets fetchDefault.
var fetchable = map[int]embeddedpostgres.PostgresVersion{
	15: embeddedpostgres.V15,
	16: embeddedpostgres.V16,
	17: embeddedpostgres.V17,
	18: embeddedpostgres.V18,
}

const fetchDefault = 17

// binaries are PostgreSQL's programs in a directory.
type binaries struct {
	dir   string
	major int
}

// search is where binaries are looked for.
type search struct {
	path       []string // directories, first one first
	folders    []string // patterns of directories, newest version first
	repository string   // address to fetch from; the default one where empty
}

// everywhere is PATH and where distributions put PostgreSQL.
func everywhere() *search {
	return &search{
		path: filepath.SplitList(os.Getenv("PATH")),
		folders: []string{
			"/usr/lib/postgresql/*/bin", // Debian, Ubuntu
			"/usr/pgsql-*/bin",          // PGDG on Red Hat
			"/usr/libexec/postgresql*",  // Alpine
			"/usr/local/pgsql/bin",      // from source
			"/opt/homebrew/opt/postgresql@*/bin",
			"/usr/local/opt/postgresql@*/bin",
		},
	}
}

// findBinaries finds binaries of a major version, or of any that will do where that is 0: in BinDir if given,
// else on PATH, in the usual folders, among those fetched before, or else by fetching them.
func findBinaries(ctx context.Context, options Options, h home, major int) (binaries, error) {
	where := options.search
	if where == nil {
		where = everywhere()
	}

	if options.BinDir != "" {
		dir, err := filepath.Abs(options.BinDir)
		if err != nil {
			return binaries{}, fmt.Errorf("PG_BIN can't be used, so make it an absolute path: %w", err)
		}
		bin, err := probe(ctx, dir, h.user)
		if err != nil {
			return binaries{}, fmt.Errorf("PG_BIN has to name the directory of PostgreSQL's binaries, but %s %w", options.BinDir, err)
		}
		if major != 0 && bin.major != major {
			return binaries{}, fmt.Errorf("the database in %s needs PostgreSQL %d, but PG_BIN names PostgreSQL %d in %s", h.dir, major, bin.major, bin.dir)
		}
		return bin, nil
	}

	found := where.find(ctx, h.user)
	found = append(found, probeAll(ctx, []string{filepath.Join(h.binaries(), "*", "bin")}, h.user)...)
	for _, bin := range found {
		if major == 0 || bin.major == major {
			return bin, nil
		}
	}

	bin, err := where.fetch(ctx, h, major)
	if err == nil {
		return bin, nil
	}
	if major != 0 {
		return binaries{}, fmt.Errorf("the database in %s was made by PostgreSQL %d, which was not found here and could not be fetched (%w), so install that version or set PG_BIN to its binaries", h.dir, major, err)
	}
	return binaries{}, fmt.Errorf("no PostgreSQL %d or newer was found here and none could be fetched (%w), so install it (apt-get install postgresql), set PG_BIN to its binaries, or set DATABASE_URL to a running one", majorMin, err)
}

// find lists the binaries that will do, the preferred ones first.
func (s *search) find(ctx context.Context, user account) []binaries {
	var found []binaries
	for _, dir := range s.path {
		if !filepath.IsAbs(dir) {
			continue // what lies in the current directory is not to be trusted
		}
		// What is on PATH is often a link to one program, beside which the others are missing.
		program, err := filepath.EvalSymlinks(filepath.Join(dir, "postgres"))
		if err != nil {
			continue
		}
		if bin, err := probe(ctx, filepath.Dir(program), user); err == nil {
			found = append(found, bin)
		}
	}
	return append(found, probeAll(ctx, s.folders, user)...)
}

// probeAll lists the binaries that will do in the directories of some patterns, newest first.
func probeAll(ctx context.Context, patterns []string, user account) []binaries {
	var found []binaries
	for _, pattern := range patterns {
		dirs, _ := filepath.Glob(pattern) // fails for a bad pattern only
		for _, dir := range dirs {
			if bin, err := probe(ctx, dir, user); err == nil {
				found = append(found, bin)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b binaries) int { return b.major - a.major })
	return found
}

var versionPattern = regexp.MustCompile(`\(PostgreSQL\) (\d+)`)

// probe tells which version a directory holds. The error says what is wrong with the directory, as the end of a
// sentence that starts with it.
func probe(ctx context.Context, dir string, user account) (binaries, error) {
	for _, program := range []string{"postgres", "initdb"} {
		if info, err := os.Stat(filepath.Join(dir, program)); err != nil || !info.Mode().IsRegular() {
			return binaries{}, fmt.Errorf("holds no %s", program)
		}
	}
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version")
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: user.credential()}
	out, err := cmd.Output()
	if err != nil {
		return binaries{}, fmt.Errorf("holds a postgres that can't be run: %w", err)
	}
	match := versionPattern.FindSubmatch(out)
	if match == nil {
		return binaries{}, errors.New("holds a postgres that does not tell its version")
	}
	major, err := strconv.Atoi(string(match[1]))
	if err != nil || major < majorMin {
		return binaries{}, fmt.Errorf("holds PostgreSQL %s, where %d or newer is needed", match[1], majorMin)
	}
	return binaries{dir: dir, major: major}, nil
}

// fetch downloads binaries into a folder of the cache, which is there whole or not at all.
func (s *search) fetch(ctx context.Context, h home, major int) (binaries, error) {
	if major == 0 {
		major = fetchDefault
	}
	version, known := fetchable[major]
	if !known {
		return binaries{}, errors.New("there is no download of that version")
	}
	cache := h.binaries()
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return binaries{}, err
	}
	unfinished := filepath.Join(cache, "unfinished")
	if err := os.RemoveAll(unfinished); err != nil {
		return binaries{}, err
	}
	defer os.RemoveAll(unfinished)

	if err := download(ctx, s.repository, version, unfinished); err != nil {
		return binaries{}, err
	}
	tree := filepath.Join(unfinished, "tree")
	if err := errors.Join(h.letIn(), allowReading(cache, tree)); err != nil {
		return binaries{}, err
	}
	place := filepath.Join(cache, strconv.Itoa(major))
	if err := os.RemoveAll(place); err != nil {
		return binaries{}, err
	}
	if err := os.Rename(tree, place); err != nil {
		return binaries{}, err
	}
	bin, err := probe(ctx, filepath.Join(place, "bin"), h.user)
	if err != nil {
		return binaries{}, fmt.Errorf("the fetched archive %w", err)
	}
	return bin, nil
}

// nowhere is a path that can't exist.
const nowhere = "\x00"

// download has the library fetch and unpack an archive into dir/tree. The library knows no way to do only that:
// it goes on to start a server, and here stops at a data directory that can't exist. It can't be interrupted
// either, so when ctx ends it is left to itself, and what it still writes is removed before the next download.
func download(ctx context.Context, repository string, version embeddedpostgres.PostgresVersion, dir string) error {
	tree := filepath.Join(dir, "tree")
	config := embeddedpostgres.DefaultConfig().
		Version(version).
		Port(0).
		CachePath(filepath.Join(dir, "archive")).
		RuntimePath(tree).
		BinariesPath(tree).
		DataPath(nowhere).
		Logger(io.Discard)
	if repository != "" {
		config = config.BinaryRepositoryURL(repository)
	}

	result := make(chan error, 1)
	go func() { result <- embeddedpostgres.NewDatabase(config).Start() }()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case err := <-result:
		if err != nil && strings.Contains(err.Error(), nowhere) {
			return nil // it came past the unpacking
		}
		return err
	}
}

// allowReading lets the server's user read what was unpacked under this process's umask.
func allowReading(cache, tree string) error {
	if err := os.Chmod(cache, 0o755); err != nil {
		return err
	}
	return filepath.WalkDir(tree, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		mode := info.Mode().Perm() | 0o444
		if mode&0o100 != 0 {
			mode |= 0o111
		}
		return os.Chmod(path, mode)
	})
}

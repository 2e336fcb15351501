// Package backup writes a database into one file, proves that the file has everything, and
// fills a new database from it.
//
// The file is a zip archive of the dump, in pg_dump's custom format, the manifest, and the
// server's secret if that was wanted. Nothing is compressed, because the dump is already.
package backup

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"dispo/migrations"
	"dispo/models/backup/record"
	"dispo/models/database/embedded"
	"dispo/models/disk"
)

// The files in the archive.
const (
	dumpName     = "database.dump"
	manifestName = "manifest.json"
	secretName   = "secret"
)

// most is how large the others than the dump may be, in bytes. The manifest has about 1 kB for
// each organization, so this ends at about 16,000 of them.
var most = map[string]int{manifestName: 16 << 20, secretName: 1 << 10}

const (
	openLimit = 10 * time.Second // for a file to answer
	lockLimit = time.Minute      // for a backup to lock the file that it has made
)

// Source is a database to back up.
type Source struct {
	URL     string        // for pg_dump, as a login that may work as dispo_operator
	Pool    *pgxpool.Pool // the same, working as dispo_operator
	BinDir  string        // PG_BIN
	Program string        // the version of dispo
	Secret  []byte        // to include; nil for none
}

// Create writes a backup to path, with mode 0600. The file gets its name when it is complete
// and on disk. What root writes belongs to the owner of the folder.
func Create(ctx context.Context, source Source, path string) (m Manifest, err error) {
	info, err := disk.Ask(ctx, openLimit, path, func() (fs.FileInfo, error) { return os.Stat(path) })
	if errors.Is(err, disk.ErrSilent) {
		return m, fmt.Errorf("cannot write the backup to %s: %w", path, err)
	} else if err == nil && !info.Mode().IsRegular() {
		return m, fmt.Errorf("cannot write the backup: %s is a folder or a device, so name a file, such as %s", path,
			filepath.Join(path, "2026-11-24.dispo"))
	}
	folder, name := filepath.Split(path)
	folder = cmp.Or(folder, ".")
	file, err := os.CreateTemp(folder, name+".partial-*")
	if err != nil {
		return m, fmt.Errorf("cannot write the backup: %w", err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_EX) // so that removeCutOff leaves it alone
	_ = disk.GiveToFolder(file)                        // not every file system has owners
	removeCutOff(folder, name)
	if m, err = source.write(ctx, file); err != nil {
		return m, err
	}
	if err = errors.Join(file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(path))
	}
	if err != nil {
		err = fmt.Errorf("cannot write the backup: %w", err)
	}
	return m, err
}

// removeCutOff removes what backups that were killed left in the folder, of that name or of any
// with the usual suffix. A running one locks its file, soon after it has made it.
func removeCutOff(folder, name string) {
	for _, whole := range []string{name, "*" + record.Suffix} {
		paths, _ := filepath.Glob(filepath.Join(folder, whole+".partial-*"))
		for _, path := range paths {
			file, err := os.Open(path)
			if err != nil {
				continue
			}
			locked := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
			info, err := file.Stat()
			if locked == nil && err == nil && time.Since(info.ModTime()) > lockLimit {
				_ = os.Remove(path)
			}
			file.Close()
		}
	}
}

// Stream writes a backup to out once it is complete.
func Stream(ctx context.Context, source Source, out io.Writer) (m Manifest, err error) {
	file, err := os.CreateTemp("", "dispo-backup.partial-*")
	if err != nil {
		return m, fmt.Errorf("cannot write the backup: %w", err)
	}
	defer file.Close()
	_ = os.Remove(file.Name()) // so that nothing is left of it, even if this process is killed
	if m, err = source.write(ctx, file); err != nil {
		return m, err
	}
	if _, err = io.Copy(out, io.NewSectionReader(file, 0, math.MaxInt64)); err != nil {
		err = fmt.Errorf("cannot write the backup: %w", err)
	}
	return m, err
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// write writes a backup to an empty file.
func (source Source) write(ctx context.Context, file io.Writer) (m Manifest, err error) {
	// One transaction's snapshot serves the manifest and the dump.
	tx, err := source.Pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return m, fmt.Errorf("cannot read the database: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	_, err = tx.Exec(ctx, unlimited, true)
	if err != nil {
		return m, fmt.Errorf("cannot read the database: %w", err)
	}
	began, err := row[struct {
		Snapshot string
		Server   int
		At       time.Time
		Bytes    int64
	}](ctx, tx,
		`SELECT pg_export_snapshot() AS snapshot, current_setting('server_version_num')::int / 10000 AS server, now() AS at,
			(SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
				WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'm')) AS bytes`)
	if err == nil {
		m.Contents, err = readContents(ctx, tx)
	}
	if err != nil {
		return m, fmt.Errorf("cannot read the database: %w", err)
	}
	clients, err := embedded.FindClients(ctx, source.BinDir, began.Server)
	if err != nil {
		return m, err
	}
	m.Program, m.PostgreSQL, m.At, m.Bytes = "dispo "+source.Program, clients.Major, began.At.UTC(), began.Bytes
	if m.Contents.version() > migrations.Latest() { // that serves this program, so it is the next release's
		m.Program = "the release after " + m.Program
	}

	archive := zip.NewWriter(file)
	dump, err := m.entry(archive, dumpName)
	if err != nil {
		return m, err
	}
	sum := sha256.New()
	err = program(ctx, clients, "pg_dump", source.URL, nil, io.MultiWriter(dump, sum), "--format=custom",
		"--schema=public", "--no-password", "--enable-row-security", "--role=dispo_operator", "--snapshot="+began.Snapshot)
	if failed := archive.Flush(); failed != nil { // pg_dump only knows that its pipe broke
		return m, fmt.Errorf("cannot write the backup: %w", failed)
	}
	if err != nil {
		return m, err
	}
	m.SHA256 = hex.EncodeToString(sum.Sum(nil))
	manifest, err := json.MarshalIndent(m, "", "  ")
	if err == nil {
		err = m.add(archive, manifestName, append(manifest, '\n'))
	}
	if err == nil && source.Secret != nil {
		err = m.add(archive, secretName, source.Secret)
	}
	if err = errors.Join(err, archive.Close()); err != nil {
		err = fmt.Errorf("cannot write the backup: %w", err)
	}
	return m, err
}

// entry begins a file of the archive, which its owner alone may read once it is extracted.
func (m Manifest) entry(archive *zip.Writer, name string) (io.Writer, error) {
	header := &zip.FileHeader{Name: name, Method: zip.Store, Modified: m.At}
	header.SetMode(0o600)
	return archive.CreateHeader(header)
}

func (m Manifest) add(archive *zip.Writer, name string, content []byte) error {
	if len(content) > most[name] {
		return fmt.Errorf("its %s would have %d bytes, and a restore accepts %d", name, len(content), most[name])
	}
	to, err := m.entry(archive, name)
	if err == nil {
		_, err = to.Write(content)
	}
	return err
}

// File is a backup whose checksums are right.
type File struct {
	Manifest Manifest
	Secret   []byte // nil if it has none
	archive  *zip.ReadCloser
}

// Open opens a backup and compares its checksums, which reads all of it. The caller must
// close it.
func Open(path string) (*File, error) {
	info, err := disk.Ask(context.Background(), openLimit, path, func() (fs.FileInfo, error) { return os.Stat(path) })
	if errors.Is(err, disk.ErrSilent) {
		return nil, fmt.Errorf("cannot read the backup: %s: %w", path, err)
	} else if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is a folder or a device, and no backup", path)
	}
	archive, err := zip.OpenReader(path)
	if _, unreadable := errors.AsType[*fs.PathError](err); unreadable {
		return nil, fmt.Errorf("cannot read the backup: %w", err)
	} else if err != nil {
		return nil, fmt.Errorf("%s is not a backup that dispo made, or is cut off: use another one", path)
	}
	f := &File{archive: archive}
	if err := f.compare(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s is damaged, or not a backup that dispo made: use another one (%w)", path, err),
			archive.Close())
	}
	return f, nil
}

// Close closes the file.
func (f *File) Close() error { return f.archive.Close() }

// compare reads everything, and compares its checksums.
func (f *File) compare() error {
	for _, file := range f.archive.File {
		if file.Method != zip.Store {
			return fmt.Errorf("its %s is compressed", file.Name)
		}
	}
	manifest, err := f.read(manifestName)
	if err == nil {
		err = json.Unmarshal(manifest, &f.Manifest)
	}
	if err != nil {
		return err
	}
	if f.Secret, err = f.read(secretName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dump, err := f.archive.Open(dumpName)
	if err != nil {
		return err
	}
	defer dump.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, dump); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != f.Manifest.SHA256 {
		return errors.New("its dump is another one's")
	}
	return nil
}

// read returns the content of a file that is not larger than dispo writes it.
func (f *File) read(name string) ([]byte, error) {
	if info, err := fs.Stat(f.archive, name); err == nil && info.Size() > int64(most[name]) {
		return nil, fmt.Errorf("its %s has more than %d bytes", name, most[name])
	}
	return fs.ReadFile(f.archive, name) // which reads no more than that size
}

// program runs one of PostgreSQL's programs on the database at address. Its error has the
// first one that the program writes.
func program(
	ctx context.Context, clients embedded.Clients, name, address string, in io.Reader, out io.Writer, arguments ...string,
) error {
	connection, environment, password, err := connection(address, clients.Major)
	if err != nil {
		return err
	}
	if password != "" {
		file, err := serviceFile("sslpassword=" + password)
		if err != nil {
			return fmt.Errorf("cannot hand the key's password to %s: %w", name, err)
		}
		defer os.Remove(file)
		connection, environment = connection+"&service=dispo", append(environment, "PGSERVICEFILE="+file)
	}
	var said bytes.Buffer
	cmd := exec.CommandContext(ctx, filepath.Join(clients.Dir, name), append(arguments, "--dbname="+connection)...)
	cmd.Env = append(embedded.Environment(), environment...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, &said
	if err = cmd.Run(); err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	text := strings.TrimSpace(said.String())
	if _, first, found := strings.Cut(text, "error: "); found {
		text = first
	}
	line, _, _ := strings.Cut(text, "\n")
	return fmt.Errorf("%s failed (%w): %s", name, err, line)
}

// serviceFile writes a file with the service dispo, for its owner's eyes only.
func serviceFile(setting string) (path string, err error) {
	file, err := os.CreateTemp("", "dispo-service-*")
	if err != nil {
		return "", err
	}
	_, err = file.WriteString("[dispo]\n" + setting + "\n")
	if err = errors.Join(err, file.Close()); err != nil {
		_ = os.Remove(file.Name())
	}
	return file.Name(), err
}

// passed are the parameters of an address that PostgreSQL's programs get, besides those that
// begin with ssl. The others are of the session, which these programs set themselves, or of the pool.
var passed = strings.Fields("host hostaddr port user dbname connect_timeout target_session_attrs channel_binding " +
	"gssencmode krbsrvname service passfile options")

// connection returns an address for PostgreSQL's programs, without passwords, because other users
// of a machine see arguments, and what they need besides: the environment with the password, and the
// password of the client's key, for which there is no variable. net/url does not read every
// address that these programs do, such as one with several hosts and their ports.
func connection(address string, major int) (_ string, environment []string, keyPassword string, _ error) {
	errAddress := errors.New("PostgreSQL's programs need the database's address as " +
		"postgres://user:password@host:port/database")
	scheme, rest, _ := strings.Cut(address, "://")
	if scheme != "postgres" && scheme != "postgresql" {
		return "", nil, "", errAddress
	}
	var user, password string
	if login, hosts, found := strings.Cut(rest, "@"); found && !strings.Contains(login, "/") {
		user, password, _ = strings.Cut(login, ":")
		rest = hosts
	}
	rest, text, _ := strings.Cut(rest, "?")
	password, errPassword := url.PathUnescape(password)
	parameters, errParameters := url.ParseQuery(text)
	if errPassword != nil || errParameters != nil {
		return "", nil, "", errAddress
	}
	password, keyPassword = cmp.Or(parameters.Get("password"), password), parameters.Get("sslpassword")
	serviceFile := parameters.Get("servicefile") // not in an address before PostgreSQL 18
	if keyPassword != "" && serviceFile != "" {
		return "", nil, "", errors.New("the database's address has sslpassword= and servicefile=: move sslpassword into " +
			"the service's file")
	}
	maps.DeleteFunc(parameters, func(name string, _ []string) bool {
		return name == "sslpassword" || !strings.HasPrefix(name, "ssl") && !slices.Contains(passed, name)
	})
	// As dispo itself does: of several hosts use the primary, and trust the system's authorities.
	if strings.Contains(rest+parameters.Get("host"), ",") && !parameters.Has("target_session_attrs") {
		parameters.Set("target_session_attrs", "read-write")
	}
	if major >= 16 && strings.HasPrefix(parameters.Get("sslmode"), "verify") && !parameters.Has("sslrootcert") {
		parameters.Set("sslrootcert", "system")
	}
	if password != "" {
		environment = append(environment, "PGPASSWORD="+password)
	}
	if serviceFile != "" {
		environment = append(environment, "PGSERVICEFILE="+serviceFile)
	}
	text = strings.ReplaceAll(parameters.Encode(), "+", "%20") // as these programs read a blank
	return scheme + "://" + user + "@" + rest + "?" + text, environment, keyPassword, nil
}

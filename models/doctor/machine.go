package doctor

import (
	"context"
	"errors"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"dispo/models/database"
	"dispo/models/erasures"
)

// FewFiles is the limit of open files below which a service warns.
const FewFiles = 10_000

const (
	spaceWarning = 3 << 30 // three Excel files that are being made
	spaceFailure = 100 << 20
	backupAge    = 26 * time.Hour
)

// settings looks for settings that serve refuses, or that are valid but unsafe.
func (d *doctor) settings(_ context.Context, f *findings) error {
	if d.Refused != nil {
		f.fail("", "`dispo serve` refuses these settings: %v.", d.Refused)
	}
	if d.PublicURL.Scheme == "http" && !loopback(d.PublicURL.Hostname()) {
		f.warn("Put a proxy with a certificate in front of the service.",
			"DISPO_PUBLIC_URL is not https: passwords and keys can be read on their way.")
	}
	if d.DatabaseURL != "" && len(d.Ignored) > 0 {
		f.warn("Write what the connection needs into DATABASE_URL, and unset them.",
			"PG… variables have no effect: %s.", strings.Join(d.Ignored, ", "))
	}
	if slices.ContainsFunc(d.TrustedProxies, func(p netip.Prefix) bool { return p.Bits() == 0 }) {
		f.fail("Name the addresses of your proxies alone.",
			"DISPO_TRUSTED_PROXIES trusts every address: anybody can pretend to have another one.")
	}
	if config, err := pgxpool.ParseConfig(
		d.DatabaseURL,
	); err == nil && d.DatabaseURL != "" && (config.ConnConfig.TLSConfig == nil || config.ConnConfig.TLSConfig.InsecureSkipVerify) &&
		!loopback(config.ConnConfig.Host) {
		f.warn("Add ?sslmode=verify-full to DATABASE_URL, unless its network is private.",
			"The connection to the database may lead elsewhere, or be read on its way.")
	}
	return nil
}

// loopback reports whether a host, or the folder of a socket, is on this machine.
func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasPrefix(host, "/") || err == nil && ip.IsLoopback()
}

// machine checks what the service needs of the machine.
func (d *doctor) machine(ctx context.Context, f *findings) error {
	var files syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files) == nil && files.Cur < FewFiles {
		f.warn("Raise the limit to 10000, such as with LimitNOFILE= in systemd or `ulimit -n`.",
			"At most %d files may be open, and each connection needs one.", files.Cur)
	}
	f.folder(os.TempDir(), "TMPDIR")
	if _, err := os.Stat(d.Data); err == nil {
		f.folder(d.Data, "DISPO_DATA")
		secret := filepath.Join(d.Data, "secret")
		if info, err := os.Stat(secret); err == nil && info.Mode().Perm()&0o077 != 0 {
			f.warn("Run: chmod 600 "+secret, "DISPO_SECRET may be read by others than its owner.")
		}
	}
	if d.Erasures != "" {
		_, err := erasures.Read(ctx, d.Erasures)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			f.fail("", "%v.", err)
		}
		if !errors.Is(err, erasures.ErrSilent) { // else its folder would not answer either
			f.folder(filepath.Dir(d.Erasures), "DISPO_ERASURES")
		}
	}
	return nil
}

// backups looks at the newest backup.
func (d *doctor) backups(_ context.Context, f *findings) error {
	if d.Backups == "" {
		f.warn("Set it to the folder of your backups, or see by other means that there are some.",
			"not checked, because DISPO_BACKUPS is not set")
		return nil
	}
	path, at, err := NewestBackup(d.Backups)
	switch age := time.Since(at); {
	case err != nil:
		f.fail("Correct DISPO_BACKUPS.", "The backups cannot be seen: %v.", err)
	case path == "":
		f.warn("Run `dispo backup` every day.", "There is no backup in %s.", d.Backups)
	case age > backupAge:
		f.warn("See why the daily `dispo backup` does not run.",
			"The newest backup, %s, is %d hours old.", path, int(age.Hours()))
	default:
		f.ok("the newest, %s, is %d hours old", path, int(age.Hours()))
	}
	return nil
}

// NewestBackup returns the newest backup in a folder, or "".
func NewestBackup(folder string) (path string, at time.Time, err error) {
	entries, err := os.ReadDir(folder)
	for _, entry := range entries {
		info, err := entry.Info() // it may have been deleted meanwhile
		if err == nil && info.Mode().IsRegular() && filepath.Ext(entry.Name()) == ".dispo" && info.ModTime().After(at) {
			path, at = filepath.Join(folder, entry.Name()), info.ModTime()
		}
	}
	return path, at, err
}

// folder checks that files can be written to a setting's folder, and its space.
func (f *findings) folder(path, setting string) {
	var disk syscall.Statfs_t
	file, err := os.CreateTemp(path, ".dispo-doctor-*")
	if err == nil {
		err = errors.Join(file.Close(), os.Remove(file.Name()), syscall.Statfs(path, &disk))
	}
	free := int64(disk.Bavail) * disk.Bsize
	switch {
	case err != nil:
		f.fail("Let dispo's user write there, or set "+setting+" to another place.",
			"The folder of %s, %s, cannot be used: %v.", setting, path, database.RootCause(err))
	case free < spaceFailure:
		f.fail("Make room there.", "The folder of %s, %s, has %d MB left.", setting, path, free>>20)
	case free < spaceWarning:
		f.warn("Make room there.", "The folder of %s, %s, has %d MB left.", setting, path, free>>20)
	}
}

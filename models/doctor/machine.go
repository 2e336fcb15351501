package doctor

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"dispo/models/database"
	"dispo/models/database/embedded"
	"dispo/models/disk"
	"dispo/models/erasures"
)

// FewFiles is the limit of open files below which a service warns.
const FewFiles = 10_000

const (
	spaceWarning = 3 << 30 // three Excel files that are being made
	spaceFailure = 500 << 20
	folderLimit  = 5 * time.Second
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
	if len(d.Misspelt) > 0 {
		f.warn("Correct their names where they are set.",
			"These variables are not settings, and have no effect: %s.", strings.Join(d.Misspelt, ", "))
	}
	if slices.ContainsFunc(d.TrustedProxies, func(p netip.Prefix) bool { return p.Bits() == 0 }) {
		f.fail("Name the addresses of your proxies alone.",
			"DISPO_TRUSTED_PROXIES trusts every address: anybody can pretend to have another one.")
	}
	for _, setting := range [][2]string{{"DATABASE_URL", d.DatabaseURL}, {"DATABASE_READ_URL", d.ReadURL}} {
		name, url := setting[0], setting[1]
		config, err := pgconn.ParseConfig(url)
		if err == nil && url != "" && (config.TLSConfig == nil || config.TLSConfig.InsecureSkipVerify) &&
			!loopback(config.Host) {
			f.warn("Add ?sslmode=verify-full to "+name+", unless its network is private.",
				"The connection to the database may lead elsewhere, or be read on its way.")
		}
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
	if d.Erasures != "" {
		if _, err := erasures.Read(ctx, d.Erasures); err != nil && !errors.Is(err, fs.ErrNotExist) {
			f.fail("", "%v.", err)
		}
	}
	folders := Folders(d.Data, d.Erasures, d.Backups)
	for _, setting := range slices.Sorted(maps.Keys(folders)) {
		f.folder(ctx, setting, folders[setting])
	}
	outdated := func() (string, error) { return embedded.Outdated(ctx, d.Data), nil }
	if warning, _ := disk.Ask(ctx, folderLimit, d.Data, outdated); warning != "" {
		f.warn("", "%s.", warning)
	}
	for _, path := range d.SecretFiles { // a group may read them, such as the service's
		info, err := disk.Ask(ctx, folderLimit, path, func() (fs.FileInfo, error) { return os.Stat(path) })
		if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o007 != 0 {
			f.warn("Run: chmod 600 "+path, "The secrets in %s can be read by other users.", path)
		}
	}
	return nil
}

// Folders returns the folders that the service or its commands write to, by the settings that name
// them. Those of the data, the backups and the erasures may be empty.
func Folders(data, erasures, backups string) map[string]string {
	folders := map[string]string{"TMPDIR": os.TempDir(), "DISPO_DATA": data, "DISPO_BACKUPS": backups}
	if erasures != "" {
		folders["DISPO_ERASURES"] = filepath.Dir(erasures)
	}
	maps.DeleteFunc(folders, func(_, path string) bool { return path == "" })
	return folders
}

// folder checks that files can be written to a setting's folder, and its space.
func (f *findings) folder(ctx context.Context, setting, path string) {
	free, err := disk.Ask(ctx, folderLimit, path, func() (int64, error) {
		if setting != "DISPO_BACKUPS" { // which the service only reads
			file, err := os.CreateTemp(path, ".dispo-doctor-*")
			if err == nil {
				err = errors.Join(file.Close(), os.Remove(file.Name()))
			}
			if err != nil {
				return 0, err
			}
		}
		return disk.Free(path)
	})
	switch {
	case errors.Is(err, fs.ErrNotExist) && (setting == "DISPO_DATA" || setting == "DISPO_BACKUPS"):
		// The checks of the database and the backups say so.
	case err != nil:
		f.fail("Let dispo's user write there, or set "+setting+" to another place.",
			"The folder of %s, %s, cannot be used: %v.", setting, path, database.RootCause(err))
	case free < spaceFailure:
		f.fail("Make room there.", "The folder of %s, %s, has %d MB left.", setting, path, free>>20)
	case free < spaceWarning:
		f.warn("Make room there.", "The folder of %s, %s, has %d MB left.", setting, path, free>>20)
	}
}

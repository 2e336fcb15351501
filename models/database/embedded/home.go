package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// port is part of the socket's name; nothing listens on TCP.
	port       = "5432"
	socketName = ".s.PGSQL." + port

	// socketPathMax is the longest socket path that every system allows (sun_path of macOS without its NUL).
	socketPathMax = 103

	lockName = "postgres.lock"
	nextName = "postgres.new"

	// swapName is a file in the new cluster of an upgrade. In `postgres.new` it says that the old cluster may have been
	// renamed already.
	swapName = "dispo.swap"

	// currentLogs is where PostgreSQL names the file that its collector writes, such as "stderr log/postgresql-Sat.log".
	currentLogs = "current_logfiles"
)

// home is a data directory and the user that its server runs under.
type home struct {
	dir     string // absolute, without symbolic links
	user    account
	cluster string // in place of "postgres"
}

func (h home) data() string { return filepath.Join(h.dir, cmp.Or(h.cluster, "postgres")) }
func (h home) next() string { return filepath.Join(h.dir, nextName) }       // that is being created
func (h home) old() string  { return filepath.Join(h.dir, "postgres.old") } // that was upgraded
func (h home) logs() string { return filepath.Join(h.data(), "log") }

// openHome chooses the server's user. It creates the directory if it is missing and create is set.
func openHome(dir string, create bool) (home, error) {
	if dir == "" {
		return home{}, errors.New("the embedded database needs a data directory, set --data")
	}
	abs, err := filepath.Abs(dir)
	if err == nil && create {
		err = os.MkdirAll(filepath.Dir(abs), 0o755)
		if made := os.Mkdir(abs, 0o700); err == nil && !errors.Is(made, fs.ErrExist) {
			err = made
		}
	} else if _, missing := os.Lstat(filepath.Join(abs, lockName)); errors.Is(missing, fs.ErrNotExist) {
		return home{}, none(dir)
	}
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err == nil && len(filepath.Join(abs, "postgres", socketName)) > socketPathMax {
		err = errors.New("its path is too long for a socket")
	}
	if err == nil && strings.ContainsAny(abs, ",\r\n") {
		err = errors.New("its path has a comma, which separates hosts in the address of a database, or a line break")
	}
	h := home{dir: abs}
	if err == nil {
		h.user, err = serverAccount(h)
	}
	if err != nil {
		return home{}, fmt.Errorf("cannot use %s as data directory, choose another --data: %w", dir, err)
	}
	return h, nil
}

func none(dir string) error {
	return fmt.Errorf("%w in %s: create one with `dispo organization create`, or name the right directory with --data "+
		"(DISPO_DATA)", ErrNone, dir)
}

// account is the user that the server runs under. Without a credential it is this process's own.
type account struct {
	name       string
	credential *syscall.Credential
}

// serverAccount returns this process's own user. PostgreSQL refuses to run as root: for root it returns the owner
// of the cluster or of the directory, else postgres, else nobody.
func serverAccount(h home) (account, error) {
	if uid := os.Geteuid(); uid != 0 {
		return account{name: strconv.Itoa(uid)}, nil
	}
	for _, path := range []string{h.data(), h.dir} {
		if info, err := os.Stat(path); err == nil {
			if uid, gid := owner(info); uid != 0 {
				return account{strconv.Itoa(int(uid)), &syscall.Credential{Uid: uid, Gid: gid}}, nil
			}
		}
	}
	for _, name := range []string{"postgres", "nobody"} {
		if u, err := user.Lookup(name); err == nil {
			uid, _ := strconv.ParseUint(u.Uid, 10, 32)
			gid, _ := strconv.ParseUint(u.Gid, 10, 32)
			if uid != 0 && gid != 0 {
				return account{name, &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
			}
		}
	}
	return account{}, errors.New("PostgreSQL refuses to run as root, create a user named postgres for it")
}

func (a account) own(path string) error {
	if a.credential == nil {
		return nil
	}
	return os.Lchown(path, int(a.credential.Uid), int(a.credential.Gid))
}

func owner(info fs.FileInfo) (uid, gid uint32) {
	stat := info.Sys().(*syscall.Stat_t)
	return stat.Uid, stat.Gid
}

// letIn gives the server's user access to a directory that only root may enter.
func (h home) letIn() error {
	info, err := os.Stat(h.dir)
	if err != nil {
		return err
	}
	if uid, _ := owner(info); h.user.credential == nil || uid != 0 || info.Mode().Perm()&0o077 != 0 {
		return nil
	}
	return errors.Join(os.Chown(h.dir, -1, int(h.user.credential.Gid)), os.Chmod(h.dir, info.Mode().Perm()|0o010))
}

// open opens a file of the home. It creates a missing file so that only the server's user and root have access.
func (h home) open(name string, flag int) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(h.dir, name), flag|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
	if err == nil {
		err = h.user.own(file.Name())
	}
	return file, err
}

// write replaces the text of a file of the home.
func (h home) write(name, text string) error {
	file, err := h.open(name, os.O_WRONLY|os.O_TRUNC)
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Close())
}

// version returns the major version that created the cluster, or 0 if there is none.
func (h home) version() (int, error) {
	text, err := os.ReadFile(filepath.Join(h.data(), "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("cannot read the database in %s: %w", h.dir, err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("%s has no data of PostgreSQL %d or newer, choose another --data: %w", h.data(), majorMin, err)
	}
	return major, nil
}

// clearStale removes the lock files of a server that has ended: this process has the lock, which that server's
// processes would hold. PostgreSQL would consider that server to be running if another process has its process id by
// now. clearStale returns an error if a server that was started by other means is running.
func (h home) clearStale(ctx context.Context) error {
	pidFile := filepath.Join(h.data(), "postmaster.pid")
	text, _ := os.ReadFile(pidFile)
	// Process id, data directory, start time, port, directory of the socket.
	if lines := strings.Split(string(text), "\n"); len(lines) > 4 && lines[1] == h.data() {
		conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix",
			filepath.Join(lines[4], ".s.PGSQL."+lines[3]))
		if err == nil {
			conn.Close()
			return fmt.Errorf("another PostgreSQL, which dispo did not start, is running on %s with process id %s, stop it "+
				"first", h.data(), lines[0])
		}
	}
	socket := filepath.Join(h.data(), socketName)
	for _, path := range []string{
		pidFile, socket, socket + ".lock", filepath.Join(h.data(), currentLogs), filepath.Join(h.data(), swapName),
	} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cannot remove the files of an earlier run in %s: %w", h.dir, err)
		}
	}
	return nil
}

package embedded

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// port is part of the socket's name; nothing listens on TCP.
	port       = "5432"
	socketName = ".s.PGSQL." + port

	// socketPathMax is the longest socket path that every system allows (sun_path of macOS without its NUL).
	socketPathMax = 103

	// logMax is the size of the log in bytes above which a start renames it.
	logMax = 16 << 20

	// orphanPatience is how long a server whose owner is gone is given to shut down in good order.
	orphanPatience = 20 * time.Second
)

// home is a data directory and the user that its server runs under.
type home struct {
	dir  string // absolute, without symbolic links
	user account
}

func (h home) data() string    { return filepath.Join(h.dir, "postgres") }
func (h home) logFile() string { return filepath.Join(h.dir, "postgres.log") }

// socket returns the directory of the server's socket. It is in the home, or, if that path is too long for a
// socket, in /tmp under a name derived from the home's path.
func (h home) socket() string {
	dir := filepath.Join(h.dir, "socket")
	if len(filepath.Join(dir, socketName)) <= socketPathMax {
		return dir
	}
	return fmt.Sprintf("/tmp/dispo-%x", sha256.Sum256([]byte(h.dir)))[:len("/tmp/dispo-")+32]
}

// openHome creates the directory if it is missing and chooses the server's user.
func openHome(dir string) (home, error) {
	if dir == "" {
		return home{}, errors.New("the embedded database needs a data directory, set --data")
	}
	unusable := func(err error) (home, error) {
		if errors.Is(err, fs.ErrPermission) {
			return home{}, notOurs(dir, err)
		}
		return home{}, fmt.Errorf("cannot use %s as data directory, choose another --data: %w", dir, err)
	}

	abs, err := filepath.Abs(dir)
	if err != nil {
		return unusable(err)
	}
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		return unusable(err)
	}
	if err := os.Mkdir(abs, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return unusable(err)
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return unusable(err)
	}

	h := home{dir: abs}
	if h.user, err = serverAccount(h); err != nil {
		return home{}, err
	}
	locks := filepath.Join(h.dir, "lock")
	if err = os.Mkdir(locks, 0o700); err == nil {
		err = h.give(locks)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return unusable(err)
	}
	return h, nil
}

// notOurs returns the error for a directory that belongs to another user.
func notOurs(dir string, err error) error {
	return fmt.Errorf("this user has no access to the data directory %s, run dispo as its owner or choose another --data: %w", dir, err)
}

// letIn gives the server's user access to a directory that only root may enter.
func (h home) letIn() error {
	info, err := os.Stat(h.dir)
	if err != nil {
		return err
	}
	uid, _ := owner(info)
	if !h.user.other || uid != 0 || info.Mode().Perm()&0o077 != 0 {
		return nil
	}
	return errors.Join(os.Chown(h.dir, -1, h.user.gid), os.Chmod(h.dir, info.Mode().Perm()|0o010))
}

// give makes the directory's owner the owner of a file that root created.
func (h home) give(path string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(h.dir)
	if err != nil {
		return err
	}
	uid, gid := owner(info)
	return os.Lchown(path, uid, gid)
}

// open opens a file of the home. It creates a missing file so that only the directory's owner has access.
func (h home) open(name string, flag int) (*os.File, error) {
	path := filepath.Join(h.dir, name)
	file, err := os.OpenFile(path, flag|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return os.OpenFile(path, flag|unix.O_NOFOLLOW, 0o600)
	}
	if err != nil {
		return nil, err
	}
	if err := h.give(path); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// openLog opens the server's log for appending. It first renames a log that has grown large.
func (h home) openLog() (*os.File, error) {
	if info, err := os.Stat(h.logFile()); err == nil && info.Size() > logMax {
		os.Rename(h.logFile(), h.logFile()+".old") //nolint:errcheck // without it, the log keeps growing
	}
	file, err := h.open(filepath.Base(h.logFile()), os.O_RDWR|os.O_APPEND)
	if err != nil {
		return nil, fmt.Errorf("cannot write the log of the database: %w", err)
	}
	return file, nil
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
		return 0, fmt.Errorf("%s has no data of PostgreSQL 15 or newer, choose another --data: %w", h.data(), err)
	}
	return major, nil
}

// alone shuts down a server of an earlier run whose owner is gone. It returns the server lock once no process of
// that server is left.
func (h home) alone(ctx context.Context) (*lock, error) {
	alive, err := openLock(h, "server")
	if err != nil {
		return nil, err
	}
	began := time.Now()
	for {
		free, err := alive.try(unix.LOCK_EX)
		if free {
			return alive, nil
		}
		if err == nil {
			err = pause(ctx)
		}
		if err == nil && time.Since(began) > 2*orphanPatience {
			err = os.ErrDeadlineExceeded
		}
		if err != nil {
			alive.file.Close()
			return nil, fmt.Errorf("PostgreSQL of an earlier run is still running in %s, try again or stop it: %w", h.dir, err)
		}

		signal := syscall.SIGINT // fast shutdown
		if time.Since(began) > orphanPatience {
			signal = syscall.SIGQUIT // immediate shutdown
		}
		if p := h.postmaster(); p.pid > 1 {
			syscall.Kill(p.pid, signal) //nolint:errcheck // the lock shows whether it worked
		}
	}
}

// postmaster is the content of postmaster.pid. The server that wrote it may have ended.
type postmaster struct {
	pid    int
	data   string
	socket string
}

func (h home) postmaster() postmaster {
	text, _ := os.ReadFile(filepath.Join(h.data(), "postmaster.pid"))
	lines := strings.Split(string(text), "\n")
	if len(lines) < 5 {
		return postmaster{}
	}
	pid, _ := strconv.Atoi(lines[0])
	return postmaster{pid: pid, data: lines[1], socket: filepath.Join(lines[4], ".s.PGSQL."+lines[3])}
}

// clearStale removes the lock files of a server that has ended. PostgreSQL would consider that server to be running
// if another process has its process id by now. clearStale returns an error if a server that was started by other
// means is running.
func (h home) clearStale(ctx context.Context) error {
	if p := h.postmaster(); p.data == h.data() {
		if conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", p.socket); err == nil {
			conn.Close()
			return fmt.Errorf("another PostgreSQL, which dispo did not start, is running on %s with process id %d, stop it first", h.data(), p.pid)
		}
	}
	for _, path := range []string{
		filepath.Join(h.data(), "postmaster.pid"),
		filepath.Join(h.socket(), socketName),
		filepath.Join(h.socket(), socketName+".lock"),
	} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("cannot remove the files of an earlier run in %s: %w", h.dir, err)
		}
	}
	return nil
}

// makeSocketDir creates the socket's directory. Only the server's user and root may enter it, because the server
// trusts every connection to the socket.
func (h home) makeSocketDir() error {
	dir := h.socket()
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("cannot create the directory of the database's socket: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("cannot use the directory of the database's socket: %w", err)
	}
	uid, _ := owner(info)
	if !info.IsDir() || info.Mode().Perm() != 0o700 || (uid != h.user.uid && uid != os.Geteuid()) {
		return fmt.Errorf("%s, for the database's socket, must be a directory that only user %s can access, remove it", dir, h.user.name)
	}
	return h.user.own(dir)
}

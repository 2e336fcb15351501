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

	// socketPathMax is how long a socket's path may be on every system (sun_path of macOS less its NUL).
	socketPathMax = 103

	// logMax is the size in bytes from which on a start puts the log aside.
	logMax = 16 << 20

	// orphanPatience is how long a server whose owner is gone is given to shut down in good order.
	orphanPatience = 20 * time.Second
)

// home is a data directory, and the user that the server in it runs under.
type home struct {
	dir  string // absolute, without symbolic links
	user account
}

func (h home) data() string    { return filepath.Join(h.dir, "postgres") }
func (h home) logFile() string { return filepath.Join(h.dir, "postgres.log") }

// socket is the directory of the server's socket: in the home, or in /tmp under a name derived from it where
// the path would be too long for a socket.
func (h home) socket() string {
	dir := filepath.Join(h.dir, "socket")
	if len(filepath.Join(dir, socketName)) <= socketPathMax {
		return dir
	}
	return fmt.Sprintf("/tmp/dispo-%x", sha256.Sum256([]byte(h.dir)))[:len("/tmp/dispo-")+32]
}

// openHome makes the directory where it is missing, and decides about the server's user.
func openHome(dir string) (home, error) {
	if dir == "" {
		return home{}, errors.New("the embedded database needs a data directory, so give one with --data")
	}
	unusable := func(err error) (home, error) {
		if errors.Is(err, fs.ErrPermission) {
			return home{}, notOurs(dir, err)
		}
		return home{}, fmt.Errorf("%s can't be used as data directory, so make it usable or choose another --data: %w", dir, err)
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

// notOurs is the error for a directory that belongs to another user.
func notOurs(dir string, err error) error {
	return fmt.Errorf("the data directory %s is not open to this user, so run dispo as the user it belongs to or choose another --data: %w", dir, err)
}

// letIn allows the server's user to pass through a directory that root keeps for itself.
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

// give hands a file that root made to the directory's owner.
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

// open opens a file of the home, made where it is missing for the directory's owner alone.
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

// openLog opens the server's log to write at its end, put aside first where it has grown large.
func (h home) openLog() (*os.File, error) {
	if info, err := os.Stat(h.logFile()); err == nil && info.Size() > logMax {
		os.Rename(h.logFile(), h.logFile()+".old") //nolint:errcheck // then it grows on
	}
	file, err := h.open(filepath.Base(h.logFile()), os.O_RDWR|os.O_APPEND)
	if err != nil {
		return nil, fmt.Errorf("the log of the database can't be written: %w", err)
	}
	return file, nil
}

// version is the major version that the cluster was made with, 0 where there is none.
func (h home) version() (int, error) {
	text, err := os.ReadFile(filepath.Join(h.data(), "PG_VERSION"))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("the database in %s can't be read: %w", h.dir, err)
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0, fmt.Errorf("%s holds no PostgreSQL data of version 15 or newer, so choose another --data: %w", h.data(), err)
	}
	return major, nil
}

// alone returns the server lock when no process of an earlier run is left, a server whose owner is gone having
// been shut down.
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
			return nil, fmt.Errorf("a PostgreSQL of an earlier run is still busy in %s, so try again or end it: %w", h.dir, err)
		}

		signal := syscall.SIGINT // fast shutdown
		if time.Since(began) > orphanPatience {
			signal = syscall.SIGQUIT // immediate shutdown
		}
		if p := h.postmaster(); p.pid > 1 {
			syscall.Kill(p.pid, signal) //nolint:errcheck // the lock tells whether it helped
		}
	}
}

// postmaster is what a server, running or gone, has noted about itself in postmaster.pid.
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

// clearStale removes the lock files of a server that is gone: PostgreSQL would take them for a running server's
// where their process id belongs to another process by now. A server that somebody started by hand is not gone.
func (h home) clearStale(ctx context.Context) error {
	if p := h.postmaster(); p.data == h.data() {
		if conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "unix", p.socket); err == nil {
			conn.Close()
			return fmt.Errorf("a PostgreSQL that dispo did not start runs on %s with process id %d, so stop it first", h.data(), p.pid)
		}
	}
	for _, path := range []string{
		filepath.Join(h.data(), "postmaster.pid"),
		filepath.Join(h.socket(), socketName),
		filepath.Join(h.socket(), socketName+".lock"),
	} {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("what an earlier run left in %s can't be removed: %w", h.dir, err)
		}
	}
	return nil
}

// makeSocketDir makes the socket's directory, which only the server's user and root may enter, since whoever
// reaches the socket is trusted.
func (h home) makeSocketDir() error {
	dir := h.socket()
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrExist) {
		err = nil
	}
	if err != nil {
		return fmt.Errorf("the directory of the database's socket can't be made: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("the directory of the database's socket can't be used: %w", err)
	}
	uid, _ := owner(info)
	if !info.IsDir() || info.Mode().Perm() != 0o700 || (uid != h.user.uid && uid != os.Geteuid()) {
		return fmt.Errorf("%s, where the database's socket belongs, is not a directory of user %s alone, so remove it", dir, h.user.name)
	}
	return h.user.own(dir)
}

package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// pollEvery is the time between two looks at something that another process will change.
const pollEvery = 10 * time.Millisecond

// lock is a file to flock: the system gives it up when its holder ends, however it ends. The files stay, since
// to remove one would let two processes lock two files of one name. There are four in Dir/lock:
//
//	gate    held while the server is started, joined or stopped: behind it the server is ready or nobody's
//	owner   held by the process that is the server's parent; its text says who that is
//	users   held shared by the commands that use another's server; its owner waits to have it alone
//	server  held by the server's own processes, which inherit it: free means that none of them is alive
type lock struct {
	file *os.File
}

// openLock opens a lock of a home, without taking it.
func openLock(h home, name string) (*lock, error) {
	file, err := h.open(filepath.Join("lock", name), os.O_RDWR)
	if errors.Is(err, fs.ErrPermission) {
		return nil, notOurs(h.dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("the data directory %s can't be locked: %w", h.dir, err)
	}
	return &lock{file: file}, nil
}

// try takes the lock, as unix.LOCK_EX or unix.LOCK_SH, unless that means waiting.
func (l *lock) try(how int) (bool, error) {
	for {
		err := unix.Flock(int(l.file.Fd()), how|unix.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, fmt.Errorf("%s can't be locked, so choose a --data on a local disk: %w", l.file.Name(), err)
		}
	}
}

// wait takes the lock alone, as soon as it is free.
func (l *lock) wait(ctx context.Context) error {
	for {
		if taken, err := l.try(unix.LOCK_EX); taken || err != nil {
			return err
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// release gives the lock up, to be taken again.
func (l *lock) release() {
	unix.Flock(int(l.file.Fd()), unix.LOCK_UN) //nolint:errcheck // fails for a closed file only, which is as good
}

// write notes in the lock who holds it.
func (l *lock) write(r role) error {
	if err := l.file.Truncate(0); err != nil {
		return fmt.Errorf("%s can't be written: %w", l.file.Name(), err)
	}
	if _, err := l.file.WriteAt(fmt.Appendf(nil, "%s %d\n", r, os.Getpid()), 0); err != nil {
		return fmt.Errorf("%s can't be written: %w", l.file.Name(), err)
	}
	return nil
}

// read tells who holds the lock. It is true only while somebody does.
func (l *lock) read() (kind role, pid string) {
	text := make([]byte, 64)
	n, _ := l.file.ReadAt(text, 0)
	first, pid, _ := strings.Cut(strings.TrimSpace(string(text[:n])), " ")
	return role(first), pid
}

// pause waits for the time between two looks, or fails when ctx ends.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(pollEvery):
		return nil
	}
}

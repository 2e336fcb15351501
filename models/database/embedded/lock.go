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

// pollEvery is how often to check for a change that another process makes.
const pollEvery = 10 * time.Millisecond

// lock is a file to flock: the kernel releases the lock when its holder ends in any way. The files are never
// removed, because then two processes could lock two files with the same name. There are four in Dir/lock:
//
//	gate    held while the server is started, joined or stopped; its holder finds the server ready or without an owner
//	owner   held by the server's parent process, which writes its role and process id to it
//	users   held shared by the commands that joined the server; the owner takes it exclusively before it stops
//	server  inherited and held by the server's own processes; if it is free, none of them is alive
type lock struct {
	file *os.File
}

// openLock opens a lock file of a home without taking the lock.
func openLock(h home, name string) (*lock, error) {
	file, err := h.open(filepath.Join("lock", name), os.O_RDWR)
	if errors.Is(err, fs.ErrPermission) {
		return nil, notOurs(h.dir, err)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot lock the data directory %s: %w", h.dir, err)
	}
	return &lock{file: file}, nil
}

// try takes the lock if it can do so without waiting. how is unix.LOCK_EX or unix.LOCK_SH.
func (l *lock) try(how int) (bool, error) {
	for {
		err := unix.Flock(int(l.file.Fd()), how|unix.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, unix.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, unix.EINTR):
			return false, fmt.Errorf("cannot lock %s, choose a --data on a local disk: %w", l.file.Name(), err)
		}
	}
}

// wait takes the lock exclusively as soon as it is free.
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

// release releases the lock, which can be taken again.
func (l *lock) release() {
	unix.Flock(int(l.file.Fd()), unix.LOCK_UN) //nolint:errcheck // fails only for a closed file, which has no lock
}

// write records this process as the lock's holder.
func (l *lock) write(r role) error {
	if err := l.file.Truncate(0); err != nil {
		return fmt.Errorf("cannot write %s: %w", l.file.Name(), err)
	}
	if _, err := l.file.WriteAt(fmt.Appendf(nil, "%s %d\n", r, os.Getpid()), 0); err != nil {
		return fmt.Errorf("cannot write %s: %w", l.file.Name(), err)
	}
	return nil
}

// read returns the lock's holder. It is valid only while the lock is held.
func (l *lock) read() (kind role, pid string) {
	text := make([]byte, 64)
	n, _ := l.file.ReadAt(text, 0)
	first, pid, _ := strings.Cut(strings.TrimSpace(string(text[:n])), " ")
	return role(first), pid
}

// pause waits for pollEvery, or returns an error when ctx is done.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(pollEvery):
		return nil
	}
}

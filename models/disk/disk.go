// Package disk asks for files and folders with a time limit, because on a mount that is gone,
// and in a pipe that nobody writes to, they never answer. It also gives files their owner.
package disk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"golang.org/x/sync/singleflight"
)

// ErrSilent means that a file or folder does not answer.
var ErrSilent = errors.New("it does not answer")

var asking singleflight.Group

// Ask returns the answer to a question about a path, or ErrSilent when the time is over. A
// question of the same type about the same path waits for the answer to one that is open, so a
// mount that is gone keeps one thread.
func Ask[T any](
	ctx context.Context, limit time.Duration, path string, question func() (T, error),
) (answer T, err error) {
	select {
	case found := <-asking.DoChan(fmt.Sprintf("%T of %s", answer, path), func() (any, error) { return question() }):
		answer, _ = found.Val.(T)
		return answer, found.Err
	case <-time.After(limit):
		return answer, ErrSilent
	case <-ctx.Done():
		return answer, ctx.Err()
	}
}

// ReadFile is os.ReadFile, or ErrSilent after 30 seconds: enough to type the password of a program
// that writes to a pipe.
func ReadFile(path string) ([]byte, error) {
	return Ask(context.Background(), 30*time.Second, path, func() ([]byte, error) { return os.ReadFile(path) })
}

// Free returns how many bytes others than root may still write to the disk of a folder.
func Free(path string) (int64, error) {
	var disk syscall.Statfs_t
	err := syscall.Statfs(path, &disk)
	return int64(disk.Bavail) * disk.Bsize, err
}

// GiveToFolder gives a file that root has made to the owner of its folder: the service may run
// as that user, and needs it.
func GiveToFolder(file *os.File) error {
	if os.Geteuid() != 0 {
		return nil
	}
	folder, err := os.Stat(filepath.Dir(file.Name()))
	if err != nil {
		return err
	}
	owner := folder.Sys().(*syscall.Stat_t)
	return file.Chown(int(owner.Uid), int(owner.Gid))
}

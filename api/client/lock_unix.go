//go:build unix

package client

import (
	"errors"
	"os"
	"syscall"
)

// lockFile creates a file if it is missing, and locks it until it is closed or the process
// ends. It returns ErrLocked if the file is locked already.
func lockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = ErrLocked
	}
	if err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

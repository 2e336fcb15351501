package client

import (
	"errors"
	"os"
	"syscall"
)

// lockFile creates a file if it is missing, and opens it so that nobody else can, until it
// is closed or the process ends. It returns ErrLocked if the file is open already.
func lockFile(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	const notShared, sharingViolation = 0, syscall.Errno(32)
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ, notShared, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, ErrLocked
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(handle), path), nil
}

package models

import (
	"os"
	"path/filepath"
	"syscall"
)

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

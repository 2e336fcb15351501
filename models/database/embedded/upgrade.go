package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Outdated returns a warning if the machine has a newer PostgreSQL than the database in a directory, else "".
func Outdated(ctx context.Context, dir string) string {
	h, err := openHome(dir, false)
	major, unread := h.version()
	to := newest(ctx, h.user).major
	if err != nil || unread != nil || major == 0 || major >= to {
		return ""
	}
	return fmt.Sprintf("the database is PostgreSQL %d's, and this machine has PostgreSQL %d: before PostgreSQL %[1]d "+
		"is removed, stop the service and run `dispo postgres upgrade`", major, to)
}

// Upgrade calls backup, and moves the database to the newest PostgreSQL on the machine. It calls compare while the new
// server runs, and then puts the new cluster in place. It returns where the old one is now. After an error the database
// is what it was. Only Stop may follow.
func (s *Server) Upgrade(ctx context.Context, backup, compare func() error) (old string, err error) {
	from, to := s.bin, newest(ctx, s.home.user)
	_, left := os.Lstat(s.home.old())
	switch {
	case s.process == nil:
		return "", fmt.Errorf("%w: stop the service first (systemctl stop dispo)", ErrInUse)
	case to.major <= from.major:
		return "", fmt.Errorf("this machine has no PostgreSQL that is newer than the database's, %d: install one first",
			from.major)
	case left == nil:
		return "", fmt.Errorf("%[1]s is left from an earlier upgrade: delete it (rm -r %[1]s)", s.home.old())
	}
	if err = backup(); err == nil {
		err = s.process.stop()
	}
	if err == nil {
		s.options.Log.Info("upgrading the database", "dir", s.home.dir, "from", from.dir, "to", to.dir)
		s.bin = to
		err = s.build(ctx, from.dir, s.home.data())
	}
	if err == nil {
		s.home.cluster = nextName
		if err = s.start(ctx); err == nil {
			err = errors.Join(compare(), s.process.stop())
		}
		s.home.cluster = ""
	}
	if err == nil {
		err = s.home.write(filepath.Join(nextName, swapName), "")
	}
	if err == nil {
		err = os.Rename(s.home.data(), s.home.old())
	}
	if err != nil {
		return "", fmt.Errorf("the database is still PostgreSQL %d's: %w", from.major, err)
	}
	return s.home.old(), os.Rename(s.home.next(), s.home.data()) // the next start undoes the first if this fails
}

package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
	"syscall"
)

// account is the user that the server runs under.
type account struct {
	name  string
	uid   int
	gid   int
	other bool // than the one this process runs under
}

// serverAccount is this process's own user, or, since PostgreSQL refuses root, as root whoever has the cluster
// or the directory, else postgres, else nobody.
func serverAccount(h home) (account, error) {
	if uid := os.Geteuid(); uid != 0 {
		return account{name: strconv.Itoa(uid), uid: uid, gid: os.Getegid()}, nil
	}

	for _, path := range []string{h.data(), h.dir} {
		info, err := os.Stat(path)
		if err != nil {
			continue
		}
		if uid, gid := owner(info); uid != 0 {
			name := strconv.Itoa(uid)
			if u, err := user.LookupId(name); err == nil {
				name = u.Username
			}
			return account{name: name, uid: uid, gid: gid, other: true}, nil
		}
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.Atoi(u.Uid)
		gid, gidErr := strconv.Atoi(u.Gid)
		if uidErr == nil && gidErr == nil && uid != 0 {
			return account{name: name, uid: uid, gid: gid, other: true}, nil
		}
	}
	return account{}, errors.New("PostgreSQL refuses to run as root, so create a user postgres for it, or run dispo as another user")
}

// own makes the account the owner of a file that this process made.
func (a account) own(path string) error {
	if !a.other {
		return nil
	}
	if err := os.Lchown(path, a.uid, a.gid); err != nil {
		return fmt.Errorf("%s can't be given to user %s, under which PostgreSQL runs: %w", path, a.name, err)
	}
	return nil
}

// credential is what a process needs to run under the account, nil where it does anyway.
func (a account) credential() *syscall.Credential {
	if !a.other {
		return nil
	}
	return &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
}

// owner is the user and the group of a file.
func owner(info fs.FileInfo) (uid, gid int) {
	stat := info.Sys().(*syscall.Stat_t)
	return int(stat.Uid), int(stat.Gid)
}

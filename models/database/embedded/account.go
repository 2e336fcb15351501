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
	other bool // not this process's own user
}

// serverAccount returns this process's own user. PostgreSQL refuses to run as root: for root it returns the owner
// of the cluster or of the directory, else postgres, else nobody.
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
	return account{}, errors.New("PostgreSQL refuses to run as root: create a user named postgres for it, or run dispo as another user")
}

// own makes the account the owner of a file that this process created.
func (a account) own(path string) error {
	if !a.other {
		return nil
	}
	if err := os.Lchown(path, a.uid, a.gid); err != nil {
		return fmt.Errorf("cannot make user %s, who runs PostgreSQL, the owner of %s: %w", a.name, path, err)
	}
	return nil
}

// credential returns the credential to run a process under the account, or nil if this process already does.
func (a account) credential() *syscall.Credential {
	if !a.other {
		return nil
	}
	return &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}
}

// owner returns the user and group of a file.
func owner(info fs.FileInfo) (uid, gid int) {
	stat := info.Sys().(*syscall.Stat_t)
	return int(stat.Uid), int(stat.Gid)
}

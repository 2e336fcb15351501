//go:build unix && !linux

package embedded

import "syscall"

// attributes run a program in its own session, as another user if one is given. If the parent is killed, the
// server keeps running until the next start shuts it down.
func attributes(credential *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Credential: credential}
}

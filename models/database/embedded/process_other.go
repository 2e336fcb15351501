//go:build unix && !linux

package embedded

import "syscall"

// attributes run a program in its own session, as another user if one is given. If the parent is killed, the
// server keeps running.
func attributes(credential *syscall.Credential, _ syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Credential: credential}
}

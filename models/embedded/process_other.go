//go:build unix && !linux

package embedded

import "syscall"

// attributes put a program in a session of its own, under another user where one is given. A server whose
// parent is killed stays here, until the next start shuts it down.
func attributes(credential *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Credential: credential}
}

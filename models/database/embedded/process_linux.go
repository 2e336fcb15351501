package embedded

import "syscall"

// attributes run a program in its own session, as another user if one is given. If the parent dies, even by
// kill -9, the kernel tells PostgreSQL to do a fast shutdown.
func attributes(credential *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Credential: credential, Pdeathsig: syscall.SIGINT}
}

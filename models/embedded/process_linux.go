package embedded

import "syscall"

// attributes put a program in a session of its own, under another user where one is given. PostgreSQL is told
// to shut down fast when its parent dies, also by kill -9.
func attributes(credential *syscall.Credential) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Credential: credential, Pdeathsig: syscall.SIGINT}
}

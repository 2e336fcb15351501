package embedded

import "syscall"

// attributes run a program in its own session, as another user if one is given. If the parent dies, even by
// kill -9, the kernel sends the program a signal.
func attributes(credential *syscall.Credential, ending syscall.Signal) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Credential: credential, Pdeathsig: ending}
}

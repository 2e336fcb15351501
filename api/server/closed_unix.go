//go:build unix

package server

import "syscall"

// peerClosed looks at what arrived on a socket, and leaves it for the next request.
func peerClosed(descriptor uintptr) bool {
	n, _, err := syscall.Recvfrom(int(descriptor), make([]byte, 1), syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	return n == 0 && err == nil || err == syscall.ECONNRESET
}

package database

import "golang.org/x/sys/unix"

// limitSilence also breaks a connection on which something sent was not received, which
// keepalive does not cover. On a unix socket it does nothing.
func limitSilence(socket int) {
	_ = unix.SetsockoptInt(socket, unix.IPPROTO_TCP, unix.TCP_USER_TIMEOUT, int(silence.Milliseconds()))
}

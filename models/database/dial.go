package database

import (
	"net"
	"syscall"
	"time"
)

// silence is how long the other machine may not answer before a connection counts as broken.
// The service's requests have shorter deadlines. Commands and watchers have none, and TCP by
// itself would wait for a quarter of an hour.
const silence = time.Minute

// dialer opens connections that break when the other machine disappears.
var dialer = net.Dialer{
	KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: silence / 2, Interval: silence / 6, Count: 3},
	Control: func(_, _ string, socket syscall.RawConn) error {
		return socket.Control(func(fd uintptr) { limitSilence(int(fd)) })
	},
}

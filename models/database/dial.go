package database

import (
	"net"
	"syscall"
	"time"
)

// silence is how long a machine may be silent until a connection to it counts as broken. The
// service's requests have shorter deadlines. A command or a watcher has none: by TCP's own
// rules it would wait for a quarter of an hour.
const silence = time.Minute

// dialer opens connections that break when the other machine is gone without a word.
var dialer = net.Dialer{
	KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: silence / 2, Interval: silence / 6, Count: 3},
	Control: func(_, _ string, socket syscall.RawConn) error {
		return socket.Control(func(fd uintptr) { limitSilence(int(fd)) })
	},
}

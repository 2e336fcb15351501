package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// reader takes nothing until it is released.
type reader struct {
	released chan struct{}
	taken    bytes.Buffer
	ended    bool
}

func (r *reader) Write(p []byte) (int, error) {
	<-r.released
	if r.ended {
		return 0, syscall.EPIPE
	}
	return r.taken.Write(p)
}

// Lines that find no room because their reader is slow, and all lines of one that has ended,
// are dropped and counted. They hold up nobody. The service's log says how many they were.
func TestAccessLogDropsLines(t *testing.T) {
	t.Parallel()
	for _, ended := range []bool{false, true} {
		slow, written := &reader{released: make(chan struct{}), ended: ended}, 0
		var service bytes.Buffer
		log, lines := newAccessLog(slow, slog.New(slog.NewTextHandler(&service, nil)))
		for ; lines.dropped.Load() < 3; written++ {
			log.Info("", "path", strings.Repeat("x", 1<<16))
		}
		require.Greater(t, written*(1<<16), accessLogMost)
		close(slow.released)
		lines.close()
		require.Contains(t, service.String(), fmt.Sprintf("nobody read them in time\" lines=%d\n", lines.dropped.Load()))
		require.EqualValues(t, written, lines.dropped.Load()+int64(strings.Count(slow.taken.String(), "\n")))
		require.Equal(t, ended, slow.taken.Len() == 0)
	}
}

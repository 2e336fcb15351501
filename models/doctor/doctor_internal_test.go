package doctor

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A check that never ends, whatever its context says, does not keep the others waiting.
func TestHangingCheckIsLeftAlone(t *testing.T) {
	t.Parallel()
	hangs := check{limit: time.Millisecond, run: func(context.Context, *findings) error { select {} }}
	require.Equal(t, findings{{Level: Failure, Message: "This was not answered within 1ms.", Do: "See whether the machine or the network hangs."}}, hangs.within(t.Context()))
}

// A clock that differs is a warning, and a failure when codes of second factors are refused.
func TestClocks(t *testing.T) {
	t.Parallel()
	for ahead, level := range map[time.Duration]Level{0: OK, time.Minute: Failure, -time.Minute: Failure, 20 * time.Second: Warning, -20 * time.Second: Warning} {
		var f findings
		f.compare("Redis", time.Now().Add(ahead), time.Now())
		require.Equal(t, level, f[0].Level, "%v %s", ahead, f[0].Message)
	}
}

package doctor

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A clock that differs is a warning, and a failure when codes of second factors are refused.
func TestClocks(t *testing.T) {
	t.Parallel()
	for ahead, level := range map[time.Duration]Level{0: OK, time.Minute: Failure, -time.Minute: Failure, 20 * time.Second: Warning, -20 * time.Second: Warning} {
		var f findings
		require.NoError(t, f.compare(func() (time.Time, string, error) { return time.Now().Add(ahead), "Redis", nil }))
		require.Equal(t, level, f[0].Level, "%v %s", ahead, f[0].Message)
	}
}

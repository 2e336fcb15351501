package accounts

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Known devices come first, and networks take turns, whatever the order and the number
// of their attempts.
func TestQueueOrder(t *testing.T) {
	t.Parallel()
	q := newQueue(1)
	done, err := q.wait(t.Context(), false, "busy")
	require.NoError(t, err)

	turns := make(chan string)
	join := func(name string, known bool, network string) {
		w := &waiting{turn: make(chan struct{})}
		require.True(t, q.join(w, known, network))
		go func() {
			<-w.turn
			turns <- name
		}()
	}
	for i := range 5 {
		join(fmt.Sprint("flood ", i), false, "flood")
	}
	join("office 0", false, "office")
	join("office 1", false, "office")
	join("home", false, "home")
	join("known", true, "flood")
	var order []string
	for done(); len(order) < 9; q.done() {
		order = append(order, <-turns)
	}
	require.Equal(t, []string{"known", "flood 0", "office 0", "home", "flood 1", "office 1", "flood 2", "flood 3", "flood 4"}, order)

	done, err = q.wait(t.Context(), false, "anyone")
	require.NoError(t, err, "the place is free again")
	done()
}

// Who gives up waiting leaves the queue and takes nobody's place. A network that sends
// too many is turned away at once, and does not keep others out.
func TestQueueBounds(t *testing.T) {
	t.Parallel()
	q := newQueue(1)
	done, err := q.wait(t.Context(), false, "busy")
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, known := range []bool{true, false} {
		_, err = q.wait(ended, known, "gone")
		require.ErrorIs(t, err, errCrowded)
	}
	for range waitingPerNetwork {
		require.True(t, q.join(&waiting{turn: make(chan struct{})}, false, "flood"))
	}
	_, err = q.wait(t.Context(), false, "flood")
	require.ErrorIs(t, err, errCrowded)
	honest := &waiting{turn: make(chan struct{})}
	require.True(t, q.join(honest, false, "office"))
	done()
	q.done() // after one attempt of the flood
	<-honest.turn
	require.Empty(t, q.known)
}

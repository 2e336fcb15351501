package main_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models/modelstest"
)

// On a terminal, a withdrawal asks first, and does nothing unless the answer is yes.
func TestDeliveryWithdrawAsks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.run(t, "import", "delivery", file(t, "delivery.csv", delivery(cvr))).requireDone(t)
	id := deliveryID(t, w.URL)
	for _, c := range []struct {
		answer string
		left   int
	}{{"\n", 1}, {"no\n", 1}, {"y\n", 0}} {
		p := w.prepare("delivery", "withdraw", id, "--reason", "test")
		keyboard, terminal := openTerminal(t)
		_, err := keyboard.WriteString(c.answer)
		require.NoError(t, err)
		p.cmd.Stdin = terminal
		r := p.begin(t).result(t)
		require.Contains(t, r.err, "with 1 record of 0.50 DKK, from 1 organization? [y/N] ")
		require.Equal(t, c.left, r.status, r.err)
		require.NoError(t, keyboard.Close())
		require.Equal(t, c.left, modelstest.ValueAt[int](t, w.URL, `SELECT count(*) FROM transactions`))
	}
}

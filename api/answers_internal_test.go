package api

import (
	"dispo/models/ledger"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// Remembered answers take no more memory than the budget, however many are put. The
// last one put is still there.
func TestAnswersKeepTheirBudget(t *testing.T) {
	t.Parallel()
	const budget, size = 1 << 20, 10_000
	a := newAnswers(budget)
	organization := uuid.New()
	for limit := range 100 {
		for range 10 {
			after := uuid.New()
			a.put(newQuestion(organization, resourceCompanies, "", ledger.Cursor{Limit: limit, After: &after}), 1, answer{body: make([]byte, size)})
		}
	}
	a.cache.CleanUp()
	require.LessOrEqual(t, a.cache.WeightedSize(), uint64(budget))
	require.Greater(t, a.cache.WeightedSize(), uint64(budget/2))

	asked := newQuestion(organization, resourceCompany, "10000001", ledger.Cursor{})
	a.put(asked, 7, answer{body: []byte("{}"), amount: "1.00"})
	remembered, ok := a.get(asked, 7, identity)
	require.True(t, ok)
	require.Equal(t, answer{body: []byte("{}"), amount: "1.00"}, remembered)
	_, ok = a.get(asked, 8, identity)
	require.False(t, ok, "the answer is of another version")
}

// Questions with different answers differ.
func TestQuestionsDiffer(t *testing.T) {
	t.Parallel()
	id, other := uuid.New(), uuid.New()
	seen := map[question]bool{}
	for _, organization := range []uuid.UUID{id, other} {
		for _, resource := range []byte{resourceCompanies, resourceCompany, resourceTransactions} {
			for _, cvr := range []string{"", "10000001", "10000002"} {
				for _, limit := range []int{1, 100} {
					for _, cursor := range []ledger.Cursor{{}, {After: &id}, {Before: &id}, {After: &other}, {After: &uuid.Nil}, {Before: &uuid.Nil}} {
						cursor.Limit = limit
						q := newQuestion(organization, resource, cvr, cursor)
						require.False(t, seen[q])
						seen[q] = true
					}
				}
			}
		}
	}
}

// An answer is compressed once for each coding, not at every request.
func TestEncodedAnswersAreRemembered(t *testing.T) {
	t.Parallel()
	a := newAnswers(1 << 20)
	asked := newQuestion(uuid.New(), resourceCompanies, "", ledger.Cursor{Limit: 1})
	a.put(asked, 1, answer{body: make([]byte, worthEncoding), links: "</>"})
	for coding := range encodings {
		first, ok := a.get(asked, 1, coding)
		require.True(t, ok)
		require.Equal(t, "</>", first.links)
		again, _ := a.get(asked, 1, coding)
		require.Same(t, &first.body[0], &again.body[0])
		_, ok = a.get(asked, 2, coding)
		require.False(t, ok)
	}
}

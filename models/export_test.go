package models

import (
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// Pool gives tests the store's own connections.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// HoldBcrypts takes every place for a bcrypt, so that a key whose row was read
// waits, and gives them back as release is called.
func (k *Keyring) HoldBcrypts() (release func()) {
	for range cap(k.bcrypts) {
		k.bcrypts <- struct{}{}
	}
	return func() {
		for range cap(k.bcrypts) {
			<-k.bcrypts
		}
	}
}

// ForgeKey makes a key that has another's lookup id and a secret of its own.
func ForgeKey(text string) string {
	body := text[:len(keyPrefix)+lookupIDLength] + "_" + randomBase62(secretLength)
	return body + checksum(body)
}

// InsertChunk is how many rows an import inserts at once.
const InsertChunk = insertChunk

// BcryptCost is that of keys and passwords.
const BcryptCost = bcryptCost

// LimitRounds sets how many rounds there are at once, and for how long reads wait.
func (s *Store) LimitRounds(most int, patience time.Duration) {
	s.rounds.mu.Lock()
	defer s.rounds.mu.Unlock()
	s.rounds.most, s.rounds.patience = most, patience
}

// WaitingReads counts the reads that wait for a round.
func (s *Store) WaitingReads() int {
	s.rounds.mu.Lock()
	defer s.rounds.mu.Unlock()
	return len(s.rounds.waiting)
}

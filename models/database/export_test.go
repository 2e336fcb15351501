package database

import "time"

// SetFinishTimeout changes how long Write waits for the end of a transaction.
func (db *DB) SetFinishTimeout(timeout time.Duration) { db.finishTimeout = timeout }

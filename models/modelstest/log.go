package modelstest

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
)

// Log holds what a log or a process has written. It can be read meanwhile.
type Log struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// String returns what was written so far.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Records returns the records of a JSON log that have the value under the key.
func (l *Log) Records(key, value string) (found []map[string]any) {
	for line := range strings.Lines(l.String()) {
		var record map[string]any
		if json.Unmarshal([]byte(line), &record) == nil && record[key] == value {
			found = append(found, record)
		}
	}
	return found
}

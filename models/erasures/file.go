// Package erasures exports organizations and deletes them for good. What was deleted or
// revoked is written to a file outside the database, so that a restored backup does not
// bring it back.
package erasures

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/google/uuid"

	"dispo/models"
)

// What an Erasure took away.
const (
	Organization = "organization"
	User         = "user"
	Key          = "key" // revoked
)

// Erasure is a line of the file. It has neither names nor addresses.
type Erasure struct {
	At   time.Time `json:"at"`
	Kind string    `json:"kind"` // Organization, User or Key
	ID   uuid.UUID `json:"id"`
}

// Prepare creates the file at path, for the owner of its folder alone, unless it is there.
// It returns an error if this process may not add lines to it. It does nothing if path is empty.
func Prepare(path string) error { return write(path, "") }

// Append adds a line to the file at path, which it creates as Prepare does, and returns
// when the line is on disk. Processes may append at the same time. It does nothing if
// path is empty.
func Append(path string, e Erasure) error {
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	// The line end in front ends a line of which a full disk or a power failure left a part.
	return write(path, fmt.Sprintf("\n%s\n", line))
}

func write(path, text string) error {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	made := err == nil
	if errors.Is(err, fs.ErrExist) {
		file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	}
	if err == nil {
		if made {
			err = models.GiveToFolder(file)
		}
		if err == nil {
			_, err = file.WriteString(text)
			err = errors.Join(err, file.Sync())
		}
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("cannot write to DISPO_ERASURES: %w", err)
	}
	return nil
}

// Read returns the file's erasures. Its error names the first line that is not a whole one.
func Read(path string) (read []Erasure, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read DISPO_ERASURES: %w", err)
	}
	for i, line := range bytes.Split(text, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var e Erasure
		if err := json.Unmarshal(line, &e); err != nil || e.At.IsZero() || e.ID == uuid.Nil || !slices.Contains([]string{Organization, User, Key}, e.Kind) {
			return nil, fmt.Errorf("line %d of %s is not a whole erasure: correct or remove it", i+1, path)
		}
		read = append(read, e)
	}
	return read, nil
}

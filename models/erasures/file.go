// Package erasures exports organizations and deletes them for good. What was deleted or
// revoked is written to a file outside the database, so that a restored backup does not
// bring it back.
package erasures

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/google/uuid"
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

// Append adds a line to the file at path, which it creates with mode 0600, and returns
// when the line is on disk. Processes may append at the same time. It does nothing if
// path is empty.
func Append(path string, e Erasure) (err error) {
	if path == "" {
		return nil
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("cannot write to DISPO_ERASURES: %w", err)
	}
	defer func() {
		if err = errors.Join(err, file.Close()); err != nil {
			err = fmt.Errorf("cannot write to DISPO_ERASURES: %w", err)
		}
	}()
	line, err := json.Marshal(e)
	if err != nil {
		return err
	}
	// Without the lock, half of what another process is writing would look torn.
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	if torn, err := endsTorn(file); err != nil {
		return err
	} else if torn {
		line = append([]byte("\n"), line...) // only the torn line is lost
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, file.Sync())
}

// endsTorn reports whether the last line has no end, because a disk was full or a
// machine was switched off.
func endsTorn(file *os.File) (bool, error) {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return false, err
	}
	var last [1]byte
	_, err = file.ReadAt(last[:], info.Size()-1)
	return last[0] != '\n', err
}

// Read returns the file's erasures. Its error names the line that is none.
func Read(path string) ([]Erasure, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read DISPO_ERASURES: %w", err)
	}
	var read []Erasure
	for line := range bytes.Lines(text) {
		var e Erasure
		decoder := json.NewDecoder(bytes.NewReader(line))
		decoder.DisallowUnknownFields()
		err := decoder.Decode(&e)
		if err != nil || !bytes.HasSuffix(line, []byte("\n")) || decoder.More() || e.At.IsZero() || e.ID == uuid.Nil ||
			!strings.Contains(" organization user key ", " "+e.Kind+" ") {
			return nil, fmt.Errorf("line %d of %s is not a whole erasure: correct or remove it", len(read)+1, path)
		}
		read = append(read, e)
	}
	return read, nil
}

// Package erasures is the journal of what was deleted or revoked: an outbox in the database, and
// a file outside of it, so that a restored backup does not bring it back.
package erasures

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/semaphore"

	"dispo/models/disk"
)

// What an Erasure took away.
const (
	Organization = "organization"
	User         = "user"
	Key          = "key" // revoked
)

// Erasure is a line of the outbox and of the file. It has neither names nor addresses.
type Erasure struct {
	At        time.Time `json:"at"`
	Kind      string    `json:"kind"` // Organization, User or Key
	ID        uuid.UUID `json:"id"`
	TakenBack bool      `json:"takenBack,omitempty"` // the deletion failed that a line before this one names
}

// fileTime is how long the file may take to answer. On a mount that is gone it never does.
// Tests change it.
var fileTime = 5 * time.Second

// using is held by what uses the file, so that one that does not answer keeps one thread.
var using = semaphore.NewWeighted(1)

// inTime calls use, which uses the file, and returns disk.ErrSilent if that takes too long.
func inTime(ctx context.Context, use func() error) error {
	ctx, cancel := context.WithTimeout(ctx, fileTime)
	defer cancel()
	if using.Acquire(ctx, 1) != nil {
		return disk.ErrSilent
	}
	done := make(chan error, 1)
	go func() {
		defer using.Release(1)
		done <- use()
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return disk.ErrSilent
	}
}

// Append adds lines to the file at path, and returns when they are on disk. It creates the
// file, for the owner of its folder alone, unless it is there. Processes may append at the same
// time. Without lines, it returns an error if this process may not add any. It does nothing if
// path is empty.
func Append(ctx context.Context, path string, erased ...Erasure) error {
	if path == "" {
		return nil
	}
	var text []byte
	for _, e := range erased {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		// The line end in front ends a line of which a full disk or a power failure left a part.
		text = fmt.Appendf(text, "\n%s\n", line)
	}
	if err := inTime(ctx, func() error { return write(path, text) }); err != nil {
		return fmt.Errorf("cannot write to DISPO_ERASURES: %w", err)
	}
	return nil
}

func write(path string, text []byte) error {
	file, err := open(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL)
	if err == nil {
		err = disk.GiveToFolder(file)
	} else if errors.Is(err, fs.ErrExist) {
		file, err = open(path, os.O_WRONLY|os.O_APPEND)
	}
	if file == nil {
		return err
	}
	if err == nil {
		_, err = file.Write(text)
		err = errors.Join(err, file.Sync())
	}
	return errors.Join(err, file.Close())
}

// open opens a regular file and nothing else: no link, which leads to a file of somebody
// else's choice, and no pipe, which would wait for its other end.
func open(path string, flags int) (*os.File, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file: name one, and no link to it", path)
	}
	return os.OpenFile(path, flags|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0o600)
}

// Read returns the erasures of the file that were not taken back. Its error names the first
// line that is not a whole one.
func Read(ctx context.Context, path string) (read []Erasure, err error) {
	var text []byte
	if err := inTime(ctx, func() error {
		file, err := open(path, os.O_RDONLY)
		if err != nil {
			return err
		}
		defer file.Close()
		text, err = io.ReadAll(file)
		return err
	}); err != nil {
		return nil, fmt.Errorf("cannot read DISPO_ERASURES: %w", err)
	}
	for i, line := range bytes.Split(text, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var e Erasure
		if err := json.Unmarshal(line, &e); err != nil || e.At.IsZero() || e.ID == uuid.Nil ||
			!slices.Contains([]string{Organization, User, Key}, e.Kind) {
			return nil, fmt.Errorf("line %d of %s is not a whole erasure: correct or remove it", i+1, path)
		}
		read = append(read, e)
	}
	// Lines of several files need not be in order.
	slices.SortStableFunc(read, func(a, b Erasure) int { return a.At.Compare(b.At) })
	last := map[uuid.UUID]Erasure{}
	for _, e := range read {
		last[e.ID] = e
	}
	return slices.DeleteFunc(read, func(e Erasure) bool { return e != last[e.ID] || e.TakenBack }), nil
}

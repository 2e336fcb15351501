package export

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// spool is a temporary file that one goroutine writes while another reads it. The
// system deletes it when it is closed, also if the program is killed.
type spool struct {
	file *os.File
	mu   sync.Mutex
	grew *sync.Cond
	size int64
	done bool
	err  error // why the file is not whole
}

func newSpool() (*spool, error) {
	file, err := os.CreateTemp("", "dispo-export-")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errNoRoom, err)
	}
	if err := os.Remove(file.Name()); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	s := &spool{file: file}
	s.grew = sync.NewCond(&s.mu)
	return s, nil
}

// Write appends to the file.
func (s *spool) Write(p []byte) (int, error) {
	n, err := s.file.Write(p)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.size += int64(n)
	s.grew.Broadcast()
	if err != nil {
		err = fmt.Errorf("%w: %w", errNoRoom, err)
	}
	return n, err
}

// finish says that the file is whole, or why it is not.
func (s *spool) finish(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.done, s.err = true, err
	s.grew.Broadcast()
}

// read reads from an offset. It waits until there is something to read. At the end of a
// whole file it returns io.EOF, and at the end of another one its error.
func (s *spool) read(p []byte, offset int64) (int, error) {
	s.mu.Lock()
	for offset == s.size && !s.done {
		s.grew.Wait()
	}
	left, err := s.size-offset, s.err
	s.mu.Unlock()
	switch {
	case left > 0:
		return s.file.ReadAt(p[:min(int64(len(p)), left)], offset)
	case err != nil:
		return 0, err
	}
	return 0, io.EOF
}

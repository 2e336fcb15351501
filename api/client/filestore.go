package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
)

// FileStore is a [Store] in a folder: companies.jsonl has a company on each line, and
// CVR.jsonl the company's transactions. Whatever a crash leaves of an unfinished line is
// cut off when the store goes on. One program at a time may use the folder, and one call
// at a time the store.
type FileStore struct {
	folder    string
	positions map[string]*filePosition
}

// filePosition is what a file has.
type filePosition struct {
	last  string
	count int64
	sum   *big.Int // in øre
}

// NewFileStore returns a store in a folder, which it creates if it is missing.
func NewFileStore(folder string) (*FileStore, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	return &FileStore{folder, map[string]*filePosition{}}, nil
}

// ETag returns the one that Done was given last.
func (s *FileStore) ETag(context.Context) (string, error) {
	text, err := os.ReadFile(filepath.Join(s.folder, "etag"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}

// SetCompanies replaces companies.jsonl.
func (s *FileStore) SetCompanies(_ context.Context, companies []Company) error {
	text, err := toLines(companies)
	if err != nil {
		return err
	}
	return s.replace("companies.jsonl", text)
}

// Position returns what a company's file has. It reads the file the first time.
func (s *FileStore) Position(_ context.Context, cvr string) (Position, error) {
	p, ok := s.positions[cvr]
	if !ok {
		var err error
		if p, err = readPosition(s.path(cvr)); err != nil {
			return Position{}, err
		}
		s.positions[cvr] = p
		s.keepNames()
	}
	return Position{Last: p.last, Count: p.count, Sum: fromOere(p.sum)}, nil
}

// Append writes the transactions to the company's file, and waits until the disk has
// them.
func (s *FileStore) Append(ctx context.Context, cvr string, transactions []Transaction) error {
	if _, err := s.Position(ctx, cvr); err != nil {
		return err
	}
	p := s.positions[cvr]
	delete(s.positions, cvr) // read the file again after an error
	for _, x := range transactions {
		if err := p.add(x); err != nil {
			return err
		}
	}
	text, err := toLines(transactions)
	if err != nil {
		return err
	}
	if err := write(s.path(cvr), os.O_APPEND, text); err != nil {
		return err
	}
	s.positions[cvr] = p
	return nil
}

// Clear empties the company's file.
func (s *FileStore) Clear(_ context.Context, cvr string) error {
	delete(s.positions, cvr)
	return write(s.path(cvr), os.O_TRUNC, nil)
}

// Done stores the ETag.
func (s *FileStore) Done(_ context.Context, etag string) error {
	return s.replace("etag", []byte(etag))
}

func (s *FileStore) path(cvr string) string { return filepath.Join(s.folder, cvr+".jsonl") }

// replace writes a file so that it has the old text or the new one, whatever happens.
func (s *FileStore) replace(name string, text []byte) error {
	path := filepath.Join(s.folder, name)
	if err := write(path+".new", os.O_TRUNC, text); err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return err
	}
	s.keepNames()
	return nil
}

// keepNames waits until the disk has the folder's new files, where the system can say.
func (s *FileStore) keepNames() {
	if folder, err := os.Open(s.folder); err == nil {
		_ = folder.Sync() // Windows cannot
		_ = folder.Close()
	}
}

// write writes a file, and waits until the disk has it.
func write(path string, flag int, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|flag, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Sync(), file.Close())
}

// readPosition reads a file's whole lines, and cuts off what follows them.
func readPosition(path string) (*filePosition, error) {
	p := &filePosition{sum: new(big.Int)}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	reader, end := bufio.NewReader(file), int64(0)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		var x Transaction
		if err == io.EOF || json.Unmarshal(line, &x) != nil || p.add(x) != nil {
			return p, file.Truncate(end)
		}
		end += int64(len(line))
	}
}

func (p *filePosition) add(x Transaction) error {
	amount, err := toOere(x.AmountDKK)
	if err != nil {
		return err
	}
	p.last = x.ID
	p.count++
	p.sum.Add(p.sum, amount)
	return nil
}

func toLines[T any](items []T) ([]byte, error) {
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines) // ends each item with a new line
	for _, item := range items {
		if err := encoder.Encode(item); err != nil {
			return nil, err
		}
	}
	return lines.Bytes(), nil
}

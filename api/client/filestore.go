package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
)

// FileStore is a [Store] in a folder: companies.jsonl has a company on each line, and
// CVR.jsonl the company's transactions. An unfinished line that a crash has left is cut off
// at the next Sync. The lock is one of the operating system on the file "lock", so it ends
// with the process.
type FileStore struct{ folder string }

// NewFileStore returns a store in a folder, which it creates if it is missing.
func NewFileStore(folder string) (*FileStore, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	return &FileStore{folder}, nil
}

// Lock locks the folder.
func (s *FileStore) Lock(context.Context) (unlock func() error, err error) {
	file, err := lockFile(filepath.Join(s.folder, "lock"))
	if errors.Is(err, ErrLocked) {
		return nil, fmt.Errorf("%w in %s", err, s.folder)
	}
	if err != nil {
		return nil, err
	}
	return file.Close, nil
}

// ETag returns the value of the last call of Done.
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

// Position reads a company's file, and cuts off what follows its whole lines.
func (s *FileStore) Position(_ context.Context, cvr string) (Position, error) {
	file, err := os.OpenFile(s.path(cvr), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return Position{}, err
	}
	defer file.Close()
	var p Position
	reader, end, sum := bufio.NewReader(file), int64(0), new(big.Rat)
	for {
		line, err := reader.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return Position{}, err
		}
		var x Transaction
		if err != nil || json.Unmarshal(line, &x) != nil {
			break
		}
		amount, err := parseAmount(x.AmountDKK)
		if err != nil {
			break
		}
		end += int64(len(line))
		p.Last = x.ID
		p.Count++
		sum.Add(sum, amount)
	}
	p.Sum = sum.FloatString(2)
	s.syncFolder()
	return p, file.Truncate(end)
}

// Append writes the transactions to the company's file, and waits until they are on disk.
func (s *FileStore) Append(_ context.Context, cvr string, transactions []Transaction) error {
	text, err := toLines(transactions)
	if err != nil {
		return err
	}
	return write(s.path(cvr), os.O_APPEND, text)
}

// Clear empties the company's file.
func (s *FileStore) Clear(_ context.Context, cvr string) error {
	return write(s.path(cvr), os.O_TRUNC, nil)
}

// Done stores the ETag.
func (s *FileStore) Done(_ context.Context, etag string) error {
	return s.replace("etag", []byte(etag))
}

func (s *FileStore) path(cvr string) string { return filepath.Join(s.folder, cvr+".jsonl") }

// replace writes a file so that, whatever happens, it has the old text or the new one.
func (s *FileStore) replace(name string, text []byte) error {
	path := filepath.Join(s.folder, name)
	if err := write(path+".new", os.O_TRUNC, text); err != nil {
		return err
	}
	if err := os.Rename(path+".new", path); err != nil {
		return err
	}
	s.syncFolder()
	return nil
}

// syncFolder waits until the names of new files are on disk, on systems that support it.
func (s *FileStore) syncFolder() {
	if folder, err := os.Open(s.folder); err == nil {
		_ = folder.Sync() // Windows cannot
		_ = folder.Close()
	}
}

// write writes a file, and waits until it is on disk.
func write(path string, flag int, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|flag, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Sync(), file.Close())
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

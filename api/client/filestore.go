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
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// FileStore is a [Store] in a folder: companies.jsonl has a company on each line, and
// transactions.jsonl a transaction. An unfinished line that a crash has left is cut off at
// the next Sync. The lock is one of the operating system on the file "lock", so it ends
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
	file, err := lockFile(s.path("lock"))
	if errors.Is(err, ErrLocked) {
		return nil, fmt.Errorf("%w in %s", err, s.folder)
	}
	if err != nil {
		return nil, err
	}
	return file.Close, nil
}

// State reads the file "state".
func (s *FileStore) State(context.Context) (state State, err error) {
	text, err := os.ReadFile(s.path("state"))
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &state)
	}
	return state, err
}

// SetState replaces the file "state".
func (s *FileStore) SetState(_ context.Context, state State) error {
	text, err := toLines([]State{state})
	if err != nil {
		return err
	}
	return s.replace("state", text)
}

// Start empties transactions.jsonl, and replaces companies.jsonl.
func (s *FileStore) Start(_ context.Context, companies []Company) error {
	text, err := toLines(companies)
	if err != nil {
		return err
	}
	return errors.Join(s.replace("transactions.jsonl", nil), s.replace("companies.jsonl", text))
}

// PutCompanies replaces companies.jsonl. Companies are in order of their ids.
func (s *FileStore) PutCompanies(_ context.Context, companies []Company) error {
	byID := map[string]Company{}
	_, err := eachLine(s.path("companies.jsonl"), func(_ []byte, company *Company) bool {
		byID[company.ID] = *company
		return true
	})
	if err != nil {
		return err
	}
	for _, company := range companies {
		byID[company.ID] = company
	}
	companies = slices.SortedFunc(maps.Values(byID), func(a, b Company) int { return strings.Compare(a.ID, b.ID) })
	text, err := toLines(companies)
	if err != nil {
		return err
	}
	return s.replace("companies.jsonl", text)
}

// Withdraw writes transactions.jsonl again, without the files' transactions.
func (s *FileStore) Withdraw(_ context.Context, deliveryFileIDs []string) error {
	path := s.path("transactions.jsonl")
	file, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	kept := bufio.NewWriter(file)
	_, err = eachLine(path, func(line []byte, x *Transaction) bool {
		if !slices.Contains(deliveryFileIDs, x.CardNetworkDeliveryFileID) {
			_, _ = kept.Write(line) // Flush returns its error
		}
		return true
	})
	if err = errors.Join(err, kept.Flush(), file.Sync(), file.Close()); err != nil {
		return err
	}
	return s.rename("transactions.jsonl")
}

// Append writes the transactions to transactions.jsonl, and waits until they are on disk.
func (s *FileStore) Append(_ context.Context, transactions []Transaction) error {
	text, err := toLines(transactions)
	if err != nil {
		return err
	}
	return write(s.path("transactions.jsonl"), os.O_APPEND, text)
}

// Position reads transactions.jsonl, and cuts off what follows its whole lines.
func (s *FileStore) Position(context.Context) (Position, error) {
	var p Position
	sum := new(big.Rat)
	path := s.path("transactions.jsonl")
	end, err := eachLine(path, func(_ []byte, x *Transaction) bool {
		amount, err := parseAmount(x.AmountDKK)
		if err != nil {
			return false
		}
		p.Last = x.ID
		p.Count++
		sum.Add(sum, amount)
		return true
	})
	p.Sum = sum.FloatString(2)
	if err == nil {
		err = os.Truncate(path, end)
	}
	return p, err
}

func (s *FileStore) path(name string) string { return filepath.Join(s.folder, name) }

// replace writes a file so that, whatever happens, it has the old text or the new one.
func (s *FileStore) replace(name string, text []byte) error {
	if err := write(s.path(name)+".new", os.O_TRUNC, text); err != nil {
		return err
	}
	return s.rename(name)
}

// rename replaces a file with its new one, and waits until that is on disk, on systems that
// support it.
func (s *FileStore) rename(name string) error {
	if err := os.Rename(s.path(name)+".new", s.path(name)); err != nil {
		return err
	}
	if folder, err := os.Open(s.folder); err == nil {
		_ = folder.Sync() // Windows cannot
		_ = folder.Close()
	}
	return nil
}

// eachLine calls f with the whole lines of a file, up to the first that has no item or that
// f refuses. It returns where they end. A file that is missing has none.
func eachLine[T any](path string, f func(line []byte, item *T) bool) (end int64, err error) {
	file, err := os.OpenFile(path, os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	for reader := bufio.NewReader(file); ; {
		line, err := reader.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return end, err
		}
		var item T
		if err != nil || json.Unmarshal(line, &item) != nil || !f(line, &item) {
			return end, nil
		}
		end += int64(len(line))
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

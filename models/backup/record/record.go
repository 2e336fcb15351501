// Package record finds the backups in a folder, and remembers which of them were checked. Each
// check of NAME.dispo is a line of JSON in NAME.dispo.checked.
package record

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"dispo/models/erasures"
)

// Suffix is how the names of backups end.
const Suffix = ".dispo"

// The kinds of checks: the checksums alone, everything after a restore into a private server,
// and that with the secret and a key.
const (
	Quick = "quick"
	Whole = "whole"
	Drill = "drill"
)

// Check is a check that found nothing wrong.
type Check struct {
	At      time.Time `json:"at"` // when it ended
	Kind    string    `json:"kind"`
	SHA256  string    `json:"sha256"` // of the dump, as the manifest has it
	Seconds float64   `json:"seconds"`
}

// Backup is a file in a folder of backups. Without a path there is none.
type Backup struct {
	Path string
	At   time.Time // of its content; if this process may not read it, when it was written
	Last Check     // its last check; without a kind, what the file has now was not checked
}

// Newest returns the newest backup in a folder, and the newest one that was checked, in one of
// these ways or in any. Files that are no backups, such as empty ones, do not count.
func Newest(folder string, kinds ...string) (newest, checked Backup, err error) {
	entries, err := os.ReadDir(folder)
	var all []Backup
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() && info.Size() > 0 && filepath.Ext(path) == Suffix {
			all = append(all, Backup{Path: path, At: info.ModTime()})
		}
	}
	slices.SortFunc(all, func(a, b Backup) int { return b.At.Compare(a.At) })
	for _, b := range all {
		if b.read(kinds) != nil {
			continue
		}
		if newest.Path == "" {
			newest = b
		}
		if b.Last.Kind != "" {
			return newest, b, nil
		}
	}
	return newest, checked, err
}

// read reads the manifest, and the last check of one of the kinds.
func (b *Backup) read(kinds []string) error {
	var manifest struct {
		At     time.Time
		SHA256 string
	}
	text, err := manifestOf(b.Path)
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if errors.Is(err, fs.ErrPermission) {
		manifest.At = b.At
	} else if err != nil {
		return err
	}
	b.At = manifest.At
	lines, _ := os.ReadFile(b.Path + ".checked") // there is none before the first check
	for line := range bytes.Lines(lines) {
		var check Check
		if json.Unmarshal(line, &check) == nil && (len(kinds) == 0 || slices.Contains(kinds, check.Kind)) &&
			(check.SHA256 == manifest.SHA256 || err != nil && check.At.After(b.At)) {
			b.Last = check
		}
	}
	return nil
}

// manifestOf returns the manifest of a backup.
func manifestOf(path string) ([]byte, error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer archive.Close()
	file, err := archive.Open("manifest.json")
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(file, 16<<20)) // as large as a manifest may be
}

// Add notes a check of the backup at path.
func Add(path string, check Check) error {
	line, err := json.Marshal(check)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path+".checked", os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	return errors.Join(err, erasures.GiveToFolder(file), file.Close())
}

// Package record finds the backups in a folder, and remembers which of them were checked. Each
// check of NAME.dispo is a line of JSON in NAME.dispo.checked.
package record

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"dispo/models/disk"
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

// Backup is a file in a folder of backups. Its path is empty if there is no such backup.
type Backup struct {
	Path string
	At   time.Time // of its content; if this process may not read it, when it was written
}

// Found are the newest backup in a folder, the newest that was checked in any way, and the newest
// that was restored to check it.
type Found struct{ Newest, Checked, Whole Backup }

// written is a file as it was written at some time.
type written struct {
	path        string
	size, nanos int64
}

type manifest struct {
	At     time.Time
	SHA256 string
}

// remembered are the manifests that the last look has seen, so that each file is opened once.
var remembered atomic.Pointer[map[written]manifest]

// Find looks through a folder, which may not answer, for limit. Files that are no backups, such as
// empty ones, do not count, nor do checks of what a file had before.
func Find(ctx context.Context, limit time.Duration, folder string) (Found, error) {
	return disk.Ask(ctx, limit, folder, func() (Found, error) { return find(folder) })
}

func find(folder string) (found Found, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return found, err
	}
	var before map[written]manifest
	if last := remembered.Load(); last != nil {
		before = *last
	}
	now := map[written]manifest{}
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || info.Size() == 0 || filepath.Ext(path) != Suffix {
			continue
		}
		lines, _ := os.ReadFile(path + ".checked") // the file is missing before the first check
		file := written{path, info.Size(), info.ModTime().UnixNano()}
		m, known := before[file]
		if !known {
			m, err = manifestOf(path)
		}
		if err == nil {
			now[file] = m
		} else if errors.Is(err, fs.ErrPermission) {
			m.At = info.ModTime()
		} else {
			continue
		}
		backup := Backup{path, m.At}
		found.Newest = newer(found.Newest, backup)
		for line := range bytes.Lines(lines) {
			var check Check
			if json.Unmarshal(line, &check) != nil || check.SHA256 != m.SHA256 && (err == nil || !check.At.After(m.At)) {
				continue
			}
			found.Checked = newer(found.Checked, backup)
			if check.Kind != Quick {
				found.Whole = newer(found.Whole, backup)
			}
		}
	}
	remembered.Store(&now)
	return found, nil
}

// newer returns the newer one of two backups.
func newer(a, b Backup) Backup {
	if a.Path == "" || b.At.After(a.At) {
		return b
	}
	return a
}

// manifestOf returns the manifest of a backup.
func manifestOf(path string) (m manifest, err error) {
	archive, err := zip.OpenReader(path)
	if err != nil {
		return m, err
	}
	defer archive.Close()
	file, err := archive.Open("manifest.json")
	if err != nil {
		return m, err
	}
	return m, json.NewDecoder(io.LimitReader(file, 16<<20)).Decode(&m) // as large as a manifest may be
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
	return errors.Join(err, disk.GiveToFolder(file), file.Close())
}

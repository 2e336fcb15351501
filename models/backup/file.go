// Package backup writes a database into one file, proves that the file has everything, and
// fills a new database from it.
//
// The file is a tar archive: the dump, in pg_dump's custom format, the manifest, the
// server's secret if that was wanted, and checksums in the form of sha256sum.
package backup

import (
	"archive/tar"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"dispo/models/database/embedded"
)

// The files in the archive, in this order.
const (
	dumpName     = "database.dump"
	manifestName = "manifest.json"
	secretName   = "secret"
	sumsName     = "SHA256SUMS"

	block = 512 // of a tar archive
)

// Source is a database to back up.
type Source struct {
	URL     string        // for pg_dump, as a login that may work as dispo_operator
	Pool    *pgxpool.Pool // the same, working as dispo_operator
	BinDir  string        // PG_BIN
	Program string        // the version of dispo
	Secret  []byte        // to include; nil for none
}

// Create writes a backup to path, with mode 0600, or to out if path is "-". The file gets its
// name when it is complete and on disk.
func Create(ctx context.Context, source Source, path string, out io.Writer) (m Manifest, err error) {
	folder, name := filepath.Split(path)
	if path == "-" {
		folder, name = os.TempDir(), "dispo-backup"
	}
	file, err := os.CreateTemp(cmp.Or(folder, "."), name+".partial-*")
	if err != nil {
		return m, fmt.Errorf("cannot write the backup: %w", err)
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if m, err = source.write(ctx, file); err != nil {
		return m, err
	}
	if path == "-" {
		_, err = io.Copy(out, io.NewSectionReader(file, 0, math.MaxInt64))
	} else if err = errors.Join(file.Sync(), file.Close()); err == nil {
		if err = os.Rename(file.Name(), path); err == nil {
			err = syncFolder(filepath.Dir(path))
		}
	}
	if err != nil {
		err = fmt.Errorf("cannot write the backup: %w", err)
	}
	return m, err
}

func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// write writes a backup to an empty file.
func (source Source) write(ctx context.Context, file *os.File) (m Manifest, err error) {
	// One transaction's snapshot serves the manifest and the dump.
	tx, err := source.Pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return m, fmt.Errorf("cannot read the database: %w", err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	var snapshot string
	var server int
	if _, err = tx.Exec(ctx, `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`); err == nil {
		err = tx.QueryRow(ctx, `SELECT pg_export_snapshot(), current_setting('server_version_num')::int / 10000, now()`).Scan(&snapshot, &server, &m.At)
	}
	if err == nil {
		m.Contents, err = read(ctx, tx)
	}
	if err != nil {
		return m, fmt.Errorf("cannot read the database: %w", err)
	}
	clients, err := embedded.FindClients(ctx, source.BinDir, server)
	if err != nil {
		return m, err
	}
	m.Program, m.PostgreSQL, m.At = source.Program, clients.Major, m.At.UTC()

	// The header has the dump's size, so it is written after the dump.
	dump := &hashed{to: io.NewOffsetWriter(file, block), hash: sha256.New()}
	err = program(ctx, clients, "pg_dump", source.URL, nil, dump, "--format=custom", "--schema=public", "--no-password",
		"--enable-row-security", "--role=dispo_operator", "--snapshot="+snapshot)
	if dump.err != nil { // pg_dump only knows that its pipe broke
		return m, fmt.Errorf("cannot write the backup: %w", dump.err)
	}
	if err != nil {
		return m, err
	}
	m.SHA256 = hex.EncodeToString(dump.hash.Sum(nil))
	manifest, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, err
	}
	if err := dump.frame(file, m.At, append(manifest, '\n'), source.Secret); err != nil {
		return m, fmt.Errorf("cannot write the backup: %w", err)
	}
	return m, nil
}

// hashed writes the dump, and remembers its size, its hash and why writing failed.
type hashed struct {
	to   io.Writer
	hash hash.Hash
	size int64
	err  error
}

func (h *hashed) Write(p []byte) (n int, err error) {
	n, h.err = h.to.Write(p)
	h.size += int64(n)
	h.hash.Write(p[:n])
	return n, h.err
}

// frame makes the file whose dump is written a complete archive.
func (h *hashed) frame(file *os.File, at time.Time, manifest, secret []byte) error {
	header := func(name string, size int64) *tar.Header {
		return &tar.Header{Name: name, Mode: 0o600, Size: size, ModTime: at.Truncate(time.Second), Format: tar.FormatGNU} // one block, whatever the size
	}
	var first bytes.Buffer
	if err := tar.NewWriter(&first).WriteHeader(header(dumpName, h.size)); err != nil {
		return err
	}
	if _, err := file.WriteAt(first.Bytes(), 0); err != nil {
		return err
	}
	end := block + (h.size+block-1)/block*block
	if _, err := file.WriteAt(make([]byte, end-block-h.size), block+h.size); err != nil {
		return err
	}
	sums := fmt.Sprintf("%x  %s\n", h.hash.Sum(nil), dumpName)
	rest := tar.NewWriter(io.NewOffsetWriter(file, end))
	add := func(name string, content []byte) error {
		sums += fmt.Sprintf("%x  %s\n", sha256.Sum256(content), name)
		if err := rest.WriteHeader(header(name, int64(len(content)))); err != nil {
			return err
		}
		_, err := rest.Write(content)
		return err
	}
	err := add(manifestName, manifest)
	if err == nil && secret != nil {
		err = add(secretName, secret)
	}
	if err == nil {
		err = add(sumsName, []byte(sums))
	}
	return errors.Join(err, rest.Close())
}

// File is a backup whose checksums are right.
type File struct {
	Manifest Manifest
	Secret   []byte // nil if it has none
	file     *os.File
	dump     *io.SectionReader
}

// Open opens a backup and compares its checksums, which reads all of it. The caller must
// close it.
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the backup: %w", err)
	}
	f := &File{file: file}
	if err := f.open(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return f, nil
}

// Close closes the file.
func (f *File) Close() error { return f.file.Close() }

func (f *File) open() error {
	archive := tar.NewReader(f.file)
	var sums string
	for {
		header, err := archive.Next()
		if f.dump == nil && (err != nil || header.Name != dumpName) {
			return fmt.Errorf("%s is not a backup that dispo made", f.file.Name())
		}
		damaged := fmt.Errorf("%s is damaged or cut off: use another backup", f.file.Name())
		if err != nil {
			return damaged // the checksums come before the end
		}
		sum, content := sha256.New(), []byte(nil)
		if header.Name == dumpName {
			at, seekErr := f.file.Seek(0, io.SeekCurrent)
			if seekErr != nil {
				return seekErr
			}
			f.dump = io.NewSectionReader(f.file, at, header.Size)
			_, err = io.Copy(sum, archive)
		} else {
			content, err = io.ReadAll(archive)
			sum.Write(content)
		}
		switch {
		case err != nil:
			return damaged
		case header.Name == sumsName && sums == string(content) && f.Manifest.SHA256 != "":
			return nil
		case header.Name == manifestName:
			err = json.Unmarshal(content, &f.Manifest)
		case header.Name == secretName:
			f.Secret = content
		case header.Name == sumsName:
			err = damaged
		}
		if err != nil {
			return damaged
		}
		sums += fmt.Sprintf("%x  %s\n", sum.Sum(nil), header.Name)
	}
}

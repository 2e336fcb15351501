package imports

import (
	"archive/zip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"dispo/models"
)

// directoryMost is how many bytes of a zip file are read to list what it contains. Each
// file takes at least 46 of them.
const directoryMost = 4 << 20

// unzip reads the only file in a zip file.
func unzip(s *source, part *filePart) (io.Reader, error) {
	directory := &limitedPart{part: &filePart{ctx: part.ctx, file: part.file, report: func(int64) {}}, left: directoryMost}
	listed, err := zip.NewReader(directory, s.size())
	switch {
	case directory.left < 0:
		return nil, s.refuse(models.KindInvalid, "contains very many files: unpack it, and import the right ones")
	case errors.Is(err, zip.ErrFormat):
		return nil, s.refuse(models.KindInvalid, "is not a complete zip file: get it again")
	case err != nil:
		return nil, err
	}
	directory.left = math.MaxInt64
	var files []*zip.File
	for _, file := range listed.File {
		if !file.FileInfo().IsDir() {
			files = append(files, file)
		}
	}
	if len(files) == 0 {
		return nil, s.refuse(models.KindInvalid, "contains no file")
	}
	if len(files) > 1 {
		return nil, s.refuse(models.KindInvalid, fmt.Sprintf("contains %d files: unpack it, and import the right ones", len(files)))
	}
	file := files[0]
	switch {
	case file.Flags&1 != 0:
		return nil, s.refuse(models.KindInvalid, "is encrypted: unpack it, and import the file")
	case file.Method != zip.Store && file.Method != zip.Deflate:
		return nil, s.refuse(models.KindInvalid, fmt.Sprintf("is compressed by the method %d, which cannot be read: unpack it, and import the file", file.Method))
	}
	if whole, err := isWhole(listed, directory, s.size()); err != nil {
		return nil, err
	} else if !whole {
		return nil, s.refuse(models.KindInvalid, "is damaged: something else precedes or follows its content")
	}
	directory.part.report = part.report
	return file.Open()
}

// isWhole reports whether a zip file begins with its first entry and ends with its
// directory. Otherwise it may be two zip files in one, of which only the last would be
// read.
func isWhole(listed *zip.Reader, file io.ReaderAt, size int64) (bool, error) {
	const startWidth, endWidth = 30, 22 // without what varies in length
	first := int64(math.MaxInt64)
	for _, entry := range listed.File {
		at, err := entry.DataOffset()
		if err != nil {
			return false, err
		}
		first = min(first, at)
	}
	start := make([]byte, startWidth)
	if _, err := file.ReadAt(start, 0); err != nil {
		return false, err
	}
	end := make([]byte, endWidth)
	if _, err := file.ReadAt(end, size-endWidth-int64(len(listed.Comment))); err != nil {
		return false, err
	}
	name, extra := binary.LittleEndian.Uint16(start[26:]), binary.LittleEndian.Uint16(start[28:])
	return string(start[:4]) == "PK\x03\x04" && first == startWidth+int64(name)+int64(extra) && string(end[:4]) == "PK\x05\x06", nil
}

// limitedPart reads no more than a number of bytes.
type limitedPart struct {
	part *filePart
	left int64
}

func (l *limitedPart) ReadAt(p []byte, at int64) (int, error) {
	if l.left -= int64(len(p)); l.left < 0 {
		return 0, io.ErrUnexpectedEOF
	}
	return l.part.ReadAt(p, at)
}

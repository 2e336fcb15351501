package imports

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
)

func gzipped(t testing.TB, parts ...string) string {
	t.Helper()
	var file bytes.Buffer
	for _, part := range parts {
		w := gzip.NewWriter(&file)
		_, err := io.WriteString(w, part)
		require.NoError(t, err)
		require.NoError(t, w.Close())
	}
	return file.String()
}

// zipped returns a zip file. Names that end with a slash are folders.
func zipped(t testing.TB, method uint16, text string, names ...string) string {
	t.Helper()
	var file bytes.Buffer
	w := zip.NewWriter(&file)
	for _, name := range names {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		require.NoError(t, err)
		if !strings.HasSuffix(name, "/") {
			_, err = io.WriteString(entry, text)
			require.NoError(t, err)
		}
	}
	require.NoError(t, w.SetComment("weekly"))
	require.NoError(t, w.Close())
	return file.String()
}

func written(t testing.TB, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// content reads a source once, from its start.
func content(t testing.TB, path string, most int64) (text string, err error) {
	t.Helper()
	s, err := openSource(t.Context(), path)
	if err != nil {
		return "", err
	}
	defer s.close()
	s.most = min(s.most, most)
	r, err := s.reader(t.Context(), func(int64) {})
	if err != nil {
		return "", err
	}
	all, err := io.ReadAll(r)
	return string(all), err
}

// A file is read as it is, and the file in a .gz or .zip too, in any number of readings
// from its start. A reading reports up to the size of the file, compressed or not.
func TestSourceReadings(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("cvr,name\n", 100_000)
	for name, file := range map[string]string{
		"plain.csv": text, "a.csv.gz": gzipped(t, text), "B.GZ": gzipped(t, text), "parts.gz": gzipped(t, text[:90], text[90:], ""),
		"a.zip": zipped(t, zip.Deflate, text, "a.csv"), "B.Zip": zipped(t, zip.Store, text, "a.csv"), "folder.zip": zipped(t, zip.Deflate, text, "weeks/", "weeks/5", "empty/"),
	} {
		s, err := openSource(t.Context(), written(t, name, file))
		require.NoError(t, err)
		for range 3 {
			var read int64
			r, err := s.reader(t.Context(), func(n int64) {
				require.GreaterOrEqual(t, n, read, name)
				read = n
			})
			require.NoError(t, err, name)
			head := make([]byte, 10)
			_, err = io.ReadFull(r, head)
			require.NoError(t, err)
			rest, err := io.ReadAll(r)
			require.NoError(t, err, name)
			require.True(t, text == string(head)+string(rest), name)
			require.InDelta(t, s.size(), read, 300, name) // a zip file's directory is behind its content
		}
		s.close()
	}
}

// A compressed file that cannot be read, or contains more than one file, is refused in
// a sentence that names it and says what to do.
func TestSourceRefused(t *testing.T) {
	t.Parallel()
	const text = "cvr,name\n10150817,A\n"
	gz, one := gzipped(t, text), zipped(t, zip.Deflate, text, "a.csv")
	encrypted := []byte(one)
	for _, header := range []struct {
		signature string
		flags     int
	}{{"PK\x03\x04", 6}, {"PK\x01\x02", 8}} {
		encrypted[bytes.Index(encrypted, []byte(header.signature))+header.flags] |= 1
	}
	method := []byte(one)
	binary.LittleEndian.PutUint16(method[bytes.Index(method, []byte("PK\x01\x02"))+10:], 12)
	for _, row := range []struct{ name, file, sentence string }{
		{"a.gz", text, "is not a gzip file: rename it if it is not compressed"},
		{"a.gz", "", "is damaged or truncated (EOF): get it again"},
		{"a.gz", gz[:len(gz)-1], "is damaged or truncated (unexpected EOF): get it again"},
		{"a.gz", gz[:len(gz)-8] + "\x00" + gz[len(gz)-7:], "is damaged or truncated (gzip: invalid checksum): get it again"},
		{"a.gz", gz + text, "is damaged: something else follows its compressed data"},
		{"a.gz", gz + strings.Repeat("\x00", 512), "is damaged: something else follows its compressed data"},
		{"a.zip", "", "is not a complete zip file: get it again"},
		{"a.zip", text, "is not a complete zip file: get it again"},
		{"a.zip", one[:len(one)-30], "is not a complete zip file: get it again"},
		{"a.zip", one[:35] + "\x07" + one[36:], "is damaged or truncated (flate: corrupt input before offset 1): get it again"},
		{"a.zip", strings.Replace(zipped(t, zip.Store, text, "a.csv"), "10150817", "10150818", 1), "is damaged or truncated (zip: checksum error): get it again"},
		{"a.zip", zipped(t, zip.Deflate, text, "other.csv") + one, "is damaged: something else precedes or follows its content"},
		{"a.zip", one + zipped(t, zip.Deflate, text, "other.csv")[:60], "is damaged: something else precedes or follows its content"},
		{"a.zip", zipped(t, zip.Deflate, text), "contains no file"},
		{"a.zip", zipped(t, zip.Deflate, text, "folder/"), "contains no file"},
		{"a.zip", zipped(t, zip.Deflate, text, "a.csv", "b.csv", "c.csv"), "contains 3 files: unpack it, and import the right ones"},
		{"a.zip", zipped(t, zip.Deflate, "", strings.Split(strings.Repeat("x ", 90_000), " ")...), "contains very many files: unpack it, and import the right ones"},
		{"a.zip", string(encrypted), "is encrypted: unpack it, and import the file"},
		{"a.zip", string(method), "is compressed by the method 12, which cannot be read: unpack it, and import the file"},
	} {
		path := written(t, row.name, row.file)
		_, err := content(t, path, math.MaxInt64)
		var known *models.Error
		require.ErrorAs(t, err, &known, row.sentence)
		require.Equal(t, path+" "+row.sentence, err.Error())
		require.Equal(t, models.KindInvalid, known.Kind)
	}
}

// A compressed file that expands to more than the bound is refused.
func TestSourceBound(t *testing.T) {
	t.Parallel()
	const most = 64 << 20
	for name, file := range map[string]func(w io.Writer) io.WriteCloser{
		"bomb.gz": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"bomb.zip": func(w io.Writer) io.WriteCloser {
			bomb := zip.NewWriter(w)
			entry, err := bomb.Create("bomb")
			require.NoError(t, err)
			return zipFile{entry, bomb}
		},
	} {
		path := filepath.Join(t.TempDir(), name)
		out, err := os.Create(path)
		require.NoError(t, err)
		w := file(out)
		_, err = io.CopyN(w, zeros{}, most)
		require.NoError(t, err)
		require.NoError(t, w.Close())
		require.NoError(t, out.Close())
		s, err := openSource(t.Context(), path)
		require.NoError(t, err)
		require.EqualValues(t, 16<<30, s.most)
		s.most = most
		_, err = s.sum(t.Context(), func(int64) {})
		require.NoError(t, err)
		s.most = most - 1
		_, err = s.sum(t.Context(), func(int64) {})
		require.ErrorContains(t, err, path+" expands to more than ")
		s.close()
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

type zipFile struct {
	io.Writer
	io.Closer
}

// Wherever a compressed file is cut off, it is refused. Whichever byte of it is wrong,
// it is refused, or nothing of its content is different.
func TestSourceDamaged(t *testing.T) {
	t.Parallel()
	const text = "cvr,name\n10150817,Nordlys A/S\n10150818,Nordlys B/S\n"
	for name, file := range map[string]string{
		"a.gz": gzipped(t, text), "b.gz": gzipped(t, text[:20], text[20:]), "a.zip": zipped(t, zip.Deflate, text, "a.csv"), "b.zip": zipped(t, zip.Store, text, "a.csv"),
	} {
		for at := range len(file) {
			whole := name == "b.gz" && at == len(gzipped(t, text[:20])) // as if it were the whole file
			if _, err := content(t, written(t, name, file[:at]), math.MaxInt64); !whole {
				require.Error(t, err, "%s cut at %d", name, at)
			}
			wrong := []byte(file)
			wrong[at] ^= 0x55
			if found, err := content(t, written(t, name, string(wrong)), math.MaxInt64); err == nil {
				require.Equal(t, text, found, "%s at %d", name, at)
			}
		}
	}
}

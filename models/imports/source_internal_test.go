package imports

import (
	"bytes"
	"compress/gzip"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports/format"
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

// Gzipped is for the tests outside of this package.
var Gzipped = gzipped

func written(t testing.TB, name, text string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// content reads a source once, from its start.
func content(t testing.TB, path string, most int64) (text string, err error) {
	t.Helper()
	s, err := openSource(path)
	if err != nil {
		return "", err
	}
	defer s.close()
	s.most = min(s.most, most)
	r, err := s.read(t.Context(), func(int64) {})
	if err != nil {
		return "", err
	}
	all, err := io.ReadAll(r)
	return string(all), err
}

// A file is read as it is, and the file in a .gz too, in any number of readings
// from its start. Zeros after its data do not matter, as for gzip. A reading reports up to the size of the file, compressed or not.
func TestSourceReadings(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("cvr,name\n", 100_000)
	for name, file := range map[string]string{
		"plain.csv": text, "a.csv.gz": gzipped(t, text), "B.GZ": gzipped(t, text), "parts.gz": gzipped(t, text[:90], text[90:], ""),
		"zero.gz": gzipped(t, text) + "\x00", "zeros.gz": gzipped(t, text[:90], text[90:]) + strings.Repeat("\x00", 99_999),
	} {
		s, err := openSource(written(t, name, file))
		require.NoError(t, err)
		for range 3 {
			var read int64
			r, err := s.read(t.Context(), func(n int64) {
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
			require.Equal(t, s.size(), read, name)
		}
		s.close()
	}
}

// A compressed file that cannot be read is refused in
// a sentence that names it and says what to do.
func TestSourceRefused(t *testing.T) {
	t.Parallel()
	const text = "cvr,name\n10150817,A\n"
	gz := gzipped(t, text)
	for _, row := range []struct{ file, sentence string }{
		{text, "is not a gzip file: rename it if it is not compressed"},
		{"", "is damaged or truncated (EOF): get it again"},
		{gz[:len(gz)-1], "is damaged or truncated (unexpected EOF): get it again"},
		{gz[:len(gz)-8] + "\x00" + gz[len(gz)-7:], "is damaged or truncated (gzip: invalid checksum): get it again"},
		{gz + text, "is damaged: something else follows its compressed data"},
		{gz + strings.Repeat("\x00", 512) + gz, "is damaged: something else follows its compressed data"},
		{gz + gz[:5], "is damaged or truncated (unexpected EOF): get it again"},
	} {
		path := written(t, "a.gz", row.file)
		_, err := content(t, path, math.MaxInt64)
		var known *models.Error
		require.ErrorAs(t, err, &known, row.sentence)
		require.Equal(t, path+" "+row.sentence, err.Error())
		require.Equal(t, models.KindInvalid, known.Kind)
	}
}

// A file that is not text, or is UTF-16, is refused as what it is, whatever layout is to read it.
// Zeros at the start of a record do not make UTF-16.
func TestSourceIsNoText(t *testing.T) {
	t.Parallel()
	const (
		spreadsheet = "is a spreadsheet: save it as CSV in UTF-8"
		wide        = "is UTF-16: save it as UTF-8, or convert it with `iconv -f UTF-16 -t UTF-8`"
		zipHead     = "PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00\xb5\xd8\xf3\xff\x05\x02\x00\x00\x13\x00\x08\x02"
	)
	text, err := os.ReadFile("../../docs/example/layout.yaml")
	require.NoError(t, err)
	own, err := format.ParseLayout(text)
	require.NoError(t, err)
	for _, row := range []struct{ file, sentence string }{
		{"\xff\xfec\x00v\x00r\x00\t\x00", wide},
		{"\xfe\xff\x00c\x00v\x00r", wide},
		{"c\x00v\x00r\x00;\x00", wide},
		{"\x00c\x00v\x00r\x00;", wide},
		{zipHead + "[Content_Types].xml \xa2", spreadsheet},
		{zipHead + "xl/workbook.xml", spreadsheet},
		{zipHead + "mimetypeapplication/vnd.oasis.opendocument.spreadsheetPK", spreadsheet},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", spreadsheet},
		{zipHead + "delivery.csv", "is a zip file: unpack it"},
		{"\x1f\x8b\x08", "is compressed with gzip: let its name end with .gz"},
		{"PK\x05\x06" + strings.Repeat("\x00", 18), "is a zip file: unpack it"},
		{"\x00\x00\x00\x00", ""},
		{"\x00A\x00B1015", ""},
		{"PK;cvr", ""},
		{"cvr", ""},
		{"", ""},
	} {
		source, err := openSource(written(t, "a.csv", row.file))
		require.NoError(t, err)
		for _, layout := range []*format.Layout{nil, format.CSV(), format.OS(), own} {
			_, err = source.layout(t.Context(), layout)
			if row.sentence == "" {
				require.NoError(t, err, "%q", row.file)
			} else {
				require.EqualError(t, err, source.name+" "+row.sentence, "%q", row.file)
				require.True(t, Refuses(err))
			}
		}
		source.close()
	}
}

// A compressed file that expands to more than the bound is refused.
func TestSourceBound(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("\x00", 1<<20)
	path := written(t, "bomb.gz", gzipped(t, text))
	for most, refused := range map[int64]string{1 << 20: "", 1<<20 - 1: path + " expands to more than "} {
		found, err := content(t, path, most)
		if refused == "" {
			require.NoError(t, err)
			require.True(t, text == found)
			continue
		}
		require.ErrorContains(t, err, refused)
	}
	s, err := openSource(path)
	require.NoError(t, err)
	s.close()
	require.EqualValues(t, 16<<30, s.most)
}

// Wherever a compressed file is cut off, it is refused. Whichever byte of it is wrong,
// it is refused, or nothing of its content is different.
func TestSourceDamaged(t *testing.T) {
	t.Parallel()
	const text = "cvr,name\n10150817,Nordlys A/S\n10150818,Nordlys B/S\n"
	for name, file := range map[string]string{
		"a.gz": gzipped(t, text), "b.gz": gzipped(t, text[:20], text[20:]),
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

// A file with more lines than there are places for ids is refused as soon as it is read that far.
func TestFilesHaveRoomForTheirLines(t *testing.T) {
	t.Parallel()
	c := fileContent{bad: &BadFile{Filename: "x.csv"}, cvrs: map[string]struct{}{}, days: map[string]struct{}{}}
	require.NoError(t, c.add(&format.Record{Index: 1<<28 - 2, Amount: []byte("1.00")}))
	require.EqualValues(t, 1<<28-1, c.end, "as many ids as take_id reserves")
	err := c.add(&format.Record{Index: 1<<28 - 1, Amount: []byte("1.00")})
	require.ErrorContains(t, err, "x.csv has more than 268435455 lines, which is the most: split it")
	require.True(t, Refuses(err))
}

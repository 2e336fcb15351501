package imports_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// Bytes of a file's name that are not UTF-8, as old Danish systems write them, are
// replaced, and the file is imported.
func TestDeliveryFilenameOfAnotherEncoding(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t, "10000001")
	path := filepath.Join(t.TempDir(), "l\xf8n.csv")
	require.NoError(t, os.WriteFile(path, []byte(modelstest.DeliveryHeader+modelstest.Record("10000001")), 0o600))
	w.Import(t, imports.DeliveryOptions{Path: path})
	require.Equal(t, "l\ufffdn.csv", modelstest.Transactions(t, w.Service, a, "10000001")[0].Filename)
}

// A path that is not a regular file, or not there, or that this user may not read, is refused at
// once by both imports, in a sentence that names it. In particular, a named pipe without a writer
// does not block the import. Permissions do not hold for root, so as root the test drops the file
// rights of one thread, which ends with the goroutine that is locked to it.
func TestImportOfAnUnreadableFile(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	directory, secret := t.TempDir(), modelstest.DeliveryFile(t, modelstest.Record("10000001"))
	pipe, missing := filepath.Join(directory, "pipe"), filepath.Join(directory, "missing.csv")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	require.NoError(t, os.Chmod(secret, 0))
	for path, sentence := range map[string]string{
		pipe: pipe + " is not a regular file: name a file", "/dev/zero": "/dev/zero is not a regular file: name a file",
		directory: directory + " is a directory: name a file", missing: "there is no file " + missing,
		secret: "cannot read " + secret + ": this user has no permission",
	} {
		refused := make(chan error, 3)
		go func() {
			if path == secret && os.Geteuid() == 0 {
				const nobody = 65534
				runtime.LockOSThread()
				if err := syscall.Setfsuid(nobody); err != nil {
					refused <- err
				}
			}
			refused <- modelstest.ErrorOf(w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path}))
			refused <- modelstest.ErrorOf(w.ImportCompanies(t.Context(), a, path))
		}()
		for range 2 {
			err := modelstest.Receive(t, refused, path)
			modelstest.RequireKind(t, models.KindInvalid, err)
			require.Equal(t, sentence, err.Error())
		}
	}
}

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

// requireUnreadable requires that both imports refuse a path at once, in a goroutine of their
// own that prepare begins.
func requireUnreadable(
	t *testing.T,
	w *modelstest.World,
	a models.Organization,
	path, sentence string,
	prepare func() error,
) {
	t.Helper()
	refused := make(chan error, 3)
	go func() {
		if err := prepare(); err != nil {
			refused <- err
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

// A path that is not a regular file, or not there, is refused at once, in a sentence that
// names it. In particular, a named pipe without a writer does not block the import.
func TestImportOfAnIrregularFile(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	directory := t.TempDir()
	missing := filepath.Join(directory, "missing.csv")
	for path, sentence := range map[string]string{
		pipe: pipe + " is not a regular file: name a file", "/dev/zero": "/dev/zero is not a regular file: name a file",
		directory: directory + " is a directory: name a file", missing: "there is no file " + missing,
	} {
		requireUnreadable(t, w, a, path, sentence, func() error { return nil })
	}
}

// A file that this user may not read is refused in a sentence that says so.
// Permissions do not hold for root, so as root the test drops the file rights of
// one thread, which ends with the goroutine that is locked to it.
func TestImportWithoutPermission(t *testing.T) {
	t.Parallel()
	w, a := newWorld(t)
	path := modelstest.DeliveryFile(t, modelstest.Record("10000001"))
	require.NoError(t, os.Chmod(path, 0))
	requireUnreadable(t, w, a, path, "cannot read "+path+": this user has no permission", func() error {
		runtime.LockOSThread()
		if os.Geteuid() == 0 {
			const nobody = 65534
			return syscall.Setfsuid(nobody)
		}
		return nil
	})
}

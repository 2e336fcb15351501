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
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001")
	path := filepath.Join(t.TempDir(), "l\xf8n.csv")
	require.NoError(t, os.WriteFile(path, []byte(modelstest.DeliveryHeader+modelstest.Record("10000001")), 0o600))
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path})
	require.NoError(t, err)
	require.Equal(t, "l\ufffdn.csv", modelstest.Transactions(t, w.Service, a, "10000001")[0].Filename)
}

// A path that is not a regular file is refused at once, in a sentence that names
// it. In particular, a named pipe without a writer does not block the import.
func TestImportOfAnIrregularFile(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for _, path := range []string{pipe, "/dev/zero", "/dev/null"} {
		refused := make(chan error, 2)
		go func() {
			_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path})
			refused <- err
			_, err = w.ImportCompanies(t.Context(), a, path)
			refused <- err
		}()
		for range 2 {
			err := modelstest.Receive(t, refused, path)
			modelstest.RequireKind(t, models.KindInvalid, err)
			require.Equal(t, path+" is not a regular file: name a file", err.Error())
		}
	}
}

// A file that this user may not read is refused in a sentence that says so.
// Permissions do not hold for root, so as root the test drops the file rights of
// one thread, which ends with the goroutine that is locked to it.
func TestImportWithoutPermission(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	path := modelstest.DeliveryFile(t, modelstest.Record("10000001"))
	require.NoError(t, os.Chmod(path, 0))
	refused := make(chan error, 2)
	go func() {
		runtime.LockOSThread()
		if os.Geteuid() == 0 {
			const nobody = 65534
			if err := syscall.Setfsuid(nobody); err != nil {
				refused <- err
			}
		}
		_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: path})
		refused <- err
		_, err = w.ImportCompanies(t.Context(), a, path)
		refused <- err
	}()
	for range 2 {
		err := <-refused
		modelstest.RequireKind(t, models.KindInvalid, err)
		require.Equal(t, "cannot read "+path+": this user has no permission", err.Error())
	}
}

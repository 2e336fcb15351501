package models_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/models"
	"dispo/models/modelstest"
)

// A file's name may have bytes that are no UTF-8, as old Danish systems write
// them: they are replaced, and the file is imported.
func TestDeliveryFilenameOfAnotherEncoding(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	w.Companies(t, a, "10000001")
	path := filepath.Join(t.TempDir(), "l\xf8n.csv")
	require.NoError(t, os.WriteFile(path, []byte(deliveryHeader+record("10000001")), 0o600))
	_, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: path})
	require.NoError(t, err)
	require.Equal(t, "l\ufffdn.csv", transactions(t, w.Service, a, "10000001")[0].Filename)
}

// What is no regular file is refused at once, in a sentence that names it, and
// above all is not waited for: a named pipe that nobody writes to.
func TestImportOfNoRegularFile(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for _, path := range []string{pipe, "/dev/zero", "/dev/null"} {
		refused := make(chan error, 2)
		go func() {
			_, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: path})
			refused <- err
			_, err = w.Operator.ImportCompanies(t.Context(), a, path, nil)
			refused <- err
		}()
		for range 2 {
			select {
			case err := <-refused:
				requireKind(t, models.KindInvalid, err)
				require.Equal(t, path+" is no regular file: name a file", err.Error())
			case <-after(t):
				require.FailNow(t, path+" is waited for")
			}
		}
	}
}

// A file that may not be read is refused in a sentence that says so. Permissions
// do not hold for root, so as root the thread that asks gives its rights over
// files up first; it ends with the goroutine that is locked to it.
func TestImportWithoutPermission(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a")
	path := csvDelivery(t, record("10000001"))
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
		_, err := w.Operator.ImportDelivery(t.Context(), models.DeliveryImport{Path: path})
		refused <- err
		_, err = w.Operator.ImportCompanies(t.Context(), a, path, nil)
		refused <- err
	}()
	for range 2 {
		err := <-refused
		requireKind(t, models.KindInvalid, err)
		require.Equal(t, path+" can't be read: this user has no permission to", err.Error())
	}
}

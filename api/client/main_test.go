package client_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/api/apitest"
	"dispo/api/client"
	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

// The test program also runs the examples, and syncs a folder, in processes of their own,
// which get a server's address from their environment.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv("DISPO_FOLDER") != "":
		if err := syncFolder(os.Getenv("DISPO_FOLDER")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case os.Getenv("DISPO_URL") != "":
		os.Exit(m.Run())
	default:
		flag.Parse()
		if run := flag.Lookup("test.run"); run.Value.String() == "" {
			_ = run.Value.Set("^Test") // examples need a server
		}
		os.Exit(modelstest.Main(m))
	}
}

func syncFolder(folder string) error {
	c, err := client.New(client.Config{BaseURL: os.Getenv("DISPO_URL"), Key: os.Getenv("DISPO_KEY")})
	if err != nil {
		return err
	}
	store, err := client.NewFileStore(folder)
	if err != nil {
		return err
	}
	_, err = c.Sync(context.Background(), store)
	return err
}

// child returns the test program as a process of its own.
func child(settings ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], "-test.run=^Example", "-test.v")
	cmd.Env = append(os.Environ(), settings...)
	return cmd
}

// data is an organization whose companies have no transactions, one, a whole page, and
// several pages of them.
type data struct {
	*modelstest.World
	organization models.Organization
	key          string
	baseURL      string
}

var cvrs = []string{"10150817", "12345674", "88146328", "10000009"}

func newData(t *testing.T) data {
	t.Helper()
	w := modelstest.NewWorld(t)
	acme := w.Organization(t, "acme")
	w.Companies(t, acme, cvrs...)
	_, err := w.ImportDelivery(t.Context(), imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, cvrs[1]+",1234,0012345678,CARD,2026-01-31,3,-0.50\n")})
	require.NoError(t, err)
	w.Delivery(t, cvrs[2], 100)
	w.Delivery(t, cvrs[3], 251)
	_, key := w.Key(t, acme)
	return data{w, acme, key, apitest.Serve(t, w.Service, 0)}
}

// client returns a client of the service at a base URL.
func (d data) client(t *testing.T, baseURL string, change ...func(*client.Config)) *client.Client {
	t.Helper()
	config := client.Config{BaseURL: baseURL, Key: d.key}
	for _, f := range change {
		f(&config)
	}
	c, err := client.New(config)
	require.NoError(t, err)
	return c
}

// The examples work, and print what they say.
func TestExamples(t *testing.T) {
	t.Parallel()
	d := newData(t)
	text, err := child("DISPO_URL="+d.baseURL, "DISPO_KEY="+d.key).CombinedOutput()
	require.NoError(t, err, "%s", text)
	require.Contains(t, string(text), "--- PASS: ExampleClient_Sync ")
}

package client_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"dispo/api/apitest"
	"dispo/api/client"
	"dispo/models"
	"dispo/models/imports"
	"dispo/models/modelstest"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

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
	_, err := w.ImportDelivery(
		t.Context(),
		imports.DeliveryOptions{Path: modelstest.DeliveryFile(t, cvrs[1]+",1234,0012345678,CARD,2026-01-31,3,-0.50\n")},
	)
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

package models_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"dispo/models"
)

const (
	shownKey  = "dispo_0aZ9bY8cX7dW_"
	keySecret = "abcdefghijklmnopqrstuvwxyz012345Zz9Yy8"
)

// leaks are texts with keys, or parts of keys, and what may be kept of them.
var leaks = map[string]string{
	shownKey + keySecret: shownKey + "…",
	"/api/v1/companies/" + shownKey + keySecret + "/transactions":                  "/api/v1/companies/" + shownKey + "…/transactions",
	"curl/8 (key=" + shownKey + keySecret + "; " + shownKey + keySecret[20:] + ")": "curl/8 (key=" + shownKey + "…; " + shownKey + "…)",
	"dispo_test_0aZ9bY8cX7dW_" + keySecret:                                         "dispo_test_0aZ9bY8cX7dW_…",
	"cut " + shownKey + keySecret[:20]:                                             "cut " + shownKey + "…",
	"cut " + shownKey + keySecret[:1]:                                              "cut " + shownKey + "…",
	"longer " + shownKey + keySecret + keySecret:                                   "longer " + shownKey + "…",
	strings.ToUpper(shownKey + keySecret):                                          strings.ToUpper(shownKey) + "…",
	strings.ToLower(shownKey + keySecret):                                          strings.ToLower(shownKey) + "…",
	"one less dispo_0aZ9bY8cX7d_" + keySecret:                                      "one less dispo_…",
	"one more dispo_0aZ9bY8cX7dWx_" + keySecret:                                    "one more dispo_…",
	"dispo_" + keySecret:                                                           "dispo_…",
	"q=" + strings.ReplaceAll(shownKey+keySecret, "_", "%5F"):                      "q=dispo%5F0aZ9bY8cX7dW%5F…",
	"q=" + strings.ReplaceAll(shownKey+keySecret, "_", "%255f"):                    "q=dispo%255f0aZ9bY8cX7dW%255f…",
	"q=" + encoded(shownKey+keySecret):                                             "q=" + encoded(shownKey) + "…",
	"q=" + encoded("dispo_test_0aZ9bY8cX7dW_"+keySecret): "q=" + encoded(
		"dispo_test_0aZ9bY8cX7dW_",
	) + "…",
	"q=" + url.QueryEscape(encoded(shownKey+keySecret)): "q=" + url.QueryEscape(
		encoded(shownKey),
	) + "…",
	shownKey + keySecret + "@example.com":      shownKey + "…@example.com",
	"\xff" + shownKey + keySecret + "\xff\x00": "\xff" + shownKey + "…\xff\x00",
}

// encoded percent-encodes every character.
func encoded(text string) string {
	var all strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&all, "%%%02x", c)
	}
	return all.String()
}

// MaskKeys keeps of a key what is not secret, however the key is spelled, cut or
// mistyped. Its result stays as it is.
func TestMaskKeys(t *testing.T) {
	t.Parallel()
	for text, masked := range leaks {
		require.Equal(t, masked, models.MaskKeys(text))
		require.Equal(t, masked, models.MaskKeys(masked))
		require.True(t, models.HasKey(text), text)
	}
	for _, plain := range []string{
		"", "dispo", "dispo_", "dispo_operator", shownKey, "dispo_organization_", "dispo_0aZ9bY8cX7dW", "100 %", "%5F%", "Østre Å/S_1",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "/api/v1/companies?limit=1&after=01a1f74b-efa4-72f7-8634-e887f34268f1",
	} {
		require.Equal(t, plain, models.MaskKeys(plain))
		require.False(t, models.HasKey(plain), plain)
	}
}

// A text is masked before it is cut, so that no part of a key's secret is stored,
// wherever the cut falls.
func TestStorable(t *testing.T) {
	t.Parallel()
	for before := range 80 {
		for _, key := range []string{shownKey + keySecret, "dispo_0aZ9bY8cX7d_" + keySecret} {
			text := models.Storable(strings.Repeat("x", before)+key, 60)
			require.LessOrEqual(t, len(text), 60)
			require.NotContains(t, text, keySecret[:2])
		}
	}
	require.Equal(t, "ab", models.Storable("a\x00b\xff", 200))
	require.Equal(t, "x", models.Storable("xø", 2))
}

// A log with MaskLog contains no key: not in messages, texts or errors.
func TestMaskLog(t *testing.T) {
	t.Parallel()
	var written bytes.Buffer
	key := shownKey + keySecret
	log := slog.New(slog.NewJSONHandler(&written, &slog.HandlerOptions{ReplaceAttr: models.MaskLog}))
	log.Error(
		"bad "+key,
		"path",
		"/"+key,
		"error",
		fmt.Errorf("panic: %w", errors.New(key)),
		slog.Group("request", "agent", key),
		"id",
		uuid.Nil,
		"n",
		1,
	)
	require.NotContains(t, written.String(), keySecret[:4])
	require.Equal(t, 4, strings.Count(written.String(), shownKey+"…"))
	require.Contains(t, written.String(), `"id":"00000000-0000-0000-0000-000000000000","n":1}`)
}

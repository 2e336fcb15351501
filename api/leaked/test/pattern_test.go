package leakedtest

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/viper"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"

	"dispo/models/keys"
)

// rules returns the pages' configuration of gitleaks, without its own rules.
func rules(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../../web/docs/leaked-keys.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```\n(\\[extend\\].*?)\n```").FindStringSubmatch(string(page))
	if block == nil {
		t.Fatal("the page has no configuration of gitleaks")
	}
	return strings.Replace(block[1], "useDefault = true", "useDefault = false", 1)
}

// gitleaks, with the pattern that the documentation publishes, finds every key, of organizations
// and of sandboxes, and nothing that differs from one in length, alphabet or prefix.
func TestPattern(t *testing.T) {
	v := viper.New()
	v.SetConfigType("toml")
	if err := v.ReadConfig(strings.NewReader(rules(t))); err != nil {
		t.Fatal(err)
	}
	var read config.ViperConfig
	if err := v.Unmarshal(&read); err != nil {
		t.Fatal(err)
	}
	translated, err := read.Translate()
	if err != nil {
		t.Fatal(err)
	}
	detector := detect.NewDetector(translated)
	around := []string{
		"X-API-Key: KEY", "key=\"KEY\"", "KEY", "https://x/?k=KEY&y", "{\"key\":\"KEY\"}",
		"export A='KEY'; run",
	}
	misses := []func(string) string{
		func(key string) string { return key[:len(key)-1] },
		func(key string) string { return key + "a" },
		func(key string) string { return key[:7] + key[8:] },
		func(key string) string { return key[:20] + "-" + key[21:] },
		func(key string) string { return key[:len(key)-3] + "æ" + key[len(key)-2:] },
		func(key string) string { return strings.Replace(key, "dispo_", "dispa_", 1) },
		func(key string) string { return strings.Replace(key, "dispo_", "dispo", 1) },
		func(key string) string { return strings.Replace(key, "dispo_", "Dispo_", 1) },
		func(key string) string { return "x" + key },
		func(key string) string { return strings.Replace(key, "dispo_", "dispo_prod_", 1) },
	}
	for i := range 1000 {
		key := keys.Generate(i%2 == 1).Text()
		line := strings.Replace(around[i%len(around)], "KEY", key, 1)
		if found := detector.DetectString(line); len(found) != 1 || found[0].Secret != key {
			t.Errorf("a key was not found: %d findings", len(found))
		}
		miss := strings.Replace(around[i%len(around)], "KEY", misses[i%len(misses)](key), 1)
		if found := detector.DetectString(miss); len(found) > 0 {
			t.Errorf("miss %d was found", i%len(misses))
		}
	}
}

package imports_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"time"

	"dispo/models"
	"dispo/models/database"
	"dispo/models/imports"
)

// importVariable makes the test's program import a delivery instead of running tests,
// so that its process can be killed.
const importVariable = "DISPO_TEST_IMPORT"

type childImport struct {
	URL          string
	Path         string
	Named        bool
	Organization *models.Organization
}

// killedImport starts an import in a process of its own, and kills it after a while.
func killedImport(url string, options imports.DeliveryOptions, after time.Duration) error {
	text, err := json.Marshal(childImport{url, options.Path, options.Layout != nil, options.Organization})
	if err != nil {
		return err
	}
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), importVariable+"="+string(text))
	if err := child.Start(); err != nil {
		return err
	}
	time.AfterFunc(after, func() { _ = child.Process.Kill() }) // it may have ended
	_ = child.Wait()
	return nil
}

// runChildImport runs the import that killedImport asked for.
func runChildImport(text string) int {
	var asked childImport
	err := json.Unmarshal([]byte(text), &asked)
	if err == nil {
		var db *database.DB
		if db, err = database.Open(context.Background(), database.Config{URL: asked.URL, Role: database.Operator, Log: slog.New(slog.DiscardHandler)}); err == nil {
			options := imports.DeliveryOptions{Path: asked.Path, SkipUnknown: true, Organization: asked.Organization}
			if asked.Named {
				options.Layout = namedLayout
			}
			_, err = imports.Delivery(context.Background(), db, options)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

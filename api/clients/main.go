// Command clients makes the archives of the clients that the program embeds. It runs in the
// folder api.
package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"io/fs"
	"log"
	"os"
	"path"
	"strings"
)

func main() {
	made, err := archives(os.DirFS("client"))
	for name, content := range made {
		if err == nil {
			err = os.WriteFile("clients/"+name, content, 0o644)
		}
	}
	if err != nil {
		log.Fatal(err)
	}
}

// archives returns the archives of the clients in a folder by their names, the same for the
// same files. They leave out tests and tools.
func archives(clients fs.FS) (map[string][]byte, error) {
	made := map[string][]byte{}
	for name, files := range map[string][]string{
		"dispo-client-go":         {"*.go", "*.sql", "go.mod", "go.sum"},
		"dispo-client-typescript": {"typescript/package.json", "typescript/README.md", "typescript/tsconfig.json", "typescript/src/*"},
	} {
		var packed bytes.Buffer // which never fails
		entries := tar.NewWriter(&packed)
		for _, pattern := range files {
			found, _ := fs.Glob(clients, pattern)
			for _, file := range found {
				if strings.HasSuffix(file, "_test.go") {
					continue
				}
				text, err := fs.ReadFile(clients, file)
				if err == nil && path.Base(file) == "package.json" {
					text, err = withoutTools(text)
				}
				if err != nil {
					return nil, err
				}
				_ = entries.WriteHeader(&tar.Header{Name: name + "/" + strings.TrimPrefix(file, "typescript/"), Mode: 0o644, Size: int64(len(text))})
				_, _ = entries.Write(text)
			}
		}
		_ = entries.Close()
		made[name+".tar"] = packed.Bytes()
	}
	return made, nil
}

// withoutTools returns a package.json without what only the package's development needs:
// npm would install it with the package.
func withoutTools(manifest []byte) ([]byte, error) {
	fields := map[string]any{}
	if err := json.Unmarshal(manifest, &fields); err != nil {
		return nil, err
	}
	delete(fields, "devDependencies")
	delete(fields, "scripts")
	return json.MarshalIndent(fields, "", "  ")
}

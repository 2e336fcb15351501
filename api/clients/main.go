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
	"os/exec"
	"path"
	"strings"
)

func main() {
	if err := write(); err != nil {
		log.Fatal(err)
	}
}

func write() error {
	built, err := os.MkdirTemp("", "dispo-client-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(built)
	const typescript = "client/typescript/"
	compiler := exec.Command("node", typescript+"node_modules/typescript/bin/tsc", "--project",
		typescript+"tsconfig.build.json", "--outDir", built)
	compiler.Stdout, compiler.Stderr = os.Stdout, os.Stderr
	if err := compiler.Run(); err != nil {
		return err
	}
	made, err := archives(os.DirFS("client"), os.DirFS(built))
	for name, content := range made {
		if err == nil {
			err = os.WriteFile("clients/"+name, content, 0o644)
		}
	}
	return err
}

// archives returns the archives of the clients in a folder by their names, the same for the
// same files. They leave out tests and tools, and have what the TypeScript was compiled to
// instead of it.
func archives(clients, built fs.FS) (map[string][]byte, error) {
	made := map[string][]byte{}
	for name, files := range map[string][]string{
		"dispo-client-go":         {"*.go", "*.sql", "go.mod", "go.sum", "README.md"},
		"dispo-client-typescript": {"typescript/package.json", "typescript/README.md"},
	} {
		var packed bytes.Buffer // which never fails
		entries := tar.NewWriter(&packed)
		add := func(file string, text []byte) {
			_ = entries.WriteHeader(&tar.Header{Name: name + "/" + file, Mode: 0o644, Size: int64(len(text))})
			_, _ = entries.Write(text)
		}
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
				add(strings.TrimPrefix(file, "typescript/"), text)
			}
		}
		if name == "dispo-client-typescript" {
			found, _ := fs.Glob(built, "*")
			for _, file := range found {
				text, err := fs.ReadFile(built, file)
				if err != nil {
					return nil, err
				}
				add("dist/"+file, text)
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
	fields := map[string]json.RawMessage{} // which keeps the order of "exports", where the first condition that fits counts
	if err := json.Unmarshal(manifest, &fields); err != nil {
		return nil, err
	}
	delete(fields, "devDependencies")
	delete(fields, "scripts")
	return json.MarshalIndent(fields, "", "  ")
}

package api

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/json"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

//go:embed client/*.go client/typescript/package.json client/typescript/README.md client/typescript/tsconfig.json client/typescript/src
var clientFiles embed.FS

// clientModule is the go.mod of the Go client's archive. Programs import the package by the
// path that it has here.
const clientModule = "module dispo/api/client\n\ngo 1.26.0\n"

// Clients returns archives of the clients' sources by their names. Each unpacks into one
// folder.
func Clients() map[string][]byte {
	goFiles := map[string][]byte{"dispo-client-go/go.mod": []byte(clientModule)}
	typescript := map[string][]byte{}
	err := fs.WalkDir(clientFiles, "client", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		content, err := clientFiles.ReadFile(path)
		if name, ok := strings.CutPrefix(path, "client/typescript/"); ok {
			typescript["dispo-client-typescript/"+name] = content
		} else {
			goFiles["dispo-client-go/"+strings.TrimPrefix(path, "client/")] = content
		}
		return err
	})
	if err != nil {
		panic(err) // cannot happen: the files are embedded
	}
	typescript[typescriptManifest] = withoutTools(typescript[typescriptManifest])
	return map[string][]byte{"dispo-client-go.tar.gz": archive(goFiles), "dispo-client-typescript.tar.gz": archive(typescript)}
}

const typescriptManifest = "dispo-client-typescript/package.json"

// withoutTools returns a package.json without what only the package's development needs:
// npm would install it with the package.
func withoutTools(manifest []byte) []byte {
	fields := map[string]any{}
	if err := json.Unmarshal(manifest, &fields); err != nil {
		panic(err) // cannot happen: the file is embedded
	}
	delete(fields, "devDependencies")
	delete(fields, "scripts")
	manifest, _ = json.MarshalIndent(fields, "", "  ") // what was JSON can be written again
	return manifest
}

// archive returns a compressed tar archive of files, which is the same for the same files.
func archive(files map[string][]byte) []byte {
	var packed bytes.Buffer
	compressed := gzip.NewWriter(&packed)
	entries := tar.NewWriter(compressed)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		_ = entries.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name]))}) // a buffer never fails
		_, _ = entries.Write(files[name])
	}
	_ = entries.Close()
	_ = compressed.Close()
	return packed.Bytes()
}

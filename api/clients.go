package api

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the archives
)

//go:generate go run ./clients

// The archives are made from the clients' folders and committed, because embedding does not
// cross modules. They are compressed when the program starts: not every version of Go
// compresses to the same bytes.
var (
	//go:embed clients/dispo-client-go.tar
	clientGo []byte
	//go:embed clients/dispo-client-typescript.tar
	clientTypeScript []byte
)

// Clients returns archives of the clients by their names. Each unpacks into one
// folder.
func Clients() map[string][]byte {
	return map[string][]byte{
		"dispo-client-go.tar.gz":         compressed(clientGo),
		"dispo-client-typescript.tar.gz": compressed(clientTypeScript),
	}
}

func compressed(text []byte) []byte {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = writer.Write(text) // a buffer never fails
	_ = writer.Close()
	return packed.Bytes()
}

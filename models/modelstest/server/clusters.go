package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// initdb runs PostgreSQL's own once for each user and set of options, and then copies the cluster that
// it made, as PostgreSQL's tests do: the tests make about ninety, and each costs half a second of processor
// time. The current directory is the new one's. In the script, $bin is the directory of PostgreSQL's programs.
const initdb = `case "$*" in *--pgdata*) ;; *) exec "$bin/initdb" "$@" ;; esac
options="$*"
made=$kept/$(id -u)$(printf %s "${options#*"$PWD"}" | tr -c 'a-zA-Z0-9\n' -)
if [ -d "$made" ]; then
	exec cp -a "$made/." .
fi
"$bin/initdb" "$@" && { cp -a . "$made.$$" && mv -T "$made.$$" "$made" || rm -rf "$made.$$"; } 2>/dev/null`

// keepClusters makes a directory in another one, with the programs of the server at url and with the initdb
// above. Its postgres is a script, because Dispo would follow a link to the directory of the real one.
func keepClusters(url, parent string) (programs string, err error) {
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)
	var bin string
	if err := conn.QueryRow(ctx, `SELECT setting FROM pg_config WHERE name = 'BINDIR'`).Scan(&bin); err != nil {
		return "", err
	}
	programs, kept := filepath.Join(parent, "bin"), filepath.Join(parent, "kept")
	// Whatever the umask, every user's servers use them.
	err = errors.Join(os.Mkdir(programs, 0o755), os.Mkdir(kept, 0o777), os.Chmod(programs, 0o755), os.Chmod(kept, 0o777))
	if err != nil {
		return "", err
	}
	entries, err := os.ReadDir(bin)
	version, unknown := exec.Command(filepath.Join(bin, "postgres"), "--version").Output()
	err = errors.Join(err, unknown)
	scripts := map[string]string{
		"initdb": initdb,
		"postgres": fmt.Sprintf(`[ "$1" != --version ] || { echo '%s'; exit; }; exec "$bin/postgres" "$@"`,
			bytes.TrimSpace(version)),
	}
	for _, entry := range entries {
		path := filepath.Join(programs, entry.Name())
		if script, ours := scripts[entry.Name()]; ours {
			text := fmt.Sprintf("#!/bin/sh\nbin='%s' kept='%s'\n%s\n", bin, kept, script)
			err = errors.Join(err, os.WriteFile(path, []byte(text), 0o755), os.Chmod(path, 0o755))
		} else {
			err = errors.Join(err, os.Symlink(filepath.Join(bin, entry.Name()), path))
		}
	}
	return programs, err
}

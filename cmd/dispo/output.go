package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"dispo/models/database"
)

// output is standard output. It keeps its first error, because most commands don't look at it.
type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(text []byte) (int, error) {
	n, err := o.to.Write(text)
	return n, o.keep(err)
}

// close closes it, when some file systems first say that they have no room. It returns the
// first error. Later calls return the same.
func (o *output) close() error {
	if file, ok := o.to.(io.Closer); ok {
		o.to = io.Discard
		_ = o.keep(file.Close())
	}
	return o.err
}

func (o *output) keep(err error) error {
	if err != nil {
		err = fmt.Errorf("cannot write to standard output: %w", database.RootCause(err))
	}
	if o.err == nil {
		o.err = err
	}
	return err
}

// printable escapes the characters of a text from outside that could control the
// terminal or cannot be seen: an ESC becomes \x1b, and a line end \n.
func printable(text string) string {
	var escaped strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		if strconv.IsGraphic(r) {
			escaped.WriteRune(r)
		} else {
			escaped.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
	}
	return escaped.String()
}

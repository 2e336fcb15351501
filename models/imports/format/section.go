package format

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// layoutFile is a layout's YAML while it is read. It keeps the first mistake,
// so that reading it is a list of values and not of checks.
type layoutFile struct{ err error }

// section is a mapping of the YAML; its zero value is one without keys.
type section struct {
	file   *layoutFile
	path   string // with a point at its end where it is not empty
	line   int
	values map[string]*yaml.Node
}

// openLayout reads YAML into its outermost mapping.
func openLayout(text []byte, allowed ...string) (*layoutFile, section) {
	file := &layoutFile{}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, more yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		file.err = errors.New("the layout is empty")
		return file, section{file: file}
	case err != nil:
		file.err = fmt.Errorf("the layout is not valid YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
		return file, section{file: file}
	}
	if err := decoder.Decode(&more); !errors.Is(err, io.EOF) {
		file.err = errors.New("the layout must be a single YAML document")
		return file, section{file: file}
	}
	return file, file.section("", document.Content[0], allowed)
}

func (l *layoutFile) fail(line int, path, format string, arguments ...any) {
	if l.err != nil {
		return
	}
	where := fmt.Sprintf("line %d: ", line)
	if path != "" {
		where += path + ": "
	}
	l.err = errors.New(where + fmt.Sprintf(format, arguments...))
}

func (l *layoutFile) section(path string, node *yaml.Node, allowed []string) section {
	s := section{file: l, path: path, line: node.Line, values: map[string]*yaml.Node{}}
	if node.Kind != yaml.MappingNode {
		l.fail(node.Line, strings.TrimSuffix(path, "."), "expected a mapping with keys %s", listed(allowed))
		return s
	}
	for i := 0; i < len(node.Content); i += 2 {
		key := node.Content[i]
		switch {
		case !slices.Contains(allowed, key.Value):
			l.fail(key.Line, path+key.Value, "unknown key; expected %s", listed(allowed))
		case s.values[key.Value] != nil:
			l.fail(key.Line, path+key.Value, "duplicate key")
		}
		s.values[key.Value] = node.Content[i+1]
	}
	return s
}

// fail tells of a mistake at a key, or of its absence.
func (s section) fail(key, format string, arguments ...any) {
	line := s.line
	if node := s.values[key]; node != nil {
		line = node.Line
	}
	s.file.fail(line, s.path+key, format, arguments...)
}

func (s section) has(key string) bool { return s.values[key] != nil }

// section returns the mapping at a key.
func (s section) section(key string, allowed ...string) section {
	node := s.values[key]
	if node == nil {
		return section{file: s.file, path: s.path + key + ".", line: s.line}
	}
	return s.file.section(s.path+key+".", node, allowed)
}

// text returns the text at a key as it is written, numbers and dates too; it
// is empty only where there is no such key.
func (s section) text(key string) string {
	node := s.values[key]
	if node == nil {
		return ""
	}
	return s.scalar(key, node)
}

func (s section) scalar(key string, node *yaml.Node) string {
	if node.Kind != yaml.ScalarNode || node.Value == "" || node.ShortTag() == "!!null" {
		s.fail(key, "expected text; quote it if it has special characters")
		return ""
	}
	return node.Value
}

// texts returns the texts at a key, where one alone needs no list.
func (s section) texts(key string) []string {
	node := s.values[key]
	switch {
	case node == nil:
		return nil
	case node.Kind != yaml.SequenceNode:
		return []string{s.scalar(key, node)}
	case len(node.Content) == 0:
		s.fail(key, "expected a list of at least one text")
	}
	var texts []string
	for _, item := range node.Content {
		texts = append(texts, s.scalar(key, item))
	}
	return texts
}

// character returns the one character at a key.
func (s section) character(key string) string {
	text := s.text(key)
	if s.has(key) && utf8.RuneCountInString(text) != 1 {
		s.fail(key, "expected a single character in quotes")
	}
	return text
}

// number returns the integer at a key, and 0 where there is none.
func (s section) number(key string, least, most int) int {
	node := s.values[key]
	if node == nil {
		return 0
	}
	n, err := strconv.Atoi(node.Value)
	if node.Kind != yaml.ScalarNode || node.ShortTag() != "!!int" || err != nil || n < least || n > most {
		s.fail(key, "expected an integer from %d to %d", least, most)
		return 0
	}
	return n
}

func (s section) flag(key string, fallback bool) bool {
	node := s.values[key]
	if node == nil {
		return fallback
	}
	if node.Kind != yaml.ScalarNode || node.ShortTag() != "!!bool" || node.Value != "true" && node.Value != "false" {
		s.fail(key, "expected true or false")
	}
	return node.Value == "true"
}

// choice returns the option at a key, and the first where there is none.
func (s section) choice(key string, options ...string) string {
	if !s.has(key) {
		return options[0]
	}
	text := s.text(key)
	if !slices.Contains(options, text) {
		s.fail(key, "expected %s, found %s", listed(options), quoted([]byte(text)))
	}
	return text
}

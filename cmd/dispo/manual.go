package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// manualCommand prints the manual page dispo(1).
type manualCommand struct{}

// AfterApply prints it as --help is printed: before any setting is read.
func (manualCommand) AfterApply(parser *kong.Kong) error {
	out := &strings.Builder{}
	fmt.Fprintf(
		out,
		".TH DISPO 1 \"\" \"dispo %s\"\n.SH NAME\n%s\n.SH SYNOPSIS\n.B dispo\n.I command\n[flags]\n.SH DESCRIPTION\n%s\n",
		roff(cmp.Or(version, "development")),
		`dispo \- read\-only JSON API to companies and their disposition transactions`,
		strings.ReplaceAll(roff(parser.Model.Help), "\n\n", "\n.PP\n"),
	)
	fmt.Fprintln(out, ".SH COMMANDS")
	for _, command := range parser.Model.Leaves(true) {
		fmt.Fprintf(out, ".SS %s\n%s\n", roff(command.Summary()), roff(command.Help))
		for _, argument := range command.Positional {
			fmt.Fprintf(out, ".TP\n.I %s\n%s\n", roff(argument.Summary()), roff(argument.Help))
		}
		for node := command; node.Parent != nil; node = node.Parent {
			manualFlags(out, node.Flags)
		}
	}
	fmt.Fprintln(out,
		".SH SETTINGS\nEvery command has these flags. Each can also be set by the variable that stands behind it.")
	manualFlags(out, parser.Model.Flags)
	fmt.Fprint(out, ".SH EXIT STATUS\n0 if the command did what it should, 1 if it failed, 2 if it was used wrongly.\n",
		".SH FILES\n.TP\n.I /etc/default/dispo\nSettings of the service, and of commands that use its database.\n",
		".TP\n.I /etc/default/dispo\\-commands\nSettings of commands alone.\n",
		".TP\n.I /usr/share/dispo\nThe guide of operators, alarms for Prometheus, and a dashboard for Grafana.\n")
	parser.Exit(exitDone)
	_, err := io.WriteString(parser.Stdout, out.String())
	return err
}

func manualFlags(out io.Writer, flags []*kong.Flag) {
	for _, flag := range flags {
		if !flag.Hidden {
			fmt.Fprintf(out, ".TP\n.B %s\n%s\n", roff(flag.String()), roff(kong.DefaultHelpValueFormatter(flag.Value)))
		}
	}
}

// roff escapes a text of a manual page, whose lines must not begin with a control character.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}

// completeCommand prints how a command line may go on, for shells: each candidate in a line
// with its description behind a tab, and nothing where a file or a free text stands.
type completeCommand struct {
	Words []string `arg:"" optional:"" help:"The words after dispo, the last of which is completed."`
}

// AfterApply prints them as --help is printed: before any setting is read.
func (c completeCommand) AfterApply(parser *kong.Kong) error {
	last := len(c.Words) - 1
	if last < 0 {
		c.Words, last = []string{""}, 0
	}
	node, value := parser.Model.Node, (*kong.Flag)(nil) // value is the flag that the next word belongs to
	for _, word := range c.Words[:last] {
		flag := findFlag(node, word)
		switch {
		case value != nil:
			value = nil
		case flag != nil && !flag.IsBool():
			value = flag
		default:
			if i := slices.IndexFunc(node.Children, func(child *kong.Node) bool { return child.Name == word }); i >= 0 {
				node = node.Children[i]
			}
		}
	}
	var found strings.Builder
	offer := func(prefix, candidate, help string) {
		if strings.HasPrefix(prefix+candidate, c.Words[last]) {
			fmt.Fprintf(&found, "%s%s\t%s\n", prefix, candidate, help)
		}
	}
	prefix := ""
	if name, _, assigned := strings.Cut(c.Words[last], "="); assigned && value == nil {
		prefix, value = name+"=", findFlag(node, name)
	}
	switch {
	case value != nil && value.Enum != "":
		for _, choice := range value.EnumSlice() {
			offer(prefix, choice, "")
		}
	case value != nil || prefix != "":
	case strings.HasPrefix(c.Words[last], "-"):
		for _, flag := range slices.Concat(node.AllFlags(true)...) {
			offer("--", flag.Name, flag.Help)
		}
	default:
		for _, child := range node.Children {
			if !child.Hidden {
				offer("", child.Name, child.Help)
			}
		}
	}
	parser.Exit(exitDone)
	_, err := io.WriteString(parser.Stdout, found.String())
	return err
}

// findFlag returns the flag of a command or of those above it that a word such as --name is, or nil.
func findFlag(node *kong.Node, word string) *kong.Flag {
	for _, flag := range slices.Concat(node.AllFlags(false)...) {
		if word == "--"+flag.Name {
			return flag
		}
	}
	return nil
}

package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// An environment file says to a command what it says to the service: a row for each sentence
// of EnvironmentFile= in systemd.exec(5), and what real systemd makes of it.
func TestEnvironmentFileIsReadAsSystemdReadsIt(t *testing.T) {
	t.Parallel()
	for text, found := range map[string][]string{
		"":                                  nil,
		"A=1\nB=2":                          {"A=1", "B=2"},
		"A=1\r\nB=2\r\n":                    {"A=1", "B=2"},
		"\n \t\n A=1":                       {"A=1"},
		"A\nB=2":                            {"B=2"},
		"#A=1\n ;A=1\nB=2":                  {"B=2"},
		"# a comment \\\nA=1":               {"A=1"}, // since version 254
		"A=1 # no comment":                  {"A=1 # no comment"},
		"A=1;B=2":                           {"A=1;B=2"},
		"A=":                                {"A="},
		"A=\nB=2":                           {"A=", "B=2"},
		"A = 1 \t\nB=2":                     {"A=1", "B=2"},
		"export A=1":                        {"export A=1"},
		"A=a  b":                            {"A=a  b"},
		"A=1=2":                             {"A=1=2"},
		"A=1\nA=2":                          {"A=1", "A=2"},
		`A=$HOME ${B} $(id) ` + "`id`":      {`A=$HOME ${B} $(id) ` + "`id`"},
		`A=%h %%`:                           {`A=%h %%`},
		`A=a\b\\c\$d\"e\'f`:                 {`A=ab\c$d"e'f`},
		`A=a\ ` + "\nB=2":                   {"A=a ", "B=2"},
		"A=a\\\n b \\\r\nB=2":               {"A=a b ", "B=2"},
		"A=\\\n b":                          {"A= b"},
		`A=it's "so" `:                      {`A=it's "so"`},
		`A='a "b" \n \' `:                   {`A=a "b" \n \`},
		"A=' $B # \r\n ; ' \nB=2":           {"A= $B # \r\n ; ", "B=2"},
		`A="a 'b' \" \\ \$C ` + "\\`" + `"`: {`A=a 'b' " \ $C ` + "`"},
		`A="a\nb\'c\ d"`:                    {`A=a\nb\'c\ d`},
		"A=\"a\\\n b\nc\"\nB=2":             {"A=a b\nc", "B=2"},
		`A="$HOME #1; "` + "\t":             {"A=$HOME #1; "},
		`A="a" 'b'"c" d "e" `:               {`A=abcd "e"`},
		`A='never ends` + "\nB=2":           {"A=never ends\nB=2"},
		`A="never ends` + "\nB=2":           {"A=never ends\nB=2"},
		`A="ends \`:                         {"A=ends "},
		`A=ends \`:                          {"A=ends "},
		"A=Ærø":                             {"A=Ærø"},
		"DATABASE_URL='postgres://d:p$w\"o%23r\\d#@db/d?a=b&c=d'": {`DATABASE_URL=postgres://d:p$w"o%23r\d#@db/d?a=b&c=d`},
	} {
		var read []string
		for _, assigned := range assignments(text) {
			if assigned[0] != "" {
				read = append(read, assigned[0]+"="+assigned[1])
			}
		}
		require.Equal(t, found, read, text)
	}
}

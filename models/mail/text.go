package mail

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"sync"
	"text/template"
	"time"

	"dispo/models/i18n"
)

//go:embed texts layout.html
var files embed.FS

// textTemplate is the text of a kind of mail in one language. Its file has blocks between
// empty lines: the subject, and then paragraphs, a button, and a row of cells for each
// company. Each block is a template of its own, so nothing that is filled in can add another.
type textTemplate struct {
	subject *template.Template
	blocks  []block
}

type block struct {
	text   *template.Template
	button bool                 // its text is that of the button that leads to the mail's link
	cells  []*template.Template // of a row for each company, instead of a text: the layout shows three
}

// texts has the text of each kind, and "footer". Each language has a folder of them. It is read
// when it is first needed, because most commands send no mail.
var texts = sync.OnceValue(readTexts)

var layout = sync.OnceValue(func() *htmltemplate.Template {
	return htmltemplate.Must(htmltemplate.ParseFS(files, "layout.html"))
})

func readTexts() map[i18n.Language]map[string]textTemplate {
	read := map[i18n.Language]map[string]textTemplate{}
	names, _ := fs.Glob(files, "texts/*/*.txt") // fails only for a malformed pattern
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err) // impossible: the file is part of the program
		}
		in := i18n.Language(path.Base(path.Dir(name)))
		if read[in] == nil {
			read[in] = map[string]textTemplate{}
		}
		read[in][strings.TrimSuffix(path.Base(name), ".txt")] = parseText(string(text))
	}
	return read
}

func parseText(text string) textTemplate {
	var l textTemplate
	for _, part := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if subject, ok := strings.CutPrefix(part, "Subject: "); ok {
			l.subject = parseBlock(subject)
			continue
		}
		if row, ok := strings.CutPrefix(part, "Row: "); ok {
			var cells []*template.Template
			for cell := range strings.SplitSeq(row, " | ") {
				cells = append(cells, parseBlock(cell))
			}
			l.blocks = append(l.blocks, block{cells: cells})
			continue
		}
		label, button := strings.CutPrefix(part, "Button: ")
		l.blocks = append(l.blocks, block{text: parseBlock(label), button: button})
	}
	return l
}

func parseBlock(text string) *template.Template {
	return template.Must(template.New("").Option("missingkey=zero").Parse(strings.Join(strings.Fields(text), " ")))
}

type company struct {
	Name, CVR, Count, Amount string
	link                     string
}

// Content is a mail as it is read.
type Content struct {
	Subject string
	Text    string
	HTML    string
}

type htmlBlock struct {
	Text string
	Link string // of a button
	Rows []htmlRow
}

// htmlRow is a row of the layout. Its link is that of its first cell.
type htmlRow struct {
	Link  string
	Cells []string
}

// compose fills in the text of a mail. What it names and the details lack is empty.
func compose(in i18n.Language, kind Kind, with Details, companies []company, link string) (Content, error) {
	of, ok := texts()[in][string(kind)]
	if !ok {
		return Content{}, fmt.Errorf("there is no text of the mail %q", kind)
	}
	subject, err := fill(of.subject, with)
	if err != nil {
		return Content{}, err
	}
	view := struct {
		Language, Subject string
		Blocks            []htmlBlock
		Footer            []string
	}{Language: string(in), Subject: subject}
	var plain strings.Builder
	for _, block := range of.blocks {
		if block.cells != nil {
			rows, err := fillRows(block.cells, companies)
			if err != nil {
				return Content{}, err
			}
			view.Blocks = append(view.Blocks, htmlBlock{Rows: rows})
			for _, row := range rows {
				fmt.Fprintf(&plain, "- %s\n", strings.Join(row.Cells, ", "))
			}
			plain.WriteString("\n")
			continue
		}
		text, err := fill(block.text, with)
		if err != nil {
			return Content{}, err
		}
		if text == "" {
			continue
		}
		if block.button {
			view.Blocks = append(view.Blocks, htmlBlock{Text: text, Link: link})
			fmt.Fprintf(&plain, "%s:\n%s\n\n", text, link)
			continue
		}
		view.Blocks = append(view.Blocks, htmlBlock{Text: text})
		fmt.Fprintf(&plain, "%s\n\n", text)
	}
	plain.WriteString("-- \nDispo\n")
	for _, block := range texts()[in]["footer"].blocks {
		text, err := fill(block.text, with)
		if err != nil {
			return Content{}, err
		}
		if text != "" {
			view.Footer = append(view.Footer, text)
			fmt.Fprintf(&plain, "%s\n", text)
		}
	}
	var html bytes.Buffer
	if err := layout().Execute(&html, view); err != nil {
		return Content{}, err
	}
	return Content{Subject: subject, Text: plain.String(), HTML: html.String()}, nil
}

func fillRows(cells []*template.Template, companies []company) ([]htmlRow, error) {
	rows := make([]htmlRow, len(companies))
	for i, company := range companies {
		rows[i].Link = company.link
		for _, cell := range cells {
			text, err := fill(cell, company)
			if err != nil {
				return nil, err
			}
			rows[i].Cells = append(rows[i].Cells, text)
		}
	}
	return rows, nil
}

// fill fills in a block. The result is one line.
func fill(block *template.Template, with any) (string, error) {
	var text strings.Builder
	if err := block.Execute(&text, with); err != nil {
		return "", err
	}
	return strings.Join(strings.Fields(text.String()), " "), nil
}

// inAddress is where an address in a text could begin or go on.
var inAddress = regexp.MustCompile(`[.:@]`)

// unlinked returns a text that somebody chose with invisible characters (U+200C) in what
// may be an address, so that mail programs do not turn it into a link.
func unlinked(text string) string { return inAddress.ReplaceAllString(text, "$0\u200c") }

// readDetails returns the stored details of a mail in the form in which its text names
// them, in the reader's language, and the companies of its rows.
func (s *Sender) readDetails(in i18n.Language, m claimed) (Details, []company, error) {
	var with Details
	if err := json.Unmarshal([]byte(m.Details), &with); err != nil {
		return nil, nil, errors.New("the details of the mail cannot be read")
	}
	var arrived []Company
	if text := with["companies"]; text != "" {
		if err := json.Unmarshal([]byte(text), &arrived); err != nil {
			return nil, nil, errors.New("the companies of the mail cannot be read")
		}
	}
	var companies []company
	for _, c := range arrived {
		companies = append(companies,
			company{unlinked(c.Name), c.CVR, in.Number(c.Count), in.Amount(c.AmountDKK), s.page(m, "companies", c.CVR)})
	}
	zone := i18n.StoredZone(m.TimeZone)
	for name, value := range with {
		switch name {
		case "at", "by", "expires_at", "ends_at", "leaked_at":
			if at, err := time.Parse(time.RFC3339, value); err == nil {
				write := in.At
				if name == "ends_at" {
					write = in.End
				}
				with[name] = write(at.In(zone)) + " (" + zone.String() + ")"
			}
		case "day", "first_date", "last_date":
			if day, err := time.Parse(time.DateOnly, value); err == nil {
				with[name] = in.Day(day)
			}
		case "amount", "records", "more", "requests", "refused", "more_callers":
			with[name] = in.Amount(value)
		case "key", "reason", "file", "replaced_by", "callers":
			with[name] = unlinked(value)
		case "user_agent":
			with[name] = unlinked(in.Client(value))
		}
	}
	with["recipient"], with["organization"] = m.Recipient, unlinked(m.OrganizationName)
	if Kind(m.Kind).Topic() != "" &&
		with["because"] != BecauseAddress { // the recipient can switch it off
		with["optional"] = "yes"
	}
	return with, companies, nil
}

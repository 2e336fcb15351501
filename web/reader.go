package web

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/a-h/templ"

	"dispo/models/i18n"
)

// Locale is the reader's language. Frame embeds it, so that v.T("Save") is a text and
// v.Number(1234) a number in the reader's language.
type Locale = i18n.Language

const (
	English = i18n.English
	Danish  = i18n.Danish
)

type readerKey struct{}

// withReader makes a page's frame known to the components inside the page.
func withReader(ctx context.Context, f Frame) context.Context {
	return context.WithValue(ctx, readerKey{}, &f)
}

// reader returns the frame of the page that a component is in.
func reader(ctx context.Context) *Frame {
	if f, ok := ctx.Value(readerKey{}).(*Frame); ok {
		return f
	}
	return &Frame{}
}

// local is t where the organization is.
func (f Frame) local(t time.Time) time.Time { return inZone(t, f.Zone) }

// Say is a text with elements in it. A parameter is text, a number or a component. A
// tag in the text, such as <all>, is the parameter of that name, a component around
// the tag's content. The tags strong and code stand for themselves.
func (f Frame) Say(english string, parameters ...any) templ.Component {
	return sentence{f.Locale, f.Lookup(english), parameters}
}

// SayN is Say for n things, which {n} stands for.
func (f Frame) SayN(n int64, one, other string, parameters ...any) templ.Component {
	return sentence{f.Locale, f.Form(n, one, other), append(parameters, "n", n)}
}

type sentence struct {
	locale     Locale
	text       string
	parameters []any
}

// Render writes the text, and its parameters where they stand.
func (s sentence) Render(ctx context.Context, w io.Writer) error {
	for rest := s.text; rest != ""; {
		at := strings.IndexAny(rest, "{<")
		if at < 0 {
			at = len(rest)
		}
		if _, err := io.WriteString(w, templ.EscapeString(rest[:at])); err != nil {
			return err
		}
		rest = rest[at:]
		var err error
		switch {
		case strings.HasPrefix(rest, "{"):
			rest, err = s.renderParameter(ctx, w, rest)
		case rest != "":
			rest, err = s.renderTag(ctx, w, rest)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// renderParameter writes the parameter at the start of text, and returns what follows.
func (s sentence) renderParameter(ctx context.Context, w io.Writer, text string) (rest string, err error) {
	_, name, rest, _ := i18n.CutParameter(text)
	value, _ := i18n.Parameter(s.parameters, name)
	if component, ok := value.(templ.Component); ok {
		return rest, component.Render(ctx, w)
	}
	_, err = io.WriteString(w, templ.EscapeString(s.locale.Value(value)))
	return rest, err
}

// renderTag writes the tag at the start of text, and returns what follows.
func (s sentence) renderTag(ctx context.Context, w io.Writer, text string) (rest string, err error) {
	name, rest, _ := strings.Cut(text[1:], ">")
	content, rest, _ := strings.Cut(rest, "</"+name+">")
	inside := sentence{s.locale, content, s.parameters}
	value, _ := i18n.Parameter(s.parameters, name)
	if component, ok := value.(templ.Component); ok {
		return rest, component.Render(templ.WithChildren(ctx, inside), w)
	}
	if _, err = io.WriteString(w, "<"+name+">"); err != nil {
		return rest, err
	}
	if err = inside.Render(ctx, w); err != nil {
		return rest, err
	}
	_, err = io.WriteString(w, "</"+name+">")
	return rest, err
}

// scriptTexts are the texts that the script shows.
func (f Frame) scriptTexts() templ.Attributes {
	return templ.Attributes{
		"data-just-now":      f.T("just now"),
		"data-copied":        f.T("Copied"),
		"data-copy-manually": f.T("Copying is not allowed here. The text is selected."),
	}
}

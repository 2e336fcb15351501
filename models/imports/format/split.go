package format

import "bytes"

// splitter cuts delimited lines into cells, in memory that it uses again.
type splitter struct {
	delimiter byte
	quotes    bool // a cell may stand in double quotes, as RFC 4180 has it
	cells     [][]byte
	unquoted  []byte // what quoted cells with doubled quotes in them really say
}

// detect chooses the delimiter by a header, unless it is known: no column's name contains
// a semicolon.
func (s *splitter) detect(header []byte) {
	if s.delimiter == 0 {
		s.delimiter = ','
		if bytes.IndexByte(header, ';') >= 0 {
			s.delimiter = ';'
		}
	}
}

// split returns the cells of text; they are valid until the next call.
func (s *splitter) split(text []byte) (cells [][]byte, reason string) {
	s.cells, s.unquoted = s.cells[:0], s.unquoted[:0]
	if s.quotes && bytes.IndexByte(text, '"') >= 0 {
		return s.splitQuoted(text)
	}
	for {
		i := bytes.IndexByte(text, s.delimiter)
		if i < 0 {
			break
		}
		s.cells = append(s.cells, text[:i])
		text = text[i+1:]
	}
	s.cells = append(s.cells, text)
	return s.cells, ""
}

func (s *splitter) splitQuoted(text []byte) (cells [][]byte, reason string) {
	for {
		var cell []byte
		if len(text) > 0 && text[0] == '"' {
			if cell, text, reason = s.unquote(text[1:]); reason != "" {
				return nil, reason
			}
		} else {
			end := bytes.IndexByte(text, s.delimiter)
			if end < 0 {
				end = len(text)
			}
			cell, text = text[:end], text[end:]
			if bytes.IndexByte(cell, '"') >= 0 {
				return nil, "double quote inside an unquoted field; quote the whole field and double the quote"
			}
		}
		s.cells = append(s.cells, cell)
		if len(text) == 0 {
			return s.cells, ""
		}
		if text[0] != s.delimiter {
			return nil, "text after a closing double quote"
		}
		text = text[1:]
	}
}

// unquote reads a cell whose opening quote has been read, and returns what
// follows its closing quote.
func (s *splitter) unquote(text []byte) (cell, rest []byte, reason string) {
	from := len(s.unquoted)
	for {
		i := bytes.IndexByte(text, '"')
		switch {
		case i < 0:
			return nil, nil, "unclosed double quote; a field can't span lines"
		case i+1 < len(text) && text[i+1] == '"':
			s.unquoted = append(s.unquoted, text[:i+1]...)
			text = text[i+2:]
		case len(s.unquoted) == from:
			return text[:i], text[i+1:], ""
		default:
			s.unquoted = append(s.unquoted, text[:i]...)
			return s.unquoted[from:], text[i+1:], ""
		}
	}
}

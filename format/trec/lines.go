package trec

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"pairrank/data"
	"pairrank/internal/codec"
	"pairrank/internal/memory"
	"pairrank/internal/textline"
)

// longestLine is the greatest length of a line, in bytes.
const longestLine = 1 << 20

// shortened returns s, or the beginning of a long field.
func shortened(s string) string {
	const most = 80
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}

// field is a word of a line and its column.
type field struct {
	text   []byte
	column int
}

// lines reads a file line by line.
type lines struct {
	file    string
	scanner *bufio.Scanner
	number  int
	fields  []field // of the current line; valid until the next
	length  int
	bytes   int          // of all lines so far
	asked   memory.Meter // of the memory that they take
}

func newLines(r io.Reader, file string) *lines {
	s := bufio.NewScanner(codec.Unmarked(r, file))
	s.Buffer(nil, longestLine)
	return &lines{file: file, scanner: s}
}

// next goes to the next line that is not blank and no comment; io.EOF ends.
func (l *lines) next() error {
	for l.scanner.Scan() {
		l.number++
		text := l.scanner.Bytes()
		l.length = len(text)
		l.bytes += len(text)
		if err := l.asked.Read(l.bytes, l.number); err != nil {
			return fmt.Errorf("%s: %w", l.file, err)
		}
		if at := bytes.IndexByte(bytes.TrimRight(text, "\r"), '\r'); at >= 0 {
			return &data.SyntaxError{File: l.file, Line: l.number, Col: at + 1, Msg: textline.InnerReturn}
		}
		l.split(text)
		switch {
		case len(l.fields) == 0 || l.fields[0].text[0] == '#':
		case codec.Marked(string(l.fields[0].text)):
			return l.fault(0, "a byte order mark within the text")
		default:
			return nil
		}
	}
	err := l.scanner.Err()
	switch {
	case err == nil:
		return io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		return &data.SyntaxError{File: l.file, Line: l.number + 1, Col: longestLine,
			Msg: fmt.Sprintf("line is longer than %d bytes", longestLine)}
	case strings.HasPrefix(err.Error(), l.file+": "):
		return err // of a reader below, which has named it
	}
	return fmt.Errorf("%s: %w", l.file, err)
}

// split finds the fields: runs of bytes that are not ASCII white space.
func (l *lines) split(text []byte) {
	l.fields = l.fields[:0]
	for i := 0; i < len(text); {
		if isSpace(text[i]) {
			i++
			continue
		}
		end := bytes.IndexFunc(text[i:], func(r rune) bool { return r < 0x80 && isSpace(byte(r)) })
		if end < 0 {
			end = len(text) - i
		}
		l.fields = append(l.fields, field{text[i : i+end], i + 1})
		i += end
	}
}

// isSpace is the white space of C: blank, tab, line feed to carriage return.
func isSpace(b byte) bool { return b == ' ' || '\t' <= b && b <= '\r' }

// fault is an error about field j, or about the end of the line if there is no
// such field.
func (l *lines) fault(j int, problem string) error {
	e := &data.SyntaxError{File: l.file, Line: l.number, Col: l.length + 1, Msg: problem}
	if j < len(l.fields) {
		e.Col, e.Text = l.fields[j].column, shortened(string(l.fields[j].text))
	}
	return e
}

// key is a document of a query.
type key struct{ query, doc string }

// seen is the documents of queries so far: one that appears twice is an error.
type seen map[key]int // the line

func (s seen) add(l *lines, k key, column int) error {
	if first, twice := s[k]; twice {
		return l.fault(column, fmt.Sprintf("document of query %q is already in line %d", shortened(k.query), first))
	}
	s[k] = l.number
	return nil
}

// interner keeps one copy of equal strings.
type interner map[string]string

func (n interner) of(text []byte) string {
	if s, ok := n[string(text)]; ok {
		return s
	}
	s := string(text)
	n[s] = s
	return s
}

// checkWord refuses a word that could not be read back as one field.
func checkWord(what, s string, first bool) error {
	for i := range len(s) {
		if isSpace(s[i]) {
			return fmt.Errorf("%s %q has white space in it", what, s)
		}
	}
	if s == "" || first && (s[0] == '#' || codec.Marked(s)) {
		return fmt.Errorf("%s %q cannot be written as a field", what, s)
	}
	return nil
}

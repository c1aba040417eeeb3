package table

import (
	"bytes"
	"io"

	"pairrank/data"
	"pairrank/internal/textline"
)

// list is where a list of objects has been read to, which may be a whole text of JSON, or be in one.
type list struct {
	rest  []byte // of the line
	size  int    // of the line
	state listState
	document
}

type listState int

const (
	listUnread listState = iota // before the list
	listBegun                   // before an element
	listMore                    // after one
	listEnded
	listBroken // by a fault, after which nothing is read
)

// beginsList reports whether the text is a list of objects rather than one object a line.
func (l *lines) beginsList() bool {
	rest, is := bytes.CutPrefix(bytes.TrimLeft(l.text, " \t\r\n"), []byte("["))
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return is && len(rest) > 0 && rest[0] == '{'
}

// element returns the next element of the list, and io.EOF after the last.
func (l *lines) element() ([]byte, error) {
	for l.list.state != listBroken {
		l.list.rest = bytes.TrimLeft(l.list.rest, " \t\r\n")
		if len(l.list.rest) == 0 {
			if err := l.furtherList(); err != nil {
				return nil, err
			}
			continue
		}
		l.line, l.extra, l.record = l.line+l.extra, 0, nil
		if l.begins = l.list.size - len(l.list.rest); l.list.whole != nil {
			l.advance()
		}
		switch c := l.list.rest[0]; {
		case c == '[' && l.list.state == listUnread:
			l.list.state = listBegun
		case c == ',' && l.list.state == listMore:
			l.list.state = listBegun
		case c == ']' && l.list.state == listMore:
			l.list.state = listEnded
		case l.list.state == listBegun && c != ',' && c != ']':
			l.list.state = listMore
			return l.wholeElement()
		default:
			msg := map[listState]string{listBegun: "an object of the list is missing", listMore: "a comma is missing " +
				"between objects of the list", listEnded: "there is text after the end of the list"}[l.list.state]
			l.list.state = listBroken
			return nil, l.faultAt(l.list.rest, l.list.rest, msg)
		}
		l.list.rest = l.list.rest[1:]
	}
	return nil, io.EOF
}

// furtherList reads the next line of a list, which may be behind it.
func (l *lines) furtherList() error {
	line, err := l.read()
	switch {
	case err != nil && l.list.state == listEnded:
		return err
	case err != nil:
		return l.endless(err)
	case l.list.whole != nil && len(bytes.TrimSpace(line)) > 0:
		l.list.state = listBroken
		return l.jsonFault(1, "", "text after the object that has the rows", nil)
	}
	l.list.rest, l.list.size = line, len(line)
	return nil
}

// endless is the error about a list that does not end.
func (l *lines) endless(err error) error {
	if err != io.EOF {
		return err
	}
	l.list.state = listBroken
	return &data.SyntaxError{File: l.name, Line: l.line + l.extra, Col: 1, Msg: "the list of objects does not end",
		Err: err}
}

// wholeElement returns the element that begins here, which may go on over the next lines.
func (l *lines) wholeElement() ([]byte, error) {
	var s braces
	end := s.end(l.list.rest)
	if end > 0 {
		element := l.list.rest[:end]
		l.list.rest = l.list.rest[end:]
		if l.list.whole != nil {
			l.record = element
		}
		return element, l.valid(element)
	}
	text, first := bytes.Clone(l.list.rest), l.line
	for {
		line, err := l.read()
		if err != nil {
			return nil, l.endless(err)
		}
		if end := s.end(line); end > 0 {
			text = append(text, line[:end]...)
			l.list.rest, l.list.size = line[end:], len(line)
			l.line, l.extra, l.record = first, l.line-first, text
			return text, l.valid(text)
		}
		if text = append(text, line...); len(text) > l.most {
			return nil, textline.LongLine(l.name, first, l.most)
		}
	}
}

// braces finds the end of a value of JSON.
type braces struct {
	open            int
	quoted, escaped bool
}

// end is where the value ends in a text that goes on with it; 0 where it does not.
func (b *braces) end(text []byte) int {
	for i, c := range text {
		switch {
		case b.escaped:
			b.escaped = false
		case b.quoted:
			b.escaped, b.quoted = c == '\\', c != '"'
		case c == '"':
			b.quoted = true
		case c == '{' || c == '[':
			b.open++
		case b.open == 0 && (c == ',' || c == ']'): // of a value that is no object
			return i
		case c == '}' || c == ']':
			if b.open--; b.open <= 0 {
				return i + 1
			}
		}
	}
	return 0
}

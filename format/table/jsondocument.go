package table

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/jsonrows"
)

// ErrRows is wrapped by errors about which list within an object of JSON has the rows.
var ErrRows = errors.New("an object of no known rows")

// usualRows are where the rows of an object of JSON usually are.
var usualRows = []string{"samples", "results.results", "per_query", "results", "annotations", "rows", "data"}

// document is an object of JSON that is a whole text, whose rows are a list in it.
type document struct {
	path   string // of the list; "" finds it
	whole  []byte // nil where the text is none
	at     int    // how far lines were counted in it
	begins int    // where the line begins at that place
}

// rows says where the rows of an object of JSON are. It returns an error for other texts.
func (l *lines) rows(path string) error {
	if _, is := l.from.(*objectRows); path != "" && (!is || l.beginsList()) {
		return &data.SyntaxError{File: l.name, Msg: "no object of JSON that has rows at " + strconv.Quote(path),
			Err: ErrRows}
	}
	l.list.path = path
	return nil
}

// beginDocument reads the first object. Where it is a whole text, in which there are rows, these are what follows, and
// it returns nil; else it returns the object, which is one of one object a line.
func (l *lines) beginDocument() ([]byte, error) {
	first, err := l.firstObject()
	if err != nil {
		return nil, err
	}
	d, one := &l.list.document, l.record == nil
	if err := l.valid(first); err != nil {
		return nil, err
	}
	if d.path == "" && one {
		if rowsIn(first) == nil {
			return first, nil
		}
		if first = bytes.Clone(first); !l.ended() {
			return first, nil
		}
	}
	rows := valueAt(first, d.path)
	switch {
	case d.path == "":
		if rows, err = l.onlyRows(first); err != nil {
			return nil, err
		}
	case !isRows(rows):
		return nil, l.rowsFault("no list of objects at " + strconv.Quote(d.path) + ": " + listsIn(first))
	}
	at := place(first, rows) - 1
	d.whole = first
	if one {
		d.whole = bytes.Clone(first)
	}
	l.list.rest = d.whole[at : at+len(rows)]
	return nil, nil
}

// rowsFault is an error about where the rows of the first object are.
func (l *lines) rowsFault(msg string) error {
	return &data.SyntaxError{File: l.name, Line: l.line, Col: 1, Msg: msg, Err: ErrRows}
}

// firstObject reads the line, or the lines, of the first object.
func (l *lines) firstObject() ([]byte, error) {
	var s braces
	var object []byte
	for begun := 0; ; {
		line, err := l.read()
		switch {
		case err == nil && object != nil:
			err = l.ask()
		case err == io.EOF && object != nil: // which is not valid
			l.line, l.record = begun, object
			return object, nil
		}
		if err != nil {
			return nil, err
		}
		if object == nil {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			begun = l.line
		}
		end := s.end(line)
		if object == nil && (end > 0 || l.isCut(line)) {
			return bytes.TrimSpace(line), nil
		}
		if object = append(object, line...); end > 0 {
			object = bytes.TrimRight(object, " \t\r\n")
			l.line, l.record = begun, object
			return object, nil
		}
	}
}

// isCut reports whether a line that no object ends is a broken one of one object a line: it begins no object, or the
// next line begins one, and this is no element of a list or member.
func (l *lines) isCut(line []byte) bool {
	const blanks = " \t\r\n"
	line = bytes.Trim(line, blanks)
	next := bytes.TrimLeft(l.text, blanks)
	return line[0] != '{' || len(next) > 0 && next[0] == '{' && !bytes.ContainsAny(line[len(line)-1:], "[:")
}

// ended reports whether nothing but blanks follows.
func (l *lines) ended() bool {
	for len(bytes.TrimLeft(l.text, " \t\r\n")) == 0 {
		l.extra += bytes.Count(l.text, []byte{'\n'})
		if l.text = nil; l.load() != nil {
			return true
		}
	}
	return false
}

// rowsIn is the first list of rows that is where rows usually are, nil for none.
func rowsIn(object []byte) []byte {
	for _, path := range usualRows {
		if rows := valueAt(object, path); isRows(rows) {
			return rows
		}
	}
	return nil
}

// isRows reports whether a value is a list that begins with an object.
func isRows(value []byte) bool {
	if value == nil || !jsonrows.IsList(value) {
		return false
	}
	for _, element := range jsonrows.Elements(value) {
		return jsonrows.IsObject(element)
	}
	return false
}

// onlyRows is the list of rows that is where rows usually are, or else the only one.
func (l *lines) onlyRows(object []byte) ([]byte, error) {
	if rows := rowsIn(object); rows != nil {
		return rows, nil
	}
	paths := listPaths(object)
	switch len(paths) {
	case 0:
		return nil, l.rowsFault("the object does not end on this line: there is one object a line")
	case 1:
		return valueAt(object, paths[0]), nil
	}
	return nil, l.rowsFault("an object whose rows may be " + listsIn(object))
}

// listPaths are where an object has lists of objects, in itself and in its members.
func listPaths(object []byte) (paths []string) {
	for key, value := range jsonrows.Fields(object) {
		if isRows(value) {
			paths = append(paths, key)
		}
		if !jsonrows.IsObject(value) {
			continue
		}
		for inner, value := range jsonrows.Fields(value) {
			if isRows(value) {
				paths = append(paths, key+"."+inner)
			}
		}
	}
	return paths
}

// listsIn names the lists of objects in an object.
func listsIn(object []byte) string {
	paths := listPaths(object)
	if paths == nil {
		return "there is no list of objects"
	}
	return "the lists of objects " + listed(len(paths), ", ", func(k int) string { return quotedID(paths[k]) })
}

// advance counts the lines up to the rest of a list in the document.
func (l *lines) advance() {
	d := &l.list.document
	at := place(d.whole, l.list.rest) - 1
	passed := d.whole[d.at:at]
	if k := bytes.LastIndexByte(passed, '\n'); k >= 0 {
		l.line, d.begins = l.line+bytes.Count(passed, []byte{'\n'}), d.at+k+1
	}
	d.at, l.begins = at, at-d.begins
}

// valueAt is the value at a path in a value of JSON: names of members and numbers of elements from 0, with points
// between them. A member whose name has points is found, too; * is the only member. It is nil where there is none.
func valueAt(value []byte, path string) []byte {
	if path == "" || value == nil {
		return value
	}
	first, rest, _ := strings.Cut(path, ".")
	if jsonrows.IsList(value) {
		return valueAt(elementAt(value, first), rest)
	}
	if !jsonrows.IsObject(value) {
		return nil
	}
	members, only := 0, []byte(nil)
	for key, member := range jsonrows.Members(value) {
		name := key[1 : len(key)-1]
		if !simple(name) {
			name = []byte(jsonrows.Text(key))
		}
		n := len(name)
		if n <= len(path) && path[:n] == string(name) && (n == len(path) || path[n] == '.') {
			if found := valueAt(member, strings.TrimPrefix(path[n:], ".")); found != nil {
				return found
			}
		}
		members, only = members+1, member
	}
	if first == "*" && members == 1 {
		return valueAt(only, rest)
	}
	return nil
}

// elementAt is the element of a list whose number from 0 a text is, nil where there is none.
func elementAt(list []byte, number string) []byte {
	for k, element := range jsonrows.Elements(list) {
		if strconv.Itoa(k) == number {
			return element
		}
	}
	return nil
}

package table

import (
	"bytes"
	"errors"
	"unsafe"

	"pairrank/internal/cellfault"
)

// mostJoined bounds the text of a row whose quotes go on over several lines, in bytes.
const mostJoined = 1 << 20

// placing is where the rows come from, and where the current one stands: it may go on over further lines, or begin
// within one.
type placing struct {
	from    container          // of the rows, where they are no lines of text
	rounded func(col int) bool // whether the row has a float that lost digits there, from 0; nil where texts tell it
	list    list               // of objects

	extra   int    // further lines of the row
	record  []byte // the row, where it has further lines
	begins  int    // bytes of the line before it
	cells   int    // fields of the first row, 0 before it
	single  bool   // no row has several lines
	counted string // what line counts, where it is not lines
}

// errUnclosed is why quotes are refused that do not end.
var errUnclosed error = cellfault.New(cellfault.Quotes, "the quotes do not end on their line")

// unclosed reports whether quotes go on after the end of the line that an error is about.
func (l *lines) unclosed(err error) bool { return !l.single && errors.Is(err, errUnclosed) }

// joined returns the fields of a row that begins with the line, and whose quotes go on over the next ones. It is nil
// where they do not end at the end of a field, or the row has not as many fields as the first: then the line alone is
// at fault, the next ones are read again, and no row is looked for over several lines any more.
func (l *lines) joined(line []byte) []field {
	text, first, raw := unbroken(nil, line), l.line, []byte(nil)
	undo := func() []field {
		l.bytes -= len(raw)
		l.line, l.single = first, true
		l.text, l.parsed, l.found = append(raw, l.text...), nil, nil
		return nil
	}
	for open := true; open; {
		more, err := l.read()
		if err != nil {
			return undo()
		}
		if len(l.parsed) > 0 { // the fields of a line that is none
			l.found, l.parsed = l.found[l.parsed[0].fields:], l.parsed[1:]
		}
		raw = append(raw, more...)
		text = unbroken(append(text, '\n'), more)
		open = bytes.Count(more, []byte{'"'})%2 == 0
		if len(text) > min(mostJoined, l.most) {
			return undo()
		}
	}
	fields, err := l.split(l.fields[:0], unsafe.String(&text[0], len(text)))
	if n := len(fields); err != nil || l.cells > 0 && n != l.cells && n != l.cells+1 || bytes.IndexByte(text, '\r') >= 0 {
		return undo()
	}
	l.line, l.extra, l.record = first, l.line-first, text
	return fields
}

// unbroken appends a line without its end.
func unbroken(text, line []byte) []byte { return append(text, bytes.TrimRight(line, "\r\n")...) }

// placed is the line and the column of a byte of the row, from 1: the row may have several lines, or begin within one.
func (l *lines) placed(at int) (line, col int) {
	before := l.record[:min(max(at-1, 0), len(l.record))]
	if k := bytes.LastIndexByte(before, '\n'); k >= 0 {
		return l.line + bytes.Count(before, []byte{'\n'}), at - 1 - k
	}
	return l.line, l.begins + at
}

package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"pairrank/data"
	"pairrank/format/internal/rowfile"
	"pairrank/internal/npy"
)

// container gives the rows of a file in place of lines of text: first the names of the columns, then the cells.
type container interface {
	next() ([]field, error) // io.EOF after the last
	// fault is an error about a field of the row that next returned last; nil for one with line and column.
	fault(file string, f field, msg string) error
}

// openShape opens a file of any container whose rows are lines of fields; the caller calls the function returned.
func openShape(path string, sep byte, maxLine int) (*lines, func() error, error) {
	if c := rowfile.Of(path); c != nil {
		rows, err := c.Open(path)
		if err != nil {
			return nil, nil, err
		}
		l := &lines{name: path, most: maxLine, placing: placing{counted: "row"}}
		from := &tableRows{lines: l, rows: rows, columns: rows.Columns()}
		l.from, l.rounded = from, from.rounded
		return l, rows.Close, nil
	}
	l, closeText, err := openText(path, sep, maxLine)
	if err != nil {
		return nil, nil, err
	}
	l.asObjects()
	return l, closeText, nil
}

// reading reads and closes what openShape or openText opened; it returns nothing where either fails.
func reading[T any](read func(l *lines) (T, error)) func(l *lines, closeText func() error, err error) (T, error) {
	return func(l *lines, closeText func() error, err error) (none T, _ error) {
		if err != nil {
			return none, err
		}
		out, err := read(l)
		if err = errors.Join(err, closeText()); err != nil {
			return none, err
		}
		return out, nil
	}
}

// shapeFrom is openShape of text from a reader.
func shapeFrom(r io.Reader, name string, sep byte, maxLine int) *lines {
	l := textFrom(r, name, sep, maxLine)
	l.asObjects()
	return l
}

// asObjects reads the text as objects of JSON where its name says so, or it begins with one.
func (l *lines) asObjects() {
	format := FormatOf(l.name)
	if text := bytes.TrimLeft(l.text, " \t\r\n"); format == JSONL || format == JSON || l.beginsList() ||
		len(text) > 0 && text[0] == '{' {
		l.from = &objectRows{lines: l, at: map[string]int{}}
	}
}

// fromContainer is the next row of a container. A row without columns, such as an object without members, is an error.
func (l *lines) fromContainer() ([]field, error) {
	fields, err := l.from.next()
	if err == nil && len(fields) == 0 {
		return nil, &data.SyntaxError{File: l.name, Line: l.line, Msg: "a row without columns"}
	}
	return fields, err
}

// named reports whether the first row holds the names of the columns, whatever they are.
func (l *lines) named() bool { return l.from != nil }

// tableRows are the rows of a container of another package as fields.
type tableRows struct {
	*lines
	rows    rowfile.Rows
	columns []string
	fields  []field
}

func (t *tableRows) next() ([]field, error) {
	texts := t.columns
	if t.fields != nil {
		var err error
		if texts, err = t.rows.Next(); err != nil {
			return nil, err
		}
		t.line++
	}
	t.fields = t.fields[:0]
	for k, text := range texts {
		t.fields = append(t.fields, field{text: text, col: k + 1})
		t.bytes += len(text)
	}
	return t.fields, nil
}

// rounded reports whether a cell of the row is a float that may be another whole number.
func (t *tableRows) rounded(col int) bool {
	bits := t.rows.FloatBits(col)
	if bits == 0 {
		return false
	}
	x, ok := parseNumber(t.fields[col].text)
	return ok && math.Abs(x) >= npy.ExactFloats[bits]
}

func (t *tableRows) fault(file string, f field, msg string) error {
	if t.line == 0 {
		return &data.SyntaxError{File: file, Msg: msg}
	}
	column := strconv.Itoa(f.col)
	if f.col <= len(t.columns) {
		column = quotedID(t.columns[f.col-1])
	}
	return &data.SyntaxError{File: file, Msg: fmt.Sprintf("row %d, column %s: %s: %q", t.line, column, msg,
		data.ClipText(f.text))}
}

// picked are some fields of each row, in an order of their own.
type picked struct {
	container
	columns []int
	fields  []field
}

func (p *picked) next() ([]field, error) {
	all, err := p.container.next()
	if err != nil {
		return nil, err
	}
	return p.pick(all), nil
}

func (p *picked) pick(all []field) []field {
	p.fields = p.fields[:0]
	for _, k := range p.columns {
		p.fields = append(p.fields, all[k])
	}
	return p.fields
}

// pick goes on with some columns alone, in an order of their own.
func (l *lines) pick(h *head, columns []int) {
	p := &picked{container: l.from, columns: columns}
	l.from = p
	h.first = append([]field(nil), p.pick(h.first)...)
	if h.second != nil {
		h.second = p.pick(h.second)
	}
}

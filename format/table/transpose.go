package table

import (
	"fmt"
	"io"
	"strings"

	"pairrank/data"
)

// turned are the cells of a table whose columns are the rows of a set.
type turned struct {
	cells [][]string // by line of the text
	at    int        // the column that comes next, from 0
	row   []field
}

// transpose reads all lines; next then returns the columns of the text as rows. The first line may
// lack the field above the names of the columns.
func (l *lines) transpose() error {
	t := &turned{}
	for {
		fields, err := l.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = l.ask()
		}
		if err != nil {
			return err
		}
		texts := make([]string, len(fields))
		all := strings.Clone(joined(fields))
		for k, f := range fields {
			texts[k], all = all[:len(f.text)], all[len(f.text):]
		}
		if t.cells = append(t.cells, texts); len(t.cells) == 1 {
			continue
		}
		if len(t.cells) == 2 && len(texts) == len(t.cells[0])+1 {
			t.cells[0] = append([]string{""}, t.cells[0]...)
		}
		if want := len(t.cells[0]); len(texts) != want {
			return l.faultOf(fields[len(fields)-1], otherFields(len(texts), want))
		}
	}
	if t.cells != nil {
		t.cells[0][0] = "" // above the names of the columns
	}
	l.from = t
	return nil
}

// joined is the texts of the fields, one behind the other.
func joined(fields []field) string {
	var b strings.Builder
	for _, f := range fields {
		b.WriteString(f.text)
	}
	return b.String()
}

// next returns the next column; col of its fields is the line that they come from.
func (t *turned) next() ([]field, error) {
	if t.cells == nil || t.at == len(t.cells[0]) {
		return nil, io.EOF
	}
	t.row = t.row[:0]
	for k, texts := range t.cells {
		t.row = append(t.row, field{text: texts[t.at], col: k + 1})
	}
	t.at++
	return t.row, nil
}

// fault is an error about a field of the column that next returned last.
func (t *turned) fault(file string, f field, msg string) error {
	return &data.SyntaxError{File: file, Msg: fmt.Sprintf("column %q, row %q: %s: %q", data.ClipText(t.cells[0][t.at-1]),
		data.ClipText(t.cells[f.col-1][0]), msg, data.ClipText(f.text))}
}

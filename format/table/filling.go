package table

import (
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/format/internal/rowfile"
	"pairrank/internal/cellfault"
	"pairrank/internal/gaps"
	"pairrank/internal/memory"
	"pairrank/internal/npy"
)

// rowsOf is the format of a file of rows that is no text; nil for others. A Separator says that it is text.
func rowsOf(path string, opts Options) *rowfile.Format {
	if opts.Separator != 0 {
		return nil
	}
	return rowfile.Of(path)
}

// byOptions is how options say that the rows of a container are read.
type byOptions struct{ Options }

func (o byOptions) Transposed() bool { return o.Transpose }

func (o byOptions) Queries(file string, emit func(data.Query) error) (rowfile.Queries, error) {
	if err := o.streamable(file); err != nil {
		return nil, err
	}
	return newQueries(file, "row", o.Options, emit), nil
}

// filling takes the cells of a table of m rows whose format is not text.
type filling struct {
	g      *gathered
	rows   int
	first  int
	window int        // the rows that are held
	cells  [][]string // by column: the texts of columns that are no features, of the rows that are held
	wrong  int        // the first column with a text that is an error
	err    error      // about its first one
}

func (o byOptions) Fill(file string, columns []string, m int) (rowfile.Filling, error) {
	opts := o.Options
	h := &heading{names: columns, count: len(columns), first: columns,
		fault: func(_ int, err error, format string, args ...any) error {
			return &data.SyntaxError{File: file, Msg: fmt.Sprintf(format, args...), Err: err}
		}}
	l, err := lay(h, opts)
	if err != nil {
		return nil, err
	}
	opts.check.watch(l)
	f := &filling{g: newGathered(l, file), rows: m, window: m, cells: make([][]string, len(columns))}
	const whole = 512 // rows, which readers take of a column at once
	if f.g.passFrom(); f.g.passing != nil {
		f.window = min(m, max(whole, panelValues/max(1, l.width)/whole*whole))
	}
	const number, text = 8, 16
	need := number * float64(l.width)
	for _, r := range l.roles {
		if r != feature && r != ignored {
			need += text + number
		}
	}
	if err := memory.Ask(need*float64(f.window), fmt.Sprintf("%d rows", m)); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	f.g.values = make([]float64, f.window*l.width)
	for k, r := range l.roles {
		switch r {
		case feature, ignored:
		case label:
			f.g.y = make([]float64, m)
			fallthrough
		default:
			f.cells[k] = make([]string, f.window)
		}
	}
	return f, nil
}

// held is the place of row i among those that are held.
func (f *filling) held(i int) int {
	if f.g.passing == nil {
		return i
	}
	return i - f.g.passing.rows
}

func (f *filling) Room(i int) (int, error) {
	if room := f.window - f.held(i); room > 0 {
		return room, nil
	}
	return f.window, f.flush(i)
}

// flush hands the rows before row i on.
func (f *filling) flush(i int) error {
	g, n := f.g, f.held(i)
	f.take(i-n, n)
	all := g.values
	g.values = all[:n*g.width]
	g.missing = g.missing || slices.ContainsFunc(g.values, math.IsNaN)
	err := g.pass(i)
	g.values = all
	clear(all)
	for _, texts := range f.cells {
		clear(texts)
	}
	return err
}

// take takes the texts of the n rows from first on, until one is an error that a check does not pass.
func (f *filling) take(first, n int) {
	g := f.g
	for k, texts := range f.cells {
		if texts == nil || f.err != nil && k >= f.wrong {
			continue
		}
		for r, text := range texts[:n] {
			err := g.cell(k, first+r, text)
			if err == nil {
				continue
			}
			err = &data.SyntaxError{File: g.file, Msg: fmt.Sprintf("row %d: %v", f.first+first+r+1, err), Err: err}
			if err = g.opts.check.passCell(k, err); err != nil {
				f.wrong, f.err = k, err
				break
			}
			g.blank(k)
		}
	}
}

func (f *filling) CountFrom(first int) { f.first, f.g.some = first, true }

func (f *filling) Columns() ([]string, *data.Schema) { return f.g.layout.names, &f.g.schema }

func (f *filling) Wants(k int) bool { return f.g.roles[k] != ignored }

func (f *filling) Feature(k int) bool { return f.g.roles[k] == feature }

func (f *filling) Numbers(i, k int, xs []float64) error {
	g := f.g
	at := f.held(i)*g.width + g.places[k]
	for r, x := range xs {
		if x-x != 0 { // NaN or infinite
			if err := f.Number(i+r, k, x); err != nil {
				return err
			}
		} else {
			g.opts.check.number(k)
			g.values[at] = x
		}
		at += g.width
	}
	return nil
}

func (f *filling) Number(i, k int, x float64) error {
	g := f.g
	switch r := g.roles[k]; {
	case r == ignored:
		return nil
	case math.IsNaN(x):
		return f.Missing(i, k)
	case math.IsInf(x, 0) && r == feature:
		return f.refuse(i, k, "", &arrayError{cellfault.New(cellfault.Infinite, "not a finite number"),
			fmt.Sprintf("column %s: row %d is %v", quotedID(g.called(k)), f.first+i+1, x)})
	case r == feature:
		g.opts.check.number(k)
		g.values[f.held(i)*g.width+g.places[k]] = x
		return nil
	}
	if err := g.checkDigits(k, x, npy.ExactInteger); err != nil {
		return f.refuse(i, k, "", err)
	}
	f.cells[k][f.held(i)] = textOf(x)
	return nil
}

func (f *filling) CheckDigits(k int, x float64, bits int) error {
	return f.g.checkDigits(k, x, npy.ExactFloats[bits])
}

func (f *filling) Text(i, k int, text string) error {
	g := f.g
	switch g.roles[k] {
	case ignored:
	case feature:
		if x, ok := truth(text); ok {
			return f.Number(i, k, x)
		}
		if x, ok := parseNumber(text); ok {
			return f.Number(i, k, x)
		}
		if gaps.IsMissing(text) {
			return f.Missing(i, k)
		}
		return f.refuse(i, k, text, newTextError(g.called(k), text))
	default:
		f.cells[k][f.held(i)] = text
	}
	return nil
}

func (f *filling) Missing(i, k int) error {
	g := f.g
	switch g.roles[k] {
	case ignored, factor:
		return nil
	case feature:
		if g.missingOf(k) != data.MissingError {
			g.values[f.held(i)*g.width+g.places[k]] = math.NaN()
			return nil
		}
	default:
		if r := g.roles[k]; r == id || r == rowNames {
			return nil // take finds the empty text
		}
		if g.opts.MayLackLabel && g.roles[k] == label || g.opts.check != nil { // Set finds the empty text
			return nil
		}
	}
	return f.refuse(i, k, "", &arrayError{errMissing,
		fmt.Sprintf("column %s: the value of row %d is missing", quotedID(g.called(k)), f.first+i+1)})
}

func (f *filling) Checking() bool { return f.g.opts.check != nil }

// refuse is an error about cell k of row i, nil where a check takes it and goes on.
func (f *filling) refuse(i, k int, text string, err error) error {
	g := f.g
	if g.opts.check == nil {
		return err
	}
	if g.roles[k] == feature {
		g.values[f.held(i)*g.width+g.places[k]] = math.NaN()
	}
	at := &data.SyntaxError{File: g.file, Msg: fmt.Sprintf("row %d: %v", f.first+i+1, err), Text: data.ClipText(text),
		Err: err}
	return g.opts.check.passCell(k, at)
}

func (f *filling) Refuse(i, k int, err error) error {
	return f.refuse(i, k, "", fmt.Errorf("column %s: %w", quotedID(f.g.called(k)), err))
}

func (f *filling) RefuseDates(k int, column string) error {
	err := newTextError(column, "2000-01-01")
	if !f.Checking() {
		return err
	}
	for i := range f.rows {
		if err := f.refuse(i, k, "", err); err != nil {
			return err
		}
	}
	return nil
}

func (f *filling) Set() (*data.Set, error) {
	g := f.g
	if f.rows == 0 {
		return nil, &data.SyntaxError{File: g.file, Msg: "no rows: the table is empty"}
	}
	if g.passing != nil {
		if err := f.flush(f.rows); err != nil {
			return nil, err
		}
	} else {
		f.take(0, f.rows)
		g.missing = slices.ContainsFunc(g.values, math.IsNaN)
	}
	if f.err != nil {
		return nil, f.err
	}
	return g.finish(f.rows)
}

package table

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/cellfault"
	"pairrank/internal/gaps"
	"pairrank/internal/memory"
)

// ReadSet reads the m rows of a table:
//
//   - from .npz the arrays X (m×n), y (m labels) and, optionally, qid, id, group and fold (m numbers or
//     texts) and names (n texts). Label, QID, ID, Group and Fold name other arrays. Instead of X the file
//     may hold a sparse matrix as scipy.sparse.save_npz writes it, in the form csr, csc or coo;
//   - from .npy X alone, which requires NoLabel or a column Label;
//   - from .jsonl, .ndjson or .json the objects of ReadJSONLines;
//   - from .parquet, or a directory of such files, its rows, where the program imports package format/parquet, which
//     says what they are;
//   - otherwise CSV or TSV text, one row a line, where every column that has no other role is a
//     feature. Separator, Header and Transpose apply only here.
//
// A column gets its role from the options, else from Options.Schema, else from its name: label, y,
// target, relevance, grade, outcome or class; qid, query_id, query or srch_id; id, sample, doc_id
// and the like. A first column without a name, all different, names the rows.
//
// The matrix is dense, but for that of SciPy. The cost is linear in the size of the file. Set.Schema
// says what the columns are. It returns a *data.SyntaxError where the file is not such a table; below it are
// ErrNoLabel, ErrUnnamed, data.ErrExtraFeatures, an *AmbiguousError, a *TextLabelsError or a *TextError about
// the columns. It returns the errors of the file.
func ReadSet(path string, opts Options) (*data.Set, error) {
	if f := rowsOf(path, opts); f != nil {
		return f.ReadSet(path, byOptions{opts})
	}
	switch format := FormatOf(path); format {
	case NPZ, NPY:
		return readArrays(path, format, opts)
	case JSONL, JSON:
		return readJSONFile(path, opts)
	}
	return reading(func(l *lines) (*data.Set, error) { return readSet(l, opts) })(openText(path, opts.Separator,
		opts.MaxLine))
}

// ReadSetFrom is ReadSet of CSV or TSV text from a reader; errors call it name.
func ReadSetFrom(r io.Reader, name string, opts Options) (*data.Set, error) {
	return readSet(textFrom(r, name, opts.Separator, opts.MaxLine), opts)
}

// setReader gathers the rows of a table from text.
type setReader struct {
	*lines
	*gathered
	opts     Options
	rows     int
	reserved bool // memory for all rows is set aside
}

func readSet(l *lines, opts Options) (*data.Set, error) {
	r, notes, err := gatherText(l, opts)
	if err != nil {
		return nil, err
	}
	r.notes = notes
	return r.finish(r.rows)
}

// gatherText reads the rows, and the lines of comments.
func gatherText(l *lines, opts Options) (*setReader, []data.Note, error) {
	r := &setReader{lines: l, opts: opts}
	var notes []data.Note
	if opts.Rows.KeepNotes {
		l.note = func(text string) { notes = append(notes, data.Note{Row: r.rows, Text: text}) }
	}
	if opts.Transpose {
		if err := l.transpose(); err != nil {
			return nil, nil, err
		}
	}
	fields, err := r.begin()
	if err != nil && err != io.EOF {
		return nil, nil, err
	}
	for ; err != io.EOF; fields, err = l.next() {
		if err == nil {
			err = r.row(fields)
		}
		if err = opts.check.passLine(err); err != nil {
			return nil, nil, err
		}
	}
	if err := opts.check.passLine(r.undecided()); err != nil {
		return nil, nil, err
	}
	if r.rows == 0 {
		return r, nil, &data.SyntaxError{File: r.lines.name, Msg: "no rows: the table has only a header"}
	}
	return r, notes, nil
}

// begin finds the columns, and returns the first row, or io.EOF where there is none.
func (r *setReader) begin() ([]field, error) {
	l := r.lines
	first, err := l.next()
	if err == io.EOF {
		return nil, &data.SyntaxError{File: l.name, Msg: "no rows: the table is empty"}
	}
	if err != nil {
		return nil, err
	}
	h, cols := &heading{count: len(first)}, make([]int, len(first))
	for k, f := range first {
		h.first, cols[k] = append(h.first, strings.Clone(f.text)), f.col
	}
	line := l.line
	h.fault = func(k int, err error, format string, args ...any) error {
		at := &data.SyntaxError{File: l.name, Line: line, Col: 1, Msg: fmt.Sprintf(format, args...), Err: err}
		if k >= 0 {
			at.Col, at.Text = cols[k], data.ClipText(h.first[k])
		}
		if opts := r.opts; opts.Transpose {
			at.Line = 0
		}
		return at
	}
	row, end := first, error(nil)
	if r.opts.Header == HeaderYes || r.opts.Header == HeaderAuto && !numeric(first) {
		if row, end = l.next(); end != nil && end != io.EOF {
			return nil, end // of a first row
		}
		if len(row) == h.count+1 && row[h.count].text != "" { // as R writes row names, not a separator at the end
			h.count++
			h.first, cols = append([]string{""}, h.first...), append([]int{1}, cols...)
		}
		h.names = h.first
	}
	opts := r.opts
	columns, err := lay(h, opts)
	if err != nil {
		return nil, err
	}
	r.gathered = newGathered(columns, l.name)
	l.decimal = opts.decimal()
	columns.schema.Decimal = l.decimal
	r.gathered.number, r.gathered.decimal = l.parse, func() bool { return l.commas }
	opts.check.begin(columns, l)
	r.gathered.passFrom()
	return row, end
}

// numeric reports whether all fields are numbers, or missing ones.
func numeric(fields []field) bool {
	for _, f := range fields {
		if _, ok := parseNumber(f.text); !ok && !gaps.IsMissing(f.text) {
			return false
		}
	}
	return true
}

// checkFeatures refuses another number of features than a model has. The error is
// data.ErrExtraFeatures below where there are more.
func (o Options) checkFeatures(n int) error {
	switch {
	case o.Features == 0 || n == o.Features || n > o.Features && o.Extra:
		return nil
	case n > o.Features:
		return &extraError{n, o.Features}
	}
	return fmt.Errorf("%d features but the model has %d", n, o.Features)
}

// extraError is data.ErrExtraFeatures with the numbers.
type extraError struct{ rows, model int }

func (e *extraError) Error() string {
	return fmt.Sprintf("%d features but the model has %d", e.rows, e.model)
}

func (e *extraError) Unwrap() error { return data.ErrExtraFeatures }

func (r *setReader) row(fields []field) error {
	g := r.gathered
	if len(fields) != g.count {
		return r.cellFault(fields[len(fields)-1], otherFields(len(fields), g.count))
	}
	if err := r.noRow(fields); err != nil {
		return r.cellFault(fields[0], err)
	}
	at := len(g.values)
	if err := r.makePlace(); err != nil {
		return err
	}
	r.opts.check.row(fields)
	for k := range fields {
		f := &fields[k]
		switch g.roles[k] {
		case ignored:
		case feature:
			x, ok := r.value(f)
			if ok {
				if r.sep == ';' {
					r.doubtPoint(f)
				}
				g.values[at+g.places[k]] = x
				continue
			}
			x, err := r.otherValue(k, *f)
			if err = r.opts.check.passCell(k, err); err != nil {
				return err
			}
			g.values[at+g.places[k]] = x
		default:
			if r.sep == ';' && g.roles[k] == label {
				r.doubtPoint(f)
			}
			err := g.cell(k, r.rows, f.text)
			if err == nil {
				continue
			}
			if err = r.opts.check.passCell(k, r.cellFault(*f, err)); err != nil {
				return err
			}
			g.blank(k)
		}
	}
	r.rows++
	if err := r.passSome(r.rows); err != nil {
		return err
	}
	return r.reserve()
}

// makePlace makes place for the values of a row, all 0, and for its label.
func (r *setReader) makePlace() error {
	g := r.gathered
	at := len(g.values)
	var err error
	if g.values, err = memory.Grow(g.values, g.width, r.rows); err == nil && g.y != nil {
		g.y, err = memory.Grow(g.y, 1, r.rows)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", g.file, err)
	}
	g.values = g.values[:at+g.width]
	clear(g.values[at:])
	return nil
}

// otherFields is why a line is refused that has not as many fields as the first.
func otherFields(fields, first int) error {
	return cellfault.New(cellfault.Fields, fmt.Sprintf("%d fields, but the first line has %d", fields, first))
}

// noRow is why a line is no row: it has the header again, or nothing.
func (r *setReader) noRow(fields []field) error {
	names, last := r.heading.names, len(fields)-1
	switch {
	case names != nil && fields[0].text == names[0] && fields[last].text == names[last] &&
		!slices.ContainsFunc(span(0, len(fields)), func(k int) bool { return fields[k].text != names[k] }) &&
		!numeric(fields):
		return cellfault.New(cellfault.Header, "the header stands here again")
	case fields[0].text == "" && fields[last].text == "" && r.has(label) &&
		!slices.ContainsFunc(fields, func(f field) bool { return f.text != "" }):
		return cellfault.New(cellfault.Blank, "the row has no values")
	}
	return nil
}

// otherValue is the value of a feature whose text is no number.
func (r *setReader) otherValue(k int, f field) (float64, error) {
	if x, ok := truth(f.text); ok {
		return x, nil
	}
	switch missing := gaps.IsMissing(f.text); {
	case r.commas && r.points && isAmount(f.text):
		return math.NaN(), r.cellFault(f, errCommas)
	case missing && r.missingOf(k) != data.MissingError:
		r.missing = true
		return math.NaN(), nil
	case missing:
		return math.NaN(), r.cellFault(f, errMissing)
	case infinite(f.text) || r.heading.names == nil:
		return math.NaN(), r.cellFault(f, noNumber(f.text))
	}
	return math.NaN(), r.cellFault(f, newTextError(r.called(k), f.text))
}

// infinite reports whether a text is a number, but none that a feature can have.
func infinite(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// cellFault is an error about a field that wraps another.
func (r *setReader) cellFault(f field, err error) error { return r.lines.faultOf(f, err) }

// reserve allocates for all rows once their number can be estimated.
func (r *setReader) reserve() error {
	if r.reserved {
		return nil
	}
	all := r.lines.foreseen(r.rows)
	if all == 0 {
		return nil
	}
	r.reserved = true
	var err error
	if r.passing == nil {
		err = reserve(r.lines, &r.values, all*r.width)
	}
	if err == nil && r.y != nil {
		err = reserve(r.lines, &r.y, all)
	}
	if err == nil && r.parts[query].of != nil {
		err = reserve(r.lines, &r.parts[query].of, all)
	}
	return err
}

// reserve sets memory aside for so many items in all.
func reserve[T any](l *lines, s *[]T, all int) error {
	more := max(0, all-len(*s))
	if err := memory.Ask(memory.Claim(*s, more, func(need int) int { return need }), memory.Rows(l.line)); err != nil {
		return fmt.Errorf("%s: %w", l.name, err)
	}
	if len(*s)+more > cap(*s) {
		*s = memory.Moved(*s, len(*s)+more)
	}
	return nil
}

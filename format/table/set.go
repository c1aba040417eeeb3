package table

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"pairrank/data"
	"pairrank/internal/memory"
)

// Header says whether the first line of a table holds names.
type Header int

const (
	HeaderAuto Header = iota // yes when the first line has a field that is neither a number nor missing
	HeaderYes
	HeaderNo
)

// Options says how a table is read. The zero value detects separator and header, and takes the
// labels from the column named label or y and the queries from the column named qid, if there is
// one.
type Options struct {
	// Separator is the byte between fields, ' ' for runs of blanks; 0 finds it.
	Separator byte
	// Header says whether the first line holds the names of the columns.
	Header Header
	// Label is the column of the labels: its name, or, where no column has that
	// name, its 1-based number.
	Label string
	// NoLabel reads a table without labels; all labels are 0 then.
	NoLabel bool
	// QID is the column with the names of the queries, by name or number as
	// Label is.
	QID string
	// Ignore are columns that are left out, by name or number as Label is.
	Ignore []string
	// Missing says how to treat missing values of features; the default refuses them. A label is
	// never missing.
	Missing data.Missing
	// MaxLine is the number of bytes of the longest line; 0 is data.MaxLine.
	MaxLine int
	// Features is the number of features of a model; another number is an error. 0 accepts any.
	Features int
	// Extra, when Features > 0, accepts more features than Features; model.WithoutExtra then
	// chooses.
	Extra bool
	// KeepNotes keeps the lines of text that hold a comment.
	KeepNotes bool
}

// ReadSet reads the m rows of a table:
//
//   - from .npz the arrays X (m×n), y (m labels), qid (m numbers or texts, optional) and names (n
//     texts, optional);
//   - from .npy X alone, which requires NoLabel;
//   - otherwise CSV or TSV text, one row a line, where every column except label and query is a
//     feature. Separator, Header, Label, QID and Ignore apply only here.
//
// The matrix is dense. The cost is linear in the size of the file. Set.Schema lists the columns
// that are no features. It returns a *SyntaxError where the file is not such a table, has no known
// column of labels (ErrNoLabel) or has an unnamed column under a header that is not ignored
// (ErrUnnamed), and the errors of the file.
func ReadSet(path string, opts Options) (*data.Set, error) {
	if format := FormatOf(path); format == NPZ || format == NPY {
		return readArrays(path, format, opts)
	}
	l, closeText, err := openText(path, opts.Separator, opts.MaxLine)
	if err != nil {
		return nil, err
	}
	set, err := readSet(l, opts)
	if err = errors.Join(err, closeText()); err != nil {
		return nil, err
	}
	return set, nil
}

// ReadSetFrom is ReadSet of CSV or TSV text from a reader; errors call it name.
func ReadSetFrom(r io.Reader, name string, opts Options) (*data.Set, error) {
	return readSet(textFrom(r, name, opts.Separator, opts.MaxLine), opts)
}

// setReader gathers the rows of a table.
type setReader struct {
	*lines
	opts       Options
	columns    int // number of fields of a line
	label, qid int // columns, −1 for none
	ignored    []bool
	features   int
	names      []string
	values     []float64
	set        data.Set
	of         []int32
	ids        []string
	number     map[string]int32
	missing    bool
	reserved   bool // memory for all rows is set aside
}

func readSet(l *lines, opts Options) (*data.Set, error) {
	r := &setReader{lines: l, opts: opts, number: map[string]int32{}}
	if opts.KeepNotes {
		l.note = func(text string) { r.set.Notes = append(r.set.Notes, data.Note{Row: len(r.set.Y), Text: text}) }
	}
	fields, err := l.next()
	if err == io.EOF {
		return nil, &SyntaxError{File: l.name, Msg: "no rows: the table is empty"}
	}
	if err != nil {
		return nil, err
	}
	header := opts.Header == HeaderYes || opts.Header == HeaderAuto && !numeric(fields)
	if err := r.begin(fields, header); err != nil {
		return nil, err
	}
	if header {
		fields, err = l.next()
	}
	for ; err == nil; fields, err = l.next() {
		if err := r.row(fields); err != nil {
			return nil, err
		}
	}
	if err != io.EOF {
		return nil, err
	}
	return r.finish()
}

// numeric reports whether all fields are numbers, or missing ones.
func numeric(fields []field) bool {
	for _, f := range fields {
		if _, ok := parseNumber(f.text); !ok && !isMissing(f.text) {
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
	if len(fields) != r.columns {
		last := fields[len(fields)-1]
		return r.fault(last, "%d fields, but the first line has %d", len(fields), r.columns)
	}
	label := 0.0
	rows := len(r.set.Y)
	var err error
	if r.values, err = memory.Grow(r.values, r.features, rows); err == nil {
		r.set.Y, err = memory.Grow(r.set.Y, 1, rows)
	}
	if err == nil && r.qid >= 0 {
		r.of, err = memory.Grow(r.of, 1, rows)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	for k, f := range fields {
		if r.ignored[k] {
			continue
		}
		switch k {
		case r.label:
			x, err := r.lines.number(f)
			if err != nil {
				return err
			}
			label = x
		case r.qid:
			if f.text == "" {
				return r.fault(f, "the name of the query is empty")
			}
			r.of = append(r.of, r.query(f.text))
		default:
			x, err := r.lines.number(f)
			if err != nil && isMissing(f.text) && r.opts.Missing != data.MissingError {
				x, err, r.missing = math.NaN(), nil, true
			}
			if err != nil {
				return err
			}
			r.values = append(r.values, x)
		}
	}
	r.set.Y = append(r.set.Y, label)
	if rows++; rows&(rows-1) == 0 && rows >= minExpect && !r.reserved {
		return r.reserve(rows)
	}
	return nil
}

// query is the number of a query.
func (r *setReader) query(name string) int32 {
	g, known := r.number[name]
	if !known {
		g = int32(len(r.ids))
		id := strings.Clone(name)
		r.ids = append(r.ids, id)
		r.number[id] = g
	}
	return g
}

// reserve allocates for all rows that are to be expected after so many.
func (r *setReader) reserve(rows int) error {
	all := r.lines.expected(rows)
	if all <= 0 {
		return nil
	}
	r.reserved = true
	err := cmp.Or(reserve(r.lines, &r.values, all*(len(r.values)/rows)), reserve(r.lines, &r.set.Y, all))
	if err == nil && r.qid >= 0 {
		err = reserve(r.lines, &r.of, all)
	}
	return err
}

// reserve sets memory aside for so many items in all.
func reserve[T any](l *lines, s *[]T, all int) error {
	more := max(0, all-len(*s))
	if err := memory.Ask(memory.Claim(*s, more, func(need int) int { return need }), memory.Rows(l.line)); err != nil {
		return fmt.Errorf("%s: %w", l.name, err)
	}
	*s = slices.Grow(*s, more)
	return nil
}

// minExpect is the number of rows from which the number of all is estimated.
const minExpect = 4096

func (r *setReader) finish() (*data.Set, error) {
	m := len(r.set.Y)
	if m == 0 {
		return nil, &SyntaxError{File: r.name, Msg: "no rows: the table has only a header"}
	}
	if m > math.MaxInt32 {
		return nil, fmt.Errorf("%s: more than %d rows", r.name, math.MaxInt32)
	}
	x := data.NewDense(m, r.features, r.values)
	if r.missing {
		data.FillMissing(x, r.opts.Missing)
	}
	r.set.X, r.set.Names, r.set.HasQID = x, r.names, r.qid >= 0
	if r.set.HasQID {
		r.set.Queries = data.NewQueries(r.of, r.ids)
	} else {
		r.set.Queries = data.OneList(m)
	}
	return &r.set, nil
}

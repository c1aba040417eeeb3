package table

import (
	"cmp"
	"slices"
	"strconv"

	"pairrank/data"
	"pairrank/internal/doubt"
)

// idMatrix is a matrix whose rows have ids: those of the file, or 1, 2, … where it has none.
type idMatrix struct {
	file     string
	x        *data.Dense
	rows     []string
	cols     []string // of the header; nil when there is none
	numbered bool     // the file has no ids
	lines    []int    // of the rows; nil when numbered
	counted  string   // what lines counts, where it is not lines
	line     int      // of the header
	at       []int    // the columns of the text where the names of cols begin
}

// openNamed reads a matrix with ids from a file: .npy, which has none, or text.
func openNamed(path string, sep byte, maxLine int, header Header, unobserved bool) (*idMatrix, error) {
	switch FormatOf(path) {
	case NPZ:
		return nil, &data.SyntaxError{File: path, Msg: "an .npz file holds several arrays; give text or .npy"}
	case NPY:
		m, err := ReadMatrix(path, MatrixOptions{Unobserved: unobserved})
		if err != nil {
			return nil, err
		}
		return numberedRows(path, m.X), nil
	}
	return reading(func(l *lines) (*idMatrix, error) { return readNamed(l, header, unobserved) })(openShape(path, sep,
		maxLine))
}

func numberedRows(file string, x *data.Dense) *idMatrix {
	return &idMatrix{file: file, x: x, rows: numbers(x.Rows), numbered: true}
}

// numbers returns the ids of n nodes without ids: 1 … n.
func numbers(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = strconv.Itoa(i + 1)
	}
	return ids
}

// readNamed reads a matrix whose rows, if they have ids, have a header, too.
func readNamed(l *lines, header Header, unobserved bool) (*idMatrix, error) {
	h, err := l.head("the table is empty")
	if err != nil {
		return nil, err
	}
	return readNamedAfter(l, h, header, unobserved)
}

func readNamedAfter(l *lines, h head, header Header, unobserved bool) (*idMatrix, error) {
	l.pickIDs(&h)
	r := &matrixReader{lines: l, unobserved: unobserved, ids: true, width: -1}
	if err := r.heading(&h, header); err != nil {
		return nil, err
	}
	m, err := r.read(h, r.named)
	if err != nil {
		return nil, err
	}
	switch {
	case r.named && len(r.names) == 0:
		return nil, &data.SyntaxError{File: l.name, Msg: "no rows: the table has only a header"}
	case r.width == 0:
		return nil, &data.SyntaxError{File: l.name, Msg: "the rows have an id and nothing else"}
	}
	if err := m.check(l.name, MatrixOptions{}); err != nil {
		return nil, err
	}
	if !r.named {
		return numberedRows(l.name, m.X), nil
	}
	n := &idMatrix{file: l.name, x: m.X, rows: m.RowNames, cols: m.ColNames, lines: r.at, counted: l.counted, line: h.line}
	for _, f := range h.first[len(h.first)-r.width:] {
		n.at = append(n.at, f.col)
	}
	return n, repeated(n.file, n.rows, func(k int) (line, col int) { return n.lines[k], 1 }, cmp.Or(n.counted, "line"))
}

// pickIDs puts the column of ids first where columns have names.
func (l *lines) pickIDs(h *head) {
	if !l.named() {
		return
	}
	at := slices.IndexFunc(h.first, isCorner)
	if at < 0 {
		at = slices.IndexFunc(h.first, func(f field) bool { return doubt.NamesRows(f.text) })
	}
	if at > 0 {
		columns := []int{at}
		for k := range h.first {
			if k != at {
				columns = append(columns, k)
			}
		}
		l.pick(h, columns)
	}
}

// heading determines whether the table has a header and ids, or neither. Without options,
//
//   - a first field that is empty or "id" stands above ids, in a header;
//   - a first line with one field fewer than the second is a header without a field above the ids;
//   - a first line of numbers is a row, and there are no ids;
//   - any other first line is a header, and its first field stands above ids, which are not
//     numbers.
//
// Ambiguous tables are refused. heading drops the fields of h after a separator at the end of the
// lines.
func (r *matrixReader) heading(h *head, header Header) error {
	if header == HeaderNo {
		return nil
	}
	first, second := h.first, h.second
	last := len(first) - 1
	ended := last > 0 && r.endsEmpty(first, last+1) && r.endsEmpty(second, last+1) // each line by a separator
	if ended {
		first = first[:last]
	}
	longer := !ended && len(second) == len(first)+1
	switch {
	case isCorner(first[0]):
		r.headed = len(first)
	case longer && !r.endsEmpty(second, len(second)):
		r.headed = len(second)
	case longer && r.unobserved:
		return r.headFault(*h, first[len(first)-1],
			`begin the header with "id", or write NaN for an unobserved value at the end of a line`,
			"the header has one field fewer than the rows, which end in a separator: its first field may name a "+
				"column or the ids")
	case header == HeaderAuto && r.isRow(first):
		return nil
	default:
		if header == HeaderAuto {
			if err := r.headWithoutCorner(*h); err != nil {
				return err
			}
		}
		r.headed = len(first)
	}
	h.first = first
	r.named = true
	h.second = r.cut(second)
	return nil
}

// isRow reports whether a first line is a row of numbers, and no header.
func (r *matrixReader) isRow(first []field) bool { return !r.lines.named() && numeric(first) }

// headWithoutCorner refuses a first line that may be a row, and ids that may be
// values, when nothing marks the first column as one of ids.
func (r *matrixReader) headWithoutCorner(h head) error {
	switch first := h.first; {
	case len(first) > 1 && numericAfter(first) == 1 && !r.lines.named():
		return r.headFault(h, first[0], `begin a header with "id"; rows with ids have a header above them`,
			"a text and numbers: the first line may be a header or a row")
	case h.second != nil && numeric(h.second[:1]):
		return r.headFault(h, first[0], `name the column of ids "id"; a table of numbers alone has no header`,
			"the first line is a header, and the column below its first field holds numbers: they may be ids or values")
	}
	return nil
}

// endsEmpty reports whether a row of so many fields ends in an empty one.
func (r *matrixReader) endsEmpty(row []field, fields int) bool {
	return r.sep != ' ' && len(row) == fields && row[fields-1].text == ""
}

// headFault is an error about a field of the first line.
func (l *lines) headFault(h head, f field, hint, format string, args ...any) error {
	line := l.line
	l.line = h.line
	err := l.fault(f, format, args...)
	l.line = line
	return &hinted{err, hint}
}

// hinted is an error that knows a way out.
type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// Hint says what to do about the error.
func (h *hinted) Hint() string { return h.hint }

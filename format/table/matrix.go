package table

import (
	"fmt"
	"io"
	"math"
	"strings"

	"pairrank/data"
	"pairrank/internal/gaps"
	"pairrank/internal/memory"
	"pairrank/internal/npy"
)

// Matrix is a matrix whose rows and columns may have names: a similarity
// matrix, the features of named rows, or a table of labels.
type Matrix struct {
	X        *data.Dense
	RowNames []string // nil when the file has none
	ColNames []string // nil when the file has none
}

// MatrixOptions says how a matrix is read.
type MatrixOptions struct {
	// Separator is the byte between fields, ' ' for runs of blanks; 0 finds it.
	Separator byte
	// Header says whether the first line holds the names of the columns. Auto: yes when its first
	// field is empty or "id", when it has one field fewer than the second line, or when a field
	// other than the first is not a number.
	Header Header
	// Names says whether the first field of each line is the name of the row. Auto: yes when the
	// first field of the header is empty or "id", when the header has one field fewer than the
	// rows, or when the first row does not begin with a number.
	Names Header
	// Unobserved allows empty fields, NaN, NULL and NA: they become NaN.
	Unobserved bool
	// MaxLine is the number of bytes of the longest line; 0 is data.MaxLine.
	MaxLine int
	// Square refuses a matrix that is not square, or whose row and column names differ.
	Square bool
}

// ReadMatrix reads an m×n matrix from a two-dimensional .npy file or from text. The cost is linear
// in the size of the file. It returns a *data.SyntaxError where the file is not such a matrix, or not
// square where opts require that, and the errors of the file.
func ReadMatrix(path string, opts MatrixOptions) (*Matrix, error) {
	if FormatOf(path) == NPY {
		a, err := npy.ReadFile(path, opts.Unobserved, false)
		if err != nil {
			return nil, err
		}
		if a.Strings != nil || len(a.Shape) != 2 {
			return nil, &data.SyntaxError{File: path, Msg: "the array is not a matrix of numbers"}
		}
		m := &Matrix{X: data.NewDense(a.Shape[0], a.Shape[1], a.Data)}
		return m, m.check(path, opts)
	}
	return reading(func(l *lines) (*Matrix, error) {
		m, err := readMatrix(l, opts)
		if err == nil {
			err = m.check(path, opts)
		}
		return m, err
	})(openShape(path, opts.Separator, opts.MaxLine))
}

func (m *Matrix) check(path string, opts MatrixOptions) error {
	if m.X.Rows == 0 || m.X.Cols == 0 {
		return &data.SyntaxError{File: path, Msg: "the matrix is empty"}
	}
	if m.X.Cols > math.MaxInt32 || m.X.Rows > math.MaxInt32 {
		return &data.SyntaxError{File: path, Msg: "the matrix is too large"}
	}
	if !opts.Square {
		return nil
	}
	if m.X.Rows != m.X.Cols {
		return &data.SyntaxError{File: path, Msg: fmt.Sprintf("the matrix has %d rows and %d columns, but must be square",
			m.X.Rows, m.X.Cols)}
	}
	if m.RowNames == nil || m.ColNames == nil {
		return nil
	}
	for i, name := range m.RowNames {
		if name != m.ColNames[i] {
			return &data.SyntaxError{File: path, Msg: fmt.Sprintf("row %d is %q but column %d is %q", i+1,
				data.ClipText(name), i+1, data.ClipText(m.ColNames[i]))}
		}
	}
	return nil
}

// readMatrix reads the text of a matrix. The first two lines decide about the
// names.
func readMatrix(l *lines, opts MatrixOptions) (*Matrix, error) {
	h, err := l.head("the matrix is empty")
	if err != nil {
		return nil, err
	}
	header := opts.Header == HeaderYes
	if opts.Header == HeaderAuto {
		header = l.isHeader(h.first, h.second)
	}
	r := &matrixReader{lines: l, unobserved: opts.Unobserved, width: -1}
	if header && isCorner(h.first[0]) {
		r.headed = len(h.first) // so that a separator at the end of the rows is known
		h.second = r.cut(h.second)
	}
	if header {
		r.named = opts.isNamed(h.first, h.second)
	} else {
		r.named = opts.isNamed(nil, h.first)
	}
	return r.read(h, header)
}

// head is the first two lines of a table.
type head struct {
	first  []field
	second []field // nil when there is none; valid until the next line is read
	line   int     // of first
}

// head reads the first two lines; empty is the message for a text without lines.
func (l *lines) head(empty string) (head, error) {
	fields, err := l.next()
	if err == io.EOF {
		return head{}, &data.SyntaxError{File: l.name, Msg: empty}
	}
	if err != nil {
		return head{}, err
	}
	h := head{first: make([]field, len(fields)), line: l.line}
	for k, f := range fields {
		h.first[k] = field{text: strings.Clone(f.text), col: f.col}
	}
	if h.second, err = l.next(); err != nil && err != io.EOF {
		return head{}, err
	}
	return h, nil
}

// isHeader reports whether the first line of a matrix holds names; second is nil
// when there is no second line.
func (l *lines) isHeader(first, second []field) bool {
	switch {
	case l.named(), second != nil && len(second) == len(first)+1, isCorner(first[0]):
		return true
	case len(first) > 1 && numericAfter(first) == 1:
		return false // a name and numbers: a row
	}
	return !numeric(first)
}

// isCorner reports whether a field may stand above the names of rows.
func isCorner(f field) bool { return f.text == "" || strings.EqualFold(f.text, "id") }

// numericAfter returns the first position from which all fields are numbers or
// missing.
func numericAfter(fields []field) int {
	k := len(fields)
	for k > 0 && numeric(fields[k-1:k]) {
		k--
	}
	return k
}

// isNamed finds out whether rows have names from the header, nil when there is
// none, and the first row, nil when there is none.
func (o MatrixOptions) isNamed(header, row []field) bool {
	if o.Names != HeaderAuto || row == nil {
		return o.Names == HeaderYes
	}
	if header != nil && (len(header)+1 == len(row) || len(header) == len(row) && isCorner(header[0])) {
		return true
	}
	return len(row) > 1 && row[0].text != "" && !numeric(row[:1])
}

// matrixReader gathers the rows of a matrix.
type matrixReader struct {
	*lines
	unobserved bool // values may be missing: NaN
	named      bool // rows have names
	ids        bool // names are ids, which are not empty
	headed     int  // fields of a row as the header has it, 0 when it does not say
	width      int  // numbers of a row, −1 before the first
	values     []float64
	names      []string
	at         []int // the lines of the rows, when they have names
	reserved   bool  // memory for all rows is set aside
}

// read reads the rows that begin in h, after a first line that is a header or
// is not.
func (r *matrixReader) read(h head, header bool) (*Matrix, error) {
	if !header {
		after := r.line
		r.line = h.line
		if err := r.row(h.first); err != nil {
			return nil, err
		}
		r.line = after
	}
	for fields := h.second; fields != nil; {
		if err := r.row(fields); err != nil {
			return nil, err
		}
		var err error
		if fields, err = r.next(); err != nil && err != io.EOF {
			return nil, err
		}
	}
	return r.finish(h.first, h.line, header)
}

// cut drops the empty field behind a separator at the end of a row.
func (r *matrixReader) cut(row []field) []field {
	if last := len(row) - 1; r.headed > 0 && last == r.headed && row[last].text == "" {
		return row[:last]
	}
	return row
}

func (r *matrixReader) row(fields []field) error {
	fields = r.cut(fields)
	if r.ids && r.headed > 0 && len(fields) != r.headed {
		return r.fault(fields[len(fields)-1], "%d fields, but by the header a row has %d", len(fields), r.headed)
	}
	if r.named {
		if err := r.takeName(fields[0]); err != nil {
			return err
		}
		fields = fields[1:]
	}
	if r.width < 0 {
		r.width = len(fields)
	}
	if len(fields) != r.width {
		f := field{col: 1}
		if len(fields) > 0 {
			f = fields[len(fields)-1]
		}
		return r.fault(f, "%d numbers, but the first row has %d", len(fields), r.width)
	}
	var err error
	if r.values, err = memory.Grow(r.values, len(fields), r.line); err != nil {
		return fmt.Errorf("%s: %w", r.name, err)
	}
	for k := range fields {
		f := &fields[k]
		x, ok := r.value(f)
		if !ok && r.unobserved && gaps.IsMissing(f.text) {
			x, ok = math.NaN(), true
		}
		if !ok {
			_, err := r.number(*f)
			return err
		}
		r.values = append(r.values, x)
	}
	return r.reserve()
}

// takeName takes the name of a row.
func (r *matrixReader) takeName(f field) error {
	if r.ids && f.text == "" {
		return r.fault(f, "the id is empty")
	}
	if err := r.checkID(f, "a row"); err != nil {
		return err
	}
	r.names, r.at = append(r.names, strings.Clone(f.text)), append(r.at, r.line)
	return nil
}

// reserve allocates for all rows once their number can be estimated.
func (r *matrixReader) reserve() error {
	if r.reserved || len(r.values) < minExpect || r.width == 0 {
		return nil
	}
	rows := len(r.values) / r.width
	if rows&(rows-1) != 0 {
		return nil
	}
	all := r.expected(rows)
	if all <= rows {
		return nil
	}
	r.reserved = true
	return reserve(r.lines, &r.values, all*r.width)
}

// finish takes the names of the columns from the header.
func (r *matrixReader) finish(first []field, line int, header bool) (*Matrix, error) {
	width := max(r.width, 0)
	rows := 0
	if width > 0 {
		rows = len(r.values) / width
	}
	m := &Matrix{X: data.NewDense(rows, width, r.values), RowNames: r.names}
	if !header || rows == 0 {
		return m, nil
	}
	if len(first) == width+1 && r.named {
		first = first[1:]
	}
	if len(first) != width {
		return nil, &data.SyntaxError{File: r.name, Line: line, Col: 1,
			Msg: fmt.Sprintf("%d column names for %d columns", len(first), width)}
	}
	m.ColNames = make([]string, width)
	for j, f := range first {
		m.ColNames[j] = f.text
	}
	return m, nil
}

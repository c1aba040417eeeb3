package svmlight

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/internal/textline"
)

// WriteOptions says how rows are written. The zero value writes 1-based
// indices and leaves zeros out.
type WriteOptions struct {
	// ZeroBased writes indices that start at 0 rather than 1.
	ZeroBased bool
	// Zeros writes the zeros of all features too, as LETOR files do.
	Zeros bool
}

// Writer writes rows. Numbers get the shortest decimal form that reads back as the same float64.
// Writing, reading and writing again gives the same bytes.
type Writer struct {
	to    *bufio.Writer
	opts  WriteOptions
	line  []byte
	whole []float64 // a sparse row with its zeros
}

// NewWriter returns a Writer to w. Flush ends the writing.
func NewWriter(w io.Writer, opts WriteOptions) *Writer {
	return &Writer{to: bufio.NewWriterSize(w, 1<<16), opts: opts}
}

// WriteSet writes the m rows of s, censored times t as −t: with their queries when s.HasQID, and with comments and
// comment lines if those were kept. Where the last feature is zero in all rows, the first row gets an
// explicit zero, so that reading gives n features again. The cost is linear in the text written. It
// returns an error for a row that could not be read back: a label or value that is not finite, a query name that is
// empty or has blanks, '#' or a line end, a comment with a line end; and the errors of the file. It panics when the
// matrix of s does not fit.
func (w *Writer) WriteSet(s *data.Set) error {
	data.Check("svmlight: X", s.X)
	rows, n := s.X.Dims()
	keep := n - 1 // the column whose zero the next row gets, or -1
	if usesColumn(s.X, keep) {
		keep = -1
	}
	notes := s.Notes
	for i := range rows {
		var err error
		if notes, err = textline.WriteNotes(w.to, notes, i); err != nil {
			return err
		}
		row := Row{Label: s.Y[i], HasQID: s.HasQID}
		if s.Censored != nil && s.Censored[i] {
			row.Label = -row.Label // also of 0
		}
		if s.HasQID {
			row.QID = s.Queries.ID(int(s.Queries.Of()[i]))
		}
		if s.Comments != nil {
			row.Comment = s.Comments[i]
		}
		if x, sparse := s.X.(*data.CSR); sparse && !w.opts.Zeros {
			row.Cols, row.Vals = x.Row(i)
		} else {
			w.whole = slices.Grow(w.whole[:0], n)[:n]
			s.X.RowTo(w.whole, i)
			row.Vals = w.whole
		}
		if err := w.writeRow(row, keep); err != nil {
			return fmt.Errorf("row %d: %w", s.Number(i)+1, err)
		}
		keep = -1
	}
	_, err := textline.WriteNotes(w.to, notes, rows)
	return err
}

// usesColumn reports whether an entry of column j is not zero; true where there
// is no such column.
func usesColumn(x data.Matrix, j int) bool {
	if j < 0 {
		return true
	}
	rows, _ := x.Dims()
	used := false
	for i := 0; i < rows && !used; i++ {
		data.Each(x, i, func(col int, v float64) { used = used || col == j && v != 0 })
	}
	return used
}

// writeRow writes one row; Cols nil means that Vals holds every feature. Line is not used. The zero of column keep
// stands after the other values, unless keep is -1.
func (w *Writer) writeRow(row Row, keep int) error {
	line, err := w.head(w.line[:0], row)
	if err != nil {
		return err
	}
	base := 1
	if w.opts.ZeroBased {
		base = 0
	}
	for k, x := range row.Vals {
		col := k
		if row.Cols != nil {
			col = int(row.Cols[k])
		}
		if x == 0 && !w.opts.Zeros && col != keep {
			continue
		}
		if !finite(x) {
			return fmt.Errorf("value %v of feature %d cannot be written", x, col+base)
		}
		if col == keep {
			keep = -1
		}
		line = append(line, ' ')
		line = strconv.AppendInt(line, int64(col+base), 10)
		line = append(line, ':')
		line = strconv.AppendFloat(line, x, 'g', -1, 64)
	}
	if keep >= 0 {
		line = append(strconv.AppendInt(append(line, ' '), int64(keep+base), 10), ":0"...)
	}
	if row.Comment != "" {
		if err := textline.CheckComment(row.Comment); err != nil {
			return err
		}
		line = append(append(line, " #"...), row.Comment...)
	}
	line = append(line, '\n')
	w.line = line
	_, err = w.to.Write(line)
	return err
}

// head appends the label and the qid.
func (w *Writer) head(line []byte, row Row) ([]byte, error) {
	if !finite(row.Label) {
		return nil, fmt.Errorf("label %v cannot be written", row.Label)
	}
	line = strconv.AppendFloat(line, row.Label, 'g', -1, 64)
	if !row.HasQID {
		return line, nil
	}
	if row.QID == "" || strings.ContainsAny(row.QID, " \t\r\n#") {
		return nil, fmt.Errorf("query name %q cannot be written", row.QID)
	}
	return append(append(line, " qid:"...), row.QID...), nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// Flush writes the buffered text. It returns the error of the file.
func (w *Writer) Flush() error { return w.to.Flush() }

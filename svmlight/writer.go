package svmlight

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pairrank/data"
)

// WriteOptions says how rows are written. The zero value writes 1-based
// indices and leaves zeros out.
type WriteOptions struct {
	// ZeroBased writes indices that start at 0 rather than 1.
	ZeroBased bool
	// Zeros writes the zeros of a dense matrix too, as LETOR files do. Without
	// them the number of features is lost where the last ones are zero in all
	// rows.
	Zeros bool
}

// Writer writes rows. Numbers get the shortest decimal form that reads back as
// the same float64; what was read and written reads and writes the same bytes.
type Writer struct {
	to   *bufio.Writer
	opts WriteOptions
	line []byte
}

// NewWriter returns a Writer to w. Flush ends the writing.
func NewWriter(w io.Writer, opts WriteOptions) *Writer {
	return &Writer{to: bufio.NewWriterSize(w, 1<<16), opts: opts}
}

// WriteSet writes all rows of s, with their queries when s.HasQID and their
// comments when they were kept. It panics when the matrix is neither
// *data.Dense nor *data.CSR.
func (w *Writer) WriteSet(s *data.Set) error {
	rows, _ := s.X.Dims()
	for i := range rows {
		row := Row{Label: s.Y[i], HasQID: s.HasQID}
		if s.HasQID {
			row.QID = s.Queries.IDs[s.Queries.Of[i]]
		}
		if s.Comments != nil {
			row.Comment = s.Comments[i]
		}
		switch x := s.X.(type) {
		case *data.Dense:
			row.Vals = x.Row(i)
		case *data.CSR:
			row.Cols, row.Vals = x.Row(i)
		default:
			panic(fmt.Sprintf("svmlight: matrix type %T is not known", x))
		}
		if err := w.WriteRow(row); err != nil {
			return fmt.Errorf("row %d: %w", i+1, err)
		}
	}
	return nil
}

// WriteRow writes one row; Cols nil means that Vals holds every feature. Line
// is not used. It returns an error for what could not be read back: a label or
// value that is not finite, a query name that is empty or has blanks, '#' or a
// line end, a comment with a line end.
func (w *Writer) WriteRow(row Row) error {
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
		if x == 0 && !w.opts.Zeros {
			continue
		}
		if !finite(x) {
			return fmt.Errorf("value %v of feature %d cannot be written", x, col+base)
		}
		line = append(line, ' ')
		line = strconv.AppendInt(line, int64(col+base), 10)
		line = append(line, ':')
		line = strconv.AppendFloat(line, x, 'g', -1, 64)
	}
	if row.Comment != "" {
		if strings.Contains(row.Comment, "\n") || strings.HasSuffix(row.Comment, "\r") {
			return fmt.Errorf("comment with a line end cannot be written: %q", row.Comment)
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

// Flush writes what is still buffered.
func (w *Writer) Flush() error { return w.to.Flush() }

package svmlight

import (
	"bufio"
	"bytes"
	"io"

	"pairrank/data"
	"pairrank/internal/codec"
	"pairrank/internal/textline"
)

// Row is one row of a file.
type Row struct {
	Line    int // 1-based line it stands in
	Label   float64
	QID     string // name of the query
	HasQID  bool
	Cols    []int32   // columns of the values: index−1, or the index when zero-based; ascending
	Vals    []float64 // values, NaN where one is missing and Options.Missing is MissingMean or MissingMin
	Comment string    // text after the '#', when kept
}

// Reader reads one row after the other in memory that does not grow with the
// file.
type Reader struct {
	from    io.Reader
	lines   *bufio.Reader
	name    string
	grammar grammar
	keep    bool
	missing data.Missing
	line    int
	rows    int
	hasQID  bool
	long    []byte // a line longer than the buffer
	qid     string
	row     fields
	err     error
}

// lineBuffer is the size of a Reader's line buffer in bytes; longer lines are assembled in separate
// memory.
const lineBuffer = 256 << 10

// NewReader returns a Reader of r, plain or compressed by gzip or zstd, which errors call name.
// Options.Storage, MinFeatures, KeepNotes and Progress concern whole files and have no effect here;
// of Features only the limit does.
func NewReader(r io.Reader, name string, opts Options) *Reader {
	return &Reader{from: r, name: name, grammar: newGrammar(opts), keep: opts.KeepComments, missing: opts.Missing}
}

// Read returns the next row, in O(length of its line). Its slices are valid until the next call. It
// returns io.EOF after the last row, and a *data.SyntaxError where the text is not in the format or has
// no row. Further calls return the same error again.
func (r *Reader) Read() (Row, error) {
	if r.err != nil {
		return Row{}, r.err
	}
	row, err := r.read()
	r.err = err
	return row, err
}

func (r *Reader) read() (Row, error) {
	if r.lines == nil {
		source, err := codec.NewReader(r.from, r.name)
		if err != nil {
			return Row{}, err
		}
		r.lines = bufio.NewReaderSize(&closing{source: source}, lineBuffer)
	}
	for {
		line, err := r.nextLine()
		if err == io.EOF && r.rows == 0 {
			return Row{}, noRows(r.name, r.line)
		}
		if err != nil {
			return Row{}, err
		}
		r.row.cols, r.row.vals = r.row.cols[:0], r.row.vals[:0]
		found, f := r.grammar.parse(line, &r.row)
		if f == nil && found {
			f = r.checkQID(line)
		}
		if f != nil {
			return Row{}, f.at(r.name, r.line)
		}
		if found {
			r.rows++
			return r.result(), nil
		}
	}
}

func (r *Reader) checkQID(line []byte) *fault {
	has := r.row.qid != nil
	if r.rows == 0 {
		r.hasQID = has
	}
	if has == r.hasQID {
		return nil
	}
	return mixedFault(line, &r.row)
}

// mixedFault is the fault of a row with a qid among rows without, or the reverse.
func mixedFault(line []byte, row *fields) *fault {
	if row.qid == nil {
		return faultAt(line, 0, len(line), "row without a qid, but the rows before have one")
	}
	return faultAt(line, row.qidAt, row.qidAt+len(qidPrefix)+len(row.qid),
		"row with a qid, but the rows before have none")
}

func (r *Reader) result() Row {
	row := Row{Line: r.line, Label: r.row.label, HasQID: r.hasQID, Cols: r.row.cols, Vals: r.row.vals}
	if r.hasQID {
		if string(r.row.qid) != r.qid {
			r.qid = string(r.row.qid)
		}
		row.QID = r.qid
	}
	if r.keep {
		row.Comment = string(r.row.comment)
	}
	if r.row.missing && r.missing == data.MissingZero {
		zeroNaN(row.Vals)
	}
	return row
}

// nextLine returns the next line without its end, io.EOF after the last.
func (r *Reader) nextLine() ([]byte, error) {
	line, err := r.lines.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		r.long = r.long[:0]
		for err == bufio.ErrBufferFull {
			r.long = append(r.long, line...)
			if len(r.long) > r.grammar.longest {
				r.line++
				return nil, textline.LongLine(r.name, r.line, r.grammar.longest)
			}
			line, err = r.lines.ReadSlice('\n')
		}
		r.long = append(r.long, line...)
		line = r.long
	}
	if err == io.EOF && len(line) > 0 {
		err = nil // the last line without a line end
	}
	if err != nil {
		return nil, err
	}
	r.line++
	return trim(bytes.TrimSuffix(line, []byte("\n"))), nil
}

// closing frees the decompressor when its text has ended.
type closing struct {
	source *codec.Reader
	err    error // how the text ended; a closed decompressor would say that it is closed
}

func (c *closing) Read(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.source.Read(p)
	if err != nil {
		c.source.Close()
		c.err = err
	}
	return n, err
}

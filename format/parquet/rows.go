package parquet

import (
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	"pairrank/format/internal/rowfile"
	"pairrank/internal/codec"
)

func init() {
	rowfile.Register(rowfile.Format{Is: isParquet, Open: openRows, ReadSet: readSet, EachQuery: eachQuery,
		Columns: columnsOf})
}

// isParquet reports whether a path is a Parquet file by its name, or a directory of such files.
func isParquet(path string) bool {
	if codec.Ending(path) == Ending {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// rows are the rows of a file, or of the files of a directory, as texts. Columns that a table has no place for are left
// out.
type rows struct {
	*source
	reader
	names []string
	bits  []int // by column
	next  int   // the part that is read
	left  int64 // rows of the row group
	read  int
	texts []string
}

// openRows opens a file, or all Parquet files of a directory.
func openRows(path string) (rowfile.Rows, error) {
	s, err := open(path)
	if err != nil {
		return nil, err
	}
	c, err := s.columns()
	if err != nil {
		s.close()
		return nil, err
	}
	r := &rows{source: s, reader: reader{piece: &piece{}, columns: c}}
	for k := range s.parts[0].leaves {
		if l := &s.parts[0].leaves[k]; l.kind != others && (!l.list || l.numeric()) {
			r.leaves = append(r.leaves, k)
			r.names = append(r.names, c.names[c.first[k]:][:c.width[k]]...)
			r.bits = append(r.bits, slices.Repeat([]int{l.floatBits()}, c.width[k])...)
		}
	}
	return r, nil
}

// Columns returns the names of the columns.
func (r *rows) Columns() []string { return r.names }

// FloatBits is the size of the floats of column k.
func (r *rows) FloatBits(k int) int { return r.bits[k] }

// Close closes the files.
func (r *rows) Close() error {
	r.reader.close()
	return r.source.close()
}

// Next returns the texts of the next row.
func (r *rows) Next() ([]string, error) {
	for r.next < len(r.parts) {
		r.part = r.parts[r.next]
		groups := r.part.in.RowGroups()
		switch {
		case r.group == len(groups):
			r.next, r.group = r.next+1, 0
			continue
		case r.cursors == nil:
			r.left = groups[r.group].NumRows()
			if err := guard(r.part.path, r.begin); err != nil {
				return nil, err
			}
		case r.left == 0:
			if err := guard(r.part.path, r.end); err != nil {
				return nil, err
			}
			r.reader.close()
			r.cursors = nil
			r.group++
			continue
		}
		if r.left == 0 {
			continue
		}
		r.left--
		r.read++
		r.texts = r.texts[:0]
		return r.texts, guard(r.part.path, r.row)
	}
	return nil, io.EOF
}

// begin begins to read the columns of a row group.
func (r *rows) begin() error {
	r.cursors = []*cursor{}
	for _, k := range r.leaves {
		c, err := r.part.cursor(r.group, k)
		if err != nil {
			return r.part.fault(r.group, err)
		}
		c.asText, c.checkDigits = !c.list, func(float64, int) error { return nil } // FloatBits tells it
		r.cursors = append(r.cursors, c)
	}
	return nil
}

// row reads a row.
func (r *rows) row() error {
	for j, c := range r.cursors {
		if !c.list {
			text, _, err := c.text()
			if err != nil {
				return r.part.fault(r.group, columnError(c, err))
			}
			r.texts = append(r.texts, text)
			continue
		}
		list, err := r.list(c, r.width[r.leaves[j]], r.read-1)
		if err != nil {
			return r.part.fault(r.group, err)
		}
		for _, x := range list {
			text := ""
			if !math.IsNaN(x) {
				text = strconv.FormatFloat(x, 'g', -1, 64)
			}
			r.texts = append(r.texts, text)
		}
	}
	return nil
}

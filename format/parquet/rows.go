package parquet

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"pairrank/format/table"
)

func init() { table.Register(isParquet, openRows) }

// isParquet reports whether a path is a Parquet file by its name, or a directory of such files.
func isParquet(path string) bool {
	if strings.HasSuffix(path, Ending) {
		return true
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// rows are the rows of a file, or of the files of a directory, as texts. Columns that a table has no place for are left
// out.
type rows struct {
	*source
	columns *columns
	leaves  []int
	names   []string
	part    int // of the row group that is read
	group   int
	cursors []*cursor // nil before the first row of a row group
	left    int64     // rows of the row group
	read    int
	texts   []string
	list    []float64
}

// openRows opens a file, or all Parquet files of a directory.
func openRows(path string) (table.Rows, error) {
	s, err := open(path)
	if err != nil {
		return nil, err
	}
	r := &rows{source: s}
	if r.columns, err = s.columns(); err != nil {
		s.close()
		return nil, err
	}
	for k := range s.parts[0].leaves {
		if l := &s.parts[0].leaves[k]; l.kind != others && (!l.list || l.kind == numbers || l.kind == truths) {
			r.leaves = append(r.leaves, k)
			r.names = append(r.names, r.columns.names[r.columns.first[k]:][:r.columns.width[k]]...)
		}
	}
	return r, nil
}

// Columns returns the names of the columns.
func (r *rows) Columns() []string { return r.names }

// Close closes the files.
func (r *rows) Close() error {
	r.end()
	return r.close()
}

// end ends the reading of a row group.
func (r *rows) end() {
	for _, c := range r.cursors {
		c.close()
	}
	r.cursors = nil
}

// Next returns the texts of the next row.
func (r *rows) Next() ([]string, error) {
	for r.part < len(r.parts) {
		p := r.parts[r.part]
		groups := p.in.RowGroups()
		switch {
		case r.group == len(groups):
			r.part, r.group = r.part+1, 0
			continue
		case r.cursors == nil:
			r.left = groups[r.group].NumRows()
			if err := guard(p.path, func() error { return r.begin(p) }); err != nil {
				return nil, err
			}
		case r.left == 0:
			r.end()
			r.group++
			continue
		}
		if r.left == 0 {
			continue
		}
		r.left--
		r.read++
		r.texts = r.texts[:0]
		return r.texts, guard(p.path, func() error { return r.row(p) })
	}
	return nil, io.EOF
}

// begin begins to read the columns of a row group.
func (r *rows) begin(p *part) error {
	r.cursors = []*cursor{}
	for _, k := range r.leaves {
		c, err := p.cursor(r.group, k)
		if err != nil {
			return p.fault(r.group, err)
		}
		c.asText, c.checkDigits = !c.list, func(float64, int) error { return nil }
		r.cursors = append(r.cursors, c)
	}
	return nil
}

// row reads a row.
func (r *rows) row(p *part) error {
	for j, c := range r.cursors {
		var err error
		if c.list {
			err = r.elements(c, r.columns.width[r.leaves[j]])
		} else {
			var text string
			text, _, err = c.text()
			r.texts = append(r.texts, text)
		}
		if err != nil {
			return p.fault(r.group, columnError(c, err))
		}
	}
	return nil
}

// elements reads the list of a row.
func (r *rows) elements(c *cursor, width int) error {
	if cap(r.list) < width {
		r.list = make([]float64, width)
	}
	n, there, err := c.nextList(r.list[:width])
	if err == nil && there && n != width {
		err = fmt.Errorf("row %d has a list of %d, and the first one has %d elements", r.read, n, width)
	}
	for _, x := range r.list[:width] {
		text := ""
		if there {
			text = strconv.FormatFloat(x, 'g', -1, 64)
		}
		r.texts = append(r.texts, text)
	}
	return err
}

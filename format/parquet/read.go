package parquet

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go/format"

	"pairrank/data"
	"pairrank/format/internal/rowfile"
	"pairrank/internal/cellfault"
)

// readSet reads the rows of a Parquet file, or of the files of a directory.
func readSet(path string, t rowfile.Table) (*data.Set, error) {
	s, err := open(path)
	if err != nil {
		return nil, err
	}
	set, err := s.read(t)
	return set, errors.Join(err, s.close())
}

// columns are those of the table: a leaf is one, or as many as its lists have elements.
type columns struct {
	names []string
	first []int // by leaf
	width []int
}

// columns finds the columns of the table.
func (s *source) columns() (*columns, error) {
	c := &columns{}
	for k := range s.parts[0].leaves {
		l := &s.parts[0].leaves[k]
		width := 1
		if l.list && l.numeric() {
			var err error
			if width, err = s.listLength(k); err != nil {
				return nil, err
			}
		}
		c.first, c.width = append(c.first, len(c.names)), append(c.width, width)
		if !l.list || width == 0 || !l.numeric() {
			c.width[k] = 1
			c.names = append(c.names, l.name)
			continue
		}
		for e := range width {
			c.names = append(c.names, l.name+"["+strconv.Itoa(e+1)+"]")
		}
	}
	return c, nil
}

// listLength is the length of the first list of leaf k that is not missing; 0 where all are.
func (s *source) listLength(k int) (n int, err error) {
	for _, p := range s.parts {
		for g := range p.in.RowGroups() {
			err := guard(p.path, func() error {
				c, err := p.cursor(g, k)
				if err != nil {
					return p.fault(g, err)
				}
				defer c.close()
				for range p.in.RowGroups()[g].NumRows() {
					length, there, err := c.nextList(nil)
					if err != nil {
						return p.fault(g, columnError(c, err))
					}
					if there {
						n = length
						return nil
					}
				}
				return nil
			})
			if err != nil || n > 0 {
				return n, err
			}
		}
	}
	return 0, nil
}

// cursor begins to read leaf k in a row group.
func (p *part) cursor(g, k int) (*cursor, error) {
	l := &p.leaves[k]
	if p.in.Metadata().RowGroups[g].Columns[l.index].MetaData.Codec == format.Lz4Raw {
		return nil, fmt.Errorf("column %q: pages are compressed by LZ4, which is not read: write them with Zstandard",
			data.ClipText(l.name))
	}
	if err := p.checkPages(g, l); err != nil {
		return nil, fmt.Errorf("column %q: %w", data.ClipText(l.name), err)
	}
	return &cursor{leaf: l, pages: p.in.RowGroups()[g].ColumnChunks()[l.index].Pages()}, nil
}

// columnError is an error of the decoder about a column.
func columnError(c *cursor, err error) error {
	if err == io.EOF {
		err = errTooFew
	}
	return fmt.Errorf("column %q cannot be decoded: %w", data.ClipText(c.name), err)
}

// read reads all rows.
func (s *source) read(t rowfile.Table) (*data.Set, error) {
	if t.Transposed() {
		return nil, &data.SyntaxError{File: s.path, Msg: "a Parquet file is not read with rows and columns exchanged"}
	}
	if s.rows > math.MaxInt32 {
		return nil, &data.SyntaxError{File: s.path, Msg: fmt.Sprintf("%d rows are more than %d", s.rows, math.MaxInt32)}
	}
	c, err := s.columns()
	if err != nil {
		return nil, err
	}
	fill, err := t.Fill(s.path, c.names, s.rows)
	if err != nil {
		return nil, err
	}
	wanted, err := s.wanted(c, fill)
	if err != nil {
		return nil, err
	}
	if err := s.fill(c, fill, wanted); err != nil {
		return nil, err
	}
	return fill.Set()
}

// wanted are the leaves that matter. Those with values that do not fit their role are an error.
func (s *source) wanted(c *columns, fill rowfile.Filling) (leaves []int, err error) {
	fault := func(err error) error {
		return &data.SyntaxError{File: s.parts[0].path, Msg: err.Error(), Err: err}
	}
	for k := range s.parts[0].leaves {
		l := &s.parts[0].leaves[k]
		wants, feature := false, true
		for e := range c.width[k] {
			at := c.first[k] + e
			wants, feature = wants || fill.Wants(at), feature && fill.Feature(at)
		}
		switch {
		case !wants:
			continue
		case l.kind == others, l.list && !l.numeric():
			return nil, fault(&ValuesError{l.name, l.values()})
		case l.kind == dates && feature:
			for e := range c.width[k] {
				if err := fill.RefuseDates(c.first[k]+e, l.name); err != nil {
					return nil, fault(err)
				}
			}
			continue
		}
		leaves = append(leaves, k)
	}
	return leaves, nil
}

// ValuesError is wrapped by the error about a column with values that a table has no place for.
type ValuesError struct {
	Column string
	Values string // plural, as in "maps"
}

// Error says what the column holds.
func (e *ValuesError) Error() string {
	return fmt.Sprintf("column %q holds %s, which have no place in a table", data.ClipText(e.Column), e.Values)
}

// blockRows is how many rows of one column are read before those of the next: the cells of a block
// stay in the cache.
const blockRows = 512

// reader reads a piece.
type reader struct {
	*piece
	*columns
	fill    rowfile.Filling
	cursors []*cursor
	values  []float64
	// counted is the number of rows before those of fill.
	counted int
}

// begin begins to read the columns.
func (r *reader) begin() error {
	for _, k := range r.leaves {
		cursor, err := r.part.cursor(r.group, k)
		if err != nil {
			return r.part.fault(r.group, err)
		}
		cursor.asText = cursor.kind == texts || !cursor.list && !r.fill.Feature(r.columns.first[k])
		at := r.columns.first[k]
		cursor.checkDigits = func(x float64, bits int) error { return r.fill.CheckDigits(at, x, bits) }
		r.cursors = append(r.cursors, cursor)
	}
	return nil
}

// rowsTo reads the next n rows into those of fill from first on.
func (r *reader) rowsTo(first, n int) error {
	for lo := 0; lo < n; lo += blockRows {
		for j, cursor := range r.cursors {
			k := r.leaves[j]
			at, rows := r.columns.first[k], min(blockRows, n-lo)
			var err error
			switch {
			case cursor.list:
				err = r.lists(cursor, at, r.width[k], first+lo, rows)
			case cursor.asText:
				err = r.words(cursor, at, first+lo, rows)
			default:
				err = r.numbers(cursor, at, first+lo, rows)
			}
			if err != nil {
				return r.part.fault(r.group, err)
			}
		}
	}
	return nil
}

// end checks that all values were read.
func (r *reader) end() error {
	for _, cursor := range r.cursors {
		if err := cursor.end(); err != nil {
			return r.part.fault(r.group, columnError(cursor, err))
		}
	}
	return nil
}

func (r *reader) close() {
	for _, cursor := range r.cursors {
		cursor.close()
	}
}

// numbers reads a column of numbers.
func (r *reader) numbers(c *cursor, at, first, rows int) error {
	n, err := c.numbers(r.values[:rows])
	if err := r.fill.Numbers(first, at, r.values[:n]); err != nil {
		return err
	}
	var inexact *inexactError
	if errors.As(err, &inexact) && r.fill.Checking() {
		c.at, c.value = c.at+1, c.value+1
		if err := r.fill.Refuse(first+n, at, err); err != nil || n+1 == rows {
			return err
		}
		return r.numbers(c, at, first+n+1, rows-n-1)
	}
	return r.decoded(c, first+n, err)
}

// decoded gives an error of a cursor its place.
func (r *reader) decoded(c *cursor, row int, err error) error {
	var inexact *inexactError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &inexact):
		return fmt.Errorf("column %q: row %d: %w", data.ClipText(c.name), r.counted+row+1, err)
	}
	return columnError(c, err)
}

// words reads a column of texts.
func (r *reader) words(c *cursor, at, first, rows int) error {
	for i := first; i < first+rows; i++ {
		text, there, err := c.text()
		if cellfault.Of(err) == cellfault.Digits {
			return fmt.Errorf("row %d: %w", r.counted+i+1, err)
		}
		if err != nil {
			return columnError(c, err)
		}
		if !there {
			err = r.fill.Missing(i, at)
		} else if err = r.fill.Text(i, at, text); err != nil {
			err = fmt.Errorf("row %d: %w: %q", r.counted+i+1, err, data.ClipText(text))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lists reads a column of lists.
func (r *reader) lists(c *cursor, at, width, first, rows int) error {
	for i := first; i < first+rows; i++ {
		list, err := r.list(c, width, i)
		if err != nil {
			return err
		}
		for e, x := range list {
			if err := r.fill.Number(i, at+e, x); err != nil {
				return err
			}
		}
	}
	return nil
}

// list reads the list of a row, with NaN for what is missing. It is valid until the next call.
func (r *reader) list(c *cursor, width, row int) ([]float64, error) {
	if cap(r.values) < width {
		r.values = make([]float64, width)
	}
	list := r.values[:width]
	n, there, err := c.nextList(list)
	switch {
	case err != nil:
		return nil, r.decoded(c, row, err)
	case !there:
		for e := range list {
			list[e] = math.NaN()
		}
	case n != width:
		return nil, fmt.Errorf("column %q: row %d has a list of %d, and the first one has %d elements",
			data.ClipText(c.name), r.counted+row+1, n, width)
	}
	return list, nil
}

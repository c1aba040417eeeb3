package table

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"pairrank/data"
	"pairrank/internal/quote"
)

// WriteNodes writes p nodes of n features as CSV or TSV text that ReadNodes reads the
// same: a header of id and the names of the features, f1, f2, … when they have none. Cost
// O(pn). It returns the errors of w, and an error for a text with a line end. It panics
// for any other format, and when the matrix does not fit.
func WriteNodes(w io.Writer, format Format, n *Nodes) error {
	data.Check("table: WriteNodes: X", n.X)
	names := n.Names
	if names == nil {
		names = make([]string, n.X.Cols)
		for j := range names {
			names[j] = "f" + strconv.Itoa(j+1)
		}
	}
	return writeNamed(w, format, n.ID, names, n.X)
}

// WriteSimilarity writes a p×r matrix with ids as CSV or TSV text that ReadSimilarity
// reads the same. Cost O(pr). It returns the errors of w, and an error for an id with a
// line end. It panics for any other format, and when the matrix does not fit.
func WriteSimilarity(w io.Writer, format Format, s *Similarity) error {
	data.Check("table: WriteSimilarity: K", s.K)
	return writeNamed(w, format, s.RowID, s.ColID, s.K)
}

// separator is the byte between the fields of text.
func (f Format) separator() byte {
	switch f {
	case CSV:
		return ','
	case TSV:
		return '\t'
	}
	panic(fmt.Sprintf("table: format %d is not text", f))
}

func writeNamed(w io.Writer, format Format, rows, cols []string, x *data.Dense) error {
	out := bufio.NewWriterSize(w, 1<<16)
	sep := format.separator()
	line, err := []byte("id"), error(nil)
	for _, name := range cols {
		if line, err = quote.AppendField(append(line, sep), name, sep); err != nil {
			return err
		}
	}
	out.Write(append(line, '\n'))
	for i, id := range rows {
		if line, err = quote.AppendField(line[:0], id, sep); err != nil {
			return err
		}
		for j, v := range x.Row(i) {
			if line, err = appendNumber(append(line, sep), v); err != nil {
				return fmt.Errorf("row %d, column %d: %w", i+1, j+1, err)
			}
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WriteEdges writes m edges, in their order, as CSV or TSV triplets with the header row_id, col_id,
// value, or as pairs when no edge has a value. A NaN among values becomes an empty field, which
// NoValue reads. Ids without an edge are not written. Cost O(m). It returns the errors of w, and an
// error for an id with a line end. It panics for any other format.
func WriteEdges(w io.Writer, format Format, e *Edges) error {
	out := bufio.NewWriterSize(w, 1<<16)
	sep := format.separator()
	valued := slices.ContainsFunc(e.Y, func(y float64) bool { return !math.IsNaN(y) })
	line := append(append([]byte("row_id"), sep), "col_id"...)
	if valued {
		line = append(append(line, sep), "value"...)
	}
	out.Write(append(line, '\n'))
	var err error
	for k, y := range e.Y {
		line, err = quote.AppendField(line[:0], e.RowID[e.Row[k]], sep)
		if err == nil {
			line, err = quote.AppendField(append(line, sep), e.ColID[e.Col[k]], sep)
		}
		if err != nil {
			return err
		}
		if valued {
			line = append(line, sep)
		}
		if !math.IsNaN(y) {
			if line, err = appendNumber(line, y); err != nil {
				return fmt.Errorf("edge %d: %w", k+1, err)
			}
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

package table

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pairrank/data"
)

// Edges are values of pairs of a row node and a column node, in file order. A pair may appear more
// than once or not at all.
type Edges struct {
	RowID, ColID []string  // the ids of each side, in order of first appearance
	Row, Col     []int32   // of each edge, places in RowID and ColID
	Y            []float64 // NaN where a pair to be predicted has no value
	Line         []int     // of each edge in the text; nil for a matrix

	Format     string // as found: triplets or matrix
	Unobserved int    // pairs listed without a value, which are left out
	Numbered   bool   // a matrix without ids: they are 1 … p and 1 … r, as texts
	File       string // the name of the file, for errors

	rowLine, colLine []int  // where ids stand first; nil when Numbered
	counted          string // what these are, where they are not lines
	named            bool   // by the file: its first line is no edge
}

// How a file gives the values of pairs.
const (
	edgesAuto     = ""         // decided by the first two lines
	edgesTriplets = "triplets" // a line `row_id col_id value` for each edge
	edgesMatrix   = "matrix"   // a line for each row node, a field for each column node
)

// EdgesOptions says how edges are read. The zero value detects everything.
type EdgesOptions struct {
	// Separator is the byte between fields, ' ' for runs of blanks; 0 finds it.
	Separator byte
	// MaxLine is the number of bytes of the longest line; 0 is data.MaxLine.
	MaxLine int
	// Format is "triplets", a line for each edge, or "matrix", a line for each row node; "" decides as ReadEdges
	// describes.
	Format string
	// NoValue reads pairs to predict: lines `row_id col_id` or `row_id col_id value`. A missing
	// value becomes NaN. A matrix gives its observed entries.
	NoValue bool
}

// ReadEdges reads edges from text, compressed or not, or from a two-dimensional .npy file.
//
// Triplets are lines `row_id col_id value`. They may have a header line, recognised by the names
// row_id and col_id (or row and col), or by a third field that begins with neither a digit nor a
// sign or point. A matrix has the ids of its columns in a header and those of its rows in the first
// column, as in ReadSimilarity, or consists of numbers alone, with the ids 1, 2, …. NaN, NULL, NA
// and the empty field are unobserved: they make no edge, and Unobserved counts them. 0 is a value.
// An id is kept even when no edge has it.
//
// Without EdgesOptions.Format the first two lines decide, in this order:
//
//   - A header of row_id and col_id means triplets.
//   - Lines of four fields or more, or lines under a header that begins with an empty field, are a
//     matrix.
//   - Lines of two or three fields whose second is a name, which begins with neither a digit nor a
//     sign or point, are triplets.
//   - Lines `id number [number]` under a header that begins with "id" are a matrix. Under a header
//     that ends in a name for values (value, label, score, rating, weight), or under a line of the
//     same kind, they are triplets. Under any other header they are refused, and so are triplets
//     without header whose ids are numbers with a sign or a point.
//
// The cost is linear in the size of the file. It returns a *data.SyntaxError where the text is not of
// this form, with a method Hint where there is a way out, an error about another Format, and the errors of the file.
func ReadEdges(path string, opts EdgesOptions) (*Edges, error) {
	if !slices.Contains([]string{edgesAuto, edgesTriplets, edgesMatrix}, opts.Format) {
		return nil, fmt.Errorf("unknown format of edges %q, want triplets or matrix", opts.Format)
	}
	switch FormatOf(path) {
	case NPY, NPZ:
		if opts.Format == edgesTriplets {
			return nil, &data.SyntaxError{File: path, Msg: "the arrays of NumPy hold no triplets, only a matrix"}
		}
		n, err := openNamed(path, 0, opts.MaxLine, HeaderAuto, true)
		if err != nil {
			return nil, err
		}
		return n.edges()
	}
	return reading(func(l *lines) (*Edges, error) { return readEdges(l, opts) })(openShape(path, opts.Separator,
		opts.MaxLine))
}

// Match finds the ends of the edges among given nodes: edge e is between rowIDs[row[e]] and
// colIDs[col[e]], the first of equal ids. It costs O(edges + nodes), for hashing.
//
// Unknown ids give one error that lists them all, the first 20 of each side by name. It has a
// method Hint where the ids seem to be only numbers, or a header seems to be read as an edge. Where
// rows and columns are exchanged it is an [*ExchangedError].
func (e *Edges) Match(rowIDs, colIDs []string) (row, col []int32, err error) {
	rowAt, colAt := index(rowIDs), index(colIDs)
	ofRow, noRow := locate(e.RowID, rowAt)
	ofCol, noCol := locate(e.ColID, colAt)
	if len(noRow)+len(noCol) > 0 {
		hint := ""
		switch {
		case !slices.Equal(rowIDs, colIDs) && mostlyIn(e.RowID, colAt) && mostlyIn(e.ColID, rowAt):
			return nil, nil, e.exchanged(noRow, noCol)
		case e.Numbered:
			hint = fmt.Sprintf("the matrix has no ids, so its rows are 1 … %d and its columns 1 … %d: add a header "+
				"and a first column with ids", len(e.RowID), len(e.ColID))
		case !e.named && e.beginsWith(noRow, noCol):
			hint = fmt.Sprintf("if line %d is a header, name its columns row_id and col_id", e.Line[0])
		case areNumbers(rowIDs) || areNumbers(colIDs):
			hint = "the ids of the nodes are numbers from 1, as for nodes read without ids"
		}
		return nil, nil, e.unknown(noRow, noCol, hint)
	}
	row, col = make([]int32, len(e.Row)), make([]int32, len(e.Col))
	for k, i := range e.Row {
		row[k], col[k] = ofRow[i], ofCol[e.Col[k]]
	}
	return row, col, nil
}

// beginsWith reports whether only the two ids of the first edge are unknown.
func (e *Edges) beginsWith(noRow, noCol []int) bool {
	return len(e.Line) > 0 && len(noRow) == 1 && len(noCol) == 1 && int(e.Row[0]) == noRow[0] &&
		int(e.Col[0]) == noCol[0]
}

func (e *Edges) unknown(noRow, noCol []int, hint string) error {
	return mismatch(e.File, e.unknownIDs(noRow, noCol, maxListed), hint)
}

// ExchangedError says that the given column nodes are the rows of the edges and the reverse:
// [Edges.Transpose] exchanges them.
type ExchangedError struct{ error }

// Unwrap is the error about the file.
func (e *ExchangedError) Unwrap() error { return e.error }

func (e *Edges) exchanged(noRow, noCol []int) error {
	const few = 3 // enough for an example
	return &ExchangedError{mismatch(e.File, "rows and columns are exchanged: "+e.unknownIDs(noRow, noCol, few), "")}
}

// unknownIDs counts the unknown ids and names the first of each side, at most so many.
func (e *Edges) unknownIDs(noRow, noCol []int, most int) string {
	var parts []string
	side := func(what string, ids []string, unknown, lines []int) {
		if len(unknown) == 0 {
			return
		}
		list := listedFew(len(unknown), most, ", ", func(k int) string {
			text := quotedID(ids[unknown[k]])
			if lines != nil {
				text += fmt.Sprintf(" (%s %d)", cmp.Or(e.counted, "line"), lines[unknown[k]])
			}
			return text
		})
		parts = append(parts, fmt.Sprintf("%d of %d %s ids are unknown: %s", len(unknown), len(ids), what, list))
	}
	side("row", e.RowID, noRow, e.rowLine)
	side("column", e.ColID, noCol, e.colLine)
	return strings.Join(parts, "; ")
}

// Transpose exchanges rows and columns, in place, in O(1). A matrix keeps the order of
// the edges.
func (e *Edges) Transpose() {
	e.RowID, e.ColID = e.ColID, e.RowID
	e.Row, e.Col = e.Col, e.Row
	e.rowLine, e.colLine = e.colLine, e.rowLine
}

package table

import (
	"errors"
	"fmt"
	"strings"

	"pairrank/data"
	"pairrank/internal/textline"
)

// Similarity is a matrix of similarities of row nodes with column nodes: square,
// of nodes with themselves, or rectangular, new nodes × known ones. K need not be
// symmetric or positive semidefinite.
type Similarity struct {
	RowID, ColID []string // of one side no two are equal
	K            *data.Dense
	Numbered     bool   // the file has no ids: they are 1 … p and 1 … r, as texts
	File         string // the name of the file, for errors
}

// ReadSimilarity reads a p×r matrix with ids from text, compressed or not. A header has the ids of
// the columns, the first column those of the rows; the first field of the header is empty, "id" or
// absent. Numbers alone, as text or .npy, have the ids 1, 2, …. The ids of rows and columns may be
// in any order, and may differ. The cost is linear in the size of the file.
//
// It returns a *data.SyntaxError, with a method Hint where there is a way out, for repeated or empty
// ids, numbers that are not finite and lines of unequal length; and the errors of the file.
func ReadSimilarity(path string) (*Similarity, error) { return ReadSimilarityLines(path, 0) }

// ReadSimilarityLines is ReadSimilarity with another limit for the bytes of a line; 0 is
// data.MaxLine. A longer line is a *data.SyntaxError that wraps data.ErrLongLine.
func ReadSimilarityLines(path string, maxLine int) (*Similarity, error) {
	n, err := openNamed(path, 0, maxLine, HeaderAuto, false)
	return similarityOf(n, err)
}

func similarityOf(n *idMatrix, err error) (*Similarity, error) {
	if err == nil {
		err = n.nameColumns()
	}
	if err != nil {
		return nil, err
	}
	return &Similarity{RowID: n.rows, ColID: n.cols, K: n.x, Numbered: n.numbered, File: n.file}, nil
}

// nameColumns checks that the names of the columns are ids, and numbers the
// columns when the rows are numbered.
func (n *idMatrix) nameColumns() error {
	if n.numbered {
		n.cols = numbers(n.x.Cols)
		return nil
	}
	for j, id := range n.cols {
		var err error
		switch {
		case id == "":
			err = fmt.Errorf("the id of column %d is empty", j+1)
		case textline.LostDigits(id):
			err = lostDigits(id, "a column")
		default:
			continue
		}
		return &data.SyntaxError{File: n.file, Line: n.line, Col: n.at[j], Msg: err.Error(), Err: err}
	}
	return repeated(n.file, n.cols, func(k int) (line, col int) { return n.line, n.at[k] }, "column")
}

// Align returns a new len(rows)×len(cols) matrix with the given rows and columns in the given
// order, found by id; an id may repeat. It leaves out other ids of the file, which Extra counts. It
// costs O(1) an entry of the new matrix.
//
// Ids that the file lacks give one error that lists them all, the first 20 of each side by name. It
// has a method Hint where rows and columns seem exchanged, or the ids are only numbers. Align
// panics when K does not fit.
func (s *Similarity) Align(rows, cols []string) (*data.Dense, error) {
	data.Check("table: Similarity.Align: K", s.K)
	rowAt, colAt := index(s.RowID), index(s.ColID)
	ofRow, noRow := locate(rows, rowAt)
	ofCol, noCol := locate(cols, colAt)
	if len(noRow)+len(noCol) > 0 {
		hint := ""
		switch {
		case mostlyIn(rows, colAt) && mostlyIn(cols, rowAt) && !mostlyIn(rows, rowAt):
			hint = "rows and columns of the matrix are exchanged: transpose it"
		case s.Numbered:
			hint = fmt.Sprintf("the matrix has no ids, so its rows are 1 … %d and its columns 1 … %d: add a header "+
				"and a first column with ids", s.K.Rows, s.K.Cols)
		case areNumbers(rows) || areNumbers(cols):
			hint = "the wanted ids are numbers from 1, as for nodes read without ids"
		}
		return nil, s.absent(rows, noRow, cols, noCol, hint)
	}
	k := data.NewDense(len(rows), len(cols), nil)
	for i, from := range ofRow {
		row, in := k.Row(i), s.K.Row(int(from))
		for j, at := range ofCol {
			row[j] = in[at]
		}
	}
	return k, nil
}

func (s *Similarity) absent(rows []string, noRow []int, cols []string, noCol []int, hint string) error {
	var parts []string
	side := func(what string, ids []string, absent []int) {
		if len(absent) > 0 {
			list := listed(len(absent), ", ", func(k int) string { return quotedID(ids[absent[k]]) })
			parts = append(parts, fmt.Sprintf("no %s for %d of %d ids: %s", what, len(absent), len(ids), list))
		}
	}
	side("row", rows, noRow)
	side("column", cols, noCol)
	return mismatch(s.File, strings.Join(parts, "; "), hint)
}

// mismatch is an error about ids of a whole file.
func mismatch(file, msg, hint string) error {
	err := errors.New(msg)
	if file != "" {
		err = &data.SyntaxError{File: file, Msg: msg}
	}
	if hint == "" {
		return err
	}
	return &hinted{err, hint}
}

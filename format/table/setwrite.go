package table

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pairrank/data"
)

// Format is a form of a table.
type Format int

const (
	CSV Format = iota
	TSV
	NPY
	NPZ
)

// FormatOf returns the format for the extension of a file name, TSV for an unknown or no extension.
func FormatOf(path string) Format {
	switch {
	case strings.HasSuffix(path, ".npz"):
		return NPZ
	case strings.HasSuffix(path, ".npy") || strings.HasSuffix(path, ".npy.gz") || strings.HasSuffix(path, ".npy.zst"):
		return NPY
	case separatorOf(path) == ',':
		return CSV
	}
	return TSV
}

// WriteSet writes s so that ReadSet reads the same labels, queries, features and names:
//
//   - as text with a header line (label, qid when s.HasQID, then the names of the features, f1, f2,
//     …
//     for unnamed ones), row by row also for a sparse matrix. Comment lines are written, those before
//     the first row above the header.
//   - as .npz with the arrays X, y, qid and names, or as .npy with X alone. A sparse matrix is an
//     error.
//
// Zeros are written, comments of rows are not. It panics when the matrix of s does not fit.
func WriteSet(w io.Writer, format Format, s *data.Set) error {
	data.Check("table: WriteSet: X", s.X)
	switch format {
	case CSV:
		return writeText(w, ',', s)
	case TSV:
		return writeText(w, '\t', s)
	}
	x, err := arrayOf(s)
	if err != nil {
		return err
	}
	if format == NPY {
		return WriteNPY(w, x)
	}
	arrays := map[string]*Array{"X": x, "y": {Shape: []int{len(s.Y)}, Data: s.Y}}
	if s.Names != nil {
		arrays["names"] = &Array{Shape: []int{len(s.Names)}, Strings: s.Names}
	}
	if s.HasQID {
		texts := make([]string, len(s.Y))
		for i, g := range s.Queries.Of() {
			texts[i] = s.Queries.ID(int(g))
		}
		arrays["qid"] = &Array{Shape: []int{len(texts)}, Strings: texts}
	}
	return WriteNPZ(w, arrays)
}

func arrayOf(s *data.Set) (*Array, error) {
	x, dense := s.X.(*data.Dense)
	if !dense {
		return nil, fmt.Errorf("a sparse matrix has no form in .npy and .npz: write text, or read it dense")
	}
	values := x.Data
	if x.Stride != x.Cols {
		values = make([]float64, 0, x.Rows*x.Cols)
		for i := range x.Rows {
			values = append(values, x.Row(i)...)
		}
	}
	return &Array{Shape: []int{x.Rows, x.Cols}, Data: values[:x.Rows*x.Cols]}, nil
}

func writeText(w io.Writer, sep byte, s *data.Set) error {
	out := bufio.NewWriterSize(w, 1<<16)
	m, n := s.X.Dims()
	notes, err := data.WriteNotes(out, s.Notes, 0)
	if err != nil {
		return err
	}
	line, err := headerOf(s, n, sep)
	if err != nil {
		return err
	}
	out.Write(append(line, '\n'))
	row := make([]float64, n)
	for i := range m {
		if notes, err = data.WriteNotes(out, notes, i); err != nil {
			return err
		}
		if line, err = appendNumber(line[:0], s.Y[i]); err != nil {
			return fmt.Errorf("label of row %d: %w", i+1, err)
		}
		if s.HasQID {
			if line, err = AppendField(append(line, sep), s.Queries.ID(int(s.Queries.Of()[i])), sep); err != nil {
				return err
			}
		}
		s.X.RowTo(row, i)
		if line, err = appendFeatures(line, row, sep, i); err != nil {
			return err
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	if _, err := data.WriteNotes(out, notes, m); err != nil {
		return err
	}
	return out.Flush()
}

// headerOf is the line of the names of the columns.
func headerOf(s *data.Set, features int, sep byte) (line []byte, err error) {
	line = append(line, "label"...)
	if s.HasQID {
		line = append(append(line, sep), "qid"...)
	}
	for j := range features {
		name := "f" + strconv.Itoa(j+1)
		if s.Names != nil && !unnamed(s.Names[j]) {
			name = s.Names[j]
		}
		if line, err = AppendField(append(line, sep), name, sep); err != nil {
			return nil, err
		}
		if len(line) > data.MaxLine {
			return nil, fmt.Errorf("the names of %d features make a header of more than %d bytes, which could not "+
				"be read back: use SVMlight text for sparse rows", features, data.MaxLine)
		}
	}
	return line, nil
}

// appendFeatures appends the features of row i, each behind a separator.
func appendFeatures(line []byte, row []float64, sep byte, i int) (_ []byte, err error) {
	for j, x := range row {
		if line, err = appendNumber(append(line, sep), x); err != nil {
			return line, fmt.Errorf("feature %d of row %d: %w", j+1, i+1, err)
		}
	}
	return line, nil
}

// appendNumber appends the shortest text that reads back as x.
func appendNumber(line []byte, x float64) ([]byte, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return line, fmt.Errorf("%v cannot be written", x)
	}
	return strconv.AppendFloat(line, x, 'g', -1, 64), nil
}

// AppendField appends a field of text with the separator sep, quoted where necessary, in O(length
// of the text). It returns an error for a text with a line end.
func AppendField(line []byte, text string, sep byte) ([]byte, error) {
	if strings.ContainsAny(text, "\r\n") {
		return line, fmt.Errorf("text with a line end cannot be written: %q", text)
	}
	plain := text != "" && strings.IndexByte(text, sep) < 0 && text[0] != '"' && text[0] != '#' &&
		strings.Trim(text, " \t") == text
	if plain {
		return append(line, text...), nil
	}
	line = append(line, '"')
	line = append(line, strings.ReplaceAll(text, `"`, `""`)...)
	return append(line, '"'), nil
}

package main

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/format/parquet"
	"pairrank/format/table"
	"pairrank/internal/npy"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

// checkOutputFormat refuses an output whose name stands for a format of tables that it does not have.
func checkOutputFormat(path, what string, has ...string) error {
	format := formatOf(path)
	if err := checkCompression(path, format); err != nil {
		return err
	}
	if format == "svmlight" || format == "tsv" || slices.Contains(has, format) {
		return nil
	}
	as := "text with tabs"
	if has != nil {
		as += " or, by the name, as ." + strings.Join(has, " or .")
	}
	return cli.Usagef("%s are not written as .%s: %s is written as %s", what, format, path, as)
}

// scoreFormats are the formats of scores, by the name of the file, besides text.
var scoreFormats = []string{"npy", "csv", "parquet", "jsonl"}

// checkNamedOutput refuses a file of named scores that is an array of numbers.
func checkNamedOutput(path string) error {
	if formatOf(path) == "npy" {
		return cli.Usagef("--with-ids writes a table, and %s is an array of numbers", path)
	}
	return nil
}

// writeScores writes v scores for each row, in the format that the name of the file stands for. Named scores are
// a table with a header. Others in text, .csv and .npy have a place for each row of the input, which is NaN for rows of
// weight 0.
func (a *app) writeScores(path string, named bool, set *data.Set, scores []float64, v int) error {
	if named {
		a.tellFormulas(path, docIDs(set)...)
	}
	format := formatOf(path)
	if rows := format == "jsonl" || format == "parquet"; named && !rows {
		return a.Write(path, func(w io.Writer) error {
			return table.WriteNamedScores(w, separatorOf(path), set, scores, v)
		})
	} else if set != nil && !rows {
		scores = inPlaces(set, scores, v)
	}
	return a.Write(path, func(w io.Writer) error {
		switch format {
		case "npy":
			array := &npy.Array{Shape: []int{len(scores) / v}, Data: scores}
			if v > 1 {
				array.Shape = append(array.Shape, v)
			}
			return npy.Write(w, array)
		case "parquet":
			return cli.AsData(parquet.WriteScores(w, scores, v, set))
		case "jsonl":
			return cli.AsData(table.WriteScoreLines(w, set, scores, v))
		case "csv":
			return table.WriteScores(commas{w}, scores, v)
		}
		return table.WriteScores(w, scores, v)
	})
}

// inPlaces are v scores for each row of the input, NaN for rows that the set has not.
func inPlaces(set *data.Set, scores []float64, v int) []float64 {
	if set.Absent == nil {
		return scores
	}
	m := len(scores) / v
	all := slices.Repeat([]float64{math.NaN()}, len(scores)+v*len(set.Absent))
	for i := range m {
		copy(all[v*set.Number(i):], scores[v*i:v*(i+1)])
	}
	return all
}

// tellFormulas tells of names in a file of text that spreadsheets take for formulas. They are written as they are, so
// that they are read again.
func (a *app) tellFormulas(path string, names ...string) {
	var formulas []string
	seen := map[string]bool{}
	for _, name := range names {
		if name == "" || !strings.Contains("=+-@", name[:1]) || seen[name] {
			continue
		}
		seen[name] = true
		if _, err := strconv.ParseFloat(name, 64); err != nil {
			formulas = append(formulas, name)
		}
	}
	if path != "" && len(formulas) > 0 {
		a.Remark(report.Note{Code: "formulas", Text: fmt.Sprintf("spreadsheets take %s for a formula, as its first "+
			"character says, and %s has it as it is", spell.First(formulas), cli.Shown(path))})
	}
}

// separatorOf is the separator of text in a file of this name.
func separatorOf(path string) byte {
	if formatOf(path) == "csv" {
		return ','
	}
	return '\t'
}

// numbersIn is a writer of lines of numbers with tabs between them, in the format that a name stands for.
func numbersIn(w io.Writer, path string) io.Writer {
	if separatorOf(path) == ',' {
		return commas{w}
	}
	return w
}

// commas writes commas for tabs.
type commas struct{ io.Writer }

func (c commas) Write(text []byte) (int, error) {
	return c.Writer.Write(bytes.ReplaceAll(text, []byte("\t"), []byte(",")))
}

// scoreFile is a file of scores of rows.
type scoreFile struct {
	path           string
	names, queries []string // of the rows; nil where they have none
	scores         []float64
}

// readScores reads the scores of rows, one a row, as writeScores writes them.
func (a *app) readScores(path string) (f scoreFile, err error) {
	f.path = path
	switch formatOf(path) {
	case "npy":
	case "parquet":
		set, err := table.ReadSet(path, table.Options{Label: "score", Only: []string{}})
		if err != nil {
			return f, cli.ReadError(err)
		}
		f.names, f.scores = set.IDs, set.Y
		if set.HasQID {
			for _, q := range set.Queries.Of() {
				f.queries = append(f.queries, set.Queries.ID(int(q)))
			}
		}
		return f, nil
	default:
		return f, a.ReadFrom(path, func(r io.Reader, name string) (err error) {
			f.names, f.queries, f.scores, err = table.ReadScores(r, name)
			return err
		})
	}
	array, err := npy.ReadFile(path, true, false)
	switch {
	case err != nil:
		return f, cli.ReadError(err)
	case array.Strings != nil || len(array.Shape) == 0 || array.Shape[0] != array.Len():
		return f, cli.AsData(&data.SyntaxError{File: path, Msg: "the array is not one of a number a row"})
	}
	f.scores = array.Data
	return f, nil
}

// docIDs returns DocID of each of m rows; nil where a row has no name.
func docIDs(s *data.Set) []string {
	if s.IDs == nil && s.Comments == nil {
		return nil
	}
	ids := make([]string, max(len(s.IDs), len(s.Comments)))
	for i := range ids {
		if ids[i] = s.DocID(i); ids[i] == "" {
			return nil
		}
	}
	return ids
}

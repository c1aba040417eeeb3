package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/format/table"
	"pairrank/internal/option"
	"pairrank/internal/quote"
	"pairrank/internal/spell"
	"pairrank/relation/pairmodel"
)

// pairFlags are the flags of predict for models of edges.
type pairFlags struct {
	rows, cols        []string
	edges             string
	header, transpose bool
}

// modelNodes are nodes to be scored, as a file has them.
type modelNodes struct {
	id     []string
	values *pairmodel.Values
}

// readModelNodes reads row or column nodes for a model: their features, or their
// similarities to the training nodes. extra says what is done with features that
// training never saw.
func (a *app) readModelNodes(p *pairmodel.Model, paths []string, rows bool, extra string) (*modelNodes, error) {
	side, values, without := &p.Rows, p.RowValues, p.RowsWithoutExtra
	if !rows {
		side, values, without = p.ColSide(), p.ColValues, p.ColsWithoutExtra
	}
	if side.Terms == nil && len(paths) > 1 {
		return nil, cli.Usagef("the model has no sum of similarities: it takes one file of nodes of a side, not %s",
			spell.List(paths))
	}
	n, id := &pairmodel.Nodes{}, []string(nil)
	if side.Precomputed() {
		var err error
		if n, id, err = a.readModelSimilarities(side, paths); err != nil {
			return nil, err
		}
	} else {
		m, err := a.readNodes(paths[0])
		if err != nil {
			return nil, err
		}
		n.X, n.ID, n.Names, id = m.X, m.ID, m.Names, m.ID
	}
	if extra == "ignore" {
		n = without(n)
	}
	v, err := values(n)
	if err != nil {
		return nil, likeTraining(cli.AsData(fmt.Errorf("%s: %w", spell.List(paths), err)))
	}
	return &modelNodes{id, v}, nil
}

// readModelSimilarities reads the similarities of nodes to the training nodes: one matrix, or one for each term of a
// sum.
func (a *app) readModelSimilarities(side *pairmodel.Side, paths []string) (*pairmodel.Nodes, []string, error) {
	var all []*pairmodel.Nodes
	var id []string
	for _, path := range paths {
		m, err := a.readSimilarity(path)
		if err != nil {
			return nil, nil, err
		}
		n := &pairmodel.Nodes{X: m.K, Names: m.ColID}
		if training := len(side.ID); !m.Numbered || m.K.Rows == training && m.K.Cols == training {
			n.ID = m.RowID // else numbers say nothing of which nodes these are
		}
		if all = append(all, n); id == nil {
			id = m.RowID
		}
	}
	if side.Terms == nil {
		return all[0], id, nil
	}
	return &pairmodel.Nodes{Parts: all}, id, nil
}

// readSides reads the row and the column nodes for a model. Without a file of columns they are the row nodes, in
// one domain.
func (a *app) readSides(p *pairmodel.Model, rowPaths, colPaths []string,
	extra string) (rows, cols *modelNodes, err error) {
	switch {
	case rowPaths == nil:
		return nil, nil, cli.Usagef("--rows FILE of the nodes is missing: the model scores pairs of nodes")
	case colPaths == nil && p.Cols != nil:
		return nil, nil, cli.Usagef("--cols FILE of the column nodes is missing: the model has rows and columns of " +
			"two kinds")
	}
	if rows, err = a.readModelNodes(p, rowPaths, true, extra); err != nil || colPaths == nil {
		return rows, rows, err
	}
	cols, err = a.readModelNodes(p, colPaths, false, extra)
	return rows, cols, err
}

// predictPairs scores every row with every column, or the pairs of --edges.
func (a *app) predictPairs(m savedModel, modelPath, dataPath string, f *predictFlags) error {
	form := "the form is " + predictForm(m, modelPath)
	if dataPath != "" {
		return notRows(modelPath, form)
	}
	if err := f.checkPairs(m.pairs, form); err != nil {
		return err
	}
	if err := checkOutputFormat(f.output, "scores of pairs", "csv"); err != nil {
		return err
	}
	if f.pairs.transpose && f.pairs.edges == "" {
		return cli.Usagef("--transpose needs --edges FILE")
	}
	rows, cols, err := a.readSides(m.pairs, f.pairs.rows, f.pairs.cols, f.rows.extra)
	if cli.ExitCode(err) == cli.ExitUsage {
		return cli.WithHint(err, "%s", form)
	}
	if err != nil {
		return err
	}
	a.tellFormulas(f.output, slices.Concat(rows.id, cols.id)...)
	if f.pairs.edges != "" {
		return a.predictEdges(m.pairs, rows, cols, f)
	}
	return a.Write(f.output, func(w io.Writer) error {
		sep := separatorOf(f.output)
		if err := f.pairs.writeHeader(w, sep); err != nil {
			return err
		}
		return writeAllPairs(w, sep, m.pairs, rows, cols)
	})
}

// checkPairs refuses flags that are not for a model of edges.
func (f *predictFlags) checkPairs(p *pairmodel.Model, form string) error {
	if err := refuseOthers(f.flags, "predict", option.Edges); err != nil {
		return cli.WithHint(err, "%s", form)
	}
	return withoutFeatures(f.flags, p)
}

// writeAllPairs scores every row with every column, a piece of the rows at a time.
func writeAllPairs(w io.Writer, sep byte, p *pairmodel.Model, rows, cols *modelNodes) error {
	const piece = 256 // rows
	for lo := 0; lo < len(rows.id); lo += piece {
		var row, col []int32
		for i := lo; i < min(lo+piece, len(rows.id)); i++ {
			for j := range cols.id {
				row, col = append(row, int32(i)), append(col, int32(j))
			}
		}
		scores, err := scorePairs(p, rows, cols, row, col)
		if err != nil {
			return err
		}
		if err := writeEdgeScores(w, sep, rows.id, cols.id, row, col, scores); err != nil {
			return err
		}
	}
	return nil
}

// checkNodeFiles refuses flags about reading nodes where the nodes are those of the training, or have no features.
func checkNodeFiles(flags *pflag.FlagSet, p *pairmodel.Model, rows, cols []string) error {
	if rows == nil && cols == nil {
		return cli.Refuse(flags, "the nodes of --rows FILE and --cols FILE", "extra-features", "max-line")
	}
	return withoutFeatures(flags, p)
}

// withoutFeatures refuses flags about features for a model of similarities alone.
func withoutFeatures(flags *pflag.FlagSet, p *pairmodel.Model) error {
	if !p.Rows.Precomputed() || !p.ColSide().Precomputed() {
		return nil
	}
	return cli.Refuse(flags, "features, and the nodes have none", "extra-features")
}

func (f *pairFlags) writeHeader(w io.Writer, sep byte) error {
	if !f.header {
		return nil
	}
	_, err := fmt.Fprintf(w, "row_id%ccol_id%[1]cscore\n", sep)
	return err
}

// predictEdges scores the pairs that a file lists, in its order.
func (a *app) predictEdges(p *pairmodel.Model, rows, cols *modelNodes, f *predictFlags) error {
	e, err := a.readEdges(f.pairs.edges, table.EdgesOptions{NoValue: true}, f.pairs.transpose)
	if err != nil {
		return err
	}
	row, col, err := e.Match(rows.id, cols.id)
	if err != nil {
		return matchError(err, f.pairs.transpose)
	}
	scores, err := scorePairs(p, rows, cols, row, col)
	if err != nil {
		return err
	}
	return a.Write(f.output, func(w io.Writer) error {
		sep := separatorOf(f.output)
		if err := f.pairs.writeHeader(w, sep); err != nil {
			return err
		}
		return writeEdgeScores(w, sep, rows.id, cols.id, row, col, scores)
	})
}

// scorePairs scores pairs of nodes. A score that overflows is an error.
func scorePairs(p *pairmodel.Model, rows, cols *modelNodes, row, col []int32) ([]float64, error) {
	scores := make([]float64, len(row))
	p.ScorePairsTo(scores, rows.values, cols.values, row, col)
	name := func(e int) string { return fmt.Sprintf("row %q with column %q", rows.id[row[e]], cols.id[col[e]]) }
	return scores, finite(scores, name)
}

// writeEdgeScores writes a line of row id, column id and score, separated by sep, for each edge;
// row and col are the numbers of its nodes from 0. It leaves out edges with a NaN score. An id with
// a line end is an error.
func writeEdgeScores(w io.Writer, sep byte, rowID, colID []string, row, col []int32, scores []float64) error {
	var line []byte
	for e, s := range scores {
		if math.IsNaN(s) {
			continue
		}
		var err error
		if line, err = quote.AppendField(line[:0], rowID[row[e]], sep); err != nil {
			return err
		}
		if line, err = quote.AppendField(append(line, sep), colID[col[e]], sep); err != nil {
			return err
		}
		line = append(strconv.AppendFloat(append(line, sep), s, 'g', -1, 64), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}

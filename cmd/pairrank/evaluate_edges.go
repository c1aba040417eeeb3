package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/format/table"
	"pairrank/internal/pick"
)

func newRelationEvaluate(a *app) *cobra.Command {
	var f evaluateFlags
	var e edgeFlags
	return a.Bind(&cobra.Command{
		Use:   "evaluate EDGES (--scores FILE | --model MODEL --rows FILE)…",
		Short: "measure how well scores rank columns of rows",
		Long: `evaluate compares scores of pairs with the values of EDGES, row node by row node, and
prints the mean of each metric over the rows for which it is defined. The scores
(--scores) are a file of one score a line, in the order of EDGES, or a file of lines
of row, column and score in any order; or a model's (--model), whose nodes --rows and
--cols name. EDGES are edges that were not in training; relation cv estimates the
error without such edges.

The styles and metrics are those of evaluate.`,
		Example: `  pairrank relation evaluate test.tsv --model model.txt --rows drugs.tsv --cols targets.tsv
  pairrank relation evaluate test.tsv --model new.txt --model old.txt --rows drugs.tsv --cols targets.tsv -m auc,ndcg@10
  pairrank relation evaluate test.tsv --scores scores.txt --json`,
		Args: edgesFile,
		RunE: func(_ *cobra.Command, args []string) error {
			e.edges = args[0]
			if len(f.rankings) == 0 {
				return cli.Usagef("--scores FILE or --model MODEL is missing")
			}
			return a.evaluate(&f, append(args, rankingPaths(f.rankings)...), func() ([]metric.Input, *data.Set, error) {
				inputs, err := a.edgeInputs(&e, &f)
				return inputs, nil, err
			})
		},
	}, func() cli.Targets { return cli.Join(f.targets(), e.targets()) })
}

// edgeInputs reads the edges, and the scores of each ranking: the edges of a row node are a query, whose documents are
// columns.
func (a *app) edgeInputs(e *edgeFlags, f *evaluateFlags) ([]metric.Input, error) {
	edges, err := a.readEdges(e.edges, table.EdgesOptions{Format: e.format}, e.transpose)
	if err != nil {
		return nil, err
	}
	f.judging.binarizeLabels(edges.Y)
	columns := pick.Rows(edges.ColID, edges.Col)
	inputs := make([]metric.Input, len(f.rankings))
	for k, r := range f.rankings {
		inputs[k] = metric.Input{Labels: edges.Y, Queries: data.NewQueries(edges.Row, edges.RowID), DocIDs: columns}
		if r.Kind == "model" {
			inputs[k].Scores, err = a.scoreEdges(r.File, edges, e, f.rows.extra)
		} else {
			inputs[k].Scores, err = a.readPairScores(r.File, edges, e.edges)
		}
		if err != nil {
			return nil, err
		}
	}
	return inputs, nil
}

// readPairScores reads the scores of edges from path: one a line in their order, or lines of row, column and score.
func (a *app) readPairScores(file string, edges *table.Edges, path string) ([]float64, error) {
	f, err := a.readScores(file)
	if err == nil {
		return f.of(&data.Set{Y: edges.Y}, path)
	}
	switch {
	case errors.As(err, new(*fs.PathError)):
		return nil, err
	case file == "-": // which is read
		return nil, cli.WithHint(err, "lines of row, column and score are read from a file, not from standard input")
	}
	scored, other := a.readEdges(file, table.EdgesOptions{Format: "triplets"}, false)
	if fault := new(data.SyntaxError); errors.As(other, &fault) && fault.Line > 1 {
		return nil, other // lines before it are triplets
	} else if other != nil {
		return nil, cli.WithHint(err, "scores are one a line, or lines of row, column and score, as relation predict "+
			"writes them")
	}
	type pair struct{ row, col string }
	of, scores := make(map[pair]float64, len(scored.Y)), make([]float64, len(edges.Y))
	for k, y := range scored.Y {
		p := pair{scored.RowID[scored.Row[k]], scored.ColID[scored.Col[k]]}
		if before, has := of[p]; has && before != y {
			return nil, cli.AsData(fmt.Errorf("%s has two scores of row %q with column %q", cli.Shown(file), p.row, p.col))
		}
		of[p] = y
	}
	for k := range scores {
		p, has := pair{edges.RowID[edges.Row[k]], edges.ColID[edges.Col[k]]}, false
		if scores[k], has = of[p]; !has {
			return nil, cli.AsData(fmt.Errorf("%s has no score of row %q with column %q of %s", cli.Shown(file), p.row, p.col,
				cli.Shown(path)))
		}
	}
	return scores, nil
}

// scoreEdges scores the pairs of edges by a model of edges.
func (a *app) scoreEdges(path string, edges *table.Edges, e *edgeFlags, extra string) ([]float64, error) {
	m, err := a.readPairModel(path, "pairrank evaluate DATA --model "+path+" measures it")
	if err != nil {
		return nil, err
	}
	rows, cols, err := a.readSides(m, e.rowNodes, e.colNodes, extra)
	if err != nil {
		return nil, err
	}
	row, col, err := edges.Match(rows.id, cols.id)
	if err != nil {
		return nil, matchError(err, e.transpose)
	}
	return scorePairs(m, rows, cols, row, col)
}

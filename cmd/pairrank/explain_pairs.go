package main

import (
	"fmt"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/internal/option"
	"pairrank/internal/report"
	"pairrank/model/contribution"
	"pairrank/relation/pairmodel"
)

// partKinds are what the values of --by, but auto, stand for.
var partKinds = map[string]contribution.Kind{
	"edge": contribution.Edge, "row": contribution.RowNode, "column": contribution.ColumnNode,
	"feature-pair": contribution.FeaturePair, "feature": contribution.Feature,
}

// explainPairs explains column nodes for a row node by a model of edges: the best above
// the second, or those of --of.
func (a *app) explainPairs(saved savedModel, modelPath, dataPath string, f *explainFlags) (*report.Explanation, error) {
	p := saved.pairs
	if err := f.checkPairs(saved, modelPath, dataPath); err != nil {
		return nil, err
	}
	rows, cols, err := a.sidesFor(p, f.pairs.rows, f.pairs.cols, f.rows.extra)
	if err != nil {
		return nil, err
	}
	i, err := place(rows.id, f.pairs.given, "row", "--rows")
	if err != nil {
		return nil, err
	}
	columns, err := columnsToExplain(p, rows, cols, i, f.of)
	if err != nil {
		return nil, err
	}
	x := report.Explained{Given: f.pairs.given}
	for _, c := range columns {
		x.Of = append(x.Of, report.ExplainedRow{ID: cols.id[c]})
	}
	parting := pairmodel.Parting{By: partKinds[f.by], Top: f.top}
	if len(columns) == 1 {
		x.Sum, err = p.Contribution(parting, rows.values, cols.values, i, columns[0])
	} else {
		x.Sum, err = p.ContributionBetween(parting, rows.values, cols.values, i, columns[0], columns[1])
	}
	if err != nil {
		return nil, cli.AsData(err)
	}
	return &report.Explanation{Kind: report.KindExplanation, Explained: []report.Explained{x}}, nil
}

// checkPairs refuses flags that are not for a model of edges, or of this one.
func (f *explainFlags) checkPairs(saved savedModel, modelPath, dataPath string) error {
	p, form := saved.pairs, "the form is pairrank explain "+modelPath+" --given ID [--of A,B]"
	if dataPath != "" {
		return notRows(modelPath, form)
	}
	if err := refuseOthers(f.flags, "explain", option.Edges); err != nil {
		return cli.WithHint(err, "%s", form)
	}
	if f.pairs.given == "" {
		return cli.WithHint(cli.Usagef("--given ID is missing: which row are the columns compared for?"), "%s", form)
	}
	if p.Kernel == pairmodel.Similarity {
		return cli.Usagef("%s has learnt nothing that adds up: it scores a pair by the similarity of its nodes",
			cli.Shown(modelPath))
	}
	if kind := partKinds[f.by]; kind != "" && (kind == contribution.FeaturePair ||
		kind == contribution.Feature) != (p.Weights != nil) {
		have := "edges: --by edge, row or column"
		if p.Weights != nil {
			have = "weights of features: --by feature-pair or feature"
		}
		return cli.Usagef("--by %s is not for this model, which has %s", f.by, have)
	}
	return checkNodeFiles(f.flags, p, f.pairs.rows, f.pairs.cols)
}

// columnsToExplain are those of --of, or the best and the second.
func columnsToExplain(p *pairmodel.Model, rows, cols *modelNodes, i int, of []string) ([]int, error) {
	var columns []int
	for _, id := range of {
		c, err := place(cols.id, id, "column", "--cols")
		if err != nil {
			return nil, err
		}
		columns = append(columns, c)
	}
	if columns != nil {
		return columns, nil
	}
	row, col := pairsOf(i, cols.values.Len())
	scores, err := scorePairs(p, rows, cols, row, col)
	if err != nil {
		return nil, err
	}
	lead := contribution.Leaders(data.OneList(len(scores)), scores)[0]
	if lead[0] < 0 {
		return nil, cli.WithHint(cli.AsData(fmt.Errorf("there are fewer than two columns to compare")),
			"--of A explains the score of one")
	}
	return lead[:], nil
}

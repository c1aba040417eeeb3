package main

import (
	"fmt"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/relation/pairmodel"
	"pairrank/report"
)

// mostNodes is how many row nodes and column nodes a heat map has.
const mostNodes = 24

// preparedNodes are the nodes of a file, or some of those of the training.
func (a *app) preparedNodes(m *pairmodel.Model, path string, rows bool, extra string) (*report.PreparedNodes, error) {
	if path == "" {
		nodes, err := report.TrainingNodes(m, !rows, mostNodes)
		if nodes != nil || err != nil {
			return nodes, cli.AsData(err)
		}
	}
	nodes, err := a.nodesFor(m, path, rows, extra)
	if err != nil {
		return nil, err
	}
	return &report.PreparedNodes{ID: nodes.id, Values: nodes.values, Of: len(nodes.id)}, nil
}

// nodeScores are the scores of a heat map. One that overflows is an error.
func nodeScores(m *pairmodel.Model, name string, rows, cols *report.PreparedNodes) (*report.NodeScores, error) {
	d := report.NewNodeScores(m, name, rows, cols, mostNodes)
	for i, scores := range d.Scores {
		if err := finite(scores, func(j int) string {
			return fmt.Sprintf("row %q with column %q", d.Rows[i],
				d.Cols[j])
		}); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// trainingMap is the heat map of the nodes that a model was trained on, none where it does
// not keep their features.
func trainingMap(m *pairmodel.Model, name string) ([]told, error) {
	rows, err := report.TrainingNodes(m, false, mostNodes)
	if rows == nil || err != nil {
		return nil, err
	}
	cols, err := report.TrainingNodes(m, true, mostNodes)
	if cols == nil || err != nil {
		return nil, err
	}
	d, err := nodeScores(m, name, rows, cols)
	return []told{{name, d}}, err
}

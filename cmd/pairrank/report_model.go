package main

import (
	"cmp"
	"fmt"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/metric"
	"pairrank/internal/calibration"
	"pairrank/internal/report"
	"pairrank/internal/report/page"
	"pairrank/model"
	"pairrank/relation/pairmodel"
)

// reportRows reports a model of rows and, where there is DATA, how it ranks.
func (a *app) reportRows(p *page.Page, m savedModel, args []string, f *reportFlags) error {
	if err := f.checkRows(args); err != nil {
		return err
	}
	name := cli.Shown(args[0])
	if err := p.Add(name, report.NewInspection(m.rows, 0)); err != nil {
		return err
	}
	if len(args) == 1 {
		return nil
	}
	trained, err := judgedModel(m, args[0])
	if err != nil {
		return err
	}
	if err := f.judging.check(&f.rowsOf, true); err != nil {
		return err
	}
	models, rankings := []*model.Model{trained}, []report.Ranking{{Kind: "model", File: args[0]}}
	if f.baseline != "" {
		other, err := a.modelToJudge(f.baseline)
		if err != nil {
			return err
		}
		models, rankings = append(models, other), append(rankings, report.Ranking{Kind: "model", File: f.baseline})
	}
	scores := make([][]float64, len(models))
	set, err := a.scoreByModels(args[1], &f.rowsOf, models, scores)
	if err != nil {
		return err
	}
	if err := cmp.Or(a.judgeRepeats(args[1], set, &f.judging, f.baseline != ""), f.judging.adapt(set)); err != nil {
		return err
	}
	if set.Censored != nil && f.baseline != "" {
		return cli.WithHint(cli.Usagef("--baseline compares metrics of queries, and labels are censored times"),
			"compare DATA --model A --model B --time COLUMN --event COLUMN compares c-index and uno-c")
	}
	f.judging.binarizeLabels(set.Y)
	inputs := inputsOf(set, scores)
	documents, err := cli.AwaitFor(a.Ctx, func() ([]report.Document, error) {
		return judgedDocuments(inputs, rankings, set, &f.judging)
	})
	if err != nil {
		return cli.ReadError(err)
	}
	for _, d := range documents {
		a.Annotate(d)
		if err := p.Add(cli.Shown(args[1]), d); err != nil {
			return err
		}
	}
	return nil
}

// checkRows refuses flags that are not for models of rows, or for DATA that is not there.
func (f *reportFlags) checkRows(args []string) error {
	if len(args) > 2 {
		return cli.WithHint(cli.Usagef("too many arguments, %q is one more than expected", args[2]),
			"the form is pairrank report MODEL DATA")
	}
	if err := cli.Refuse(f.flags, "models of edges", "rows", "cols"); err != nil {
		return err
	}
	if len(args) == 1 {
		return cli.RefuseOthers(f.flags, "a model without DATA", "output")
	}
	return nil
}

// judgedDocuments are the documents of one ranking, or of two that are compared: the
// metrics by which they were measured, and the calibration of the first.
func judgedDocuments(inputs []metric.Input, rankings []report.Ranking, set *data.Set,
	judging *judgingFlags) ([]report.Document, error) {
	reports, err := evaluateEach(inputs, judging.metrics, judging.options)
	if err != nil {
		return nil, err
	}
	columns, areas := report.ColumnsOf(set), report.NewAreas(inputs, reports[0].Results, set.Groups)
	of := &report.Evaluation{Rankings: rankings, Reports: reports, Columns: columns, Areas: areas}
	documents := []report.Document{of}
	if set.Censored != nil { // whose pairs are not those of labels
		of.Times, err = timesOf(inputs, set, judging.metrics)
		return documents, err
	}
	if len(reports) > 1 {
		d, err := compared(reports, rankings, judging.options.Style, compare.Options{Seed: 1})
		if err != nil {
			return nil, err
		}
		d.Columns, d.Areas = columns, areas
		documents = []report.Document{d}
	}
	calibrated, err := calibration.Calibrate(inputs[0], calibration.Options{})
	if err != nil {
		return nil, err
	}
	return append(documents, report.NewCalibration(rankings[0].File, calibrated)), nil
}

// compared is the document of two rankings, by the metrics that have a value for each
// query.
func compared(reports []*metric.Report, rankings []report.Ranking, style metric.Style,
	o compare.Options) (*report.Comparison, error) {
	found, err := compare.Reports(reports[0], reports[1], o)
	if err != nil {
		return nil, cli.AsUsage(err)
	}
	d := report.NewComparison(found, style, [2]report.Ranking(rankings), o)
	d.AddQueries(reports[0], reports[1])
	return d, nil
}

// mostNodes is how many row nodes and column nodes a heat map has.
const mostNodes = 24

// preparedNodes are the nodes of a file, or some of those of the training.
func (a *app) preparedNodes(m *pairmodel.Model, paths []string, rows bool,
	extra string) (*report.PreparedNodes, error) {
	if paths == nil {
		nodes, err := report.TrainingNodes(m, !rows, mostNodes)
		if nodes != nil || err != nil {
			return nodes, cli.AsData(err)
		}
	}
	nodes, err := a.nodesFor(m, paths, rows, extra)
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

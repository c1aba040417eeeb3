package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/evidence/papers/experiment"
	"pairrank/export"
	"pairrank/format/foreign"
	"pairrank/format/svmlight"
	"pairrank/kernel"
	"pairrank/model"
)

// debian is the Python of Debian, which has python3-xgboost.
const debian = "/usr/bin/python3"

//go:embed trees.py
var treesScript []byte

// steps is a model as steps, rows, and their scores by the steps, which sums of float64 of the thresholds and weights
// that RankLib has give.
type steps struct {
	name string
	m    *model.Model
	o    export.Options
	x    *data.Dense
	want []float64
}

func newSteps(name string, m *model.Model, of, x *data.Dense) (*steps, error) {
	s := &steps{name: name, m: m, x: x}
	if _, is := m.Scorer.(*model.Stumps); !is {
		s.o.Data = &data.Set{X: of, Y: make([]float64, of.Rows)}
	}
	back, err := thereBy(m, export.RankLib, foreign.RankLib, s.o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	narrow := data.NewDense(x.Rows, back.Features(), nil)
	for i := range x.Rows {
		row := narrow.Row(i)
		for j := range row {
			row[j] = float64(float32(x.Row(i)[j]))
		}
	}
	s.want, err = back.Score(&data.Set{X: narrow, Y: make([]float64, x.Rows)})
	return s, err
}

// treesTable has XGBoost read models as steps, and tells how many pairs keep their order.
func treesTable(ctx context.Context, s settings) (found experiment.Result, err error) {
	cases, err := simpleCases()
	if err != nil {
		return found, err
	}
	var all []*steps
	const few = 46 // XGBoost adds up trees in single precision: of 1500 the sum is off by 2e-6
	for _, c := range cases {
		if c.m.Features() > few {
			continue
		}
		one, err := newSteps(c.name, c.m, c.x, c.x)
		if err != nil {
			return found, err
		}
		all = append(all, one)
	}
	folds, table, err := mq2008(ctx, s.data)
	if err != nil {
		found.Text("MQ2008 is skipped: %v.", err)
	}
	if err := byXGBoost(ctx, filepath.Join(s.folder, "trees"), append(all, folds...), &found); err != nil {
		return found, err
	}
	if table != nil {
		found.Text("The order of MQ2008: models of each fold's training rows, whose values the steps stand between; a " +
			"pair of rows of a query keeps its order where the steps have neither a tie nor the other order.")
		found.Add(table)
	}
	return found, nil
}

// byXGBoost has the model files read by XGBoost, whose scores differ from those of the steps by a constant.
func byXGBoost(ctx context.Context, folder string, all []*steps, found *experiment.Result) error {
	if exec.CommandContext(ctx, debian, "-c", "import xgboost").Run() != nil {
		found.Text("python3-xgboost is not on this machine: XGBoost is skipped.")
		return nil
	}
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	type job struct {
		File string      `json:"file"`
		Rows [][]float64 `json:"rows"`
	}
	var jobs []job
	for k, one := range all {
		j := job{File: fmt.Sprintf("m%d.json", k)}
		for i := range one.x.Rows {
			j.Rows = append(j.Rows, one.x.Row(i))
		}
		if err := exported(folder, j.File, one.m, export.XGBoost, one.o); err != nil {
			return fmt.Errorf("%s: %w", one.name, err)
		}
		jobs = append(jobs, j)
	}
	text, err := json.Marshal(jobs)
	if err != nil {
		return err
	}
	for name, text := range map[string][]byte{"jobs.json": text, "trees.py": treesScript} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o666); err != nil {
			return err
		}
	}
	out, err := run(ctx, folder, debian, "-W", "ignore", "trees.py")
	if err != nil {
		return err
	}
	var scores [][]float64
	if err := json.Unmarshal(out, &scores); err != nil {
		return err
	}
	t := tally{bar: singleBar}
	for k, one := range all {
		got, off := scores[k], 0.0
		for i, v := range one.want {
			off += (got[i] - v) / float64(len(got))
		}
		want := make([]float64, len(got)) // with the constant of XGBoost, whose leaves are at least 0
		for i, v := range one.want {
			want[i] = v + off
		}
		kind, rest, _ := strings.Cut(one.name, ",")
		if strings.Contains(rest, "MQ2008") {
			kind += ", MQ2008"
		}
		t.add("XGBoost, "+one.name, got, want, "XGBoost, python3-xgboost", kind)
	}
	found.Text("XGBoost of Debian reads the model files. Its scores are compared with sums of float64 over the steps, up "+
		"to a constant; the bar is %.0e of the largest score.", singleBar)
	found.Add(t.table("reader", "steps of"))
	return errors.Join(t.missed...)
}

// mq2008 trains a linear model and a spline on each fold.
func mq2008(ctx context.Context, dir string) (all []*steps, table *experiment.Table, err error) {
	const parts = 5
	rows := make([]*data.Set, parts)
	for k := range rows {
		files, err := filepath.Glob(filepath.Join(dir, "mq2008_letor4", fmt.Sprintf("S%d.txt*", k+1)))
		if err != nil || len(files) == 0 {
			return nil, nil, fmt.Errorf("there is no mq2008_letor4 in %s", dir)
		}
		rows[k], err = svmlight.ReadFile(ctx, files[0], svmlight.Options{Storage: svmlight.StoreDense, Features: 46})
		if err != nil {
			return nil, nil, err
		}
	}
	table = experiment.NewTable("model", "%s", "fold", "%.0f", "kept in training", "%.2f %%", "kept in test", "%.2f %%")
	for _, kind := range []string{"linear", "spline"} {
		o := pairrank.Options{Normalize: data.NormalizeZScore}
		if kind == "spline" {
			o.Kernels = []kernel.Kernel{kernel.Spline{Knots: 4, Bends: 1}}
		}
		means := [2]float64{}
		for k := range parts {
			training := joined(rows[k], rows[(k+1)%parts], rows[(k+2)%parts])
			result, err := pairrank.Train(ctx, pairrank.Problem{Set: training}, o)
			if err != nil {
				return nil, nil, err
			}
			row := []any{kind, k + 1}
			for at, set := range []*data.Set{training, rows[(k+4)%parts]} {
				one, err := newSteps(kind+", MQ2008", result.Model, training.X.(*data.Dense), set.X.(*data.Dense))
				if err != nil {
					return nil, nil, err
				}
				share, err := kept(result.Model, set, one.want)
				if err != nil {
					return nil, nil, err
				}
				means[at] += share / parts
				row, all = append(row, 100*share), append(all, one)
			}
			table.Row(row...)
		}
		table.Row(kind+", mean", nil, 100*means[0], 100*means[1])
	}
	return all, table, nil
}

// kept is the share of the pairs of rows in queries whose order steps keep.
func kept(m *model.Model, set *data.Set, scores []float64) (float64, error) {
	f, err := m.Score(set)
	if err != nil {
		return 0, err
	}
	report, err := metric.Evaluate(metric.Input{Labels: f, Scores: scores, Queries: set.Queries},
		[]metric.Metric{metric.DisagreementError}, metric.Options{})
	if err != nil {
		return 0, err
	}
	return 1 - report.Results[0].Mean.Value, nil
}

// joined is the rows of several sets of dense rows, whose queries differ.
func joined(sets ...*data.Set) *data.Set {
	var x, y []float64
	var of []int32
	queries, cols := 0, 0
	for _, set := range sets {
		for i, g := range set.Queries.Of() {
			row := set.X.(*data.Dense).Row(i)
			x, y, of, cols = append(x, row...), append(y, set.Y[i]), append(of, int32(queries)+g), len(row)
		}
		queries += set.Queries.Len()
	}
	return &data.Set{X: data.NewDense(len(y), cols, x), Y: y, HasQID: true, Queries: data.NewPartition(of, queries)}
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pairrank/experiments/internal/experiment"
	"pairrank/internal/figure"
	"pairrank/internal/ostat"
	"pairrank/learn/ranksvm"
)

// learners are the trainings at each size, in the order of the columns: the
// hinge loss with each counter, and the squared one.
var learners = []struct {
	name  string
	loss  ranksvm.Loss
	way   ostat.Counting
	pairs bool // only up to -pairs
}{
	{"default", ranksvm.Hinge, ostat.Auto, false},
	{"red-black tree", ranksvm.Hinge, ostat.Tree, false},
	{"all pairs", ranksvm.Hinge, ostat.Direct, true},
	{"squared hinge", ranksvm.SquaredHinge, ostat.Auto, false},
}

// The numbers of the learners, of the counters and of the styles of lines.
const (
	byDefault = iota
	byTree
	byPairs
	squared
	matrixAlone // in the figure of memory; not a learner
)

// scaled are the trainings at one size, nil where there was none.
type scaled struct {
	rows    int
	trained [4]*trained
}

// seconds of a training.
func (t *trained) seconds() float64 {
	if t == nil {
		return none
	}
	return t.Seconds
}

// trainings are figures 2, 3 and 4.
func trainings(ctx context.Context, s settings, collections []*collection) (string, error) {
	folder, err := os.MkdirTemp("", "treersvm")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	all := make([][]scaled, len(collections))
	for k, c := range collections {
		path := filepath.Join(folder, c.name)
		if err := store(path, c.set); err != nil {
			return "", err
		}
		for _, m := range c.sizes {
			row, err := c.train(ctx, s, path, m)
			if err != nil {
				return "", fmt.Errorf("%s: %w", c.name, err)
			}
			tell("%s, %d rows: a training takes %s s", c.name, m, experiment.Digits(row.trained[byDefault].Seconds))
			all[k] = append(all[k], row)
		}
	}
	figures := trainingFigures(collections, all)
	var b strings.Builder
	for k, c := range collections {
		c.timeTable(&b, all[k], s)
	}
	b.WriteString(besidePaper("a whole training", figures[0].Panels[len(collections)-1], []quoted{
		{"hinge, default", "", byDefault}, {"hinge, red-black tree", "18 minutes", byTree}, {"hinge, all pairs", "122 hours", byPairs},
		{"hinge, SVMrank", "83 hours", -1}, {"squared hinge", "", squared},
	}) + "\n")
	for k, c := range collections {
		c.memoryTable(&b, all[k])
	}
	for k, c := range collections {
		c.errorTable(&b, all[k])
	}
	for _, f := range figures {
		if err := f.Write(s.figures, f.file); err != nil {
			return "", err
		}
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// train has every learner trained with the first m rows.
func (c *collection) train(ctx context.Context, s settings, path string, m int) (scaled, error) {
	out := scaled{rows: m}
	largest := c.sizes[len(c.sizes)-1]
	for k, l := range learners {
		if l.pairs && m > s.pairs {
			continue
		}
		t, err := job{File: path, Rows: m, TestFrom: largest, Loss: l.loss, Counter: l.way,
			Lambda: c.lambda, Runs: s.runs, Patience: s.patience}.send(ctx)
		if err != nil {
			return out, err
		}
		out.trained[k] = t
		if first := out.trained[byDefault]; l.loss == ranksvm.Hinge && (t.Objective != first.Objective || t.Evaluations != first.Evaluations) {
			return out, fmt.Errorf("counting by %s gives J = %v after %d evaluations, not %v after %d",
				l.name, t.Objective, t.Evaluations, first.Objective, first.Evaluations)
		}
	}
	return out, nil
}

func (c *collection) timeTable(b *strings.Builder, rows []scaled, s settings) {
	fmt.Fprintf(b, "| %s, s | hinge: default | red-black tree | all pairs | iterations | evaluations | squared hinge | iterations | evaluations | products with the Hessian |\n", c.name)
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|\n")
	var sizes []int
	var table [][]float64
	for _, r := range rows {
		h, q := r.trained[byDefault], r.trained[squared]
		times := []float64{h.seconds(), r.trained[byTree].seconds(), r.trained[byPairs].seconds(), none, none, q.seconds(), none, none, none}
		sizes, table = append(sizes, r.rows), append(table, times)
		fmt.Fprintf(b, "| %d | %s | %s | %s | %d | %d | %s | %d | %d | %d |\n", r.rows, experiment.Digits(times[0]), experiment.Digits(times[1]), experiment.Digits(times[2]),
			h.Iterations, h.Evaluations, experiment.Digits(times[5]), q.Iterations, q.Evaluations, q.Products)
	}
	b.WriteString(strings.ReplaceAll(slopes(sizes, table, s.fit), "–", "") + "\n")
}

func (c *collection) memoryTable(b *strings.Builder, rows []scaled) {
	fmt.Fprintf(b, "| %s, MB | the matrix | process with the rows read | trained, hinge: default | red-black tree | all pairs | squared hinge | default, beside the matrix |\n", c.name)
	b.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, r := range rows {
		t := r.trained[byDefault]
		fmt.Fprintf(b, "| %d | %s | %s |", r.rows, megabytes(t.Matrix), megabytes(t.PeakRead))
		for _, t := range r.trained {
			if t == nil {
				t = new(trained)
			}
			fmt.Fprintf(b, " %s |", megabytes(t.Peak))
		}
		ratio := none
		if t.Peak > 0 {
			ratio = float64(t.Peak) / float64(t.Matrix)
		}
		fmt.Fprintf(b, " %s × |\n", experiment.Digits(ratio))
	}
	b.WriteString("\n")
}

func (c *collection) errorTable(b *strings.Builder, rows []scaled) {
	fmt.Fprintf(b, "| %s, wrong pairs of the test rows | hinge | squared hinge |\n|---|---|---|\n", c.name)
	for _, r := range rows {
		fmt.Fprintf(b, "| %d | %.5f | %.5f |\n", r.rows, r.trained[byDefault].Wrong, r.trained[squared].Wrong)
	}
	b.WriteString("\n")
}

// drawn is a figure with its file.
type drawn struct {
	file string
	figure.Figure
}

// trainingFigures are those of time, memory and error.
func trainingFigures(collections []*collection, all [][]scaled) []drawn {
	kinds := []struct {
		drawn
		unit     string
		tick     figure.Tick
		learners []int
		value    func(*trained) float64
	}{
		{drawn{file: "treersvm-training.svg", Figure: figure.Figure{Title: "A whole training"}}, "time, log scale", figure.Seconds,
			[]int{byDefault, byTree, byPairs, squared}, func(t *trained) float64 { return t.Seconds }},
		{drawn{file: "treersvm-memory.svg", Figure: figure.Figure{Title: "Peak memory of a process that reads the rows and trains"}}, "log scale", figure.Bytes,
			[]int{byDefault, byTree, squared, matrixAlone}, func(t *trained) float64 { return float64(t.Peak) }},
		{drawn{file: "treersvm-error.svg", Figure: figure.Figure{Title: "Pairs of test rows in the wrong order"}}, "part of the pairs, log scale", figure.Plain,
			[]int{byDefault, squared}, func(t *trained) float64 { return t.Wrong }},
	}
	var figures []drawn
	for _, kind := range kinds {
		for k, c := range collections {
			p := newPanel(c, kind.unit, kind.tick)
			for _, l := range kind.learners {
				line := figure.Series{Name: lineName(l, slices.Contains(kind.learners, byTree)), Style: l, Dashed: l == matrixAlone}
				for _, r := range all[k] {
					v := 0.0
					if l == matrixAlone {
						v = float64(r.trained[byDefault].Matrix)
					} else if t := r.trained[l]; t != nil {
						v = kind.value(t)
					}
					if v > 0 {
						line.Points = append(line.Points, [2]float64{float64(r.rows), v})
					}
				}
				p.Series = append(p.Series, line)
			}
			kind.Panels = append(kind.Panels, p)
		}
		figures = append(figures, kind.drawn)
	}
	return figures
}

// lineName is that of a learner in the legend, where one counter is drawn or
// several are.
func lineName(l int, counters bool) string {
	switch {
	case l == matrixAlone:
		return "the matrix alone"
	case learners[l].loss != ranksvm.Hinge:
		return learners[l].name
	case !counters:
		return "hinge"
	}
	return "hinge, " + learners[l].name
}

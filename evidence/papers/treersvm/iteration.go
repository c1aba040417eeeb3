package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/internal/bundle"
	"pairrank/internal/figure"
	"pairrank/internal/ostat"
)

// places is the least number of score vectors, about, at which an evaluation is
// timed, and twice that the largest; at least timed is spent on them.
const (
	places = 4
	timed  = 100 * time.Millisecond
)

// hinge is the mean hinge loss over the pairs of one list, as a function of the
// scores: what package ranksvm has, taken apart.
type hinge struct {
	margins *ostat.Margins
	weight  []float64 // of a pair
}

func newHinge(y []float64, way ostat.Counting) (*hinge, error) {
	list := data.OneList(len(y))
	margins, err := ostat.NewMargins(y, list.Rows, list.Bounds, way)
	if err != nil {
		return nil, err
	}
	return &hinge{margins, []float64{1 / margins.Pairs(0)}}, nil
}

// visited is the loss that keeps scores at which a training asks for it, evenly
// spread over the training.
type visited struct {
	*hinge
	every, seen int
	kept        [][]float64
}

// At is for the bundle method.
func (v *visited) At(slope, scores []float64) float64 {
	if v.seen%v.every == 0 && len(v.kept) == 2*places {
		for k := range places {
			v.kept[k] = v.kept[2*k]
		}
		v.kept = v.kept[:places]
		v.every *= 2
	}
	if v.seen%v.every == 0 {
		v.kept = append(v.kept, slices.Clone(scores))
	}
	v.seen++
	v.margins.Sort(scores)
	v.margins.Count()
	return v.margins.HingeTo(slope, v.weight)
}

// cost is the seconds of the steps of one iteration.
type cost struct{ sort, count, slope, products float64 }

func (c cost) loss() float64  { return c.sort + c.count + c.slope }
func (c cost) total() float64 { return c.loss() + c.products }

// evaluated are the costs at one size, one for each counter that was run.
type evaluated struct {
	rows  int
	costs []cost
}

// counters are the three ways to count, in the order of the columns.
var counters = []struct {
	name  string
	way   ostat.Counting
	pairs bool // only up to -pairs
}{
	{"default", ostat.Auto, false},
	{"red-black tree", ostat.Tree, false},
	{"all pairs", ostat.Direct, true},
}

// newPanel is an empty panel of a collection.
func newPanel(c *collection, unit string, y figure.Tick) figure.Panel {
	return figure.Panel{Title: c.name, Unit: unit, Below: "rows to train on, log scale", X: figure.Thousands, Y: y,
		Direct: true}
}

// iterations is figure 1.
func iterations(ctx context.Context, s study) (found experiment.Result, err error) {
	drawing := figure.Figure{Title: "An evaluation of the loss: the loop over pairs is quadratic, the tree and the " +
		"default counter nearly linear"}
	tables := make([]*experiment.Table, len(s.collections))
	for k, c := range s.collections {
		var rows []evaluated
		for _, m := range c.sizes {
			e, err := c.evaluate(ctx, s.settings, m)
			if err != nil {
				return found, err
			}
			rows = append(rows, e)
			tell("%s, %d rows: an evaluation takes %s ms", c.name, m, experiment.Digits(1e3*e.costs[0].total()))
		}
		tables[k] = c.costTable(&found, rows, s.settings)
		p := newPanel(c, "time, log scale", figure.Seconds)
		for k, counter := range counters {
			line := figure.Series{Name: counter.name, Style: k}
			for _, e := range rows {
				if k < len(e.costs) {
					line.Points = append(line.Points, [2]float64{float64(e.rows), e.costs[k].total()})
				}
			}
			p.Series = append(p.Series, line)
		}
		drawing.Panels = append(drawing.Panels, p)
		if c.largest() == paperRows {
			found.Find(iterationRatio(rows))
		}
	}
	found.Draw("treersvm-iteration.svg", "Cost of one evaluation of the loss and its subgradient as the rows double",
		drawing.SVG())
	for _, t := range tables {
		found.Add(t)
	}
	return found, nil
}

// iterationRatio is how many times as long as the tree the loop over pairs takes.
func iterationRatio(rows []evaluated) experiment.Finding {
	tree, pairs := rows[len(rows)-1].costs[byTree].total(), none
	for _, e := range rows {
		if len(e.costs) > byPairs {
			pairs = quadratic(e.costs[byPairs].total(), e.rows, paperRows)
		}
	}
	theirs, half := quotient(pairIteration, treeIteration, 1)
	f := find("figure 1, RCV1", "an iteration with 512,000 rows: all pairs over the tree", "%.0f",
		theirs, pairs/tree, half, "half a second of the paper's 7", otherRatio)
	f.Says = fmt.Sprintf("2760 s over 7 s: %.0f", theirs)
	return f
}

// evaluate times the steps at scores that a training with m rows came by.
func (c *collection) evaluate(ctx context.Context, s settings, m int) (evaluated, error) {
	x, y := c.first(m)
	h, err := newHinge(y, ostat.Auto)
	if err != nil {
		return evaluated{}, err
	}
	v := &visited{hinge: h, every: 1}
	solution, err := bundle.New(x, v, nil).Minimise(ctx, c.lambda, bundle.Options{Epsilon: epsilon})
	if err != nil {
		return evaluated{}, err
	}
	out := evaluated{rows: m}
	for _, counter := range counters {
		if counter.pairs && m > s.pairs {
			continue
		}
		if h, err = newHinge(y, counter.way); err != nil {
			return evaluated{}, err
		}
		out.costs = append(out.costs, h.measure(x, solution.W, v.kept, s))
	}
	return out, ctx.Err()
}

// measure is the mean cost over all the scores, of several runs the median of each
// step.
func (h *hinge) measure(x data.Matrix, w []float64, at [][]float64, s settings) cost {
	m, n := x.Dims()
	slope, scores, gradient := make([]float64, m), make([]float64, m), make([]float64, n)
	var steps [4][]float64
	began := time.Now()
	for range s.runs {
		var sum [4]time.Duration
		evaluations := 0.0
		for run := time.Now(); evaluations == 0 || time.Since(run) < timed; {
			for _, f := range at {
				t0 := time.Now()
				h.margins.Sort(f)
				t1 := time.Now()
				h.margins.Count()
				t2 := time.Now()
				h.margins.HingeTo(slope, h.weight)
				t3 := time.Now()
				x.MulTransVecTo(gradient, slope)
				x.MulVecTo(scores, w)
				t4 := time.Now()
				for k, d := range []time.Duration{t1.Sub(t0), t2.Sub(t1), t3.Sub(t2), t4.Sub(t3)} {
					sum[k] += d
				}
				evaluations++
			}
		}
		for k, d := range sum {
			steps[k] = append(steps[k], d.Seconds()/evaluations)
		}
		if time.Since(began) > s.patience {
			break
		}
	}
	return cost{experiment.Median(steps[0]), experiment.Median(steps[1]), experiment.Median(steps[2]),
		experiment.Median(steps[3])}
}

// costTable is the table of one collection, with slopes in its last line; what grows
// otherwise than the theorems say is found.
func (c *collection) costTable(found *experiment.Result, rows []evaluated, s settings) *experiment.Table {
	heads := []string{c.name + ", ms", "%.0f"}
	for _, head := range []string{"X w and Xᵀv", "sort", "count and slope: default", "red-black tree", "all pairs",
		"all together: default", "red-black tree", "all pairs"} {
		heads = append(heads, head, "digits")
	}
	t := experiment.NewTable(heads...)
	var sizes []int
	columns := make([][]float64, len(heads)/2-1)
	for _, e := range rows {
		values := []float64{e.costs[0].products, e.costs[0].sort, none, none, none, none, none, none}
		for k, cost := range e.costs {
			values[2+k], values[5+k] = cost.count+cost.slope, cost.total()
		}
		sizes = append(sizes, e.rows)
		row := []any{e.rows}
		for k, v := range values {
			columns[k] = append(columns[k], v)
			row = append(row, 1e3*v)
		}
		t.Row(row...)
	}
	line := []any{fmt.Sprintf("**slope from %d**", s.fit)}
	for _, values := range columns {
		line = append(line, growth(sizes, values, s.fit).slope)
	}
	t.Row(line...)
	place := "theorem 2, " + c.name
	tree, pairs := laws(sizes, s.fit)
	grows(found, place, "an evaluation by the tree", tree, pairs, growth(sizes, columns[6], s.fit), cacheMisses)
	grows(found, place, "an evaluation over all pairs", pairs, tree, growth(sizes, columns[7], s.fit), lowerTerms)
	return t
}

// cacheMisses is why the tree is slower than its number of steps, and lowerTerms why what
// is quadratic in the end is not in between.
const (
	cacheMisses = "The theorem counts steps; in a tree that outgrows the caches a step costs more."
	lowerTerms  = "Products and sorting, which grow less, are a part of it; with more rows a pair costs more, since " +
		"what it looks at is farther apart."
)

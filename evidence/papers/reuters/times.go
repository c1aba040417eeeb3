package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"time"

	"pairrank"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/internal/figure"
	"pairrank/kernel"
)

// quotedTime is a column of table 1 of the paper, in seconds; NaN where there is none.
type quotedTime struct {
	inputs           int
	rankRLS, rankSVM float64
}

var paperTimes = []quotedTime{
	{200, 1, 2}, {500, 3, 150}, {750, 5, 579}, {1000, 10, 1740}, {1500, 24, 4685}, {2000, 48, 13707}, {2500, 83, 20055},
	{4000, 280, math.NaN()}, {6000, 841, math.NaN()},
}

// The settings of table 1 are the defaults of its programs: γ and the cost C of a pair
// are 1 in SVMlight, and so is λ of RankRLS.
const (
	timesLambda = 1
	timesCost   = 1
)

// otherMachine is why seconds cannot be compared.
const otherMachine = "A machine of today"

var timesKernel = kernel.Gaussian{Gamma: 1}

// All pairs end where none violates the conditions of the optimum by more than
// violation, as in SVMlight; the kernel map at a gap that is small relative to the objective.
const (
	violation = 1e-3
	mapGap    = 1e-5
)

// timing is what is measured at one size; NaN is not.
type timing struct {
	inputs, pairs             int
	rankRLS, byMap, explicit  float64
	moves                     float64 // steps that moved a variable, for each pair
	mapObjective, atObjective float64
}

// ways are our lines of the figure with their names, and the paper's lines.
var ways = []struct {
	name  string
	ours  func(t timing) float64
	paper func(q quotedTime) float64
}{
	{"RankRLS", func(t timing) float64 { return t.rankRLS }, func(q quotedTime) float64 { return q.rankRLS }},
	{"RankSVM, all pairs", func(t timing) float64 { return t.explicit },
		func(q quotedTime) float64 { return q.rankSVM }},
	{"RankSVM, kernel map", func(t timing) float64 { return t.byMap }, nil},
}

// times is table 1.
func times(ctx context.Context, s settings) (found experiment.Result, err error) {
	c, err := load(ctx, s.dir)
	if err != nil {
		return found, err
	}
	order := rand.New(rand.NewPCG(s.seed, 0x74696d6573)).Perm(c.x.Rows)
	y := c.labels([]string{"acq"})
	var all []timing
	explicit := true
	for _, q := range paperTimes {
		if s.inputs > 0 && q.inputs > s.inputs {
			break
		}
		rows := order[:q.inputs]
		set := &data.Set{X: data.Select(c.x, rows), Y: some(y, 1, rows), Queries: data.OneList(q.inputs)}
		t, err := measure(ctx, set, s, explicit)
		if err != nil {
			return found, fmt.Errorf("%d inputs: %w", q.inputs, err)
		}
		explicit = explicit && t.explicit <= s.limit.Seconds()
		fmt.Fprintf(os.Stderr,
			"reuters: %d inputs: RankRLS %s s, RankSVM by the kernel map %s s, over all pairs %s s\n", q.inputs,
			experiment.Digits(t.rankRLS), experiment.Digits(t.byMap), experiment.Digits(t.explicit))
		all = append(all, t)
	}
	if len(all) == 0 {
		return found, fmt.Errorf("the paper has no size up to %d inputs", s.inputs)
	}
	timesTable(&found, all, s)
	slopesTable(&found, all)
	timesFigure(&found, all)
	return found, nil
}

// measure trains on one set in all three ways.
func measure(ctx context.Context, set *data.Set, s settings, explicit bool) (t timing, err error) {
	t = timing{inputs: len(set.Y), pairs: int(discordant(set.Y)), explicit: math.NaN(), moves: math.NaN(),
		atObjective: math.NaN()}
	p := pairrank.Problem{Set: set}
	t.rankRLS, err = timed(func() error {
		_, err := pairrank.Train(ctx, p,
			pairrank.Options{Kernels: []kernel.Kernel{timesKernel}, Lambdas: []float64{timesLambda}})
		return err
	})
	if err != nil {
		return t, err
	}
	// C for every pair is λ = 1/(2CN) for their mean.
	lambda := 1 / (2 * timesCost * float64(t.pairs))
	t.byMap, err = timed(func() error {
		r, err := pairrank.Train(ctx, p,
			pairrank.Options{Learner: pairrank.RankSVM{Epsilon: mapGap}, Kernels: []kernel.Kernel{timesKernel},
				Lambdas: []float64{lambda}})
		if err == nil {
			t.mapObjective = r.Training.Minimum
		}
		return err
	})
	if err != nil || !explicit {
		return t, err
	}
	seconds, err := timed(func() error {
		svm := newPairSVM(kernel.Matrix(timesKernel, set.X, set.X), set.Y, timesCost)
		done, err := svm.train(ctx, violation, s.seed, s.limit)
		if done {
			t.moves, t.atObjective = float64(svm.moves)/float64(t.pairs), svm.objective()
		}
		return err
	})
	if !math.IsNaN(t.atObjective) {
		t.explicit = seconds
	}
	return t, err
}

// Work is repeated while all of it takes less than worth, at most so often.
const (
	worth   = time.Second
	repeats = 5
)

// timed is the least seconds that work takes.
func timed(work func() error) (seconds float64, err error) {
	seconds = math.Inf(1)
	for all, n := time.Duration(0), 0; n == 0 || n < repeats && all < worth; n++ {
		began := time.Now()
		if err := work(); err != nil {
			return 0, err
		}
		spent := time.Since(began)
		all += spent
		seconds = min(seconds, spent.Seconds())
	}
	return seconds, nil
}

// timesTable is the table, and its findings.
func timesTable(found *experiment.Result, all []timing, s settings) {
	t := experiment.NewTable("inputs", "%.0f", "pairs", "%.0f", "RankRLS, s", "digits", "paper", "%.0f",
		"RankSVM over all pairs, s", "digits", "paper", "%.0f",
		"steps a pair", "digits", "objective", "%.5f", "RankSVM by the kernel map, s", "digits", "objective", "%.5f")
	for k, a := range all {
		q := paperTimes[k]
		t.Row(a.inputs, a.pairs, a.rankRLS, q.rankRLS, a.explicit, q.rankSVM, a.moves, a.atObjective, a.byMap,
			a.mapObjective)
		f := experiment.Finding{Paper: "2009", Place: "table 1, acq",
			What: fmt.Sprintf("RankRLS, %d inputs, seconds", a.inputs), Format: "%.3g",
			Theirs: q.rankRLS, Ours: a.rankRLS, AtMost: true, Unlike: otherMachine}
		found.Find(f)
		if !math.IsNaN(a.explicit) && !math.IsNaN(q.rankSVM) {
			f.What, f.Theirs, f.Ours = fmt.Sprintf("RankSVM over all pairs, %d inputs, seconds", a.inputs), q.rankSVM,
				a.explicit
			found.Find(f)
		}
	}
	found.Add(t)
	found.Text("RankSVM over all pairs is not run past the first size that takes longer than %s; that size has no "+
		"number.", s.limit)
}

// from is the size from which on slopes are taken, where constants do not count.
const from = 1000

// slopesTable says by which power of the inputs the seconds grow.
func slopesTable(found *experiment.Result, all []timing) {
	t := experiment.NewTable(fmt.Sprintf("seconds grow as inputs to the power, from %d on", from), "%s", "ours", "%.2f",
		"paper", "%.2f")
	for _, w := range ways {
		var ours, theirs [][2]float64
		for k, a := range all {
			ours = addPoint(ours, a.inputs, w.ours(a))
			if w.paper != nil {
				theirs = addPoint(theirs, a.inputs, w.paper(paperTimes[k]))
			}
		}
		t.Row(w.name, slope(ours), slope(theirs))
	}
	found.Add(t)
}

// addPoint adds a point that was measured.
func addPoint(points [][2]float64, inputs int, seconds float64) [][2]float64 {
	if math.IsNaN(seconds) {
		return points
	}
	return append(points, [2]float64{float64(inputs), seconds})
}

// slope is that of the least squares line of the logarithms from from on; NaN of fewer
// than two points.
func slope(points [][2]float64) float64 {
	var n, x, y, xx, xy float64
	for _, p := range points {
		if p[0] < from {
			continue
		}
		a, b := math.Log(p[0]), math.Log(p[1])
		n, x, y, xx, xy = n+1, x+a, y+b, xx+a*a, xy+a*b
	}
	if n < 2 {
		return math.NaN()
	}
	return (n*xy - x*y) / (n*xx - x*x)
}

// timesFigure draws the table.
func timesFigure(found *experiment.Result, all []timing) {
	p := figure.Panel{Title: "Training on acq, Gaussian kernel", Unit: "time, log scale", Below: "inputs, log scale",
		X: sparsely, Y: figure.Seconds, Direct: true}
	for style, w := range ways {
		ours := figure.Series{Name: w.name, Style: style}
		theirs := figure.Series{Name: "paper: " + w.name, Style: style, Dashed: true}
		for k, a := range all {
			ours.Points = addPoint(ours.Points, a.inputs, w.ours(a))
			if w.paper != nil {
				theirs.Points = addPoint(theirs.Points, a.inputs, w.paper(paperTimes[k]))
			}
		}
		p.Series = append(p.Series, ours)
		if w.paper != nil {
			p.Series = append(p.Series, theirs)
		}
	}
	last := len(all) - 1
	title := fmt.Sprintf("RankRLS: %d inputs in %s s, in the paper in %.0f s", all[last].inputs,
		experiment.Digits(all[last].rankRLS), paperTimes[last].rankRLS)
	f := figure.Figure{Title: title, Panels: []figure.Panel{p}}
	found.Draw("reuters-times.svg",
		"seconds of a training over the number of inputs, of RankRLS and RankSVM, here and in the paper", f.SVG())
}

// sparsely leaves out labels of the axis for which there is no room.
func sparsely(v float64) string {
	switch v {
	case 750, 1500, 2500:
		return ""
	}
	return figure.Thousands(v)
}

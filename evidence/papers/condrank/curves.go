package main

import (
	"context"
	"fmt"
	"time"

	"pairrank/data"
	"pairrank/evidence/papers/experiment"
	"pairrank/internal/figure"
	"pairrank/internal/kron"
	"pairrank/kernel"
	"pairrank/relation/edge"
	"pairrank/relation/pairwise"
)

// curveGroups are the four groups of figure 3, which the paper does not name: its
// set 1.
var curveGroups = sets[0]

// Sizes of figure 3, and its λ, which is none: conjugate gradients need one above
// 0, and this one changes nothing in so few iterations.
const (
	curveTrain, curveTest = 1000, 500
	curveLambda           = 0x1p-40
)

// curveLosses and curveKernels are the lines of the figure; kernels are those of the edges.
var (
	curveLosses  = []edge.Loss{edge.Regression, edge.Ranking}
	curveKernels = []pairwise.Kernel{pairwise.Kronecker, pairwise.Symmetric}
)

// curves is figure 3.
func curves(ctx context.Context, s settings) (found experiment.Result, err error) {
	all, err := readNews(ctx, s.dir)
	if err != nil {
		return found, err
	}
	sample := all.of(curveGroups, curveTrain+curveTest, s.seed)
	if s.most > 0 {
		sample = all.of(curveGroups, min(s.most, curveTrain+curveTest), s.seed)
	}
	cut := len(sample.group) * curveTrain / (curveTrain + curveTest)
	train, test := sample.rows(count(0, cut)), sample.rows(count(cut, len(sample.group)))
	k, cross := kernel.Matrix(kernel.Linear{}, train.x, train.x), kernel.Matrix(kernel.Linear{}, test.x, train.x)
	t := experiment.NewTable("loss, kernel of the edges", "%s", "least error", "%.4f", "at iteration", "%.0f",
		"last", "%.4f", "±", "%.4f", "iterations", "%.0f", "ms an iteration", "digits")
	p := figure.Panel{Below: fmt.Sprintf("iteration, log scales; %d messages train, %d test", cut, len(test.group))}
	var lasts [][]float64 // by line and tested message
	for _, loss := range curveLosses {
		for _, over := range curveKernels {
			began := time.Now()
			errors, ending, spent, err := errorCurve(ctx, train, test, k, cross, loss, over, s.iterations)
			if err != nil {
				return found, err
			}
			b, line := 0, figure.Series{Name: fmt.Sprintf("%s, %s", loss, over), Style: len(p.Series),
				Dashed: over == pairwise.Symmetric}
			for i, e := range errors {
				if line.Points = append(line.Points, [2]float64{float64(i + 1), e.mean}); e.mean < errors[b].mean {
					b = i
				}
			}
			p.Series = append(p.Series, line)
			last := len(errors) - 1
			lasts = append(lasts, ending)
			t.Row(line.Name, errors[b].mean, b+1, errors[last].mean, errors[last].stderr, last+1,
				1000*spent.Seconds()/float64(last+1))
			tell("curves: %s, %s took %.0f s", loss, over, time.Since(began).Seconds())
		}
	}
	p.X, p.Y, p.Bare, p.Direct = figure.Plain, figure.Plain, true, true
	p.Title = fmt.Sprintf("ranking ends at %.3f, regression at %.3f", experiment.Mean(lasts[len(curveKernels)]),
		experiment.Mean(lasts[0]))
	f := figure.Figure{Title: "20 newsgroups: test error after each iteration", Panels: []figure.Panel{p}}
	found.Add(t)
	found.Draw("condrank-curves.svg",
		"Mean test error after each iteration, for two losses and two kernels of the edges", f.SVG())
	for k, loss := range curveLosses {
		what := fmt.Sprintf("%s: last error with the symmetric kernel, less that with the Kronecker kernel", loss)
		found.Find(curveFinding(what,
			lasts[len(curveKernels)*k+1], lasts[len(curveKernels)*k]))
	}
	found.Find(curveFinding("last error of ranking, less that of regression, Kronecker kernel",
		lasts[len(curveKernels)], lasts[0]))
	return found, nil
}

// curveFinding is how much larger errors are than others of the same messages; of the
// paper's curves only the sign can be read.
func curveFinding(what string, errors, others []float64) experiment.Finding {
	differences := make([]float64, len(errors))
	for i, e := range errors {
		differences[i] = e - others[i]
	}
	d := meanOf(differences)
	f := experiment.Finding{Paper: "2013", Place: "figure 3", What: what, Format: "%+.4f", Says: "below 0",
		Ours: d.mean, AtMost: true, Within: 2 * d.stderr, Of: "two standard errors over the messages that are tested"}
	if f.Verdict() != experiment.Yes {
		f.Reason = "On a complete graph with symmetric labels every iterate of the regression loss over the " +
			"Kronecker kernel is symmetric by itself, but for rounding; that of the ranking loss is not, but both " +
			"kernels end alike."
	}
	return f
}

// errorCurve is the test error after every iteration, that of each tested message after
// the last one, and the time of the iterations themselves.
func errorCurve(ctx context.Context, train, test *news, k, cross *data.Dense, loss edge.Loss, over pairwise.Kernel,
	iterations int) (errors []share, ending []float64, spent time.Duration, err error) {
	n := len(train.group)
	edges, y := everyPair(n, n), labels(train, train)
	coef := data.NewDense(n, n, nil)
	began := time.Now()
	each := func(_ int, _ float64, a []float64) bool {
		spent += time.Since(began)
		defer func() { began = time.Now() }()
		copy(coef.Data, a)
		if over == pairwise.Symmetric {
			symmetrize(coef)
		}
		if ending, err = rankErrors(test, test, predict(cross, coef, cross)); err != nil {
			return false
		}
		errors = append(errors, meanOf(ending))
		return true
	}
	_, failed := kron.Solve(ctx, kron.System{Kernel: over, Rows: k, Cols: k, Edges: edges, Y: y.Data}, curveLambda,
		kron.SolveOptions{Loss: loss, Tolerance: 1e-14, MaxIterations: iterations, Each: each})
	if err == nil {
		err = failed
	}
	if err == nil && len(errors) == 0 {
		err = fmt.Errorf("there was no iteration")
	}
	return errors, ending, spent, err
}

// symmetrize is ½(A + Aᵀ): the scores of the symmetric kernel are those of the
// ordinary one with these coefficients.
func symmetrize(a *data.Dense) {
	for i := range a.Rows {
		for j := range i {
			v := (a.Row(i)[j] + a.Row(j)[i]) / 2
			a.Row(i)[j], a.Row(j)[i] = v, v
		}
	}
}

// everyPair is the edges of a complete graph, row by row.
func everyPair(rows, cols int) edge.Edges {
	e := edge.Edges{Row: make([]int32, 0, rows*cols), Col: make([]int32, 0, rows*cols)}
	for i := range rows {
		for j := range cols {
			e.Row, e.Col = append(e.Row, int32(i)), append(e.Col, int32(j))
		}
	}
	return e
}

// count is the numbers from lo to hi, hi not among them.
func count(lo, hi int) []int {
	var v []int
	for i := lo; i < hi; i++ {
		v = append(v, i)
	}
	return v
}

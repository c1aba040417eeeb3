package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"pairrank/data"
	"pairrank/experiments/internal/experiment"
	"pairrank/internal/figure"
	"pairrank/kernel"
	"pairrank/relation/kron"
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

// curveKernels are those of the edges.
var curveKernels = []pairwise.Kernel{pairwise.Kronecker, pairwise.Symmetric}

// curves is figure 3.
func curves(ctx context.Context, s settings) (string, error) {
	all, err := readNews(ctx, s.dir)
	if err != nil {
		return "", err
	}
	sample := all.of(curveGroups, curveTrain+curveTest, s.seed)
	if s.most > 0 {
		sample = all.of(curveGroups, min(s.most, curveTrain+curveTest), s.seed)
	}
	cut := len(sample.group) * curveTrain / (curveTrain + curveTest)
	train, test := sample.rows(count(0, cut)), sample.rows(count(cut, len(sample.group)))
	k, cross := kernel.Matrix(kernel.Linear{}, train.x, train.x), kernel.Matrix(kernel.Linear{}, test.x, train.x)
	text := "| loss, kernel of the edges | least error | at iteration | last | iterations | ms an iteration |\n|---|---|---|---|---|---|\n"
	p := figure.Panel{Title: fmt.Sprintf("%d messages to train, %d to test", cut, len(test.group)), Below: "iteration, log scale"}
	for _, loss := range []kron.Loss{kron.Regression, kron.Ranking} {
		for _, over := range curveKernels {
			began := time.Now()
			errors, spent, err := errorCurve(ctx, train, test, k, cross, loss, over, s.iterations)
			if err != nil {
				return "", err
			}
			b, line := 0, figure.Series{Name: fmt.Sprintf("%s, %s", loss, over), Style: len(p.Series), Dashed: over == pairwise.Symmetric}
			for i, e := range errors {
				if line.Points = append(line.Points, [2]float64{float64(i + 1), e}); e < errors[b] {
					b = i
				}
			}
			p.Series = append(p.Series, line)
			last := len(errors) - 1
			text += fmt.Sprintf("| %s, %s | **%.4f** | %d | %.4f | %d | %s |\n", loss, over, errors[b], b+1, errors[last], last+1, experiment.Digits(1000*spent.Seconds()/float64(last+1)))
			tell("curves: %s, %s took %.0f s", loss, over, time.Since(began).Seconds())
		}
	}
	p.X, p.Y, p.Bare = figure.Plain, figure.Plain, true
	f := figure.Figure{Title: "20 newsgroups, mean pairwise error", Panels: []figure.Panel{p}}
	return text, f.Write(s.figures, "condrank-curves.svg")
}

// errorCurve is the test error after every iteration, and the time of the
// iterations themselves.
func errorCurve(ctx context.Context, train, test *news, k, cross *data.Dense, loss kron.Loss, over pairwise.Kernel, iterations int) (errors []float64, spent time.Duration, err error) {
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
		var e float64
		if e, err = rankError(test, test, predict(cross, coef, cross)); err != nil || math.IsNaN(e) {
			return false
		}
		errors = append(errors, e)
		return true
	}
	_, failed := kron.Solve(ctx, kron.System{Kernel: over, Rows: k, Cols: k, Edges: edges, Y: y.Data}, curveLambda, kron.SolveOptions{Loss: loss, Tolerance: 1e-14, MaxIterations: iterations, Each: each})
	if err == nil {
		err = failed
	}
	if err == nil && len(errors) == 0 {
		err = fmt.Errorf("there was no iteration")
	}
	return errors, spent, err
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
func everyPair(rows, cols int) kron.Edges {
	e := kron.Edges{Row: make([]int32, 0, rows*cols), Col: make([]int32, 0, rows*cols)}
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

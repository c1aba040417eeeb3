package kron

import (
	"math/rand/v2"
	"testing"

	"pairrank/internal/gen"
	"pairrank/internal/linalg"
	"pairrank/relation/pairwise"
)

// sparse keeps each pair of nodes of a problem with a probability, and repeats some.
func sparse(r *rand.Rand, p problem, kept float64) (e Edges, y []float64) {
	for i := range p.y.Rows {
		for j, v := range p.y.Row(i) {
			for again := r.Float64() < kept; again; again = r.IntN(20) == 0 {
				e.Row, e.Col, y = append(e.Row, int32(i)), append(e.Col, int32(j)), append(y, v+r.NormFloat64())
			}
		}
	}
	return e, y
}

// Solve has the coefficients that it has without the eigenvectors, to the residual that was asked for, in fewer
// iterations over the edges.
func TestPaddedSolution(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	padded, fewer := 0, 0
	for range gen.Count(t, 40) {
		p := drawProblem(r, 20, false)
		p.rows, p.cols = drawKernel(r, p.y.Rows, false), drawKernel(r, p.y.Cols, false)
		e, y := sparse(r, p, 0.3+0.7*r.Float64())
		if e.Len() < 2 {
			continue
		}
		s := System{pairwise.Kronecker, p.rows, p.cols, e, y}
		for _, loss := range []Loss{Regression, Ranking} {
			o := SolveOptions{Loss: loss, Tolerance: 1e-11}
			a := s.operator(loss, p.lambda)
			b := append([]float64(nil), y...)
			a.means.takeOff(b)
			plain, err := Solve(t.Context(), s, p.lambda, o)
			if err != nil {
				t.Fatal(err)
			}
			resolved, _ := o.resolved()
			start := make([]float64, e.Len())
			n, err := s.startTo(t.Context(), start, a, b, resolved)
			if err != nil {
				t.Fatal(err)
			}
			if n > 0 && linalg.Nrm2(start) > 0 {
				if padded++; n < plain.Iterations {
					fewer++
				}
			}
			calls := 0
			o.Pads, o.Each = true, func(k int, _ float64, coef []float64) bool {
				calls++
				return len(coef) == len(y)
			}
			fit, err := Solve(t.Context(), s, p.lambda, o)
			if err != nil || !fit.Converged || fit.Residual > o.Tolerance || calls == 0 && fit.Iterations > 0 {
				t.Fatalf("%s, λ = %g: %+v, %v, %d calls", loss, p.lambda, fit, err, calls)
			}
			for h, f := range fit.Scores {
				if d := f - plain.Scores[h]; d*d > 1e-16*linalg.Dot(y, y) {
					t.Errorf("%s, λ = %g: the score of edge %d is %v, without padding %v", loss, p.lambda, h, f, plain.Scores[h])
				}
			}
		}
	}
	if padded == 0 {
		t.Error("no problem was padded")
	}
	t.Logf("%d padded, %d of them in fewer iterations", padded, fewer)
}

// With Scores the scores of the training edges, less the means of their rows, are off by at most that part of their
// length, for λ that are solved together and for one that is not, and so they are of a model.
func TestRoughScores(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	worst := 0.0
	for range gen.Count(t, 40) {
		p := drawProblem(r, 20, false)
		p.rows, p.cols = drawKernel(r, p.y.Rows, false), drawKernel(r, p.y.Cols, false)
		e, y := sparse(r, p, 0.6)
		if e.Len() < 2 {
			continue
		}
		s := System{pairwise.Kronecker, p.rows, p.cols, e, y}
		lambdas := []float64{p.lambda / 1e4, p.lambda, 8 * p.lambda, 1e4 * p.lambda}
		for _, loss := range []Loss{Regression, Ranking} {
			for _, scores := range []float64{0.1, 0.0025} {
				means := newMeans(e.Row, p.y.Rows, loss)
				o := SolveOptions{Loss: loss, Scores: scores}
				check := func(l int, f []float64) {
					exact, err := Solve(t.Context(), s, lambdas[l], SolveOptions{Loss: loss, Tolerance: 1e-12})
					if err != nil {
						t.Fatal(err)
					}
					means.takeOff(f)
					means.takeOff(exact.Scores)
					linalg.Axpy(-1, exact.Scores, f)
					off, length := linalg.Nrm2(f), linalg.Nrm2(exact.Scores)
					if worst = max(worst, off/length/scores); off > scores*length*(1+2*scores)+1e-9*linalg.Nrm2(y) {
						t.Errorf("%s, λ = %g: the scores are off by %.3g of their length, not %g", loss, lambdas[l],
							off/length, scores)
					}
				}
				if _, err := SolveScores(t.Context(), s, e, lambdas, o, check); err != nil {
					t.Fatal(err)
				}
				for l, lambda := range lambdas[1:] {
					for _, o.Pads = range []bool{false, true} {
						fit, err := Solve(t.Context(), s, lambda, o)
						if err != nil || fit.Converged && !(fit.ScoreError <= scores || fit.Residual <= DefaultTolerance) {
							t.Fatalf("%s, λ = %g: %+v, %v", loss, lambda, fit, err)
						}
						check(l+1, fit.Scores)
					}
				}
			}
		}
	}
	t.Logf("the scores are off by at most %.2f of what is allowed", worst)
}

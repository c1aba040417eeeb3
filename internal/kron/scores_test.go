package kron

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/internal/gen"
	"pairrank/internal/naive"
	"pairrank/relation/pairwise"
)

// TestSolveScores compares the scores of other edges, over several λ at once, with the explicit solution over the
// training edges, for every pairwise kernel, both losses, complete, incomplete and repeated edges. One of the λ is so
// small that it is solved alone.
func TestSolveScores(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	worst := tally{}
	shared := 0
	for range gen.Count(t, 60) {
		for _, k := range pairwise.Kernels {
			p := drawProblem(r, 6, k.OneDomain() || r.IntN(3) == 0)
			e, y, kind := someEdges(r, p)
			to := drawEdges(r, 1+r.IntN(9), p.y.Rows, p.y.Cols)
			lambdas := []float64{p.lambda / 8, p.lambda, 3 * p.lambda, 100 * p.lambda}
			for _, loss := range []Loss{Regression, Ranking} {
				s := System{k, p.rows, p.cols, e, y}
				o := SolveOptions{Loss: loss, Tolerance: 1e-12, MaxIterations: DefaultIterations}
				together, err := s.sharedScores(t.Context(), to, lambdas, o)
				if err != nil {
					t.Fatal(err)
				}
				for _, f := range together {
					if f != nil {
						shared++
					}
				}
				unconverged, err := SolveScores(t.Context(), s, to, lambdas, o, func(l int, f []float64) {
					want := naive.Relational(listed(e, y), p.kernel(string(k)), loss == Ranking, lambdas[l])
					for h, v := range f {
						worst.near(t, string(k)+" "+string(loss)+" "+kind, v, want(int(to.Row[h]), int(to.Col[h])),
							largestOf(y)+1e-3, 1e-8)
					}
				})
				if err != nil || unconverged != 0 && together[0] != nil {
					t.Fatalf("%d trainings did not converge, %v", unconverged, err)
				}
			}
		}
	}
	if shared == 0 {
		t.Error("no λ was solved with the others")
	}
	t.Logf("%d scores of a λ with the others, largest relative differences %v", shared, worst)
}

// TestSolveScoresAlone: λ that the shared iteration does not solve have the scores and the count of Solve, with few
// iterations, a λ far below the eigenvalues, or labels whose squares overflow; there is nothing to learn from equal
// labels.
func TestSolveScoresAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	p := drawProblem(r, 12, false)
	p.rows, p.cols = drawKernel(r, p.y.Rows, false), drawKernel(r, p.y.Cols, false)
	var e Edges
	for _, of := range p.edges(func(i, j int) bool { return (i+j)%3 > 0 }) {
		e.Row, e.Col = append(e.Row, int32(of.Row)), append(e.Col, int32(of.Col))
	}
	y := make([]float64, e.Len())
	for h := range y {
		y[h] = p.y.Row(int(e.Row[h]))[e.Col[h]]
	}
	s := System{pairwise.Kronecker, p.rows, p.cols, e, y}
	for _, c := range []struct {
		name    string
		lambdas []float64
		o       SolveOptions
	}{
		{"few iterations", []float64{1e-3, 1e-2, 10}, SolveOptions{MaxIterations: 3}},
		{"one λ", []float64{0.1}, SolveOptions{}},
		{"small λ", []float64{1e-9, 1e-8}, SolveOptions{Tolerance: 1e-6}},
	} {
		o, err := c.o.resolved()
		if err != nil {
			t.Fatal(err)
		}
		together, err := s.sharedScores(t.Context(), e, c.lambdas, o)
		if err != nil {
			t.Fatal(err)
		}
		want, open, start := make([][]float64, len(c.lambdas)), 0, []float64(nil)
		for l := len(c.lambdas) - 1; l >= 0; l-- {
			if want[l] = together[l]; want[l] != nil {
				continue
			}
			o.Start = start
			fit, err := Solve(t.Context(), s, c.lambdas[l], o)
			if err != nil {
				t.Fatal(err)
			}
			if want[l], start = fit.Scores, fit.Coef; !fit.Converged {
				open++
			}
		}
		if together[0] != nil {
			t.Errorf("%s: the least λ is solved with the others", c.name)
		}
		unconverged, err := SolveScores(t.Context(), s, e, c.lambdas, c.o, func(l int, f []float64) {
			for h, v := range f {
				if math.Abs(v-want[l][h]) > 1e-12*largestOf(want[l]) {
					t.Fatalf("%s, λ = %g: score %d is %g, alone %g", c.name, c.lambdas[l], h, v, want[l][h])
				}
			}
		})
		if err != nil || unconverged != open {
			t.Errorf("%s: %d trainings did not converge, alone %d, %v", c.name, unconverged, open, err)
		}
	}
	equal := System{pairwise.Kronecker, p.rows, p.cols, e, make([]float64, e.Len())}
	for h := range equal.Y {
		equal.Y[h] = 0.1
	}
	if n, err := SolveScores(t.Context(), equal, e, []float64{0.1, 1}, SolveOptions{}, func(_ int, f []float64) {
		if largestOf(f) > 1e-12 {
			t.Errorf("a score of %g from equal labels", largestOf(f))
		}
	}); n != 0 || err != nil {
		t.Errorf("equal labels: %d, %v", n, err)
	}
	huge := System{pairwise.Kronecker, p.rows, p.cols, e, make([]float64, e.Len())}
	for h, v := range y {
		huge.Y[h] = v * 1e300
	}
	if _, err := SolveScores(t.Context(), huge, e, []float64{0.1, 1}, SolveOptions{}, func(int, []float64) {}); !errors.Is(
		err, ErrNumerical) {
		t.Errorf("huge labels: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := SolveScores(ended, s, e, []float64{0.1, 1}, SolveOptions{}, func(int, []float64) {}); err !=
		context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

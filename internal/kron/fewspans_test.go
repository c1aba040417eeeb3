package kron

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"pairrank/internal/gen"
)

// TestMarginsOfFewEdges compares pairs that are left out one at a time, whose sums are made for them alone, with
// trainings without both edges: also for other labels, twice, when the weights are kept. A tie of the oracle is a tie.
func TestMarginsOfFewEdges(t *testing.T) {
	r := rand.New(rand.NewPCG(105, 107))
	worst, ties := tally{}, 0
	for range gen.Count(t, 60) {
		p := drawProblem(r, 7, r.IntN(3) == 0)
		const share = 8
		if p.y.Rows*p.y.Cols < share {
			continue
		}
		loss := []Loss{Regression, Ranking}[r.IntN(2)]
		path, err := Factor(t.Context(), p.rows, p.cols, p.y, Options{Loss: loss})
		if err != nil {
			t.Fatal(err)
		}
		for k := range 3 {
			if k == 1 {
				p.y = random(r, p.y.Rows, p.y.Cols)
			}
			if k > 0 {
				path = path.Relabel(p.y)
			}
			size := max(1e-300, size(path.At(p.lambda).Scores()))
			for _, c := range everyCompared(p.y.Rows, p.y.Cols, false) {
				got := make([]float64, 1)
				margins(t, path, got, p.lambda, Pairs, []Compared{c})
				want := p.withoutBoth(Pairs, c, loss)
				worst.near(t, fmt.Sprintf("%s, labels %d", loss, k), got[0], want, size, tolerance)
				if want == 0 {
					if ties++; got[0] != 0 {
						t.Errorf("%s %v: a tie is %g", loss, c, got[0])
					}
				}
			}
			if kept := len(path.weights.made); kept != min(k, 1) {
				t.Errorf("labels %d: the weights of %d λ are kept", k, kept)
			}
		}
	}
	if ties == 0 {
		t.Error("there are no ties")
	}
	t.Logf("largest relative differences %v, %d ties", worst, ties)
}

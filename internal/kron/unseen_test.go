package kron

import (
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/linalg"
)

// TestUnseen compares scores of new nodes with those of the coefficients.
func TestUnseen(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	worst := tally{}
	// others makes n combinations of the rows of a kernel matrix, as new nodes have them.
	others := func(n int, k *data.Dense) *data.Dense {
		mix := linalg.NewMat(n, k.Rows)
		for i := range mix.Data {
			mix.Data[i] = r.NormFloat64()
		}
		return dense(mix.Mul(linalg.Mat(*k)))
	}
	for range gen.Count(t, 100) {
		p := drawProblem(r, 6, r.IntN(2) == 0)
		for _, o := range []Options{{Regression, Arbitrary}, {Ranking, Arbitrary},
			{Regression, Symmetric}, {Regression, Reciprocal}} {
			if o.Relation != Arbitrary && !p.one {
				continue
			}
			path, err := Factor(t.Context(), p.rows, p.cols, p.y, o)
			if err != nil {
				t.Fatal(err)
			}
			rows, cols := others(1+r.IntN(4), p.rows), others(1+r.IntN(4), p.cols)
			got := path.Unseen(rows, cols).Scores(p.lambda)
			want := rows.Mul(path.At(p.lambda).Coef).MulT(cols)
			if got.Rows != rows.Rows || got.Cols != cols.Rows {
				t.Fatalf("%d×%d scores of %d and %d nodes", got.Rows, got.Cols, rows.Rows, cols.Rows)
			}
			largest := linalg.Nrm2(want.Data) + size(p.y)
			for i := range want.Rows {
				for j, v := range want.Row(i) {
					worst.near(t, string(o.Loss)+" "+string(o.Relation), got.Row(i)[j], v, largest, tolerance)
				}
			}
		}
	}
	t.Logf("largest relative differences %v", worst)
	defer func() {
		if recover() == nil {
			t.Error("kernel values with other nodes are taken")
		}
	}()
	p := drawProblem(r, 6, true)
	path, err := Factor(t.Context(), p.rows, p.cols, p.y, Options{})
	if err != nil {
		t.Fatal(err)
	}
	path.Unseen(data.NewDense(1, p.rows.Rows+1, nil), p.cols)
}

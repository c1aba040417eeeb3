package pairmodel

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/relation/pairwise"
)

func TestPairsAreTheirDefinition(t *testing.T) {
	eachProblem(t, 120, func(q *pairProblem) {
		got, rows, cols, err := q.scores(q.p)
		if err != nil {
			t.Fatalf("%s: %v", q.name, err)
		}
		var row, col []int32
		var want []float64
		for i := range got.Rows {
			for j, f := range got.Row(i) {
				w := q.define(i, j)
				if !(math.Abs(f-w) <= pairRoundoff*(1+math.Abs(w))) {
					t.Errorf("%s: pair (%d,%d) has %g, want %g", q.name, i, j, f, w)
				}
				if (i+j)%3 == 0 {
					row, col, want = append(row, int32(i)), append(col, int32(j)), append(want, w)
				}
			}
		}
		// as one list, and one by one, which makes no block
		list := make([]float64, len(want))
		q.p.ScorePairsTo(list, rows, cols, row, col)
		for k := range want {
			var alone [1]float64
			q.p.ScorePairsTo(alone[:], rows, cols, row[k:k+1], col[k:k+1])
			if d := largestDifference([]float64{list[k], alone[0]}, []float64{want[k], want[k]}); !(d <= pairRoundoff) {
				t.Errorf("%s: pair (%d,%d) has %g in a list, %g alone, want %g",
					q.name, row[k], col[k], list[k], alone[0], want[k])
			}
		}
	})
}

// Edges and dense coefficients are the same function.
func TestPairFormsAgree(t *testing.T) {
	eachProblem(t, 40, func(q *pairProblem) {
		if q.p.Edges == nil {
			return
		}
		want, _, _, err := q.scores(q.p)
		if err != nil {
			t.Fatal(err)
		}
		dense := *q.p
		dense.Edges, dense.Coef = nil, data.NewDense(len(q.p.Rows.ID), len(q.p.ColSide().ID), nil)
		for k, c := range q.p.Edges.Value {
			dense.Coef.Row(int(q.p.Edges.Row[k]))[q.p.Edges.Col[k]] += c
		}
		got, _, _, err := q.scores(&dense)
		if err != nil {
			t.Fatalf("%s: %v", q.name, err)
		}
		if d := largestDifference(got.Data, want.Data); !(d <= pairRoundoff) {
			t.Errorf("%s: dense differs by %g", q.name, d)
		}
	})
}

// A shift changes the diagonal between training nodes, for any nodes that are scored.
func TestPairShift(t *testing.T) {
	nodes := []string{"a", "b", "c"}
	k := &data.Dense{Rows: 3, Cols: 3, Stride: 3, Data: []float64{4, 1, 2, 1, 9, 3, 2, 3, 1}}
	shifted := &data.Dense{Rows: 3, Cols: 3, Stride: 3, Data: append([]float64(nil), k.Data...)}
	for i := range 3 {
		shifted.Data[4*i] += 0.5
	}
	plain := &Model{Kernel: pairwise.Kronecker, Rows: Side{Kernel: kernel.Precomputed{}, ID: nodes},
		Coef: &data.Dense{Rows: 3, Cols: 3, Stride: 3, Data: []float64{1, -2, 3, 0.5, 0, 1, -1, 2, 0}}}
	with := *plain
	with.Rows.Shift = 0.5
	all := func(p *Model, x *data.Dense, ids []string) []float64 {
		v, err := p.RowValues(&Nodes{X: x, Names: nodes, ID: ids})
		if err != nil {
			t.Fatal(err)
		}
		var row, col []int32
		for i := range x.Rows {
			for j := range x.Rows {
				row, col = append(row, int32(i)), append(col, int32(j))
			}
		}
		out := make([]float64, len(row))
		p.ScorePairsTo(out, v, v, row, col)
		return out
	}
	before := slices.Clone(k.Data)
	if got, want := all(&with, k, nodes), all(plain, shifted, nodes); !slices.Equal(got, want) {
		t.Errorf("scores %v, want %v", got, want)
	}
	if !slices.Equal(k.Data, before) {
		t.Error("the matrix of the caller is changed")
	}
	if got, want := all(&with, k, []string{"x", "y", "z"}), all(plain, k, nodes); !slices.Equal(got, want) {
		t.Errorf("scores of new nodes %v, want %v", got, want)
	}
	// After the kernel is normalised.
	diag := []float64{4, 9, 1}
	with.Rows.Normalize, with.Rows.Diag = true, diag
	plain.Rows.Normalize, plain.Rows.Diag = true, diag
	for i, v := range diag {
		shifted.Data[4*i] = v + 0.5*v
	}
	for i, v := range all(&with, k, nodes) {
		if w := all(plain, shifted, nodes)[i]; math.Abs(v-w) > 1e-14 {
			t.Errorf("normalised: score %d is %v, want %v", i, v, w)
		}
	}
}

// Weights W are the coefficients A of training nodes X and Z with W = XᵀAZ.
func TestPairWeightsAreCoefficients(t *testing.T) {
	for _, twoDomains := range []bool{true, false} {
		for _, normalize := range []bool{false, true} {
			x, z := random(5, 3, 1), random(4, 3, 2)
			if !twoDomains {
				z = x
			}
			dual := &Model{Kernel: pairwise.Kronecker, Coef: random(x.Rows, z.Rows, 3),
				Rows: Side{Kernel: kernel.Linear{}, Support: x, ID: []string{"a", "b", "c", "d", "e"},
					Normalize: normalize}}
			primal := &Model{Kernel: pairwise.Kronecker, Weights: data.NewDense(3, 3, nil),
				Rows: Side{Kernel: kernel.Linear{}, Normalize: normalize}}
			if twoDomains {
				dual.Cols = &Side{Kernel: kernel.Linear{}, Support: z, ID: []string{"a", "b", "c", "d"},
					Normalize: normalize}
				primal.Cols = &Side{Kernel: kernel.Linear{}, Normalize: normalize}
			}
			unit := func(row []float64) (out []float64) {
				length := 1.0
				if normalize {
					length = math.Sqrt(naiveKernel(kernel.Linear{}, row, row))
				}
				for _, v := range row {
					out = append(out, v/length)
				}
				return out
			}
			for i := range x.Rows {
				for j := range z.Rows {
					for a, v := range unit(x.Row(i)) {
						for b, w := range unit(z.Row(j)) {
							primal.Weights.Row(a)[b] += v * dual.Coef.Row(i)[j] * w
						}
					}
				}
			}
			checkSame(t, fmt.Sprintf("two domains %v, normalized %v", twoDomains, normalize), dual, primal)
		}
	}
}

// checkSame scores dense and sparse rows of up to three features with both.
func checkSame(t *testing.T, name string, dual, primal *Model) {
	t.Helper()
	for _, shape := range [][2]int{{2, 9}, {9, 2}} { // each side first
		rows, cols := random(shape[0], 2, 4), random(shape[1], 3, 5)
		for _, x := range []data.Matrix{rows, allStored(rows)} {
			for _, z := range []data.Matrix{cols, allStored(cols)} {
				q := &pairProblem{rows: &Nodes{X: x}, cols: &Nodes{X: z}}
				want, _, _, err := q.scores(dual)
				if err != nil {
					t.Fatal(err)
				}
				got, r, c, err := q.scores(primal)
				if err != nil {
					t.Fatal(err)
				}
				if d := largestDifference(got.Data, want.Data); !(d <= roundoff) {
					t.Errorf("%s, %T %T: differs by %g", name, x, z, d)
				}
				var one [1]float64
				primal.ScorePairsTo(one[:], r, c, []int32{1}, []int32{1})
				if d := math.Abs(one[0] - want.Row(1)[1]); !(d <= roundoff) {
					t.Errorf("%s, %T %T: a pair differs by %g", name, x, z, d)
				}
			}
		}
	}
}

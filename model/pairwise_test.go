package model

import (
	"fmt"
	"math"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
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
		// as one list, and one by one, when no block is made
		list := make([]float64, len(want))
		q.p.ScorePairsTo(list, rows, cols, row, col)
		for k := range want {
			var alone [1]float64
			q.p.ScorePairsTo(alone[:], rows, cols, row[k:k+1], col[k:k+1])
			if d := largestDifference([]float64{list[k], alone[0]}, []float64{want[k], want[k]}); !(d <= pairRoundoff) {
				t.Errorf("%s: pair (%d,%d) has %g in a list, %g alone, want %g", q.name, row[k], col[k], list[k], alone[0], want[k])
			}
		}
	})
}

// Edges, dense coefficients, and the model of the nodes that have edges are the
// same function.
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
		dense.Edges, dense.Coef = nil, data.NewDense(len(q.p.Rows.ID), len(q.p.ColSide().ID))
		for k, c := range q.p.Edges.Value {
			dense.Coef.Row(int(q.p.Edges.Row[k]))[q.p.Edges.Col[k]] += c
		}
		others := map[string]*Pairwise{"dense": &dense}
		if q.p.Kind != KindCartesian && (q.rows.Names != nil || !q.p.Rows.precomputed()) {
			others["compact"] = q.p.Compact()
		}
		for name, p := range others {
			got, _, _, err := q.scores(p)
			if err != nil {
				t.Fatalf("%s, %s: %v", q.name, name, err)
			}
			if d := largestDifference(got.Data, want.Data); !(d <= pairRoundoff) {
				t.Errorf("%s: %s differs by %g", q.name, name, d)
			}
		}
	})
}

func TestCompact(t *testing.T) {
	for seed := range uint64(200) {
		q := makePairs(KindKronecker, seed%3 > 0, true, seed)
		c := q.p.Compact()
		used := [2]map[string]bool{{}, {}}
		for k := range q.p.Edges.Value {
			i, j := q.p.Rows.ID[q.p.Edges.Row[k]], q.p.ColSide().ID[q.p.Edges.Col[k]]
			if c.Rows.ID[c.Edges.Row[k]] != i || c.ColSide().ID[c.Edges.Col[k]] != j {
				t.Fatalf("%s: edge %d is of other nodes", q.name, k)
			}
			used[0][i], used[1][j] = true, true
			if q.p.Cols == nil {
				used[0][j] = true
			}
		}
		if len(c.Rows.ID) != len(used[0]) || q.p.Cols != nil && len(c.Cols.ID) != len(used[1]) {
			t.Errorf("%s: %d and %d nodes, want %d and %d", q.name, len(c.Rows.ID), len(c.ColSide().ID), len(used[0]), len(used[1]))
		}
		if err := c.check(); err != nil {
			t.Errorf("%s: %v", q.name, err)
		}
		if again := c.Compact(); again != c {
			t.Errorf("%s: compact twice is another model", q.name)
		}
	}
	if q := makePairs(KindKronecker, true, false, 1); q.p.Compact() != q.p {
		t.Error("a model of dense coefficients is made compact")
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
			dual := &Pairwise{Kind: KindKronecker, Coef: random(x.Rows, z.Rows, 3),
				Rows: Side{Kernel: kernel.Linear{}, Support: x, ID: []string{"a", "b", "c", "d", "e"}, Normalize: normalize}}
			primal := &Pairwise{Kind: KindKronecker, Weights: data.NewDense(3, 3), Rows: Side{Kernel: kernel.Linear{}, Normalize: normalize}}
			if twoDomains {
				dual.Cols = &Side{Kernel: kernel.Linear{}, Support: z, ID: []string{"a", "b", "c", "d"}, Normalize: normalize}
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
func checkSame(t *testing.T, name string, dual, primal *Pairwise) {
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

package cv

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/eval/metric"
	"pairrank/internal/naive"
	"pairrank/relation/kron"
)

// drawRelation is random nodes in the plane with Gaussian kernels, and labels of
// all pairs or of some.
func drawRelation(r *rand.Rand, one, complete bool) Relation {
	kernel := func(n int) *data.Dense {
		x := data.NewDense(n, 2, nil)
		for i := range x.Data {
			x.Data[i] = r.NormFloat64()
		}
		k := data.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				a, b := x.Row(i), x.Row(j)
				k.Row(i)[j] = math.Exp(-((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1])))
			}
		}
		return k
	}
	rel := Relation{Rows: kernel(5 + r.IntN(3))}
	if rel.Cols = rel.Rows; !one {
		rel.Cols = kernel(5 + r.IntN(3))
	}
	for i := range rel.Rows.Rows {
		for j := range rel.Cols.Rows {
			if complete || r.IntN(4) > 0 {
				rel.Edges.Row, rel.Edges.Col = append(rel.Edges.Row, int32(i)), append(rel.Edges.Col, int32(j))
				rel.Y = append(rel.Y, float64(r.IntN(4)))
			}
		}
	}
	return rel
}

// retrained is the score of edge e by the explicit solution over the edges kept.
func retrained(r Relation, e int, lambda float64, keep func(h int) bool) float64 {
	var edges []naive.Edge
	for h, y := range r.Y {
		if keep(h) {
			edges = append(edges, naive.Edge{Row: int(r.Edges.Row[h]), Col: int(r.Edges.Col[h]), Y: y})
		}
	}
	rows := func(a, b int) float64 { return r.Rows.Row(a)[b] }
	cols := func(a, b int) float64 { return r.Cols.Row(a)[b] }
	k := func(d, t, d2, t2 int) float64 {
		return naive.PairKernel(string(r.Pairwise()), rows, cols, d, t, d2, t2)
	}
	return naive.Relational(edges, k, r.Learn.Loss != kron.Regression, lambda)(int(r.Edges.Row[e]), int(r.Edges.Col[e]))
}

// TestRelationFolds checks, for every setting, relation and loss, that each held-out
// score is that of a training on the edges its fold leaves, and that these are
// the ones that the setting leaves.
func TestRelationFolds(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	for round := range 12 {
		for _, learn := range []kron.Options{{Loss: kron.Regression}, {Loss: kron.Ranking}, {Loss: kron.Regression, Relation: kron.Symmetric}, {Loss: kron.Ranking, Relation: kron.Reciprocal}} {
			reverse := learn.Relation != ""
			rel := drawRelation(r, reverse, round%2 == 0)
			rel.Learn, rel.Solve.Tolerance = learn, 1e-12
			for _, s := range kron.Settings {
				o := RelationOptions{Setting: s, Method: Method{KFold, 2}, Lambdas: []float64{0.1, 2}, Seed: uint64(round)}
				cells, err := rel.cells(o)
				if err != nil {
					t.Fatal(err)
				}
				held := map[int]int{}
				for k, c := range cells {
					for _, e := range c.test {
						held[e] = k
					}
					checkCell(t, rel, s, reverse, c)
				}
				_, err = rel.folds(t.Context(), &o, func(l int, scores []float64) error {
					for e, f := range scores {
						k, in := held[e]
						if !in || len(cells[k].train) == 0 {
							if f == f {
								t.Errorf("%s: edge %d has a score and no fold", s, e)
							}
							continue
						}
						train := map[int]bool{}
						for _, h := range cells[k].train {
							train[h] = true
						}
						if want := retrained(rel, e, o.Lambdas[l], func(h int) bool { return train[h] }); math.Abs(f-want) > 1e-7*(1+math.Abs(want)) {
							t.Fatalf("%+v %s: edge %d scored %v without its fold, want %v", learn, s, e, f, want)
						}
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}

// checkCell checks that the training of a fold knows no more than the setting
// lets it.
func checkCell(t *testing.T, r Relation, s kron.Setting, reverse bool, c cell) {
	t.Helper()
	rows, cols := map[int32]bool{}, map[int32]bool{}
	for _, e := range c.train {
		rows[r.Edges.Row[e]], cols[r.Edges.Col[e]] = true, true
		if reverse {
			rows[r.Edges.Col[e]], cols[r.Edges.Row[e]] = true, true
		}
	}
	for _, e := range c.test {
		if (s == kron.Rows || s == kron.Both) && rows[r.Edges.Row[e]] || (s == kron.Cols || s == kron.Both) && cols[r.Edges.Col[e]] {
			t.Errorf("%s: the training without edge (%d,%d) has seen what is new", s, r.Edges.Row[e], r.Edges.Col[e])
		}
		for _, h := range c.train {
			same := r.Edges.Row[h] == r.Edges.Row[e] && r.Edges.Col[h] == r.Edges.Col[e]
			turned := reverse && r.Edges.Row[h] == r.Edges.Col[e] && r.Edges.Col[h] == r.Edges.Row[e]
			if same || turned {
				t.Errorf("%s: the training without edge (%d,%d) has it", s, r.Edges.Row[e], r.Edges.Col[e])
			}
		}
	}
}

// TestRelationEstimate checks the errors and the choice against their definition
// over held-out scores, for the exact shortcuts.
func TestRelationEstimate(t *testing.T) {
	r := rand.New(rand.NewPCG(93, 94))
	rel := drawRelation(r, false, true)
	rel.Learn.Loss = kron.Regression
	tau := metric.TauB
	for _, s := range kron.Settings {
		o := RelationOptions{Setting: s, Method: Method{Kind: LeaveOneOut}, Lambdas: []float64{0.01, 0.3, 8}, Metrics: []metric.Metric{metric.TauB}}
		got, err := EstimateRelation(t.Context(), rel, o)
		if err != nil {
			t.Fatal(err)
		}
		if got.Retrained || got.Held != len(rel.Y) {
			t.Errorf("%s: %+v", s, got)
		}
		best := 0
		for l, p := range got.Points {
			scores := make([]float64, len(rel.Y))
			for e := range scores {
				scores[e] = retrained(rel, e, o.Lambdas[l], func(h int) bool {
					sameRow, sameCol := rel.Edges.Row[h] == rel.Edges.Row[e], rel.Edges.Col[h] == rel.Edges.Col[e]
					return map[kron.Setting]bool{kron.Pairs: h != e, kron.Rows: !sameRow, kron.Cols: !sameCol, kron.Both: !sameRow && !sameCol}[s]
				})
			}
			wrong, pairs, all, of := 0.0, 0.0, 0.0, 0.0
			for e := range scores {
				for h := range scores {
					if rel.Y[e] <= rel.Y[h] {
						continue
					}
					bad := 0.0
					if scores[e] < scores[h] {
						bad = 1
					}
					all, of = all+bad, of+1
					if rel.Edges.Row[e] == rel.Edges.Row[h] {
						wrong, pairs = wrong+bad, pairs+1
					}
				}
			}
			if math.Abs(p.Error-wrong/pairs) > 1e-12 || p.Pairs != int64(pairs) || math.Abs(p.Pooled.Value-all/of) > 1e-12 || p.Lambda != o.Lambdas[l] || !p.Metrics[0].Defined {
				t.Errorf("%s λ=%v: %+v, want error %v over %v pairs, pooled %v", s, o.Lambdas[l], p, wrong/pairs, pairs, all/of)
			}
			if p.Error <= got.Points[best].Error {
				best = l
			}
		}
		if got.Best != best {
			t.Errorf("%s: chose %d, the least error is at %d", s, got.Best, best)
		}
		o.Choose = &tau
		if byTau, err := EstimateRelation(t.Context(), rel, o); err != nil || !byTau.Points[0].Chosen.Defined {
			t.Errorf("%s by tau-b: %+v, %v", s, byTau, err)
		}
	}
	o := RelationOptions{Setting: kron.Both, Method: Method{Kind: LeaveOneOut}, Lambdas: []float64{1}, Sample: 12, Seed: 3}
	if got, err := EstimateRelation(t.Context(), rel, o); err != nil || got.Held != 12 {
		t.Errorf("a sample of 12: %+v, %v", got, err)
	}
	var inexact *kron.NotExactError
	rel.Learn.Loss = kron.Ranking
	if _, err := EstimateRelation(t.Context(), rel, o); !errors.As(err, &inexact) {
		t.Errorf("ranking without row and column: %v", err)
	}
	rel.TwoStep = 0.5
	if got, err := EstimateRelation(t.Context(), rel, o); err != nil || got.Retrained {
		t.Errorf("two steps without row and column: %+v, %v", got, err)
	}
	o.Method, o.Setting = Method{KFold, 3}, kron.Rows
	if got, err := EstimateRelation(t.Context(), rel, o); err != nil || !got.Retrained {
		t.Errorf("two steps in folds of rows: %+v, %v", got, err)
	}
}

// TestScoresTieAlike: scores apart by rounding are one, others stay apart, wherever
// they lie.
func TestScoresTieAlike(t *testing.T) {
	for _, scale := range []float64{1e-300, 1e-12, 1, 3e7, 1e300} {
		f := []float64{0.3 * scale, (0.1 + 0.2) * scale, 0.3 * scale * (1 + 1e-11), -scale, 0}
		tieEdges(f)
		if f[0] != f[1] || f[0] == f[2] || math.Abs(f[0]-0.3*scale) > 1e-12*scale || math.Abs(f[3]+scale) > 1e-12*scale || f[4] != 0 {
			t.Errorf("scale %g: %v", scale, f)
		}
	}
	for i := range 1000 { // there is no grid that parts them
		v := 1 + float64(i)*0x1p-43
		if f := []float64{v, v * (1 + 0x1p-50), -2}; true {
			if tieEdges(f); f[0] != f[1] {
				t.Errorf("%v stay apart", f)
			}
		}
	}
	// Most scores are rounding of a few: they tie.
	few := []float64{0.7, 3e-17, -2e-17, 1e-17, 0, 5e-18, 0.2}
	if tieEdges(few); few[1] != few[2] || few[2] != few[3] || few[4] != few[5] || few[1] != few[4] || few[6] != 0.2 {
		t.Errorf("rounding stays apart: %v", few)
	}
	none := []float64{0, 0}
	if tieEdges(none); none[0] != 0 || none[1] != 0 {
		t.Errorf("zeros become %v", none)
	}
	tieEdges(nil)
}

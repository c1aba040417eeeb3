package relation

import (
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/holdout"
	"pairrank/internal/kron"
	"pairrank/internal/naive"
	"pairrank/relation/edge"
)

// drawGraph is random nodes in the plane with Gaussian kernels, and labels of
// all pairs or of some.
func drawGraph(r *rand.Rand, one, complete bool) *graph {
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
	rel := &graph{rows: kernel(5 + r.IntN(3))}
	if rel.cols = rel.rows; !one {
		rel.cols = kernel(5 + r.IntN(3))
	}
	for i := range rel.rows.Rows {
		for j := range rel.cols.Rows {
			if complete || r.IntN(4) > 0 {
				rel.edges.Row, rel.edges.Col = append(rel.edges.Row, int32(i)), append(rel.edges.Col, int32(j))
				rel.y = append(rel.y, float64(r.IntN(4)))
			}
		}
	}
	rel.kernel = rel.learn.Relation.Pairwise()
	return rel
}

// retrained is the score of edge e by the explicit solution over the edges kept.
func retrained(r *graph, e int, lambda float64, keep func(h int) bool) float64 {
	var edges []naive.Edge
	for h, y := range r.y {
		if keep(h) {
			edges = append(edges, naive.Edge{Row: int(r.edges.Row[h]), Col: int(r.edges.Col[h]), Y: y})
		}
	}
	rows := func(a, b int) float64 { return r.rows.Row(a)[b] }
	cols := func(a, b int) float64 { return r.cols.Row(a)[b] }
	k := func(d, t, d2, t2 int) float64 {
		return naive.PairKernel(string(r.kernel), rows, cols, d, t, d2, t2)
	}
	return naive.Relational(edges, k, r.learn.Loss != edge.Regression, lambda)(int(r.edges.Row[e]), int(r.edges.Col[e]))
}

// TestFolds checks, for every setting, relation and loss, that each held-out score comes from a training on the
// edges outside its fold, and that these are the edges that the setting leaves.
func TestFolds(t *testing.T) {
	r := rand.New(rand.NewPCG(91, 92))
	for round := range 12 {
		for _, learn := range []kron.Options{{Loss: edge.Regression}, {Loss: edge.Ranking},
			{Loss: edge.Regression, Relation: edge.Symmetric}, {Loss: edge.Ranking, Relation: edge.Reciprocal}} {
			reverse := learn.Relation != ""
			rel := drawGraph(r, reverse, round%2 == 0)
			rel.learn, rel.solve.Tolerance = learn, 1e-12
			for _, s := range edge.Settings {
				lambdas := []float64{0.1, 2}
				o := scheme{setting: s, method: cv.Method{Kind: cv.KFold, Folds: 2}, seed: uint64(round)}
				if round%3 == 2 {
					o.method = cv.Method{Kind: cv.LeaveOneOut}
				}
				rel.kernel = learn.Relation.Pairwise()
				splits, err := rel.splits(o)
				if err != nil {
					t.Fatal(err)
				}
				held := map[int32]int{}
				for k := range splits.Len() {
					for _, e := range splits.Test(k) {
						held[e] = k
					}
					if len(splits.Test(k)) > 0 {
						checkSplit(t, rel, s, reverse, splits.Test(k), splits.Train(k))
					}
				}
				checkHeld(t, rel, o, splits)
				var unconverged atomic.Int64
				for l, lambda := range lambdas {
					f, err := holdout.HeldOut(t.Context(), rel.retrained(&unconverged),
						holdout.Labels{Y: rel.y}, holdout.Options{Method: o.method, Splits: splits,
							Candidates: lambdas}, lambda)
					if err != nil {
						t.Fatal(err)
					}
					for e, f := range f.Data {
						k, in := held[int32(e)]
						if !in {
							if f == f {
								t.Errorf("%s: edge %d has a score and no fold", s, e)
							}
							continue
						}
						train := map[int]bool{}
						for _, h := range splits.Train(k) {
							train[h] = true
						}
						want := retrained(rel, e, lambdas[l], func(h int) bool { return train[h] })
						if math.Abs(f-want) > 1e-7*(1+math.Abs(want)) {
							t.Fatalf("%+v %s: edge %d scored %v without its fold, want %v", learn, s, e, f, want)
						}
					}
				}
			}
		}
	}
}

// checkHeld checks that everything is held out that may be: all edges; in one domain those with an end on each
// side; with Both those with both ends in the fold. Nothing is held out that would leave nothing to train on.
func checkHeld(t *testing.T, r *graph, o scheme, s *holdout.Splits) {
	t.Helper()
	want := len(r.y)
	switch {
	case r.mirrored() && (o.setting == edge.Rows || o.setting == edge.Cols) && o.method.Kind == cv.LeaveOneOut:
		for e := range r.y {
			if r.edges.Row[e] == r.edges.Col[e] {
				want--
			}
		}
	case r.mirrored() && o.setting != edge.Pairs:
		return
	}
	if o.method.Kind == cv.KFold && o.setting == edge.Both {
		return // folds of few nodes may leave nothing
	}
	if got := len(s.Held()); got != want {
		t.Errorf("%+v: %d of %d edges are held out, want %d", o, got, len(r.y), want)
	}
}

// checkSplit checks that the training of a fold sees only what the setting allows.
func checkSplit(t *testing.T, r *graph, s edge.Setting, reverse bool, test []int32, train []int) {
	t.Helper()
	rows, cols := map[int32]bool{}, map[int32]bool{}
	for _, e := range train {
		rows[r.edges.Row[e]], cols[r.edges.Col[e]] = true, true
		if reverse {
			rows[r.edges.Col[e]], cols[r.edges.Row[e]] = true, true
		}
	}
	for _, e := range test {
		if (s == edge.Rows || s == edge.Both) && rows[r.edges.Row[e]] ||
			(s == edge.Cols || s == edge.Both) && cols[r.edges.Col[e]] {
			t.Errorf("%s: the training without edge (%d,%d) has seen what is new", s, r.edges.Row[e], r.edges.Col[e])
		}
		for _, h := range train {
			same := r.edges.Row[h] == r.edges.Row[e] && r.edges.Col[h] == r.edges.Col[e]
			turned := reverse && r.edges.Row[h] == r.edges.Col[e] && r.edges.Col[h] == r.edges.Row[e]
			if same || turned {
				t.Errorf("%s: the training without edge (%d,%d) has it", s, r.edges.Row[e], r.edges.Col[e])
			}
		}
	}
}

// TestEstimateIsItsDefinition checks the errors and the choice of leave-one-out against their definition over
// held-out scores, which are compared across trainings.
func TestEstimateIsItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(93, 94))
	rel := drawGraph(r, false, true)
	rel.learn.Loss = edge.Regression
	tau := metric.TauB
	for _, setting := range edge.Settings {
		o := scheme{setting: setting, method: cv.Method{Kind: cv.LeaveOneOut}}
		m := Options{Lambdas: []float64{0.01, 0.3, 8}, Also: []metric.Metric{metric.TauB}}
		s, got, err := estimated(t, rel, o, m)
		if err != nil {
			t.Fatal(err)
		}
		if got.Retrained || len(s.splits.Held()) != len(rel.y) {
			t.Errorf("%s: %+v", setting, got)
		}
		best := 0
		for l, p := range got.Points {
			scores := make([]float64, len(rel.y))
			for e := range scores {
				scores[e] = retrained(rel, e, m.Lambdas[l], func(h int) bool {
					sameRow, sameCol := rel.edges.Row[h] == rel.edges.Row[e], rel.edges.Col[h] == rel.edges.Col[e]
					return map[edge.Setting]bool{edge.Pairs: h != e, edge.Rows: !sameRow, edge.Cols: !sameCol,
						edge.Both: !sameRow && !sameCol}[setting]
				})
			}
			wrong, pairs, all, of := 0.0, 0.0, 0.0, 0.0
			for e := range scores {
				for h := range scores {
					if rel.y[e] <= rel.y[h] {
						continue
					}
					bad := 0.0
					if scores[e] < scores[h] {
						bad = 1
					}
					all, of = all+bad, of+1
					if rel.edges.Row[e] == rel.edges.Row[h] {
						wrong, pairs = wrong+bad, pairs+1
					}
				}
			}
			if math.Abs(p.Error-wrong/pairs) > 1e-12 || p.Pairs != int64(pairs) ||
				p.Pooled.Defined == (setting == edge.Rows) || p.Pooled.Defined &&
				math.Abs(p.Pooled.Value-all/of) > 1e-12 ||
				p.Candidate != m.Lambdas[l] || !p.Also[0].Defined {
				t.Errorf("%s λ=%v: %+v, want error %v over %v pairs, pooled %v", setting, m.Lambdas[l], p, wrong/pairs,
					pairs, all/of)
			}
			if p.Error <= got.Points[best].Error {
				best = l
			}
		}
		if got.Best != best {
			t.Errorf("%s: chose %d, the least error is at %d", setting, got.Best, best)
		}
		m.Metric = &tau
		if _, byTau, err := estimated(t, rel, o, m); err != nil || !byTau.Points[0].Metric.Defined {
			t.Errorf("%s by tau-b: %+v, %v", setting, byTau, err)
		}
	}
	o, m := scheme{setting: edge.Both, method: cv.Method{Kind: cv.LeaveOneOut},
		seed: 3}, Options{Lambdas: []float64{1}}
	var inexact *kron.NotExactError
	rel.learn.Loss = edge.Ranking
	if _, _, err := estimated(t, rel, o, m); !errors.As(err, &inexact) {
		t.Errorf("ranking without row and column: %v", err)
	}
	rel.twoStep = 0.5
	if _, got, err := estimated(t, rel, o, m); err != nil || got.Retrained {
		t.Errorf("two steps without row and column: %+v, %v", got, err)
	}
	o.method, o.setting = cv.Method{Kind: cv.KFold, Folds: 3}, edge.Rows
	if _, got, err := estimated(t, rel, o, m); err != nil || !got.Retrained {
		t.Errorf("two steps in folds of rows: %+v, %v", got, err)
	}
}

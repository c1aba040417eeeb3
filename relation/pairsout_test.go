package relation

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/gen"
	"pairrank/internal/kron"
	"pairrank/internal/naive"
	"pairrank/relation/edge"
)

// scorer trains without some edges, each training once.
type scorer struct {
	g       *graph
	lambda  float64
	trained map[string]func(e int) float64
}

// without returns the score of edge e by definition, from training on the kept edges.
func (s *scorer) without(keep func(h int) bool, e int) float64 {
	var kept []int
	for h := range s.g.y {
		if keep(h) {
			kept = append(kept, h)
		}
	}
	key := fmt.Sprint(kept)
	if s.trained[key] == nil {
		s.trained[key] = s.train(kept)
	}
	return s.trained[key](e)
}

func (s *scorer) train(kept []int) func(e int) float64 {
	g := s.g
	if len(kept) == 0 {
		return func(int) float64 { return 0 }
	}
	if g.twoStep > 0 {
		rows, cols := map[int]bool{}, map[int]bool{}
		for _, h := range kept {
			rows[int(g.edges.Row[h])], cols[int(g.edges.Col[h])] = true, true
		}
		return func(e int) float64 {
			return twoRidges(g, rows, cols, s.lambda, int(g.edges.Row[e]), int(g.edges.Col[e]))
		}
	}
	var edges []naive.Edge
	for _, h := range kept {
		edges = append(edges, naive.Edge{Row: int(g.edges.Row[h]), Col: int(g.edges.Col[h]), Y: g.y[h]})
	}
	rows := func(a, b int) float64 { return g.rows.Row(a)[b] }
	cols := func(a, b int) float64 { return g.cols.Row(a)[b] }
	k := func(d, t, d2, t2 int) float64 { return naive.PairKernel(string(g.kernel), rows, cols, d, t, d2, t2) }
	f := naive.Relational(edges, k, g.learn.Loss != edge.Regression, s.lambda)
	return func(e int) float64 { return f(int(g.edges.Row[e]), int(g.edges.Col[e])) }
}

// twoRidges is two-step learning of the remaining nodes, each step by naive.Relational with a single column or
// row.
func twoRidges(g *graph, rows, cols map[int]bool, lambda float64, row, col int) float64 {
	one := func(int, int) float64 { return 1 }
	step := func(nodes map[int]bool, k *data.Dense, lambda float64, at int, y func(i int) float64) float64 {
		var edges []naive.Edge
		for i := range k.Rows {
			if nodes[i] {
				edges = append(edges, naive.Edge{Row: i, Y: y(i)})
			}
		}
		of := func(a, b int) float64 { return k.Row(a)[b] }
		return naive.Relational(edges, func(d, t, d2, t2 int) float64 {
			return naive.PairKernel("kronecker", of, one, d, t, d2, t2)
		}, false, lambda)(at, 0)
	}
	y := g.complete()
	return step(cols, g.cols, g.twoStep, col, func(j int) float64 {
		return step(rows, g.rows, lambda, row, func(i int) float64 { return y.Row(i)[j] })
	})
}

// byDefinition returns the share of the pairs of a row with different labels in the wrong order. together(e, h)
// says which edges are trained on when e and h are compared, nil if they are not compared.
func (s *scorer) byDefinition(together func(e, h int) func(k int) bool) (share float64, pairs int64) {
	wrong := 0.0
	for e := range s.g.y {
		for h := range s.g.y {
			if s.g.edges.Row[e] != s.g.edges.Row[h] || s.g.y[e] <= s.g.y[h] {
				continue
			}
			keep := together(e, h)
			if keep == nil {
				continue
			}
			pairs++
			switch a, b := s.without(keep, e), s.without(keep, h); {
			case math.Abs(a-b) <= 1e-9*(math.Abs(a)+math.Abs(b)):
				wrong += 0.5
			case a < b:
				wrong++
			}
		}
	}
	return wrong / float64(pairs), pairs
}

// drawRelation draws a random relation for a setting: all losses, relations, kernels and learners, with missing
// edges if folds are trained.
func drawRelation(r *rand.Rand) *graph {
	learn := []kron.Options{{Loss: edge.Regression}, {Loss: edge.Ranking}, {Loss: edge.Regression,
		Relation: edge.Symmetric}, {Loss: edge.Ranking, Relation: edge.Reciprocal}}[max(0, r.IntN(8)-4)]
	if learn.Relation == "" {
		learn.Loss = []edge.Loss{edge.Regression, edge.Ranking}[r.IntN(2)]
	}
	complete := r.IntN(3) > 0
	g := drawGraph(r, learn.Relation != "" || r.IntN(4) == 0, complete)
	g.learn, g.solve.Tolerance, g.kernel = learn, 1e-13, learn.Relation.Pairwise()
	if complete && learn.Relation == "" && r.IntN(4) == 0 {
		g.twoStep = math.Exp2(6*r.Float64() - 3)
	}
	return g
}

// TestErrorsAreOfOneTraining compares the errors of random relations with their definition: two edges are
// compared by one training without what is new in both, or without their fold.
func TestErrorsAreOfOneTraining(t *testing.T) {
	r := rand.New(rand.NewPCG(121, 122))
	exact, folds := 0, 0
	for round := range gen.Count(t, 40) {
		g := drawRelation(r)
		setting := edge.Settings[r.IntN(4)]
		p := &problem{Problem: &Problem{Edges: g.edges, Y: g.y},
			o: EstimateOptions{Options: Options{Setting: setting, Seed: uint64(round)}.Resolved()}}
		method, _ := p.o.defaultMethod(g)
		if g.twoStep > 0 && setting == edge.Pairs { // the definition has no training for it: see package kron
			continue
		}
		lambda := math.Exp2(10*r.Float64() - 6)
		of, got, err := estimated(t, g, scheme{setting: setting, method: method, seed: uint64(round)},
			Options{Lambdas: []float64{lambda}})
		if err != nil {
			t.Fatalf("%s %s: %v", setting, method, err)
		}
		s := &scorer{g, lambda, map[string]func(int) float64{}}
		row, col := g.edges.Row, g.edges.Col
		together := func(e, h int) func(k int) bool {
			return func(k int) bool {
				new := map[edge.Setting]bool{
					edge.Pairs: k == e || k == h, edge.Rows: row[k] == row[e], edge.Cols: col[k] == col[e] ||
						col[k] == col[h],
				}
				new[edge.Both] = new[edge.Rows] || new[edge.Cols]
				return !new[setting]
			}
		}
		if exact++; method.Kind == cv.KFold {
			exact, folds = exact-1, folds+1
			set, splits := make(map[int]int), of.splits
			for k := range splits.Len() {
				for _, e := range splits.Test(k) {
					set[int(e)] = k + 1
				}
			}
			together = func(e, h int) func(k int) bool {
				if set[e] == 0 || set[e] != set[h] {
					return nil
				}
				train := splits.Train(set[e] - 1)
				return func(k int) bool { _, in := slices.BinarySearch(train, k); return in }
			}
		}
		share, pairs := s.byDefinition(together)
		if at := got.Points[0]; math.Abs(at.Error-share) > 1e-12 || at.Pairs != pairs {
			t.Errorf("%s %s, %+v, λ = %v, two steps %v: error %v of %d pairs, by definition %v of %d", setting,
				method, g.learn, lambda, g.twoStep, at.Error, at.Pairs, share, pairs)
		}
	}
	t.Logf("%d by the shortcut, %d by folds", exact, folds)
	if exact == 0 || folds == 0 {
		t.Error("one of the two was not tested")
	}
}

// fixed compares by given scores.
type fixed struct{ f *data.Dense }

func (m fixed) margins(float64, edge.Setting) (kron.MarginsTo, error) {
	return func(_ context.Context, dst []float64, pairs []kron.Compared) error {
		for h, c := range pairs {
			dst[h] = m.f.Row(int(c.Row))[c.A] - m.f.Row(int(c.Row))[c.B]
		}
		return nil
	}, nil
}

// someScores draws labels, two or many, and scores that correlate with them.
func someScores(r *rand.Rand, rows, cols int, two bool) (y, f *data.Dense) {
	y, f = data.NewDense(rows, cols, nil), data.NewDense(rows, cols, nil)
	for i := range rows {
		ease := r.Float64()
		for j := range cols {
			v := r.NormFloat64()
			if y.Row(i)[j] = math.Round(2 * v); two {
				y.Row(i)[j] = map[bool]float64{true: 1}[v > 1]
			}
			f.Row(i)[j] = math.Round(4 * (2*ease*v + r.NormFloat64()))
		}
	}
	return y, f
}

// Every pair with different labels is compared once. The pairs with the same greater edge follow one another,
// or all pairs of two columns. Samples are some of them, by the seed.
func TestPairsOut(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, two := range []bool{false, true} {
		for _, s := range []edge.Setting{edge.Pairs, edge.Cols, edge.Both} {
			y, f := someScores(r, 30, 20, two)
			all := newPairsOut(y, s, 1)
			seen, last := map[kron.Compared]int{}, kron.Compared{}
			groups := 0
			for block := range all.blocks() {
				for _, c := range block {
					if c.A != last.A || s == edge.Cols && c.B != last.B || s != edge.Cols && c.Row != last.Row {
						groups++
					}
					if last = c; y.Row(int(c.Row))[c.A] < y.Row(int(c.Row))[c.B] {
						c.A, c.B = c.B, c.A
					}
					seen[c]++
				}
			}
			want, greater := 0, 0
			for i := range y.Rows {
				for a, v := range y.Row(i) {
					more := 0
					for b, w := range y.Row(i) {
						if v > w {
							if more++; seen[kron.Compared{Row: int32(i), A: int32(a), B: int32(b)}] != 1 {
								t.Fatalf("%s: columns %d and %d of row %d are not compared once", s, a, b, i)
							}
						}
					}
					want += more
					greater += min(more, 1)
				}
			}
			if s == edge.Cols {
				greater = y.Cols * (y.Cols - 1) / 2
			}
			if len(seen) != want || int(all.total) != want || groups > greater {
				t.Errorf("%s: %d pairs in %d groups, want %d in %d", s, len(seen), groups, want, greater)
			}
			point, err := all.point(t.Context(), fixed{f}, 1)
			if err != nil || point.Drawn != 0 || point.Pairs != all.total {
				t.Errorf("%s: %+v, %v", s, point, err)
			}
			some := newPairsOut(y, s, 1)
			some.draw(400, false, 0, 1)
			drawn, err := some.point(t.Context(), fixed{f}, 1)
			again, _ := some.point(t.Context(), fixed{f}, 1)
			if err != nil || drawn.Drawn == 0 || drawn.Drawn >= point.Pairs || drawn.Pairs != point.Pairs ||
				!drawn.DrawErr.Defined || again.Error != drawn.Error {
				t.Errorf("%s: drawn %+v, %v", s, drawn, err)
			}
		}
	}
}

// TestDrawErr compares the standard error of sampling with the spread of 500 samples. It is that of simple
// random samples; samples from stretches do not spread more.
func TestDrawErr(t *testing.T) {
	const drawings = 500
	r := rand.New(rand.NewPCG(7, 8))
	for _, two := range []bool{false, true} {
		y, f := someScores(r, 40, 30, two)
		for _, s := range []edge.Setting{edge.Pairs, edge.Cols} {
			for _, sample := range []int{500, 2500} {
				t.Run(fmt.Sprintf("two=%v/%s/sample=%d", two, s, sample), func(t *testing.T) {
					whole, err := newPairsOut(y, s, 0).point(t.Context(), fixed{f}, 1)
					if err != nil {
						t.Fatal(err)
					}
					off, stated := 0.0, 0.0
					for seed := range drawings {
						some := newPairsOut(y, s, uint64(seed))
						some.draw(sample, false, 0, 1)
						p, err := some.point(t.Context(), fixed{f}, 1)
						if err != nil {
							t.Fatal(err)
						}
						stated += p.DrawErr.Value * p.DrawErr.Value / drawings
						off += (p.Error - whole.Error) * (p.Error - whole.Error) / drawings
					}
					// The root of 500 squares is within about 3 % of its mean.
					ratio := math.Sqrt(stated / off)
					t.Logf("stated %.4f, drawn %.4f, ratio %.3f", math.Sqrt(stated), math.Sqrt(off), ratio)
					if ratio < 0.9 || ratio > 1.5 {
						t.Errorf("the errors are off by %.4f, and %.4f is stated", math.Sqrt(off), math.Sqrt(stated))
					}
				})
			}
		}
	}
}

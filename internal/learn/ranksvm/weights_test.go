package ranksvm

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/ostat"
	"pairrank/pref"
)

// explicitPairs lists the pairs of weighted rows with the shares that they have in the loss.
func explicitPairs(p gen.Problem, w []float64, censored []bool, by pref.Weight) (edges []pref.Edge) {
	all, lists := make([]float64, p.Queries), 0.0
	each := func(do func(i, j int, weight float64)) {
		for i := range p.M {
			for j := range p.M {
				above := p.Y[i] > p.Y[j]
				if censored != nil {
					above = !censored[j] && (above || p.Y[i] == p.Y[j] && censored[i])
				}
				if p.Query[i] == p.Query[j] && above {
					do(i, j, w[i]*w[j])
				}
			}
		}
	}
	each(func(i, _ int, weight float64) {
		if all[p.Query[i]] == 0 {
			lists++
		}
		all[p.Query[i]] += weight
	})
	each(func(i, j int, weight float64) {
		if by == pref.Edges {
			weight /= all[p.Query[i]] * lists
		}
		edges = append(edges, pref.Edge{I: i, J: j, Magnitude: 1, Weight: weight})
	})
	return edges
}

// TestWeightedOptimum compares weights of rows with an explicit list of pairs that weigh w_i w_j, to 1e-8, and with
// copies of the rows where they are whole; weights of 1 are none, and a factor of all changes nothing: of labels and of
// censored times.
func TestWeightedOptimum(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for trial := range gen.Count(t, 150) {
		p := gen.New(r, gen.Options{MaxRows: 40, MaxFeatures: 6, OneQuery: trial%3 == 0})
		w := make([]float64, p.M)
		for i := range w {
			w[i] = 0.1 + r.ExpFloat64()
			if trial%2 == 0 {
				w[i] = float64(1 + r.IntN(3))
			}
		}
		var censored []bool
		if trial/3%2 == 1 {
			censored = p.Censored(r)
		}
		lambda, by := gen.Lambda(r, -8, 3), []pref.Weight{pref.Pairs, pref.Edges}[r.IntN(2)]
		for _, o := range []Options{{Loss: Hinge, Epsilon: 1e-11}, {Loss: SquaredHinge, Epsilon: 1e-9}} {
			list := o
			s, err := NewPairs(rowsOf(p, false), explicitPairs(p, w, censored, by), list)
			if err != nil {
				t.Fatal(err)
			}
			want, err := s.Train(t.Context(), lambda)
			if err != nil {
				t.Fatal(err)
			}
			o.Weight, o.RowWeights, o.Censored = by, w, censored
			near := func(what string, f *Fit) {
				t.Helper()
				if off := math.Abs(f.Objective - want.Objective); off > 1e-8*want.Objective+f.Gap+want.Gap {
					t.Errorf("%s %s: J = %v, %v over pairs (gaps %.2g, %.2g)", o.Loss, what, f.Objective, want.Objective,
						f.Gap, want.Gap)
				}
			}
			for _, way := range []ostat.Counting{ostat.Auto, ostat.Tree, ostat.Fenwick, ostat.Direct} {
				o.Counter = way
				near(string(way), fit(t, p, lambda, o, false))
			}
			o.Counter = ""
			scaled := o
			scaled.RowWeights = slices.Clone(w)
			for i := range w {
				scaled.RowWeights[i] *= 0x1p600
			}
			f := fit(t, p, lambda, o, true)
			if g := fit(t, p, lambda, scaled, true); !slices.Equal(f.Weights, g.Weights) {
				t.Errorf("%s: a factor of 2^600 changes the weights", o.Loss)
			}
			if trial%2 == 0 {
				copied, marks := copiesOf(p, w, censored)
				near("copies", fit(t, copied, lambda, Options{Loss: o.Loss, Epsilon: o.Epsilon, Weight: by, Censored: marks},
					false))
			}
			onesAreNone(t, p, lambda, Options{Loss: o.Loss, Weight: by, Censored: censored})
		}
	}
}

// onesAreNone compares weights of 1 with none: to the last bits of J, since counts become sums.
func onesAreNone(t *testing.T, p gen.Problem, lambda float64, o Options) {
	t.Helper()
	none := fit(t, p, lambda, o, false)
	o.RowWeights = slices.Repeat([]float64{1}, p.M)
	if one := fit(t, p, lambda, o, false); !slices.Equal(one.Weights, none.Weights) || one.Pairs != none.Pairs {
		t.Errorf("%s: weights of 1 give %v, none %v", o.Loss, one.Weights, none.Weights)
	}
}

// copiesOf has each row as often as its weight says.
func copiesOf(p gen.Problem, w []float64, censored []bool) (out gen.Problem, marks []bool) {
	out = p
	out.X, out.Y, out.Query, out.M = nil, nil, nil, 0
	for i, v := range w {
		for range int(v) {
			out.X = append(out.X, p.X[i*p.N:(i+1)*p.N]...)
			out.Y, out.Query, out.M = append(out.Y, p.Y[i]), append(out.Query, p.Query[i]), out.M+1
			if censored != nil {
				marks = append(marks, censored[i])
			}
		}
	}
	return out, marks
}

// Sums of weights of long lists are the same for any number of threads.
func TestWeightedBytesForAnyThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	x, y := madeRows(40_000, 8, 8)
	w := make([]float64, len(y))
	for i := range w {
		w[i] = r.ExpFloat64()
	}
	for _, loss := range Losses {
		var first []float64
		for _, threads := range []int{1, 2, 3} {
			old := runtime.GOMAXPROCS(threads)
			s, err := New(x, y, data.OneList(len(y)), Options{Loss: loss, RowWeights: w})
			if err != nil {
				t.Fatal(err)
			}
			f, err := s.Train(t.Context(), 0.01)
			runtime.GOMAXPROCS(old)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = f.Weights
			} else if !slices.Equal(first, f.Weights) {
				t.Errorf("%s: %d threads give other weights", loss, threads)
			}
		}
	}
}

// BenchmarkWeighted times a training with weights and without.
func BenchmarkWeighted(b *testing.B) {
	for _, levels := range []float64{0, 1} {
		x, y := madeRows(200_000, 10, 10)
		for i := range y {
			if levels > 0 {
				y[i] = min(max(math.Round(y[i]/3), -2), 2)
			}
		}
		w := make([]float64, len(y))
		r := rand.New(rand.NewPCG(55, 56))
		for i := range w {
			w[i] = r.ExpFloat64()
		}
		for _, loss := range Losses {
			for name, weights := range map[string][]float64{"none": nil, "weights": w} {
				b.Run(string(loss)+map[float64]string{0: "/distinct/", 1: "/5 labels/"}[levels]+name, func(b *testing.B) {
					for b.Loop() {
						s, err := New(x, y, data.OneList(len(y)), Options{Loss: loss, RowWeights: weights})
						if err != nil {
							b.Fatal(err)
						}
						f, err := s.Train(b.Context(), 1e-3)
						if err != nil {
							b.Fatal(err)
						}
						b.ReportMetric(float64(f.Evaluations), "evaluations")
					}
				})
			}
		}
	}
}

// TestAPlaneWithoutWeightTakesNoStep: one row differs, and equal rows have both labels, so that planes are affine
// combinations of others up to rounding. A plane of weight 0 that has no step either stays where it is.
func TestAPlaneWithoutWeightTakesNoStep(t *testing.T) {
	equal := []float64{-1.174899840662019, 0, -0.24560775155546294, -0.2385441288162582, -2.349799681324038}
	other := []float64{-0.6313076565125739, -0.5782860691509795, -0.6318724369483697, -2.1494209734157685,
		-1.2626153130251478}
	p := gen.Problem{M: 7, N: 5, Y: []float64{1, 1, 1, 1, 0, 0, 0}, Query: make([]int, 7), Queries: 1,
		X: slices.Concat(slices.Repeat(equal, 3), other, slices.Repeat(equal, 3))}
	const lambda = 0.18570654816927817
	f := fit(t, p, lambda, Options{Epsilon: 1e-11}, false)
	// Equal rows cost 1 a pair, 9 of the 12. The row that differs is in the other three, which cost (1 − v)₊ with
	// v = ⟨w, other − equal⟩, 1 at the optimum of so small a λ, where ‖w‖² is v²/‖other − equal‖².
	apart := 0.0
	for j, v := range other {
		apart += (v - equal[j]) * (v - equal[j])
	}
	want := 9.0/12 + lambda/apart
	if !f.Converged || math.Abs(f.Objective-want) > 1e-10 {
		t.Errorf("J = %v, want %v; converged: %v", f.Objective, want, f.Converged)
	}
}

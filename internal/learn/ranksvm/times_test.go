package ranksvm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/linalg"
	"pairrank/internal/naive"
	"pairrank/internal/ostat"
	"pairrank/pref"
)

// edgesOf lists pairs as NewPairs takes them.
func edgesOf(pairs []naive.Pair) (edges []pref.Edge) {
	for _, p := range pairs {
		edges = append(edges, pref.Edge{I: p.I, J: p.J, Magnitude: p.Target, Weight: p.Weight})
	}
	return edges
}

// TestTimesOptimum: on censored times, with ties of times, of events and of scores, the objective of a fit is that over
// explicit pairs, the gradient over explicit pairs vanishes for the squared loss, and both losses reach the optimum of
// the solver of explicit pairs and of dual coordinate descent.
func TestTimesOptimum(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	n, unsolved := gen.Count(t, 150), 0
	worst := 0.0
	for range n {
		p := gen.New(r, gen.Options{MaxRows: 18, MaxFeatures: 6, OneQuery: r.IntN(3) == 0})
		censored, lambda := p.Censored(r), gen.Lambda(r, -6, 3)
		for _, loss := range Losses {
			o := Options{Loss: loss, Epsilon: 1e-9, Censored: censored,
				Weight: []pref.Weight{pref.Pairs, pref.Edges}[r.IntN(2)], Counter: ostat.Countings[r.IntN(5)]}
			if o.Counter == ostat.Levels {
				o.Counter = ostat.Auto
			}
			pairs := naive.TimedPairs(p.Y, censored, p.Query, "unit", string(o.Weight), false)
			f := fit(t, p, lambda, o, r.IntN(2) == 0)
			if !f.Converged || f.Pairs != float64(len(pairs)) {
				t.Fatalf("%s: %v pairs, want %d; converged %v", loss, f.Pairs, len(pairs), f.Converged)
			}
			risk, gradient := naive.RiskSVM(p.X, p.N, pairs, loss == SquaredHinge, f.Weights)
			if want := risk + lambda*linalg.Dot(f.Weights, f.Weights); math.Abs(f.Objective-want) > 1e-10*want {
				t.Fatalf("%s: J = %v, over explicit pairs %v", loss, f.Objective, want)
			}
			if loss == SquaredHinge {
				_, start := naive.RiskSVM(p.X, p.N, pairs, true, make([]float64, p.N))
				linalg.Axpy(2*lambda, f.Weights, gradient)
				if left := linalg.Nrm2(gradient); left > 1e-8*linalg.Nrm2(start)+1e-12 {
					t.Fatalf("gradient %v over explicit pairs, %v at 0", left, linalg.Nrm2(start))
				}
			}
			explicit, err := NewPairs(rowsOf(p, false), edgesOf(pairs), Options{Loss: loss, Epsilon: o.Epsilon})
			if err != nil {
				t.Fatal(err)
			}
			g, err := explicit.Train(t.Context(), lambda)
			if err != nil || math.Abs(g.Objective-f.Objective) > 1e-8*max(1e-3, g.Objective) {
				t.Fatalf("%s: J = %v, of listed pairs %v, %v", loss, f.Objective, g.Objective, err)
			}
			_, want, reached := naive.RankSVM(p.X, p.N, pairs, loss == SquaredHinge, lambda, 1e-9)
			if reached > 1e-8*want {
				unsolved++
				continue
			}
			off := math.Abs(f.Objective-want) / want
			worst = max(worst, off)
			if off > 2e-8 { // both have a gap
				t.Fatalf("%s: J = %v, the oracle has %v", loss, f.Objective, want)
			}
		}
	}
	t.Logf("%d problems, largest relative difference %.2g; the oracle did not converge in %d", n, worst, unsolved)
	if unsolved > n/2 {
		t.Errorf("the oracle did not converge in %d of %d", unsolved, 2*n)
	}
}

// TestTimesLaws: what must not change a fit on censored times, and times of events alone are labels.
func TestTimesLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	for range gen.Count(t, 60) {
		p := gen.New(r, gen.Options{})
		censored, lambda := p.Censored(r), gen.Lambda(r, -6, 3)
		for _, loss := range Losses {
			o := Options{Loss: loss, Epsilon: 1e-9, Censored: censored}
			f := fit(t, p, lambda, o, false)
			for _, way := range []ostat.Counting{ostat.Tree, ostat.Fenwick, ostat.Direct} {
				o.Counter = way
				g := fit(t, p, lambda, o, true)
				if math.Abs(g.Objective-f.Objective) > 1e-8*(1+f.Objective) {
					t.Fatalf("counter %s changes J of %s from %v to %v", way, loss, f.Objective, g.Objective)
				}
			}
			o.Counter = ""
			q := p
			q.Y = slices.Clone(p.Y)
			for i, v := range q.Y {
				q.Y[i] = math.Exp(v)
			}
			if g := fit(t, q, lambda, o, false); !slices.Equal(g.Weights, f.Weights) {
				t.Fatalf("an increasing change of the times changes the weights of %s", loss)
			}
			labels := fit(t, p, lambda, Options{Loss: loss, Epsilon: 1e-9}, false)
			o.Censored = make([]bool, p.M)
			if g := fit(t, p, lambda, o, false); !slices.Equal(g.Weights, labels.Weights) {
				t.Fatalf("times without a censored one give other weights than labels for %s", loss)
			}
			o.Censored, o.Start = censored, f.Weights
			g := fit(t, p, lambda, o, false) // cutting planes have to be found again
			if loss == SquaredHinge && g.Iterations > f.Iterations || g.Objective > f.Objective*(1+1e-12)+f.Gap {
				t.Fatalf("%d iterations from the optimum of %s, J = %v; %d from 0, J = %v", g.Iterations, loss,
					g.Objective, f.Iterations, f.Objective)
			}
		}
	}
}

// TestTimesRefused: marks without a comparable pair, of another number of rows, or of listed pairs.
func TestTimesRefused(t *testing.T) {
	x := data.NewDense(3, 2, []float64{1, 0, 0, 1, 1, 1})
	for name, c := range map[string]struct {
		y        []float64
		censored []bool
	}{
		"none had an event":           {[]float64{1, 2, 3}, []bool{true, true, true}},
		"the event is of the last":    {[]float64{1, 2, 3}, []bool{true, true, false}},
		"all events at the same time": {[]float64{2, 2, 1}, []bool{false, false, true}},
	} {
		if _, err := New(x, c.y, data.OneList(3), Options{Censored: c.censored}); err == nil {
			t.Errorf("%s: trained", name)
		}
	}
	edges := []pref.Edge{{I: 0, J: 1, Magnitude: 1, Weight: 1}}
	if _, err := NewPairs(x, edges, Options{Censored: make([]bool, 3)}); err == nil {
		t.Error("marks of listed pairs are taken")
	}
	defer func() {
		if recover() == nil {
			t.Error("two marks of three rows are taken")
		}
	}()
	_, _ = New(x, []float64{1, 2, 3}, data.OneList(3), Options{Censored: make([]bool, 2)})
}

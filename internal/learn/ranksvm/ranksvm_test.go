package ranksvm

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/naive"
	"pairrank/internal/ostat"
	"pairrank/pref"
)

// rowsOf is the features of a problem, dense or sparse.
func rowsOf(p gen.Problem, sparse bool) data.Matrix {
	if !sparse {
		return &data.Dense{Rows: p.M, Cols: p.N, Stride: p.N, Data: p.X}
	}
	x := &data.CSR{Rows: p.M, Cols: p.N, Ptr: []int{0}}
	for i := range p.M {
		for j, v := range p.X[i*p.N : (i+1)*p.N] {
			if v != 0 {
				x.Col, x.Val = append(x.Col, int32(j)), append(x.Val, v)
			}
		}
		x.Ptr = append(x.Ptr, len(x.Val))
	}
	return x
}

func queriesOf(p gen.Problem) *data.Partition {
	of := make([]int32, p.M)
	for i, q := range p.Query {
		of[i] = int32(q)
	}
	return data.NewPartition(of, p.Queries)
}

// fit trains on a problem, and stops the test where that cannot be done.
func fit(t *testing.T, p gen.Problem, lambda float64, o Options, sparse bool) *Fit {
	t.Helper()
	s, err := New(rowsOf(p, sparse), p.Y, queriesOf(p), o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Train(t.Context(), lambda)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestOptimum compares J of both losses with that of dual coordinate descent over
// explicit pairs: relative 1e-6, since the solvers are asked for gaps of 1e-7 and
// gradients of 1e-6, and the oracle for 1e-7. The gap that a fit states has to
// hold.
func TestOptimum(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	worst := map[Loss]float64{}
	unsolved := 0
	n := gen.Count(t, 150)
	for range n {
		p := gen.New(r, gen.Options{MaxRows: 18, MaxFeatures: 12, OneQuery: r.IntN(3) == 0})
		lambda := gen.Lambda(r, -8, 3)
		for _, o := range []Options{{Loss: Hinge, Epsilon: 1e-8}, {Loss: SquaredHinge, Epsilon: 1e-7}} {
			o.Weight = []pref.Weight{pref.Pairs, pref.Edges}[r.IntN(2)]
			pairs := naive.Pairs(p.Y, p.Query, "unit", "exclude", string(o.Weight))
			_, want, reached := naive.RankSVM(p.X, p.N, pairs, o.Loss == SquaredHinge, lambda, 1e-7)
			if reached > 1e-6*want {
				unsolved++
				continue
			}
			f := fit(t, p, lambda, o, r.IntN(2) == 0)
			if !f.Converged {
				t.Errorf("%s: not converged after %d iterations, %v left", o.Loss, f.Iterations, f.Left)
			}
			off := math.Abs(f.Objective-want) / want
			worst[o.Loss] = max(worst[o.Loss], off)
			if off > 1e-6 {
				t.Errorf("%s λ=%v m=%d n=%d: J = %v, the oracle has %v", o.Loss, lambda, p.M, p.N, f.Objective, want)
			}
			if lower := f.Objective - f.Gap; lower > want*(1+1e-12) {
				t.Errorf("%s: the bound %v is above the optimum %v", o.Loss, lower, want)
			}
		}
	}
	t.Logf("%d problems, largest relative difference %.2g (hinge) and %.2g (squared hinge); the oracle did not "+
		"converge in %d", n, worst[Hinge], worst[SquaredHinge], unsolved)
	if unsolved > n/5 {
		t.Errorf("the oracle did not converge in %d of %d", unsolved, 2*n)
	}
}

// TestObjective checks the objective of a fit against its definition over pairs.
func TestObjective(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for range gen.Count(t, 300) {
		p := gen.New(r, gen.Options{})
		lambda := gen.Lambda(r, -10, 5)
		for _, loss := range Losses {
			f := fit(t, p, lambda, Options{Loss: loss, Epsilon: 0.1}, false)
			want, pairs := 0.0, 0.0
			score := func(i int) (s float64) {
				for j, w := range f.Weights {
					s += w * p.X[i*p.N+j]
				}
				return s
			}
			for i := range p.M {
				for j := range p.M {
					if p.Query[i] == p.Query[j] && p.Y[i] > p.Y[j] {
						l := max(0, 1-(score(i)-score(j)))
						if loss == SquaredHinge {
							l *= l
						}
						want += l
						pairs++
					}
				}
			}
			want /= pairs
			for _, w := range f.Weights {
				want += lambda * w * w
			}
			if f.Pairs != pairs || math.Abs(f.Objective-want) > 1e-10*(1+want) {
				t.Fatalf("%s: J %v over %v pairs, want %v over %v", loss, f.Objective, f.Pairs, want, pairs)
			}
		}
	}
}

// TestLaws checks what must not change a fit: the counter, the storage, the order
// of the rows, and any increasing change of the labels.
func TestLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	for range gen.Count(t, 60) {
		p := gen.New(r, gen.Options{})
		lambda := gen.Lambda(r, -6, 3)
		for _, loss := range Losses {
			o := Options{Loss: loss, Epsilon: 1e-9}
			f := fit(t, p, lambda, o, false)
			near := func(what string, g *Fit) {
				t.Helper()
				// min J is unique; the weights are, too, and √(gap/λ) bounds them
				if math.Abs(g.Objective-f.Objective) > 1e-7*(1+f.Objective) {
					t.Fatalf("%s changes J of %s from %v to %v", what, loss, f.Objective, g.Objective)
				}
			}
			for _, way := range []ostat.Counting{ostat.Tree, ostat.Fenwick, ostat.Direct} {
				o.Counter = way
				g := fit(t, p, lambda, o, false)
				near("counter "+string(way), g)
				if loss == Hinge && !slices.Equal(g.Weights, f.Weights) {
					t.Fatalf("counter %s gives other weights for the hinge loss", way)
				}
			}
			o.Counter = ""
			near("sparse storage", fit(t, p, lambda, o, true))
			q := p
			q.X, q.Y, q.Query = slices.Clone(p.X), slices.Clone(p.Y), slices.Clone(p.Query)
			r.Shuffle(p.M, func(a, b int) {
				q.Y[a], q.Y[b] = q.Y[b], q.Y[a]
				q.Query[a], q.Query[b] = q.Query[b], q.Query[a]
				for j := range p.N {
					q.X[a*p.N+j], q.X[b*p.N+j] = q.X[b*p.N+j], q.X[a*p.N+j]
				}
			})
			near("the order of the rows", fit(t, q, lambda, o, false))
			q = p
			q.Y = slices.Clone(p.Y)
			for i, v := range q.Y {
				q.Y[i] = math.Exp(v) - 7
			}
			if g := fit(t, q, lambda, o, false); !slices.Equal(g.Weights, f.Weights) {
				t.Fatalf("an increasing change of the labels changes the weights of %s", loss)
			}
		}
	}
}

// TestPath trains on a path of λ: every fit is as good as one from the start.
func TestPath(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	for range gen.Count(t, 30) {
		p := gen.New(r, gen.Options{MaxRows: 60})
		for _, loss := range Losses {
			o := Options{Loss: loss, Epsilon: 1e-6}
			s, err := New(rowsOf(p, false), p.Y, queriesOf(p), o)
			if err != nil {
				t.Fatal(err)
			}
			for _, lambda := range []float64{4, 1, 0.25, 0.0625, 8} {
				f, err := s.Train(t.Context(), lambda)
				if err != nil {
					t.Fatal(err)
				}
				g := fit(t, p, lambda, o, false)
				if d := f.Objective - g.Objective; !f.Converged || d > f.Gap+1e-9 || -d > g.Gap+1e-9 {
					t.Errorf("%s λ=%v: J = %v ± %v along the path, %v ± %v alone",
						loss, lambda, f.Objective, f.Gap, g.Objective, g.Gap)
				}
			}
		}
	}
}

// TestLineSearch compares the solver with and without a line search.
func TestLineSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(39, 40))
	with, without := 0, 0
	for range 20 {
		p := gen.New(r, gen.Options{MaxRows: 80, MaxFeatures: 10})
		a := fit(t, p, 0.01, Options{Epsilon: 1e-5}, false)
		b := fit(t, p, 0.01, Options{Epsilon: 1e-5, NoLineSearch: true}, false)
		if math.Abs(a.Objective-b.Objective) > 1e-5 {
			t.Errorf("J = %v with a line search, %v without", a.Objective, b.Objective)
		}
		with += a.Iterations
		without += b.Iterations
	}
	t.Logf("%d iterations with a line search, %d without", with, without)
}

func TestSameBytesForAnyThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	m, n := 40_000, 12
	x, y := data.NewDense(m, n, nil), make([]float64, m)
	for i := range y {
		for j := range n {
			x.Row(i)[j] = r.NormFloat64()
		}
		y[i] = x.Row(i)[0] + r.NormFloat64()
	}
	for _, loss := range Losses {
		var first []float64
		for _, threads := range []int{1, 2, 3} {
			old := runtime.GOMAXPROCS(threads)
			s, err := New(x, y, data.OneList(m), Options{Loss: loss})
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

// TestInterrupted stops a training after some iterations: the best so far comes
// back with the error, and a second training goes on from it.
func TestInterrupted(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	p := gen.New(r, gen.Options{MaxRows: 200, MaxFeatures: 20})
	for _, loss := range Losses {
		t.Run(string(loss), func(t *testing.T) { interrupt(t, p, loss) })
	}
}

func interrupt(t *testing.T, p gen.Problem, loss Loss) {
	ctx, cancel := context.WithCancel(t.Context())
	var seen Progress
	o := Options{Loss: loss, Epsilon: 1e-9, Progress: func(p Progress) {
		if seen = p; p.Iteration == 2 {
			cancel()
		}
	}}
	s, err := New(rowsOf(p, false), p.Y, queriesOf(p), o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Train(ctx, 1e-3)
	if !errors.Is(err, context.Canceled) || f == nil {
		t.Fatalf("%v, %v", f, err)
	}
	if f.Iterations != 2 || f.Converged || f.Objective != seen.Objective || f.Objective > 1 || !(f.Gap > 0) {
		t.Errorf("interrupted with %+v", f)
	}
	g, err := s.Train(t.Context(), 1e-3)
	if err != nil || !g.Converged || g.Objective > f.Objective {
		t.Errorf("goes on to %+v, %v", g, err)
	}
	o.Progress, o.Start = nil, g.Weights
	if h := fit(t, p, 1e-3, o, false); h.Iterations > g.Iterations || math.Abs(h.Objective-g.Objective) > 1e-8 {
		t.Errorf("%d iterations from the solution on, %d from 0", h.Iterations, g.Iterations)
	}
}

// A λ that is not positive and finite, and arguments that are missing, are refused
// by name.
func TestBugsPanic(t *testing.T) {
	x, y := data.NewDense(3, 2, nil), []float64{1, 2, 3}
	s, err := New(x, y, data.OneList(3), Options{})
	if err != nil {
		t.Fatal(err)
	}
	bugs := map[string]func(){
		"ranksvm: x: there is no matrix":          func() { _, _ = New(nil, y, data.OneList(3), Options{}) },
		"ranksvm: queries: there is no partition": func() { _, _ = New(x, y, nil, Options{}) },
		"ranksvm: queries: a partition of 2 rows": func() { _, _ = New(x, y, data.OneList(2), Options{}) },
		"3×2 features with 1 labels":              func() { _, _ = New(x, y[:1], data.OneList(3), Options{}) },
		"λ is positive and finite, not 0":         func() { _, _ = s.Train(t.Context(), 0) },
		"λ is positive and finite, not -1":        func() { _, _ = s.Train(t.Context(), -1) },
		"λ is positive and finite, not +Inf":      func() { _, _ = s.Train(t.Context(), math.Inf(1)) },
		"λ is positive and finite, not NaN":       func() { _, _ = s.Train(t.Context(), math.NaN()) },
	}
	for want, bug := range bugs {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("%q, want %q", got, want)
				}
			}()
			bug()
		}()
	}
}

func TestRefusals(t *testing.T) {
	x := data.NewDense(3, 2, nil)
	copy(x.Data, []float64{1, 0, 0, 1, 1, 1})
	alike := []float64{2, 2, 2}
	if _, err := New(x, alike, data.OneList(3), Options{}); !errors.Is(err, goals.ErrNothingToLearn) {
		t.Errorf("equal labels: %v", err)
	}
	if _, err := New(x, []float64{1, 2, 3}, data.Singletons(3), Options{}); !errors.Is(err, goals.ErrNothingToLearn) {
		t.Errorf("queries of one row: %v", err)
	}
	for _, o := range []Options{{Loss: "log"}, {Weight: pref.Size}, {Counter: "abacus"}, {Epsilon: -1},
		{Epsilon: math.NaN()}} {
		if _, err := New(x, []float64{1, 2, 3}, data.OneList(3), o); err == nil {
			t.Errorf("%+v is taken", o)
		}
	}
	for _, loss := range Losses {
		huge := data.NewDense(3, 1, nil)
		copy(huge.Data, []float64{1e300, -1e300, 1e308})
		s, err := New(huge, []float64{1, 2, 3}, data.OneList(3), Options{Loss: loss})
		if err != nil {
			t.Fatal(err)
		}
		if f, err := s.Train(t.Context(), 1e-300); !errors.Is(err, ErrNumerical) {
			t.Errorf("%s of features beyond every range: %+v, %v", loss, f, err)
		}
	}
}

// TestNewtonEndsWhereRoundingDoes: with an epsilon that nothing reaches it stops
// when J has not fallen for a while, and does not run to the limit.
func TestNewtonEndsWhereRoundingDoes(t *testing.T) {
	x := &data.Dense{Rows: 2, Cols: 1, Stride: 1, Data: []float64{1, 3}}
	s, err := New(x, []float64{1, 2}, data.OneList(2), Options{Loss: SquaredHinge, Epsilon: 1e-300})
	if err != nil {
		t.Fatal(err)
	}
	fit, err := s.Train(t.Context(), 1)
	if err != nil || fit.Iterations > 3*mostStalled {
		t.Errorf("%d iterations, error %v", fit.Iterations, err)
	}
	if want := 0.2; math.Abs(fit.Objective-want) > 1e-15 || fit.Converged && fit.Left > 0 {
		t.Errorf("J = %v, want %v; converged %t with %v left", fit.Objective, want, fit.Converged, fit.Left)
	}
}

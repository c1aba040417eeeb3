package ranksvm

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/pref"
)

// naivePairs minimises J over a list of pairs by dual coordinate descent: 2λw = Σ_e α_e d_e with the difference d_e of
// the rows of a pair, 0 ≤ α_e, and at most its share of the weight for the hinge loss.
func naivePairs(x data.Matrix, edges []pref.Edge, squared bool, lambda float64) (w []float64, objective float64) {
	_, n := x.Dims()
	var d [][]float64
	var share []float64
	sum := 0.0
	for _, e := range edges {
		if e.Magnitude == 0 {
			continue
		}
		a, b := make([]float64, n), make([]float64, n)
		x.RowTo(a, e.I)
		x.RowTo(b, e.J)
		for j := range a {
			if a[j] -= b[j]; e.Magnitude < 0 {
				a[j] = -a[j]
			}
		}
		d, share, sum = append(d, a), append(share, e.Weight), sum+e.Weight
	}
	w = make([]float64, n)
	alpha := make([]float64, len(d))
	margin := func(e int) (m, size float64) {
		for j, v := range d[e] {
			m, size = m+v*w[j], size+v*v
		}
		return m, size
	}
	const passes = 3000
	for range passes {
		for e, c := range share {
			c /= sum
			m, size := margin(e)
			step, curve, most := 1-m, size/(2*lambda), c
			if squared {
				step, curve, most = step-alpha[e]/(2*c), curve+1/(2*c), math.Inf(1)
			}
			if curve == 0 {
				continue
			}
			next := min(max(alpha[e]+step/curve, 0), most)
			for j, v := range d[e] {
				w[j] += (next - alpha[e]) * v / (2 * lambda)
			}
			alpha[e] = next
		}
	}
	for e, c := range share {
		m, _ := margin(e)
		loss := max(0, 1-m)
		if squared {
			loss *= loss
		}
		objective += c / sum * loss
	}
	for _, v := range w {
		objective += lambda * v * v
	}
	return w, objective
}

// someEdges are random preferences with weights, ties, several of the same two rows, and parts without any.
func someEdges(r *rand.Rand, m int) (edges []pref.Edge) {
	for range 1 + r.IntN(3*m) {
		i := r.IntN(m)
		edges = append(edges, pref.Edge{I: i, J: (i + 1 + r.IntN(m-1)) % m,
			Magnitude: float64(r.IntN(4)) - 0.5*float64(r.IntN(2)),
			Weight:    []float64{1, 1, 0.25, 3}[r.IntN(4)]})
	}
	return append(edges, pref.Edge{I: 0, J: 1, Magnitude: 1, Weight: 1})
}

// TestPairsOptimum: J of a list of pairs, of both losses and of dense and sparse rows, is that of a naive solver.
func TestPairsOptimum(t *testing.T) {
	// Epsilon bounds the gap of the hinge loss, and the gradient of its square; the naive solver comes closer.
	const epsilon, tolerance = 1e-7, 1e-6
	r := rand.New(rand.NewPCG(2, 26))
	for trial := range 40 {
		m, n := 2+r.IntN(9), 1+r.IntN(4)
		x := data.NewDense(m, n, nil)
		for k := range x.Data {
			x.Data[k] = float64(r.IntN(5)) - 2 + 0.1*r.NormFloat64()*float64(trial%2)
		}
		edges, lambda := someEdges(r, m), []float64{0.02, 0.3, 2}[trial%3]
		for _, loss := range Losses {
			_, want := naivePairs(x, edges, loss == SquaredHinge, lambda)
			for _, sparse := range []bool{false, true} {
				of := gen.Problem{M: m, N: n, X: x.Data}
				s, err := NewPairs(rowsOf(of, sparse), edges, Options{Loss: loss, Epsilon: epsilon})
				if err != nil {
					t.Fatal(err)
				}
				f, err := s.Train(t.Context(), lambda)
				if err != nil {
					t.Fatal(err)
				}
				if !f.Converged || math.Abs(f.Objective-want) > tolerance {
					t.Errorf("trial %d, %s, λ %v: J = %v after %d iterations, want %v", trial, loss, lambda, f.Objective,
						f.Iterations, want)
				}
			}
		}
	}
}

// TestPairsOfLabels: the list of all pairs that labels make has the objective of the labels.
func TestPairsOfLabels(t *testing.T) {
	const epsilon, tolerance = 1e-8, 1e-7 // of the gap, and of both together
	r := rand.New(rand.NewPCG(4, 26))
	for trial := range 12 {
		p := gen.New(r, gen.Options{})
		var edges []pref.Edge
		for i := range p.M {
			for j := range p.M {
				if p.Query[i] == p.Query[j] && p.Y[i] > p.Y[j] {
					edges = append(edges, pref.Edge{I: i, J: j, Magnitude: p.Y[i] - p.Y[j], Weight: 2})
				}
			}
		}
		if len(edges) == 0 {
			continue
		}
		for _, loss := range Losses {
			o := Options{Loss: loss, Epsilon: epsilon}
			s, err := NewPairs(rowsOf(p, false), edges, o)
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.Train(t.Context(), 0.1)
			if err != nil {
				t.Fatal(err)
			}
			if want := fit(t, p, 0.1, o, false); math.Abs(got.Objective-want.Objective) > tolerance ||
				got.Pairs != want.Pairs {
				t.Errorf("trial %d, %s: J = %v of %v pairs, and of labels %v of %v", trial, loss, got.Objective, got.Pairs,
					want.Objective, want.Pairs)
			}
		}
	}
}

// TestPairsRefused: what is no list of preferences, and options about labels, are errors.
func TestPairsRefused(t *testing.T) {
	x := data.NewDense(3, 1, []float64{1, 2, 3})
	one := []pref.Edge{{I: 0, J: 1, Magnitude: 1, Weight: 1}}
	for k, c := range []struct {
		edges []pref.Edge
		o     Options
	}{
		{[]pref.Edge{{I: 0, J: 3, Magnitude: 1, Weight: 1}}, Options{}},
		{[]pref.Edge{{I: 0, J: 1, Magnitude: 1}}, Options{}},
		{one, Options{Weight: pref.Edges}},
		{one, Options{Counter: "pairs"}},
		{one, Options{Loss: "absolute"}},
	} {
		if _, err := NewPairs(x, c.edges, c.o); err == nil || errors.Is(err, goals.ErrNothingToLearn) {
			t.Errorf("case %d is not refused: %v", k, err)
		}
	}
	ties := []pref.Edge{{I: 0, J: 1, Weight: 1}}
	if _, err := NewPairs(x, ties, Options{}); !errors.Is(err, goals.ErrNothingToLearn) {
		t.Errorf("ties alone: %v", err)
	}
}

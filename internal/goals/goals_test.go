package goals_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/internal/gen"
	"pairrank/internal/goals"
	"pairrank/internal/naive"
	"pairrank/pref"
)

// tolerance bounds differences of sums of at most a few hundred terms, relative
// to the largest entry.
const tolerance = 1e-12

func partition(p gen.Problem) *data.Partition {
	of := make([]int32, p.M)
	for i, q := range p.Query {
		of[i] = int32(q)
	}
	return data.NewPartition(of, p.Queries)
}

// dense is L column by column.
func dense(l goals.Laplacian) []float64 {
	m := l.Dim()
	x := make([]float64, m*m)
	for i := range m {
		x[i*m+i] = 1
	}
	l.MulTo(x, x, m)
	return x
}

func largest(x []float64) float64 {
	top := 0.0
	for _, v := range x {
		top = max(top, math.Abs(v))
	}
	return top
}

func difference(x, y []float64) float64 {
	d := 0.0
	for i := range x {
		d = max(d, math.Abs(x[i]-y[i]))
	}
	return d / max(largest(y), math.SmallestNonzeroFloat64)
}

// TestScoredIsTheSumOverPairs holds L, r and the pair count of each cost, ties
// and weight against explicit pairs.
func TestScoredIsTheSumOverPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		p := gen.New(r, gen.Options{})
		for _, o := range allOptions {
			o, err := o.Resolved()
			if err != nil {
				t.Fatal(err)
			}
			goal, err := goals.Scored(p.Y, 1, partition(p), o)
			if err != nil {
				t.Fatal(err)
			}
			pairs := naive.Pairs(p.Y, p.Query, string(o.Cost), o.Ties, string(o.Weight))
			l, linear := make([]float64, p.M*p.M), make([]float64, p.M)
			constant := 0.0
			for _, e := range pairs {
				constant += e.Weight * e.Target * e.Target
				l[e.I*p.M+e.I] += e.Weight
				l[e.J*p.M+e.J] += e.Weight
				l[e.I*p.M+e.J] -= e.Weight
				l[e.J*p.M+e.I] -= e.Weight
				linear[e.I] += e.Weight * e.Target
				linear[e.J] -= e.Weight * e.Target
			}
			if goal.Pairs != float64(len(pairs)) {
				t.Fatalf("%+v: %v pairs, want %d", o, goal.Pairs, len(pairs))
			}
			if d := math.Abs(goal.Constant()-constant) / constant; d > 1e-9 { // yᵀLy cancels for near-equal labels
				t.Fatalf("%+v: constant %v, want %v", o, goal.Constant(), constant)
			}
			if d := difference(dense(goal.L), l); d > tolerance {
				t.Fatalf("%+v: L differs by %g", o, d)
			}
			if d := difference(goal.R, linear); d > tolerance {
				t.Fatalf("%+v: r differs by %g", o, d)
			}
		}
	}
}

var allOptions = []pref.Options{
	{}, {Weight: pref.Size}, {Weight: pref.Edges},
	{Ties: "exclude"}, {Ties: "exclude", Weight: pref.Size}, {Ties: "exclude", Weight: pref.Edges},
	{Cost: pref.Unit}, {Cost: pref.Unit, Weight: pref.Size}, {Cost: pref.Unit, Weight: pref.Edges},
	{Cost: pref.Relative}, {Cost: pref.Relative, Weight: pref.Size}, {Cost: pref.Relative, Weight: pref.Edges},
}

// TestRootAndPinv checks root² = L and L pinv L = L.
func TestRootAndPinv(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		p := gen.New(r, gen.Options{})
		for _, o := range allOptions {
			goal, err := goals.Scored(p.Y, 1, partition(p), o)
			if err != nil {
				t.Fatal(err)
			}
			b, ok := goal.L.(*goals.Blocks)
			if !ok {
				continue
			}
			l := dense(b)
			x := dense(b.Root())
			b.Root().MulTo(x, x, p.M)
			if d := difference(x, l); d > tolerance {
				t.Fatalf("%+v: root² differs by %g", o, d)
			}
			y := dense(b.Root().Pinv())
			b.Root().MulTo(y, y, p.M) // the projection on the range of L
			b.MulTo(y, y, p.M)
			if d := difference(y, l); d > tolerance {
				t.Fatalf("%+v: L root root⁺ differs from L by %g", o, d)
			}
			b.MulTo(x, dense(b.Pinv()), p.M)
			b.MulTo(x, transpose(x, p.M), p.M)
			if d := difference(x, l); d > tolerance {
				t.Fatalf("%+v: L L⁺ L differs by %g", o, d)
			}
		}
	}
}

func transpose(x []float64, m int) []float64 {
	y := make([]float64, len(x))
	for i := range m {
		for j := range m {
			y[j*m+i] = x[i*m+j]
		}
	}
	return y
}

// TestLaplacianLaws holds every Laplacian to what the learners rely on:
// constants on a component have no effect, the product works in place and is
// the same for one column and for many, and x is not changed.
func TestLaplacianLaws(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 100 {
		p := gen.New(r, gen.Options{})
		for _, l := range laplacians(t, r, p) {
			parts := l.Components()
			if _, regression := l.(*goals.Blocks); !regression || parts.Len() < p.M {
				for g := range parts.Len() {
					one := make([]float64, p.M)
					for _, i := range parts.Part(g) {
						one[i] = 1
					}
					l.MulTo(one, one, 1)
					if largest(one) > tolerance*max(1, largest(dense(l))) {
						t.Fatalf("%T moves a constant by %g", l, largest(one))
					}
				}
			}
			const k = 150 // more columns than one block
			x := make([]float64, p.M*k)
			for i := range x {
				x[i] = r.NormFloat64()
			}
			y, before := make([]float64, len(x)), append([]float64(nil), x...)
			l.MulTo(y, x, k)
			if difference(x, before) != 0 {
				t.Fatalf("%T changes x", l)
			}
			column, out := make([]float64, p.M), make([]float64, p.M)
			for c := range k {
				for i := range column {
					column[i], out[i] = x[i*k+c], y[i*k+c]
				}
				l.MulTo(column, column, 1)
				if d := difference(out, column); d > tolerance {
					t.Fatalf("%T: column %d differs by %g", l, c, d)
				}
			}
		}
	}
}

func laplacians(t *testing.T, r *rand.Rand, p gen.Problem) []goals.Laplacian {
	t.Helper()
	ls := []goals.Laplacian{goals.Identity(p.M)}
	for _, o := range allOptions {
		goal, err := goals.Scored(p.Y, 1, partition(p), o)
		if err != nil {
			t.Fatal(err)
		}
		ls = append(ls, goal.L)
	}
	var edges []pref.Edge
	for range 1 + r.IntN(3*p.M) {
		i, j := r.IntN(p.M), r.IntN(p.M)
		if i != j {
			edges = append(edges, pref.Edge{I: i, J: j, Magnitude: r.ExpFloat64(), Weight: r.ExpFloat64()})
		}
	}
	g, err := goals.NewGraph(p.M, edges)
	if err != nil {
		t.Fatal(err)
	}
	return append(ls, g)
}

// TestGraphOfAllPairsIsScored: a graph that lists the untied pairs is the
// Laplacian without ties.
func TestGraphOfAllPairsIsScored(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		p := gen.New(r, gen.Options{})
		for _, cost := range []pref.Cost{pref.Magnitude, pref.Unit, pref.Relative} {
			var edges []pref.Edge
			for _, e := range naive.Pairs(p.Y, p.Query, "magnitude", "exclude", "pairs") {
				edge := pref.Edge{I: e.I, J: e.J, Magnitude: e.Target, Weight: 1}
				if e.Target < 0 {
					edge.I, edge.J, edge.Magnitude = e.J, e.I, -e.Target
				}
				edges = append(edges, edge)
			}
			graph, err := goals.Preferences(p.M, edges, cost)
			if err != nil {
				t.Fatal(err)
			}
			scored, err := goals.Scored(p.Y, 1, partition(p), pref.Options{Cost: cost, Ties: "exclude"})
			if err != nil {
				t.Fatal(err)
			}
			if d := difference(dense(graph.L), dense(scored.L)); d > tolerance {
				t.Fatalf("%s: L differs by %g", cost, d)
			}
			if d := difference(graph.R, scored.R); d > tolerance {
				t.Fatalf("%s: r differs by %g", cost, d)
			}
			if !graph.L.Components().Refines(partition(p)) {
				t.Fatal("a component of the graph crosses queries")
			}
		}
	}
}

// TestRestrictIsTheSubmatrix compares Restrict with the rows and columns of L.
func TestRestrictIsTheSubmatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 100 {
		p := gen.New(r, gen.Options{})
		for _, l := range laplacians(t, r, p) {
			parts, full := l.Components(), dense(l)
			of := parts.Of()
			keep := make([]bool, parts.Len())
			for g := range keep {
				keep[g] = r.IntN(2) == 0
			}
			var rows []int32
			var at []int
			for i := range p.M {
				if keep[of[i]] {
					rows, at = append(rows, int32(i)), append(at, i)
				}
			}
			want := naive.Submatrix(full, p.M, at, at)
			got := dense(l.Restrict(rows))
			if d := difference(got, want); len(at) > 0 && d > tolerance {
				t.Fatalf("%T: restriction differs by %g", l, d)
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	one := data.OneList(3)
	if _, err := goals.Scored([]float64{1, 1, 1}, 1, one, pref.Options{}); !errors.Is(err, goals.ErrNothingToLearn) {
		t.Errorf("equal labels: %v", err)
	}
	for name, o := range map[string]pref.Options{
		"cost": {Cost: "cubic"}, "weight": {Weight: "heavy"}, "ties": {Ties: "maybe"},
		"unit with ties": {Cost: pref.Unit, Ties: "include"},
	} {
		if _, err := goals.Scored([]float64{1, 2, 3}, 1, one, o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := goals.Scored([]float64{1, 2, 3, 1, 2, 3}, 2, one, pref.Options{Ties: "exclude"}); err == nil {
		t.Error("two outputs without ties: no error")
	}
	for name, e := range map[string]pref.Edge{
		"range": {I: 0, J: 3, Magnitude: 1, Weight: 1}, "self": {I: 1, J: 1, Magnitude: 1, Weight: 1},
		"weight": {I: 0, J: 1, Magnitude: 1, Weight: -1}, "no weight": {I: 0, J: 1, Magnitude: 1},
		"infinite weight": {I: 0, J: 1, Magnitude: 1, Weight: math.Inf(1)},
		"weight nan":      {I: 0, J: 1, Magnitude: 1, Weight: math.NaN()},
		"nan":             {I: 0, J: 1, Magnitude: math.NaN(), Weight: 1},
	} {
		if _, err := goals.Preferences(3, []pref.Edge{e}, ""); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := goals.NewGraph(3, []pref.Edge{e}); err == nil {
			t.Errorf("%s: no error of NewGraph", name)
		}
	}
	tied := []pref.Edge{{I: 0, J: 1, Magnitude: 2, Weight: 3}, {I: 1, J: 2, Weight: 1}}
	for cost, want := range map[pref.Cost][]float64{ // r = MWz, and the pairs
		pref.Magnitude: {6, -6, 0, 2}, pref.Unit: {3, -3, 0, 1}, pref.Relative: {1.5, -1.5, 0, 1}} {
		goal, err := goals.Preferences(3, tied, cost)
		if err != nil || !slices.Equal(append(goal.R, goal.Pairs), want) {
			t.Errorf("cost %s with a tie: %v, error %v, want %v", cost, goal, err, want)
		}
	}
	if _, err := goals.Preferences(3, tied[1:], pref.Magnitude); !errors.Is(err, goals.ErrNothingToLearn) {
		t.Errorf("ties alone: %v", err)
	}
}

// TestWeighted: edges that count nothing are refused with a word on what to do, and
// without them the goal is that of the others.
func TestWeighted(t *testing.T) {
	edges := []pref.Edge{{I: 0, J: 1, Magnitude: 1, Weight: 2}, {I: 1, J: 2, Magnitude: 1},
		{I: 2, J: 0, Magnitude: 3, Weight: 1}}
	_, err := goals.Preferences(3, edges, "")
	if err == nil || !strings.Contains(err.Error(), "preference 2 has weight 0") ||
		!strings.Contains(err.Error(), "1 where all count alike") {
		t.Errorf("a weight that was left out: %v", err)
	}
	got, err := goals.Preferences(3, goals.Weighted(edges), "")
	if err != nil {
		t.Fatal(err)
	}
	want, err := goals.Preferences(3, []pref.Edge{edges[0], edges[2]}, "")
	if err != nil {
		t.Fatal(err)
	}
	if difference(dense(got.L), dense(want.L)) != 0 || difference(got.R, want.R) != 0 || got.Pairs != 2 {
		t.Error("the goal of the weighted edges is another one")
	}
	// A weight that the relative cost divides to 0 counts nothing, and is no error.
	far := []pref.Edge{{I: 0, J: 1, Magnitude: 1, Weight: 1}, {I: 1, J: 2, Magnitude: 1e200, Weight: 1}}
	if goal, err := goals.Preferences(3, far, pref.Relative); err != nil || goal.Pairs != 1 {
		t.Errorf("a magnitude of 1e200: %v", err)
	}
}

// TestBugsPanic: arguments that do not fit are named.
func TestBugsPanic(t *testing.T) {
	y := []float64{1, 2, 3}
	for want, bug := range map[string]func(){
		"goals: queries: there is no partition": func() { _, _ = goals.Scored(y, 1, nil, pref.Options{}) },
		"goals: queries: a partition of 2 rows for 3": func() {
			_, _ = goals.Scored(y, 1, data.OneList(2), pref.Options{})
		},
		"Scored with 3 labels of 2 outputs": func() {
			_, _ = goals.Scored(y, 2, data.OneList(3), pref.Options{})
		},
		"Regression with 3 labels of 0 outputs": func() { goals.Regression(y, 0) },
		"Blocks of 3 rows times 1 columns":      func() { goals.Identity(3).MulTo(y[:2], y[:2], 1) },
	} {
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

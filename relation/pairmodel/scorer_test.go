package pairmodel

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/pairterms"
	"pairrank/kernel"
	"pairrank/relation/pairwise"
)

// node is node i of those to score at an end, in the form that a Scorer takes.
func (q *pairProblem) node(at pairterms.End, i int) *Nodes {
	s, nodes := q.p.side(at), q.rows
	if at == pairterms.Col {
		nodes = q.cols
	}
	n := one(q.given[at].Row(i), nodes.ID[i])
	if s.Precomputed() {
		raw := *s
		raw.Normalize = false
		n.X = naiveGram(&raw, n.X.(*data.Dense), q.train[at])
		if !slices.Contains(s.ID, nodes.ID[i]) && nodes.Self != nil {
			n.Self = nodes.Self[i : i+1]
		}
	} else if i%2 == 0 {
		n.X = data.Slice(nodes.X, i, i+1) // may be sparse
	}
	return n
}

// one is Nodes with one node.
func one(x []float64, id string) *Nodes {
	return &Nodes{X: data.NewDense(1, len(x), x), ID: []string{id}}
}

// A single pair has the score of its definition, for all kernels and forms of coefficients.
func TestScorerIsTheDefinition(t *testing.T) {
	eachProblem(t, 120, func(q *pairProblem) {
		s, err := NewScorer(q.p)
		if err != nil {
			t.Fatalf("%s: %v", q.name, err)
		}
		for i := range q.given[0].Rows {
			for j := range q.given[1].Rows {
				got, err := s.Score(q.node(pairterms.Row, i), q.node(pairterms.Col, j))
				if want := q.define(i, j); err != nil || !(math.Abs(got-want) <= pairRoundoff*(1+math.Abs(want))) {
					t.Errorf("%s: pair (%d,%d) has %g, want %g; %v", q.name, i, j, got, want, err)
				}
			}
		}
	})
}

// Few edges, many edges, which are spread over a matrix, and coefficients score as in a list.
func TestScorerIsTheList(t *testing.T) {
	for _, kind := range pairwise.Kernels {
		for _, edges := range []int{0, 300, 20000} {
			p, n := wide(kind, 150, edges)
			s, err := NewScorer(p)
			if err != nil {
				t.Fatal(err)
			}
			values, err := p.RowValues(n)
			if err != nil {
				t.Fatal(err)
			}
			for k := range 20 {
				i, j := 7*k, 149-5*k
				var want [1]float64
				p.ScorePairsTo(want[:], values, values, []int32{int32(i)}, []int32{int32(j)})
				x := n.X.(*data.Dense)
				got, err := s.Score(one(x.Row(i), n.ID[i]), one(x.Row(j), n.ID[j]))
				if err != nil || !(math.Abs(got-want[0]) <= 150*pairRoundoff) { // the terms are of order √edges
					t.Errorf("%s, %d edges: pair (%d,%d) has %g, in a list %g; %v",
						kind, edges, i, j, got, want[0], err)
				}
			}
		}
	}
}

// ownInner is a kernel from outside package kernel.
type ownInner struct{ kernel.Polynomial }

// Weights, kernels of the caller, shifts, and nodes with missing features score as in a list, normalised or
// not.
func TestScorerOfOtherForms(t *testing.T) {
	for _, normalize := range []bool{false, true} {
		shifted := precomputedPair(normalize)
		shifted.Rows.Shift = 0.5
		own := &Model{Kernel: pairwise.Poly2, Coef: random(3, 3, 1),
			Rows: Side{Kernel: ownInner{kernel.Polynomial{Gamma: 0.5, Coef0: 2, Degree: 3}},
				Support: random(3, 2, 2), ID: []string{"a", "b", "c"}, Normalize: normalize}}
		weights := &Model{Kernel: pairwise.Kronecker, Weights: random(2, 2, 1),
			Rows: Side{Kernel: kernel.Linear{}, Normalize: normalize}}
		for name, p := range map[string]*Model{"shift": shifted, "own kernel": own, "weights": weights} {
			for _, features := range []int{2, 1} {
				if p.Rows.Precomputed() && features < 2 {
					continue
				}
				x := random(2, features, 9)
				n := &Nodes{X: x, ID: []string{"a", "b"}}
				values, err := p.RowValues(n)
				if err != nil {
					t.Fatal(name, err)
				}
				var want [1]float64
				p.ScorePairsTo(want[:], values, values, []int32{0}, []int32{1})
				s, err := NewScorer(p)
				if err != nil {
					t.Fatal(name, err)
				}
				got, err := s.Score(one(x.Row(0), "a"), one(x.Row(1), "b"))
				if err != nil || !(math.Abs(got-want[0]) <= pairRoundoff*(1+math.Abs(want[0]))) {
					t.Errorf("%s, normalised %v, %d features: %g, in a list %g; %v",
						name, normalize, features, got, want[0], err)
				}
			}
		}
	}
}

func TestScorerRefuses(t *testing.T) {
	featured := &Model{Kernel: pairwise.Cartesian, Coef: random(2, 2, 1),
		Rows: Side{Kernel: kernel.Linear{}, Support: random(2, 2, 1), ID: []string{"a", "b"}}}
	unit, empty := *featured, *featured
	unit.Rows.Normalize, empty.Rows.Normalize = true, true
	empty.Rows.Support = data.NewDense(2, 2, nil)
	for name, p := range map[string]*Model{
		"nothing to prepare":          {Kernel: Similarity, Rows: Side{Kernel: kernel.Linear{}}},
		"unknown pairwise kernel":     {},
		"in training: the kernel is ": &empty,
	} {
		if _, err := NewScorer(p); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %q", err, name)
		}
	}
	x, wide := []float64{1, 2}, []float64{1, 2, 3}
	for name, c := range map[string]struct {
		p    *Model
		n    *Nodes
		want string
	}{
		"too many features": {featured, one(wide, "a"), "more features than in training"},
		"new node":          {featured, one(x, "c"), "scores no new nodes"},
		"no features":       {&unit, one([]float64{0, 0}, "a"), "not above 0"},
		"kernel values":     {precomputedPair(false), one(wide, "c"), "3 columns, want one for each of the 2"},
		"diagonal unknown":  {precomputedPair(true), one(x, "c"), "not known what the kernel of these nodes"},
		"diagonal below 0": {precomputedPair(true), &Nodes{X: data.NewDense(1, 2, x), Self: []float64{-1}},
			"not above 0"},
	} {
		s, err := NewScorer(c.p)
		if err != nil {
			t.Fatal(name, err)
		}
		fits := one(x, "a")
		for at, pair := range map[string][2]*Nodes{"row": {c.n, fits}, "column": {fits, c.n}} {
			_, err := s.Score(pair[0], pair[1])
			if err == nil || !strings.HasPrefix(err.Error(), at+" node") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s as %s: %v, want %q", name, at, err, c.want)
			}
			var feature *fault.FeatureError
			if name == "too many features" && !errors.As(err, &feature) {
				t.Errorf("%s: %v, want a *fault.FeatureError", name, err)
			}
		}
	}
}

// Goroutines that share a Scorer do not share its memory.
func TestScorerOfManyGoroutines(t *testing.T) {
	p, n := wide(pairwise.Metric, 60, 500)
	s, err := NewScorer(p)
	if err != nil {
		t.Fatal(err)
	}
	x := n.X.(*data.Dense)
	score := func(i int) float64 {
		f, _ := s.Score(one(x.Row(i%60), ""), one(x.Row(7*i%60), ""))
		return f
	}
	want := make([]float64, 200)
	for i := range want {
		want[i] = score(i)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, w := range want {
				if got := score(i); got != w {
					t.Errorf("pair %d: %v, alone %v", i, got, w)
				}
			}
		})
	}
	wg.Wait()
}

// served is a model of p nodes of n features at either end, with edges, or with coefficients if edges is 0, and
// two nodes to score.
func served(kind pairwise.Kernel, k kernel.Kernel, p, n, edges int) (m *Model, row, col *Nodes) {
	r := rand.New(rand.NewPCG(uint64(p), uint64(edges)))
	s := Side{Kernel: k, Support: random(p, n, 1), ID: make([]string, p), Normalize: true}
	for i := range s.ID {
		s.ID[i] = fmt.Sprint("n", i)
	}
	m = &Model{Kernel: kind, Rows: s}
	if edges == 0 {
		m.Coef = random(p, p, 5)
	} else {
		m.Edges = &EdgeCoef{}
	}
	for range edges {
		m.Edges.Row, m.Edges.Col = append(m.Edges.Row, int32(r.IntN(p))), append(m.Edges.Col, int32(r.IntN(p)))
		m.Edges.Value = append(m.Edges.Value, r.NormFloat64())
	}
	return m, one(random(1, n, 3).Row(0), "n0"), one(random(1, n, 4).Row(0), "n1")
}

func BenchmarkScorer(b *testing.B) {
	const n = 50
	for _, c := range []struct {
		kind     pairwise.Kernel
		k        kernel.Kernel
		p, edges int
	}{
		{pairwise.Ranking, kernel.Gaussian{Gamma: 0.01}, 250, 500},
		{pairwise.Kronecker, kernel.Gaussian{Gamma: 0.01}, 250, 500},
		{pairwise.Kronecker, kernel.Polynomial{Gamma: 0.1, Coef0: 1, Degree: 2}, 250, 500},
		{pairwise.Kronecker, kernel.Gaussian{Gamma: 0.01}, 500, 5000},
		{pairwise.Metric, kernel.Gaussian{Gamma: 0.01}, 500, 5000},
		{pairwise.Kronecker, kernel.Gaussian{Gamma: 0.01}, 500, 0},
	} {
		p, row, col := served(c.kind, c.k, c.p, n, c.edges)
		b.Run(fmt.Sprintf("p=%d/n=%d/edges=%d/%s/%s", c.p, n, c.edges, c.kind, c.k), func(b *testing.B) {
			s, err := NewScorer(p)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Score(row, col); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("list/p=%d/n=%d/edges=%d/%s/%s", c.p, n, c.edges, c.kind, c.k), func(b *testing.B) {
			b.ReportAllocs()
			dst, at := make([]float64, 1), []int32{0}
			for b.Loop() {
				rows, err := p.RowValues(row)
				cols, err2 := p.ColValues(col)
				if err != nil || err2 != nil {
					b.Fatal(err, err2)
				}
				p.ScorePairsTo(dst, rows, cols, at, at)
			}
		})
	}
}

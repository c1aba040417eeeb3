package pairmodel

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pairrank/data"
	"pairrank/fault"
	"pairrank/internal/pairterms"
	"pairrank/kernel"
	"pairrank/relation/pairwise"
)

func TestSimilarityIsTheKernel(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		s := Side{Kernel: nodeKernels[r.IntN(4)], Normalize: r.IntN(2) == 0}
		a, b := random(1+r.IntN(5), 3, seed), random(1+r.IntN(20), 3, seed+1000)
		q := &pairProblem{p: &Model{Kernel: Similarity, Rows: s}, rows: &Nodes{X: a},
			cols: &Nodes{X: b}, given: [2]*data.Dense{a, b}}
		switch {
		case s.Precomputed():
			raw := s
			raw.Normalize = false
			q.rows.X, q.cols = naiveGram(&raw, a, b), &Nodes{ID: make([]string, b.Rows)}
			for i := range a.Rows {
				q.rows.Self = append(q.rows.Self, naiveNodeKernel(&raw, a.Row(i), a.Row(i)))
			}
			for j := range b.Rows {
				q.cols.Self = append(q.cols.Self, naiveNodeKernel(&raw, b.Row(j), b.Row(j)))
			}
		case r.IntN(2) == 0: // columns that lack a feature
			for j := range b.Rows {
				b.Row(j)[2] = 0
			}
			q.cols.X = allStored(b)
		}
		got, rows, cols, err := q.scores(q.p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.Rows {
			var row, col []int32
			for j := range b.Rows {
				want := q.define(i, j)
				if f := got.Row(i)[j]; !(math.Abs(f-want) <= pairRoundoff*(1+math.Abs(want))) {
					t.Errorf("seed %d: pair (%d,%d) has %g, want %g", seed, i, j, f, want)
				}
				if j%5 == 0 {
					row, col = append(row, int32(i), 0), append(col, int32(j), 0)
				}
			}
			list := make([]float64, len(row))
			q.p.ScorePairsTo(list, rows, cols, row, col)
			for k, f := range list {
				want := got.Row(int(row[k]))[col[k]]
				if !(math.Abs(f-want) <= pairRoundoff*(1+math.Abs(want))) {
					t.Errorf("seed %d: pair (%d,%d) has %g in a list, %g in the block", seed, row[k], col[k], f, want)
				}
			}
		}
	}
}

// wide is a problem of some hundred nodes, with few or many edges, so that every way to multiply is taken.
func wide(kind pairwise.Kernel, nodes, edges int) (p *Model, n *Nodes) {
	r := rand.New(rand.NewPCG(uint64(nodes), uint64(edges)))
	s := Side{Kernel: kernel.Gaussian{Gamma: 0.3}, Support: random(nodes, 3, 1), ID: make([]string, nodes)}
	for i := range s.ID {
		s.ID[i] = fmt.Sprint("n", i)
	}
	p = &Model{Kernel: kind, Rows: s, Edges: &EdgeCoef{}}
	for range edges {
		p.Edges.Row, p.Edges.Col = append(p.Edges.Row, int32(r.IntN(nodes))), append(p.Edges.Col, int32(r.IntN(nodes)))
		p.Edges.Value = append(p.Edges.Value, r.NormFloat64())
	}
	if edges == 0 {
		p.Edges, p.Coef = nil, random(nodes, nodes, 5)
	}
	return p, &Nodes{X: s.Support, ID: s.ID}
}

func TestPairsSameBytesForAnyThreads(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, kind := range kernels {
		for _, edges := range []int{0, 300, 20000} {
			p, n := wide(kind, 150, edges)
			if kind == Similarity {
				p = &Model{Kernel: kind, Rows: Side{Kernel: kernel.Gaussian{Gamma: 0.3}, Normalize: true}}
			}
			var want, wantList []float64
			for _, threads := range []int{1, 2, 5} {
				runtime.GOMAXPROCS(threads)
				values, err := p.RowValues(n)
				if err != nil {
					t.Fatal(err)
				}
				got, list := data.NewDense(150, 150, nil), make([]float64, 150)
				p.ScoreBlockTo(got, values, values)
				row, col := make([]int32, 150), make([]int32, 150)
				for k := range row {
					row[k], col[k] = int32(k), int32(k*k%150)
				}
				p.ScorePairsTo(list, values, values, row, col)
				if want == nil {
					want, wantList = got.Data, list
				}
				if !slices.Equal(got.Data, want) || !slices.Equal(list, wantList) {
					t.Errorf("%s, %d edges: other scores with %d threads", kind, edges, threads)
				}
				for k := range list { // the terms are of order √edges
					if d := math.Abs(list[k] - got.Row(int(row[k]))[col[k]]); !(d <= pairRoundoff*150) {
						t.Fatalf("%s, %d edges: pair %d differs by %g", kind, edges, k, d)
					}
				}
			}
		}
	}
}

// Edges that are spread over a matrix, and those that are multiplied one by one, score as the same coefficients
// in a matrix.
func TestManyEdgesAreAMatrix(t *testing.T) {
	const nodes = 150
	for _, kind := range kernels {
		for _, edges := range []int{300, 20000} {
			if kind == Similarity {
				continue
			}
			p, n := wide(kind, nodes, edges)
			full := *p
			full.Coef = data.NewDense(nodes, nodes, nil)
			for k, c := range p.Edges.Value {
				full.Coef.Row(int(p.Edges.Row[k]))[p.Edges.Col[k]] += c
			}
			full.Edges = nil
			var scores [2][]float64
			for k, m := range []*Model{p, &full} {
				values, err := m.RowValues(n)
				if err != nil {
					t.Fatal(err)
				}
				block := data.NewDense(nodes, nodes, nil)
				m.ScoreBlockTo(block, values, values)
				scores[k] = block.Data
			}
			if d := largestDifference(scores[0], scores[1]); !(d <= pairRoundoff) {
				t.Errorf("%s, %d edges: differs by %g", kind, edges, d)
			}
		}
	}
}

// Few edges are multiplied one by one, many are spread over a matrix, and the cheaper side comes first.
func TestWayToMultiply(t *testing.T) {
	x := random(10, 1000, 1)
	for _, c := range []struct {
		edges  int
		spread bool
	}{{100, false}, {50_000, false}, {500_000, true}} {
		b := &Bilinear{Rows: 1000, Cols: 1000, Row: make([]int32, c.edges), Col: make([]int32, c.edges),
			Value: make([]float64, c.edges)}
		if _, spread := b.cost(10, 10*1000, 1000); spread != c.spread {
			t.Errorf("%d edges are spread: %v, want %v", c.edges, spread, c.spread)
		}
	}
	huge := &Bilinear{Rows: 1 << 14, Cols: 1 << 14, Value: make([]float64, 1<<20)}
	if _, spread := huge.cost(1<<10, 1<<24, 1<<14); spread {
		t.Error("edges are spread over 2^28 entries")
	}
	b := &Bilinear{Rows: 1000, Cols: 1000, Dense: data.NewDense(0, 0, nil)}
	if !b.leads(x, random(20, 1000, 2), 200) || b.leads(random(20, 1000, 2), x, 200) {
		t.Error("the side of more nodes is multiplied first")
	}
}

func TestCartesianRefusesNewNodes(t *testing.T) {
	q := makePairs(pairwise.Cartesian, true, true, 3)
	n := &Nodes{X: random(3, width(q.p.Rows.Support), 1), ID: []string{q.p.Rows.ID[0], "stranger", "other"}}
	_, err := q.p.RowValues(n)
	var node *NodeError
	if !errors.As(err, &node) || !slices.Equal(node.ID, []string{"stranger", "other"}) || node.Hint() == "" {
		t.Errorf("new nodes: %v, want a *NodeError with both", err)
	}
	n.ID = nil
	if _, err := q.p.RowValues(n); err == nil || !strings.Contains(err.Error(), "names") {
		t.Errorf("nodes without names: %v", err)
	}
	long := &NodeError{What: "unknown", ID: make([]string, 25)}
	if text := long.Error(); !strings.HasSuffix(text, " and 5 more") {
		t.Errorf("25 nodes are told as %q", text)
	}
}

// precomputedPair is a model of two nodes with precomputed kernels.
func precomputedPair(normalize bool) *Model {
	s := Side{Kernel: kernel.Precomputed{}, ID: []string{"a", "b"}, Normalize: normalize}
	if normalize {
		s.Diag = []float64{4, 9}
	}
	return &Model{Kernel: pairwise.Kronecker, Rows: s, Coef: random(2, 2, 1)}
}

func TestPairValuesRefuse(t *testing.T) {
	featured := &Model{Kernel: pairwise.Kronecker, Coef: random(2, 2, 1),
		Rows: Side{Kernel: kernel.Linear{}, Support: random(2, 2, 1), ID: []string{"a", "b"},
			Names: []string{"x", "y"}}}
	plain, normal := precomputedPair(false), precomputedPair(true)
	similar := &Model{Kernel: Similarity, Rows: Side{Kernel: kernel.Linear{}, Names: []string{"x"}}}
	unit, empty := *featured, *featured
	unit.Rows.Normalize, empty.Rows.Normalize = true, true
	empty.Rows.Support = random(2, 2, 1)
	clear(empty.Rows.Support.(*data.Dense).Row(1))
	primal := &Model{Kernel: pairwise.Kronecker, Weights: random(2, 2, 1),
		Rows: Side{Kernel: kernel.Linear{}, Normalize: true}}
	m := random(1, 2, 1)
	for name, c := range map[string]struct {
		p    *Model
		n    *Nodes
		want string
	}{
		"no kind":           {&Model{}, &Nodes{X: m}, "unknown pairwise kernel"},
		"too many features": {featured, &Nodes{X: random(1, 3, 1)}, "more features than in training"},
		"another name":      {featured, &Nodes{X: m, Names: []string{"x", "z"}}, `feature 2 is "z"`},
		"similarity, wide":  {similar, &Nodes{X: m}, "more features than in training"},
		"narrow matrix":     {plain, &Nodes{X: random(1, 1, 1)}, "1 columns, want one for each of the 2"},
		"unknown column":    {plain, &Nodes{X: m, Names: []string{"a", "c"}}, `no column of 1 training nodes: "b"`},
		"column twice":      {plain, &Nodes{X: m, Names: []string{"a", "a"}}, `two columns "a"`},
		"diagonal unknown":  {normal, &Nodes{X: m}, "not known what the kernel of these nodes"},
		"diagonal of c":     {normal, &Nodes{X: m, ID: []string{"c"}}, `themselves is: "c"`},
		"diagonal 0":        {normal, &Nodes{X: m, Self: []float64{0}}, `not above 0: "row 1"`},
		"infinite diagonal": {normal, &Nodes{X: m, ID: []string{"c"}, Self: []float64{math.Inf(1)}},
			`not above 0: "c"`},
		"no features":          {&unit, &Nodes{X: data.NewDense(1, 2, nil), ID: []string{"c"}}, `not above 0: "c"`},
		"no features, weights": {primal, &Nodes{X: data.NewDense(1, 2, nil)}, `not above 0: "row 1"`},
		"training, no features": {&empty, &Nodes{X: m},
			`in training: the kernel is normalised, and of these nodes with themselves it is not above 0: "b"`},
	} {
		if _, err := c.p.ColValues(c.n); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	var feature *fault.FeatureError
	if _, err := featured.RowValues(&Nodes{X: random(1, 3, 1)}); !errors.As(err, &feature) {
		t.Errorf("too many features: %v, want a *fault.FeatureError", err)
	}
	v, err := normal.RowValues(&Nodes{X: &data.Dense{Rows: 1, Cols: 2, Stride: 2, Data: []float64{2, 3}},
		ID: []string{"a"}})
	if err != nil || !slices.Equal(v.x.(*data.Dense).Data, []float64{0.5, 0.5}) {
		t.Errorf("known node a: %v, error %v, want 2/√(4·4) and 3/√(4·9)", v, err)
	}
}

func TestPairsPanic(t *testing.T) {
	p := precomputedPair(false)
	v, err := p.RowValues(&Nodes{X: random(3, 2, 1)})
	if err != nil {
		t.Fatal(err)
	}
	other := &Values{count: 3, x: random(3, 4, 1)}
	similar := &Model{Kernel: Similarity, Rows: Side{Kernel: kernel.Precomputed{}}}
	list := make([]float64, 1)
	scorer, err := NewScorer(p)
	if err != nil {
		t.Fatal(err)
	}
	for name, wrong := range map[string]func(){
		"block":       func() { p.ScoreBlockTo(data.NewDense(2, 3, nil), v, v) },
		"lengths":     func() { p.ScorePairsTo(list, v, v, []int32{0}, nil) },
		"row 4 of 3":  func() { p.ScorePairsTo(list, v, v, []int32{3}, []int32{0}) },
		"other model": func() { p.ScoreBlockTo(data.NewDense(3, 3, nil), v, other) },
		"rectangle":   func() { similar.ScoreBlockTo(data.NewDense(3, 3, nil), v, v) },
		"names":       func() { _, _ = p.RowValues(&Nodes{X: random(3, 2, 1), Names: []string{"a"}}) },
		"self":        func() { _, _ = p.RowValues(&Nodes{X: random(3, 2, 1), Self: []float64{1}}) },
		"two nodes":   func() { _, _ = scorer.Score(one(make([]float64, 2), "a"), &Nodes{X: random(2, 2, 1)}) },
		"csr":         func() { _, _ = p.RowValues(&Nodes{X: sparse(random(3, 2, 1))}) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			wrong()
		})
	}
}

func BenchmarkScorePairs(b *testing.B) {
	const nodes = 1000
	for _, edges := range []int{0, 10_000, 100_000} {
		for _, list := range []int{1, 1000} {
			b.Run(fmt.Sprintf("p=%d/edges=%d/pairs=%d", nodes, edges, list), func(b *testing.B) {
				p, n := wide(pairwise.Kronecker, nodes, edges)
				v, err := p.RowValues(n)
				if err != nil {
					b.Fatal(err)
				}
				row, col := make([]int32, list), make([]int32, list)
				for k := range row {
					row[k], col[k] = int32(k%100), int32(k*7%nodes)
				}
				dst := make([]float64, list)
				for b.Loop() {
					p.ScorePairsTo(dst, v, v, row, col)
				}
			})
		}
	}
}

func BenchmarkScoreBlock(b *testing.B) {
	const nodes = 1000
	for _, kind := range []pairwise.Kernel{pairwise.Kronecker, pairwise.Metric} {
		for _, edges := range []int{0, 10_000, 100_000} {
			b.Run(fmt.Sprintf("p=%d/edges=%d/%s", nodes, edges, kind), func(b *testing.B) {
				p, n := wide(kind, nodes, edges)
				v, err := p.RowValues(n)
				if err != nil {
					b.Fatal(err)
				}
				dst := data.NewDense(nodes, nodes, nil)
				for b.Loop() {
					p.ScoreBlockTo(dst, v, v)
				}
			})
		}
	}
}

// TestKnownSelf: a training node has its value of training, another node the entry in the column with its name.
// The error names the nodes that have neither, and no others.
func TestKnownSelf(t *testing.T) {
	e, err := precomputedPair(true).end(pairterms.Row)
	if err != nil {
		t.Fatal(err)
	}
	self := make([]float64, 3)
	x := &data.Dense{Rows: 3, Cols: 3, Stride: 3, Data: []float64{1, 2, 5, 3, 16, 6, 7, 8, 25}}
	n := &Nodes{X: x, Names: []string{"a", "b", "new"}, ID: []string{"a", "b", "new"}}
	if err := e.knownSelfTo(self, n); err != nil || !slices.Equal(self, []float64{4, 9, 25}) {
		t.Errorf("%v, %v", self, err)
	}
	n.ID[0] = "x"
	var missing *NodeError
	if err := e.knownSelfTo(self, n); !errors.As(err, &missing) || !slices.Equal(missing.ID, []string{"x"}) {
		t.Errorf("x has no column: %v", err)
	}
	if err := e.knownSelfTo(self, &Nodes{X: x, Names: n.Names}); err == nil {
		t.Error("nodes without names are known")
	}
}

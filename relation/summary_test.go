package relation

import (
	"math"
	"math/rand/v2"
	"testing"

	"pairrank/data"
	"pairrank/kernel"
	"pairrank/relation/edge"
)

// A summary counts the same as loops over all pairs of edges and of nodes.
func TestSummarize(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		rows, cols, m := 1+r.IntN(4), 1+r.IntN(3), 1+r.IntN(12)
		p := &Problem{Rows: &Nodes{X: data.NewDense(rows, 2, nil)}, Cols: &Nodes{X: data.NewDense(cols, 5, nil)}}
		if r.IntN(2) == 0 {
			p.Cols, cols = nil, rows
		}
		for range m {
			p.Edges.Row, p.Edges.Col = append(p.Edges.Row, r.Int32N(int32(rows))),
				append(p.Edges.Col, r.Int32N(int32(cols)))
			p.Y = append(p.Y, float64(r.IntN(2)))
		}
		count := func(n int, is func(i int) bool) (k int) {
			for i := range n {
				if is(i) {
					k++
				}
			}
			return k
		}
		alike := func(e, f int) bool { return p.Edges.Row[e] == p.Edges.Row[f] && p.Edges.Col[e] == p.Edges.Col[f] }
		repeated := count(m, func(e int) bool { return count(e, func(f int) bool { return alike(e, f) }) > 0 })
		edgesOf := func(i int, label float64) int {
			return count(m, func(e int) bool { return int(p.Edges.Row[e]) == i && p.Y[e] == label })
		}
		mixed := func(i int) bool { return edgesOf(i, 0) > 0 && edgesOf(i, 1) > 0 }
		degenerate := count(rows, func(i int) bool { return edgesOf(i, 0)+edgesOf(i, 1) > 0 && !mixed(i) })
		unused := func(nodes int, ends ...[]int32) int {
			return count(nodes, func(i int) bool {
				for _, end := range ends {
					if count(m, func(e int) bool { return int(end[e]) == i }) > 0 {
						return false
					}
				}
				return true
			})
		}
		s := Summarize(p)
		if s.Edges != m || s.Repeated != repeated || s.Degenerate != degenerate ||
			s.Ordered != (count(rows, mixed) > 0) ||
			s.Complete != (repeated == 0 && m == rows*cols) || s.Rows.Nodes != rows || s.Rows.Features != 2 {
			t.Fatalf("%+v of %+v and labels %v", s, p.Edges, p.Y)
		}
		if p.Cols == nil {
			if s.Cols != nil || s.Rows.Unused != unused(rows, p.Edges.Row, p.Edges.Col) {
				t.Fatalf("one domain: %+v of %+v", s, p.Edges)
			}
		} else if s.Rows.Unused != unused(rows, p.Edges.Row) || s.Cols.Unused != unused(cols, p.Edges.Col) ||
			s.Cols.Features != 5 {
			t.Fatalf("two domains: %+v, %+v of %+v", s, s.Cols, p.Edges)
		}
	}
}

// A summary reports a property of a similarity matrix exactly when Train refuses the matrix for it.
func TestSummarizeSimilarity(t *testing.T) {
	for _, c := range []struct {
		values                 []float64
		asymmetry, smallest    float64
		asymmetric, indefinite bool
	}{
		{[]float64{2, 1, 1, 2}, 0, 1, false, false},
		{[]float64{1, 2, 2, 1}, 0, -1, false, true},
		{[]float64{4, 1, 0, 4}, 0.25, 3.5, true, false},
	} {
		n := &Nodes{Kernel: kernel.Precomputed{}, Similarity: data.NewDense(2, 2, c.values)}
		p := &Problem{Rows: n, Edges: edge.Edges{Row: []int32{0, 0}, Col: []int32{0, 1}}, Y: []float64{0, 1}}
		s := Summarize(p).Rows.Similarities[0]
		if math.Abs(s.Asymmetry-c.asymmetry) > 1e-15 || math.Abs(s.Smallest-c.smallest) > 1e-14 ||
			s.Asymmetric() != c.asymmetric || s.Indefinite() != c.indefinite {
			t.Errorf("%v: %+v", c.values, s)
		}
		_, err := Train(t.Context(), *p, Options{Lambdas: []float64{1}})
		if refused := err != nil; refused != (c.asymmetric || c.indefinite) {
			t.Errorf("%v: training says %v", c.values, err)
		}
	}
}

package laplacian

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pairrank/internal/krylov"
)

// edge joins two vertices.
type edge struct {
	a, b   int
	weight float64
}

// graphOf is the graph of some edges, in a random order of its n vertices.
func graphOf(n int, edges []edge, r *rand.Rand) *Graph {
	place := r.Perm(n)
	g := &Graph{Bounds: make([]int, n+1)}
	for _, e := range edges {
		g.Bounds[place[e.a]+1]++
		g.Bounds[place[e.b]+1]++
	}
	for i := range n {
		g.Bounds[i+1] += g.Bounds[i]
	}
	g.To, g.Weight = make([]int32, g.Bounds[n]), make([]float64, g.Bounds[n])
	at := slices.Clone(g.Bounds)
	for _, e := range edges {
		for _, d := range [][2]int{{place[e.a], place[e.b]}, {place[e.b], place[e.a]}} {
			g.To[at[d[0]]], g.Weight[at[d[0]]] = int32(d[1]), e.weight
			at[d[0]]++
		}
	}
	return g
}

func path(n int) (edges []edge) {
	for i := 1; i < n; i++ {
		edges = append(edges, edge{i - 1, i, 1 + float64(i%5)})
	}
	return edges
}

func star(n int) (edges []edge) {
	for i := 1; i < n; i++ {
		edges = append(edges, edge{0, i, 1 + float64(i%5)})
	}
	return edges
}

func grid(side int) (edges []edge) {
	for i := range side {
		for j := range side {
			if i > 0 {
				edges = append(edges, edge{i*side + j, (i-1)*side + j, 1})
			}
			if j > 0 {
				edges = append(edges, edge{i*side + j, i*side + j - 1, 1})
			}
		}
	}
	return edges
}

func neighbours(n int, r *rand.Rand) (edges []edge) {
	seen := map[[2]int]bool{}
	for len(edges) < 10*n {
		i := r.IntN(n)
		if j := i + 1 + r.IntN(100); j < n && !seen[[2]int{i, j}] {
			seen[[2]int{i, j}] = true
			edges = append(edges, edge{i, j, 0.5 + r.Float64()})
		}
	}
	return edges
}

func complete(n int, r *rand.Rand) (edges []edge) {
	for i := range n {
		for j := range i {
			edges = append(edges, edge{i, j, 0.1 + r.Float64()})
		}
	}
	return edges
}

// operator is L + ridge I.
type operator struct {
	g        *Graph
	diagonal []float64
}

func newOperator(g *Graph, ridge float64) *operator {
	o := &operator{g, make([]float64, g.Len())}
	g.DegreesTo(o.diagonal)
	for i := range o.diagonal {
		o.diagonal[i] += ridge
	}
	return o
}

func (o *operator) MulTo(dst, x []float64) { o.g.MulTo(dst, x, o.diagonal) }

// TestIterations: with the factor conjugate gradients take few steps; those of a path and a star, which are eliminated
// exactly without a ridge, take as many as the rounding of the entries does. By the diagonal they take many.
func TestIterations(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	const tolerance = 1e-9
	for _, c := range []struct {
		name         string
		n            int
		edges        []edge
		ridge        float64
		most, jacobi int // steps: at most by the factor, at least by the diagonal
	}{
		{"path", 20_000, path(20_000), 0, 4, 1000},
		{"path with a ridge", 20_000, path(20_000), 1e-3, 40, 100},
		{"star", 20_000, star(20_000), 0, 4, 1},
		{"star with a ridge", 20_000, star(20_000), 0.1, 25, 1},
		{"grid", 150 * 150, grid(150), 0, 60, 300},
		{"grid with a ridge", 150 * 150, grid(150), 1e-3, 50, 100},
		{"neighbours", 20_000, neighbours(20_000, r), 0, 40, 300},
		{"neighbours with a ridge", 20_000, neighbours(20_000, r), 0.1, 30, 50},
		{"complete", 200, complete(200, r), 0, 20, 1},
	} {
		g := graphOf(c.n, c.edges, r)
		a := newOperator(g, c.ridge)
		b, at := make([]float64, c.n), make([]float64, c.n)
		for i := range at {
			at[i] = r.NormFloat64()
		}
		a.MulTo(b, at)
		f, err := Factorize(t.Context(), g, c.ridge, 1)
		if err != nil {
			t.Fatal(err)
		}
		x := make([]float64, c.n)
		got, err := krylov.CG(t.Context(), a, b, x, krylov.Options{Tolerance: tolerance, MaxIterations: 500,
			Precondition: f.SolveTo})
		if err != nil || !got.Converged || got.Iterations > c.most {
			t.Errorf("%s: %+v, %v; want at most %d steps", c.name, got, err, c.most)
		}
		clear(x)
		plain, err := krylov.CG(t.Context(), a, b, x, krylov.Options{Tolerance: tolerance, MaxIterations: c.jacobi,
			Diagonal: a.diagonal})
		if err != nil || c.jacobi > 1 && plain.Converged {
			t.Errorf("%s: by the diagonal %+v, %v", c.name, plain, err)
		}
		t.Logf("%s: %d steps, %.2f entries an edge", c.name, got.Iterations, float64(len(f.place))/float64(len(c.edges)))
	}
}

// TestUnbiased: the expected product U D Uᵀ is L + ridge I. Its mean over many seeds is within 6 standard errors.
func TestUnbiased(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	const n, seeds = 7, 4000
	for _, ridge := range []float64{0, 0.3} {
		g := graphOf(n, complete(n, r), r)
		want := newOperator(g, ridge)
		var mean, squares [n][n]float64
		for seed := range uint64(seeds) {
			f, err := Factorize(t.Context(), g, ridge, seed)
			if err != nil {
				t.Fatal(err)
			}
			p := f.product()
			for i := range n {
				for j := range n {
					mean[i][j] += p[i][j] / seeds
					squares[i][j] += p[i][j] * p[i][j] / seeds
				}
			}
		}
		for j := range n {
			e, column := make([]float64, n), make([]float64, n)
			e[j] = 1
			want.MulTo(column, e)
			for i, w := range column {
				spread := math.Sqrt(max(0, squares[i][j]-mean[i][j]*mean[i][j]) / seeds)
				if math.Abs(mean[i][j]-w) > 6*spread+1e-6 { // entries are in single precision
					t.Errorf("ridge %v, entry %d, %d: mean %v ± %v, want %v", ridge, i, j, mean[i][j], spread, w)
				}
			}
		}
	}
}

// product is U D Uᵀ.
func (f *Factor) product() [][]float64 {
	n := len(f.order)
	u, out := make([][]float64, n), make([][]float64, n)
	for k := range n {
		u[k], out[k] = make([]float64, n), make([]float64, n)
		u[k][k] = 1
	}
	for k := range n {
		for at := f.bounds[k]; at < f.bounds[k+1]; at++ {
			u[f.place[at]][k] = -float64(f.share[at])
		}
	}
	for i := range n {
		for j := range n {
			for k, d := range f.pivot {
				out[f.order[i]][f.order[j]] += u[i][k] * d * u[j][k]
			}
		}
	}
	return out
}

// TestSolve: SolveTo inverts the product, is symmetric, and has the same bits for the same seed.
func TestSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	const n = 40
	g := graphOf(n, complete(n, r), r)
	f, _ := Factorize(t.Context(), g, 0.2, 3)
	again, _ := Factorize(t.Context(), g, 0.2, 3)
	b, z, same, back := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range b {
		b[i] = r.NormFloat64()
	}
	f.SolveTo(z, b)
	again.SolveTo(same, b)
	if !slices.Equal(z, same) {
		t.Error("two factors of the same seed differ")
	}
	for i, row := range f.product() {
		for j, v := range row {
			back[i] += v * z[j]
		}
		if math.Abs(back[i]-b[i]) > 1e-9 {
			t.Errorf("entry %d: %v, want %v", i, back[i], b[i])
		}
	}
	// Two components and an isolated vertex, without a ridge: pivots of 0.
	g = graphOf(5, []edge{{0, 1, 2}, {2, 3, 1}}, r)
	f, _ = Factorize(t.Context(), g, 0, 1)
	zeros := 0
	for _, d := range f.pivot {
		if d == 0 {
			zeros++
		}
	}
	if zeros != 3 {
		t.Errorf("%d pivots of 0 in three components", zeros)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Factorize(ctx, g, 0, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled factorisation: %v", err)
	}
}

// TestMulTo: products are those of the matrix, entry by entry.
func TestMulTo(t *testing.T) {
	g := &Graph{Bounds: []int{0, 2, 3, 4}, To: []int32{1, 2, 0, 0}, Weight: []float64{2, 5, 2, 5}}
	d, dst := make([]float64, 3), make([]float64, 3)
	g.DegreesTo(d)
	g.MulTo(dst, []float64{1, 10, 100}, d)
	if !slices.Equal(d, []float64{7, 2, 5}) || !slices.Equal(dst, []float64{7 - 20 - 500, 20 - 2, 500 - 5}) {
		t.Errorf("degrees %v, product %v", d, dst)
	}
	defer func() {
		if recover() == nil {
			t.Error("a product with too few numbers does not panic")
		}
	}()
	g.MulTo(dst[:2], dst, d)
}

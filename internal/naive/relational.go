package naive

// Edge is an observed value of a row node and a column node.
type Edge struct {
	Row, Col int
	Y        float64
}

// PairKernel is the pairwise kernel of the given name between the edges (d,t) and
// (d2,t2), from the node kernels of rows and columns. Kernels of one domain take
// rows for both.
func PairKernel(name string, rows, cols func(a, b int) float64, d, t, d2, t2 int) float64 {
	same := func(a, b int) float64 {
		if a == b {
			return 1
		}
		return 0
	}
	switch name {
	case "symmetric":
		return (rows(d, d2)*rows(t, t2) + rows(d, t2)*rows(t, d2)) / 2
	case "reciprocal":
		return (rows(d, d2)*rows(t, t2) - rows(d, t2)*rows(t, d2)) / 2
	case "cartesian":
		return rows(d, d2)*same(t, t2) + same(d, d2)*cols(t, t2)
	case "linear":
		return rows(d, d2) + cols(t, t2)
	case "poly2":
		s := rows(d, d2) + cols(t, t2)
		return s * s
	case "metric":
		s := rows(d, d2) - rows(d, t2) - rows(t, d2) + rows(t, t2)
		return s * s
	case "ranking":
		return rows(d, d2) - rows(d, t2) - rows(t, d2) + rows(t, t2)
	}
	return rows(d, d2) * cols(t, t2)
}

// Relational minimises (y−f)ᵀL(y−f) + λ‖f‖² over the span of the pairwise kernel
// k of the edges, with L = I or, for ranking, L that subtracts the mean of the
// edges of each row, by solving (LK + λI)a = Ly in extended precision. It returns
// f(d,t).
func Relational(edges []Edge, k func(d, t, d2, t2 int) float64, ranking bool, lambda float64) func(d, t int) float64 {
	m := len(edges)
	gram, y := make([]extended, m*m), make([]extended, m)
	for i, e := range edges {
		y[i] = wide(e.Y)
		for j, g := range edges {
			gram[i*m+j] = wide(k(e.Row, e.Col, g.Row, g.Col))
		}
	}
	if ranking {
		centre(y, 1, edges)
		centre(gram, m, edges)
	}
	for i := range edges {
		gram[i*m+i] = gram[i*m+i].add(wide(lambda))
	}
	a := solve(gram, y)
	return func(d, t int) float64 {
		sum := wide(0)
		for i, e := range edges {
			sum = sum.add(wide(a[i]).mul(wide(k(d, t, e.Row, e.Col))))
		}
		return sum.hi + sum.lo
	}
}

// centre subtracts from each column of x, m×width, its mean over the edges of a row.
func centre(x []extended, width int, edges []Edge) {
	count := map[int]float64{}
	for _, e := range edges {
		count[e.Row]++
	}
	for c := range width {
		mean := map[int]extended{}
		for i, e := range edges {
			mean[e.Row] = mean[e.Row].add(x[i*width+c])
		}
		for i, e := range edges {
			x[i*width+c] = x[i*width+c].add(mean[e.Row].div(wide(count[e.Row])).neg())
		}
	}
}

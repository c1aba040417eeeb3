package relation

import (
	"context"
	"math"
	"math/rand/v2"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/ostat"
)

// drawnOfRow is how many edges of a row are drawn, where there are rows enough.
const drawnOfRow = 10

// allowed is the sample for which leaving out edges one by one takes cv.PairsBudget and about
// the time of the factorisation, 0 where all do; each is this much work for all values of λ.
func (g *graph) allowed(each float64) int {
	p, n := float64(g.rows.Rows), float64(g.cols.Rows)
	budget := cv.PairsBudget + 0.6*(p*p*p+n*n*n) // what a factorisation takes, in such work
	edges := budget / each
	if edges >= float64(len(g.y)) {
		return 0
	}
	return max(drawnOfRow*drawnOfRow, int(edges))
}

// sample is the edges that Both leaves out, as Options.Sample says.
func (g *graph) sample(o scheme) []int {
	m := len(g.y)
	if o.sample == 0 || o.sample >= m {
		return allEdges(m)
	}
	random := rand.New(rand.NewPCG(o.seed, 0x73616d706c65))
	edges := g.ofSomeRows(o.sample, random)
	random.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	label, some, two := g.rarer(edges)
	if !two {
		return edges[:o.sample]
	}
	least := min(some, o.sample/2)
	most := o.sample - least
	out := make([]int, 0, o.sample)
	for _, e := range edges {
		left := &most
		if g.y[e] == label {
			left = &least
		}
		if *left > 0 {
			*left--
			out = append(out, e)
		}
	}
	return out
}

// ofSomeRows is all edges of rows that are drawn: those of one row for drawnOfRow
// of n edges, and of more rows until there are n.
func (g *graph) ofSomeRows(n int, random *rand.Rand) []int {
	byRow := make([][]int, g.rows.Rows)
	for e, i := range g.edges.Row {
		byRow[i] = append(byRow[i], e)
	}
	var edges []int
	rows := 0
	for _, i := range random.Perm(len(byRow)) {
		if len(edges) >= n && rows*drawnOfRow >= n {
			break
		}
		if len(byRow[i]) > 0 {
			edges = append(edges, byRow[i]...)
			rows++
		}
	}
	return edges
}

// rarer is the rarer one of the labels of edges, how many have it, and whether
// there are two labels.
func (g *graph) rarer(edges []int) (label float64, some int, two bool) {
	count := make(map[float64]int, 2)
	for _, e := range edges {
		if count[g.y[e]]++; len(count) > 2 {
			return 0, 0, false
		}
	}
	some = len(edges)
	for v, n := range count {
		if n < some || n == some && v > label {
			label, some = v, n
		}
	}
	return label, some, len(count) == 2
}

// allEdges are the numbers of m edges.
func allEdges(m int) []int {
	all := make([]int, m)
	for e := range all {
		all[e] = e
	}
	return all
}

// drawn is edges of a graph that were drawn from some rows: the places in the sample of those
// of each row, and the strata they were drawn in, of the rarer label and the other where there
// are two.
type drawn struct {
	y     []float64 // of the sample
	rows  int       // that have edges
	at    [][]int
	of    []int      // stratum of each place
	taken [2]float64 // share of the edges of the drawn rows that is in the sample
}

// newDrawn sorts the sample; nil where it is all edges.
func newDrawn(g *graph, sample []int32) *drawn {
	if len(sample) == len(g.y) {
		return nil
	}
	all, at := make([][]int, g.rows.Rows), make([][]int, g.rows.Rows)
	for e, i := range g.edges.Row {
		all[i] = append(all[i], e)
	}
	d := &drawn{y: make([]float64, len(sample)), of: make([]int, len(sample))}
	for a, e := range sample {
		d.y[a] = g.y[e]
		at[g.edges.Row[e]] = append(at[g.edges.Row[e]], a)
	}
	var from []int // edges of the rows that were drawn
	for i, edges := range all {
		if len(edges) > 0 {
			d.rows++
		}
		if len(at[i]) > 0 {
			d.at, from = append(d.at, at[i]), append(from, edges...)
		}
	}
	label, _, two := g.rarer(from)
	stratum := func(y float64) int {
		if two && y == label {
			return 1
		}
		return 0
	}
	var size [2]float64
	for _, e := range from {
		size[stratum(g.y[e])]++
	}
	for a, y := range d.y {
		d.of[a] = stratum(y)
		d.taken[d.of[a]] += 1 / size[d.of[a]]
	}
	return d
}

// stdErr is the standard error by drawing alone of the share of wrongly ordered pairs E =
// W/D: of n of N rows, and then a share t of their edges, or a share t_s of those of each
// label,
//
//	√V / D    V = (1 − n/N) n/(n−1) Σ_i (w_i − E d_i)² + n/N Σ_s (1 − t_s) k_s/(k_s−1) Σ_e (h_e − h̄_s)²
//
// with w_i wrong ones of the d_i pairs of row i, and h_e that number less E times that of the
// pairs of edge e, k_s edges in a stratum: the variance of drawing in two stages, with that of
// the second by the first projection of a U-statistic (Cochran 1977, Sampling techniques,
// section 11.8; Hoeffding 1948, A class of statistics with asymptotically normal distribution,
// section 5). Undefined where no two labels of a row differ.
func (d *drawn) stdErr(scores []float64) metric.Value {
	h, share, pairs := d.residuals(scores)
	if pairs == 0 || math.IsNaN(share) {
		return metric.Value{}
	}
	between := 0.0
	for _, row := range d.at {
		sum := 0.0
		for _, a := range row {
			sum += h[a]
		}
		between += sum * sum / 4 // each pair is of two edges
	}
	var sum, squares, k [2]float64
	for a, v := range h {
		s := d.of[a]
		sum[s] += v
		squares[s] += v * v
		k[s]++
	}
	within := 0.0
	for s, n := range k {
		if n > 1 {
			within += (1 - d.taken[s]) * n / (n - 1) * (squares[s] - sum[s]*sum[s]/n)
		}
	}
	rows, of := float64(len(d.at)), float64(d.rows)
	if rows > 1 {
		between *= rows / (rows - 1)
	}
	v := (1-rows/of)*between + rows/of*within
	return metric.Value{Value: math.Sqrt(max(0, v)) / pairs, Defined: true}
}

// residuals is h_e, E and D.
func (d *drawn) residuals(scores []float64) (h []float64, share, pairs float64) {
	h, of := make([]float64, len(d.y)), make([]float64, len(d.y))
	for _, row := range d.at {
		d.count(row, scores, h, of)
	}
	wrong := 0.0
	for a := range h {
		wrong += h[a] / 2
		pairs += of[a] / 2
	}
	share = wrong / pairs
	for a := range h {
		h[a] -= share * of[a]
	}
	return h, share, pairs
}

// drawing is an exact that measures on the way how far its errors may be off by the edges
// that were drawn.
type drawing struct {
	*exact
	errs []metric.Value // of every λ
}

// HoldOut is that of the exact one.
func (d *drawing) HoldOut(ctx context.Context, s *cv.Splits, lambdas []float64, emit func(g, l int, held cv.Held)) error {
	if d.drawn == nil {
		return d.exact.HoldOut(ctx, s, lambdas, emit)
	}
	d.errs = make([]metric.Value, len(lambdas))
	return d.exact.HoldOut(ctx, s, lambdas, func(g, l int, held cv.Held) {
		d.errs[l] = d.drawn.stdErr(held.F.Data)
		emit(g, l, held)
	})
}

// tell says in each point how many edges were drawn, and the error of drawing them.
func (d *drawing) tell(to *cv.Estimate) {
	for l, err := range d.errs {
		to.Points[l].Drawn, to.Points[l].DrawErr = int64(len(d.drawn.y)), err
	}
}

// count adds for each edge of a row its pairs with different labels, and those that are
// ordered wrongly, ties ½; of k edges in O(k log k). No score is NaN.
func (d *drawn) count(row []int, scores, wrong, pairs []float64) {
	y, f := make([]float64, len(row)), make([]float64, len(row))
	for k, a := range row {
		y[k], f[k] = d.y[a], scores[a]
	}
	order := ostat.NewConcordance(y)
	differ, right := make([]int64, len(row)), make([]int64, len(row)) // less those that are wrong
	order.PairsTo(differ)
	if _, ok := order.CountTo(right, f, new(ostat.ConcordanceMemory)); !ok {
		panic("relation: a score is NaN")
	}
	for k, a := range row {
		wrong[a] += float64(differ[k]-right[k]) / 2
		pairs[a] += float64(differ[k])
	}
}

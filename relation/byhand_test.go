package relation

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/format/table"
	"pairrank/internal/journal"
	"pairrank/internal/kron"
	"pairrank/internal/naive"
	"pairrank/internal/realdata"
	"pairrank/relation/edge"
)

// trainer trains on some edges with labels y, and returns the score of any edge for each λ.
type trainer func(t *testing.T, g *graph, y []float64, train []int, lambdas []float64) func(l, e int) float64

// explicitly is the explicit solution over the edges.
func explicitly(_ *testing.T, g *graph, y []float64, train []int, lambdas []float64) func(l, e int) float64 {
	var edges []naive.Edge
	for _, h := range train {
		edges = append(edges, naive.Edge{Row: int(g.edges.Row[h]), Col: int(g.edges.Col[h]), Y: y[h]})
	}
	rows := func(a, b int) float64 { return g.rows.Row(a)[b] }
	cols := func(a, b int) float64 { return g.cols.Row(a)[b] }
	k := func(d, t, d2, t2 int) float64 { return naive.PairKernel(string(g.kernel), rows, cols, d, t, d2, t2) }
	var scores []func(row, col int) float64
	for _, lambda := range lambdas {
		scores = append(scores, naive.Relational(edges, k, g.learn.Loss != edge.Regression, lambda))
	}
	return func(l, e int) float64 { return scores[l](int(g.edges.Row[e]), int(g.edges.Col[e])) }
}

// factoring retrains on the complete block of the remaining rows.
func factoring(t *testing.T, g *graph, y []float64, train []int, lambdas []float64) func(l, e int) float64 {
	t.Helper()
	part := g.part(train)
	for a, e := range train {
		part.y[a] = y[e]
	}
	path, err := kron.Factor(t.Context(), part.rows, part.cols, part.complete(), part.learn)
	if err != nil {
		t.Fatal(err)
	}
	var coef []*data.Dense
	for _, lambda := range lambdas {
		coef = append(coef, path.At(lambda).Coef)
	}
	return func(l, e int) float64 {
		sum := 0.0
		for i, row := range part.rowNumbers {
			for j, c := range coef[l].Row(i) {
				sum += c * g.rows.Row(int(g.edges.Row[e]))[row] * g.cols.Row(int(g.edges.Col[e]))[j]
			}
		}
		return sum
	}
}

// withoutRows returns the score of each of some edges, for each λ, from training without its row.
func withoutRows(t *testing.T, train trainer, g *graph, y []float64, edges []int, lambdas []float64) [][]float64 {
	scores := make([][]float64, len(lambdas))
	for l := range scores {
		scores[l] = nans(len(y))
	}
	for i := range int32(g.rows.Rows) {
		var in, out []int
		for _, e := range edges {
			if g.edges.Row[e] == i {
				out = append(out, e)
			} else {
				in = append(in, e)
			}
		}
		if len(out) == 0 {
			continue
		}
		f := train(t, g, y, in, lambdas)
		for l := range lambdas {
			for _, e := range out {
				scores[l][e] = f(l, e)
			}
		}
	}
	return scores
}

// rowError returns the share of the pairs of a row in the wrong order, and its standard error over the rows, by
// loops over pairs: without each row in turn.
func rowError(g *graph, y, scores []float64) (share, stderr, pairs float64) {
	wrong, of := make([]float64, g.rows.Rows), make([]float64, g.rows.Rows)
	all := 0.0
	for e := range y {
		for h := range y {
			if i := g.edges.Row[e]; i == g.edges.Row[h] && y[e] > y[h] && !math.IsNaN(scores[e]+scores[h]) {
				of[i]++
				switch {
				case math.Abs(scores[e]-scores[h]) < 1e-12:
					wrong[i] += 0.5
				case scores[e] < scores[h]:
					wrong[i]++
				}
			}
		}
	}
	for i := range wrong {
		all, pairs = all+wrong[i], pairs+of[i]
	}
	share = all / pairs
	sum, n := 0.0, 0.0
	for i := range wrong {
		if of[i] > 0 {
			n++
			without := (all - wrong[i]) / (pairs - of[i])
			sum += (without - share) * (without - share)
		}
	}
	return share, math.Sqrt(sum * (n - 1) / n), pairs
}

// leastOf returns the index of the least error, the last of equal ones.
func leastOf(t *testing.T, train trainer, g *graph, y []float64, edges []int,
	lambdas []float64) (best int, least float64) {
	least = math.Inf(1)
	for l, scores := range withoutRows(t, train, g, y, edges, lambdas) {
		if e, _, _ := rowError(g, y, scores); e <= least {
			best, least = l, e
		}
	}
	return best, least
}

// checkByHand compares the standard error, the nested estimate and the permutation test of leaving out rows
// with retraining.
func checkByHand(t *testing.T, p Problem, o EstimateOptions, train trainer, permutations int) {
	t.Helper()
	o.Setting, o.Permutations = edge.Rows, permutations
	o.Intervals = cv.IntervalsNone
	got, err := Estimate(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	ready, err := prepare(&p, EstimateOptions{Options: o.Resolved()}, &journal.Journal{}, false)
	if err != nil {
		t.Fatal(err)
	}
	g, lambdas := ready.graph(), got.Choice.Chosen().Candidates
	all := allEdges(len(p.Y))
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-9) {
			t.Errorf("%s is %v, and by hand %v", what, got, want)
		}
	}
	for l, scores := range withoutRows(t, train, g, p.Y, all, lambdas) {
		e, stderr, pairs := rowError(g, p.Y, scores)
		near("the error", got.Choice.Points()[l].Error, e)
		near("its standard error", got.Choice.Points()[l].StdErr.Value, stderr)
		near("the number of pairs", float64(got.Choice.Points()[l].Pairs), pairs)
		if l == got.Choice.Chosen().Outputs[0].Best {
			t.Logf("by hand: λ = %v, error %.5f ± %.5f over %v pairs", lambdas[l], e, stderr, pairs)
		}
	}

	splits, err := g.splits(scheme{setting: edge.Rows, method: *o.Nested, seed: o.Seed + 1})
	if err != nil {
		t.Fatal(err)
	}
	nested := nans(len(p.Y))
	for k := range splits.Len() {
		in := splits.Train(k)
		own := lambdas
		if o.Lambdas == nil { // the default values for the edges trained on
			_, e, err := estimated(t, g.part(in).graph,
				scheme{setting: edge.Rows, method: cv.Method{Kind: cv.LeaveOneOut}}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			own = nil
			for _, p := range e.Points {
				own = append(own, p.Candidate)
			}
		}
		best, _ := leastOf(t, train, g, p.Y, in, own)
		f := train(t, g, p.Y, in, own[best:best+1])
		for _, e := range splits.Test(k) {
			nested[e] = f(0, int(e))
		}
	}
	e, stderr, pairs := rowError(g, p.Y, nested)
	t.Logf("by hand: nested error %.5f ± %.5f over %v pairs", e, stderr, pairs)
	near("the nested error", got.Nested.Error, e)
	near("its standard error", got.Nested.StdErr.Value, stderr)
	near("its number of pairs", float64(got.Nested.Pairs), pairs)

	_, real := leastOf(t, train, g, p.Y, all, lambdas)
	random, below := rand.New(rand.NewPCG(o.Seed, 0x7065726d)), 0
	order := slices.SortedStableFunc(slices.Values(all),
		func(a, b int) int { return int(g.edges.Row[a] - g.edges.Row[b]) })
	for n := range permutations {
		y := append([]float64(nil), p.Y...)
		for lo := 0; lo < len(order); {
			hi := lo
			for hi < len(order) && g.edges.Row[order[hi]] == g.edges.Row[order[lo]] {
				hi++
			}
			row := order[lo:hi]
			random.Shuffle(len(row), func(a, b int) { y[row[a]], y[row[b]] = y[row[b]], y[row[a]] })
			lo = hi
		}
		_, e := leastOf(t, train, g, y, order, lambdas)
		near("the error of a permutation", got.Permutation.Errors[n], e)
		if e <= real {
			below++
		}
	}
	near("p", got.Permutation.P, float64(1+below)/float64(1+permutations))
	t.Logf("by hand: %d of %d permutations are as good, p = %.4g", below, permutations,
		float64(1+below)/float64(1+permutations))
}

// TestByHand checks made data against the explicit solution.
func TestByHand(t *testing.T) {
	for seed, loss := range []edge.Loss{edge.Regression, edge.Ranking} {
		r := rand.New(rand.NewPCG(uint64(seed), 17))
		nodes := func(n int) *Nodes {
			x := data.NewDense(n, 2, nil)
			for i := range x.Data {
				x.Data[i] = r.NormFloat64()
			}
			return &Nodes{X: x}
		}
		p := Problem{Rows: nodes(8), Cols: nodes(5)}
		for i := range p.Rows.X.Rows {
			for j := range p.Cols.X.Rows {
				p.Edges.Row, p.Edges.Col = append(p.Edges.Row, int32(i)), append(p.Edges.Col, int32(j))
				p.Y = append(p.Y, math.Round(p.Rows.X.Row(i)[0]*p.Cols.X.Row(j)[0]+r.NormFloat64()))
			}
		}
		for _, nested := range []cv.Method{{Kind: cv.KFold, Folds: 5}, {Kind: cv.LeaveOneOut}} {
			checkByHand(t, p, EstimateOptions{Options: Options{Loss: loss, Lambdas: []float64{0.1, 2, 30}, Seed: 3},
				Nested: &nested}, explicitly, 19)
		}
	}
}

// TestYamanishiByHand checks the drugs and nuclear receptors of Yamanishi et al. 2008, Prediction of
// drug-target interaction networks, against separate trainings.
func TestYamanishiByHand(t *testing.T) {
	folder := realdata.Path(t, "yamanishi")
	permutations := 20 // 200 agree as well, and take a minute and a half
	if testing.Short() {
		permutations = 2
	}
	nodes := func(name string) *Nodes {
		m, err := table.ReadSimilarityLines(filepath.Join(folder, name), data.MaxLine)
		if err != nil {
			t.Fatal(err)
		}
		k, err := m.Align(m.RowID, m.RowID)
		if err != nil {
			t.Fatal(err)
		}
		return &Nodes{ID: m.RowID, Similarity: k}
	}
	p := Problem{Rows: nodes("nr_simmat_dc.txt.gz"), Cols: nodes("nr_simmat_dg.txt.gz")}
	e, err := table.ReadEdges(filepath.Join(folder, "nr_admat_dgc.txt"), table.EdgesOptions{MaxLine: data.MaxLine})
	if err != nil {
		t.Fatal(err)
	}
	e.Transpose()
	if p.Edges.Row, p.Edges.Col, err = e.Match(p.Rows.ID, p.Cols.ID); err != nil {
		t.Fatal(err)
	}
	p.Y = e.Y
	checkByHand(t, p, EstimateOptions{Options: Options{Symmetrize: true, PSD: edge.Clip, Seed: 1},
		Nested: &cv.Method{Kind: cv.KFold, Folds: 5}}, factoring, permutations)
}

// Outer folds without a number are ten, of both five whose pairs are the test sets, or as many as there are nodes or
// edges to hold out.
func TestDefaultOuterFolds(t *testing.T) {
	p := someProblem(false)
	rows, cols := p.Rows.Len(), p.Cols.Len()
	for s, units := range map[edge.Setting]int{edge.Pairs: len(p.Y) / 2, edge.Rows: rows, edge.Cols: cols / 2,
		edge.Both: min(rows, cols/2)} {
		e, err := Estimate(t.Context(), p,
			EstimateOptions{Options: Options{Setting: s, Lambdas: []float64{1}, Loss: edge.Regression},
				Nested: &cv.Method{Kind: cv.KFold}, Intervals: cv.IntervalsNone})
		most := map[bool]int{false: 10, true: 5}[s == edge.Both]
		if err != nil || e.Nested.Outer != (cv.Method{Kind: cv.KFold, Folds: max(2, min(most, units))}) {
			t.Errorf("%s: %+v, %v, of %d units", s, e, err, units)
		}
	}
}

// estimated returns the estimate of a scheme on a graph.
func estimated(t *testing.T, g *graph, how scheme, o Options) (*source, *cv.Estimate, error) {
	t.Helper()
	s := &source{p: &problem{Problem: &Problem{}, o: EstimateOptions{Options: o}}, g: g, asked: how, lambdas: o.Lambdas,
		also: o.Also}
	e, err := s.Estimate(t.Context(), nil)
	if err != nil {
		return s, nil, err
	}
	return s, e.Outputs[0], nil
}

// nans returns n NaNs.
func nans(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

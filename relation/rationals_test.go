package relation

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/internal/gen"
	"pairrank/internal/holdout"
	"pairrank/internal/naive"
	"pairrank/relation/edge"
)

// tieRoutes are the ways to hold edges out whose scores are compared with rational arithmetic.
var tieRoutes = []struct {
	name    string
	setting edge.Setting
	folds   int // 0 is leave-one-out without retraining
	loss    edge.Loss
	twoStep bool
	cg      bool
}{
	{"pairs, ranking", edge.Pairs, 0, edge.Ranking, false, false},
	{"rows, ranking", edge.Rows, 0, edge.Ranking, false, false},
	{"cols, ranking", edge.Cols, 0, edge.Ranking, false, false},
	{"pairs, regression", edge.Pairs, 0, edge.Regression, false, false},
	{"rows, regression", edge.Rows, 0, edge.Regression, false, false},
	{"cols, regression", edge.Cols, 0, edge.Regression, false, false},
	{"both, regression", edge.Both, 0, edge.Regression, false, false},
	{"pairs, two-step", edge.Pairs, 0, edge.Regression, true, false},
	{"rows, two-step", edge.Rows, 0, edge.Regression, true, false},
	{"cols, two-step", edge.Cols, 0, edge.Regression, true, false},
	{"both, two-step", edge.Both, 0, edge.Regression, true, false},
	{"folds of rows, ranking", edge.Rows, 2, edge.Ranking, false, false},
	{"folds of both, regression", edge.Both, 2, edge.Regression, false, false},
	{"folds of cols, two-step", edge.Cols, 2, edge.Regression, true, false},
	{"folds of pairs, conjugate gradients, ranking", edge.Pairs, 2, edge.Ranking, false, true},
	{"folds of rows, conjugate gradients, regression", edge.Rows, 2, edge.Regression, false, true},
}

// rationalGraph is a complete graph whose nodes have many equal kernel values: equal nodes, nodes of zeros, one feature
// each, and mirrored ones.
func rationalGraph(r *rand.Rand) *graph {
	g := &graph{rows: integerKernel(r, 3+r.IntN(2)), cols: integerKernel(r, 3+r.IntN(2))}
	levels := 2 + r.IntN(3)
	for i := range g.rows.Rows {
		for j := range g.cols.Rows {
			g.edges.Row, g.edges.Col = append(g.edges.Row, int32(i)), append(g.edges.Col, int32(j))
			g.y = append(g.y, float64(r.IntN(levels)))
		}
	}
	g.kernel = g.learn.Relation.Pairwise()
	return g
}

func integerKernel(r *rand.Rand, nodes int) *data.Dense {
	n := 1 + r.IntN(3)
	x := data.NewDense(nodes, n, nil)
	shape, values := r.IntN(4), []float64{0, 1, 2, 3, -1}[:2+r.IntN(4)]
	for i := range nodes {
		row := x.Row(i)
		switch {
		case shape == 0: // one feature each
			row[r.IntN(n)] = values[1+r.IntN(len(values)-1)]
		case i > 0 && r.IntN(3) == 0:
			copy(row, x.Row(r.IntN(i)))
		case i > 0 && r.IntN(3) == 0:
			copy(row, x.Row(i-1))
			slices.Reverse(row)
		default:
			for c := range row {
				row[c] = values[r.IntN(len(values))]
			}
		}
	}
	k := data.NewDense(nodes, nodes, nil)
	for i := range nodes {
		for j := range nodes {
			for c, v := range x.Row(i) {
				k.Row(i)[j] += v * x.Row(j)[c]
			}
			if shape == 3 && i == j {
				k.Row(i)[i]++ // of full rank
			}
		}
	}
	return k
}

// leastExponent is the base-2 exponent of the smallest λ at which every tie has to hold. Eigenvalues are up to 2⁸ here,
// and below 2⁻⁶ a system may lose more digits than the rounding allowed.
const leastExponent = -6

// TestEdgesTieAsRationals compares held-out scores of edges with rational arithmetic: equal scores tie, no pair is in
// the wrong order, and no other pair ties.
func TestEdgesTieAsRationals(t *testing.T) {
	r := rand.New(rand.NewPCG(2026, 41))
	tallies := make([]edgeTally, len(tieRoutes))
	for trial := range gen.Count(t, 60) {
		g := rationalGraph(r)
		exponent := r.IntN(31) - 15
		for k, way := range tieRoutes {
			copied := *g
			copied.learn.Loss, copied.iterative = way.loss, way.cg
			if way.twoStep {
				copied.learnInTwoSteps(0.5)
			}
			o := scheme{setting: way.setting, method: cv.Method{Kind: cv.LeaveOneOut}, seed: uint64(trial)}
			if way.folds > 0 {
				o.method = cv.Method{Kind: cv.KFold, Folds: way.folds}
			}
			tallies[k].check(t, fmt.Sprintf("problem %d, %s, λ = 2^%d", trial, way.name, exponent), &copied, o, exponent)
		}
	}
	for k, n := range tallies {
		if n.ties == 0 || n.apart == 0 {
			t.Errorf("%s: %d ties and %d other pairs", tieRoutes[k].name, n.ties, n.apart)
		}
		if n.broken*100 > n.ties {
			t.Errorf("%s: %d of %d ties are broken at small λ", tieRoutes[k].name, n.broken, n.ties)
		}
		t.Logf("%s: %d ties, %d broken at small λ; %d other pairs", tieRoutes[k].name, n.ties, n.broken, n.apart)
	}
}

// edgeTally counts how pairs of held-out edges were ordered.
type edgeTally struct{ ties, broken, apart int }

func (n *edgeTally) check(t *testing.T, what string, g *graph, o scheme, exponent int) {
	t.Helper()
	lambda := math.Exp2(float64(exponent))
	var predict holdout.Predictor
	splits, err := g.splits(o)
	if err != nil {
		t.Fatal(err)
	}
	if o.method.Kind == cv.KFold {
		predict = g.retrained(new(atomic.Int64))
	} else {
		x, err := newExact(t.Context(), g, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		predict, splits = x.HoldOut, x.splits
	}
	want, group := exactEdges(g, splits, lambda)
	f, err := holdout.HeldOut(t.Context(), predict, g.labels(), holdout.Options{Method: o.method, Splits: splits},
		lambda)
	if err != nil {
		t.Fatal(err)
	}
	for e := range want {
		for h := range e {
			if want[e] == nil || want[h] == nil || g.edges.Row[e] != g.edges.Row[h] || !o.pools() && group[e] != group[h] {
				continue
			}
			n.pair(t, fmt.Sprintf("%s: edges %d, %d", what, e, h), f.Data[e], f.Data[h], want[e].Cmp(want[h]),
				exponent >= leastExponent)
		}
	}
}

func (n *edgeTally) pair(t *testing.T, what string, a, b float64, order int, strict bool) {
	t.Helper()
	if order != 0 {
		n.apart++
		if cmp.Compare(a, b) != order {
			t.Errorf("%s: scores %g and %g are in the wrong order", what, a, b)
		}
		return
	}
	n.ties++
	switch {
	case a == b:
	case strict:
		t.Errorf("%s: scores %g and %g are equal", what, a, b)
	default:
		n.broken++
	}
}

// exactEdges are the held-out scores of the edges by training without each test set, and their sets.
func exactEdges(g *graph, splits *holdout.Splits, lambda float64) (scores []*big.Rat, group []int) {
	m := len(g.y)
	scores, group = make([]*big.Rat, m), make([]int, m)
	p := naive.Rationals{BySize: true}
	for e := range m {
		p.Y = append(p.Y, naive.Rational(g.y[e]))
		p.K = append(p.K, make([]*big.Rat, m))
		for h := range m {
			p.K[e][h] = new(big.Rat).Mul(naive.Rational(g.rows.Row(int(g.edges.Row[e]))[g.edges.Row[h]]),
				naive.Rational(g.cols.Row(int(g.edges.Col[e]))[g.edges.Col[h]]))
		}
		if g.learn.Loss != edge.Regression {
			p.Query = append(p.Query, int(g.edges.Row[e]))
		}
	}
	for k := range splits.Len() {
		test := make([]int, 0, len(splits.Test(k)))
		for _, e := range splits.Test(k) {
			test = append(test, int(e))
			group[e] = k
		}
		if len(test) == 0 {
			continue
		}
		var f []*big.Rat
		if g.inTwoSteps() {
			f = exactTwoSteps(g, test, splits.Train(k), lambda)
		} else {
			f = p.Scores(splits.Train(k), test, naive.Rational(lambda))
		}
		for a, e := range test {
			scores[e] = f[a]
		}
	}
	return scores, group
}

// exactTwoSteps are the scores of two-step learning. A single edge without its row and column is replaced by its
// prediction, which is linear in it.
func exactTwoSteps(g *graph, test, train []int, lambda float64) []*big.Rat {
	row, col := g.edges.Row, g.edges.Col
	score := func(train []int, e int, labels []float64) *big.Rat {
		var rows, cols []int
		y := make([]map[int]float64, g.rows.Rows)
		for _, h := range train {
			if i := int(row[h]); y[i] == nil {
				y[i], rows = map[int]float64{}, append(rows, i)
			}
			y[row[h]][int(col[h])] = labels[h]
			if !slices.Contains(cols, int(col[h])) {
				cols = append(cols, int(col[h]))
			}
		}
		first := make([]*big.Rat, g.cols.Rows)
		for _, j := range cols {
			column := make([]*big.Rat, g.rows.Rows)
			for _, i := range rows {
				column[i] = naive.Rational(y[i][j])
			}
			first[j] = ridge(g.rows, column, rows, int(row[e]), lambda)
		}
		return ridge(g.cols, first, cols, int(col[e]), g.twoStep)
	}
	out := make([]*big.Rat, len(test))
	for a, e := range test {
		if len(test) > 1 || len(train) < len(g.y)-1 {
			out[a] = score(train, e, g.y)
			continue
		}
		labels := slices.Clone(g.y)
		labels[e] = 0
		zero := score(allEdges(len(g.y)), e, labels)
		labels[e] = 1
		share := new(big.Rat).Sub(score(allEdges(len(g.y)), e, labels), zero)
		out[a] = zero.Quo(zero, share.Sub(big.NewRat(1, 1), share))
	}
	return out
}

// ridge is ridge regression on the labels of some nodes.
func ridge(k *data.Dense, y []*big.Rat, train []int, at int, lambda float64) *big.Rat {
	p := naive.Rationals{Y: y, K: make([][]*big.Rat, k.Rows)}
	for i := range p.K {
		for _, v := range k.Row(i) {
			p.K[i] = append(p.K[i], naive.Rational(v))
		}
	}
	return p.Scores(train, []int{at}, naive.Rational(lambda))[0]
}

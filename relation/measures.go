package relation

import (
	"context"
	"math"
	"slices"
	"sync/atomic"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
	"pairrank/internal/kron"
	"pairrank/internal/procedure"
	"pairrank/internal/ratio"
	"pairrank/relation/edge"
)

// Measures are how well folds rank at the chosen λ. Each fold of the setting is trained once, and only scores
// of the same fold are compared.
type Measures struct {
	Method cv.Method // the folds
	// CIndex is the share of the pairs with different labels in the right order, ties ½. With two labels it is
	// the area under the ROC curve.
	CIndex ByNode
	// AUPR is the area under the precision-recall curve as average precision. The greater of two labels is
	// positive; with any other number of labels AUPR is undefined.
	AUPR ByNode
}

// ByNode has the means of a measure over lists of edges.
type ByNode struct {
	// Row takes the edges of a row node in a fold as a list, Col those of a column node. Both are means over
	// the nodes, with the standard error over them.
	Row, Col MeanOf
	// Fold takes all edges of a fold as a list, and is the mean over the folds. Its standard error comes from
	// leaving out tenths of the row nodes and tenths of the column nodes (Efron and Stein 1981, The jackknife
	// estimate of variance), whose variances are added. As those of nodes, it takes the trained models as
	// given.
	Fold MeanOf
}

// MeanOf is the mean of N values with its standard error; undefined if there are none.
type MeanOf struct {
	Mean, StdErr metric.Value
	N            int
}

// measure ranks by folds at the chosen λ, or notes why it does not.
func (p *problem) measure(ctx context.Context, c *procedure.Choice, most int) (*Measures, error) {
	g, method := p.graph(), c.Method
	if method.Kind != cv.KFold {
		method = g.folds(p.o.Setting, 5)
		if p.o.checkFolds(method) != nil || g.inTwoSteps() && p.o.Setting == edge.Pairs {
			return nil, nil
		}
		if g.foldsWork(p.o.Setting, method.Folds, g.rows.Rows, g.cols.Rows)*g.hardness(p.o.Setting, c.Candidate()) >
			holdout.PairsBudget/3 {
			p.note.Add(event.Note{Code: codes.NoteEdgesNoFolds, Text: "how folds rank is left out: training them takes a while",
				Remedy: "kfold:5 trains them"})
			return nil, nil
		}
	}
	how := p.o.scheme(method)
	how.most = most
	splits, err := g.splits(how)
	if err != nil {
		return nil, err
	}
	tell, end := p.note.Monitor.Task("ranking by folds", 0)
	defer end()
	o := holdout.Options{Method: method, Splits: splits, Progress: tell}
	f, err := holdout.HeldOut(ctx, g.retrained(new(atomic.Int64)), holdout.Labels{Y: p.Y}, o, c.Candidate())
	if err != nil {
		return nil, err
	}
	m := newMeasures(g, splits, f.Data, p.o.Seed)
	m.Method = method
	return m, nil
}

// foldsWork estimates the multiplications of training the folds of a setting for one λ, over so many nodes of
// the graph: a factorisation for complete blocks, else a hundred iterations.
func (g *graph) foldsWork(s edge.Setting, folds, rows, cols int) float64 {
	p, n, trainings := float64(rows), float64(cols), float64(folds)
	if s == edge.Both {
		trainings *= trainings
	}
	if s != edge.Pairs && g.inexact(g.complete()) == nil {
		return trainings * (p*p*p + n*n*n)
	}
	return trainings * 100 * p * n * (p + n) / 4
}

// hardness is how many times as long as assumed conjugate gradients take on folds for a λ: some 10√(κ/λ) iterations
// for κ the largest eigenvalue. It is 1 where folds have a closed form.
func (g *graph) hardness(s edge.Setting, lambda float64) float64 {
	if s != edge.Pairs && g.inexact(g.complete()) == nil {
		return 1
	}
	return max(1, math.Sqrt(kron.Largest(g.system(), g.learn.Loss)/lambda)/10)
}

// newMeasures measures the scores of the edges held out in test sets.
func newMeasures(g *graph, splits *holdout.Splits, scores []float64, seed uint64) *Measures {
	m := newMeasurer(g, scores)
	folds := make([][]int32, 0, splits.Len())
	for k := range splits.Len() {
		folds = append(folds, splits.Test(k))
	}
	byRow := m.overNodes(folds, g.edges.Row, g.rows.Rows)
	byCol := m.overNodes(folds, g.edges.Col, g.cols.Rows)
	byFold := m.overFolds(folds)
	row := m.jackknife(folds, g.edges.Row, g.rows.Rows, seed)
	col := m.jackknife(folds, g.edges.Col, g.cols.Rows, seed+1)
	of := func(k int) ByNode {
		fold := byFold[k]
		fold.StdErr = metric.Value{Value: math.Sqrt(row[k].Value + col[k].Value), Defined: row[k].Defined &&
			col[k].Defined}
		return ByNode{Row: byRow[k], Col: byCol[k], Fold: fold}
	}
	return &Measures{CIndex: of(0), AUPR: of(1)}
}

// measurer measures lists of edges by the c-index and, with two labels, average precision.
type measurer struct {
	scores, labels []float64 // two labels are 0 and 1
	with           *metric.Evaluator
	measures       int

	y, f  []float64 // of a list
	terms []metric.Term
}

func newMeasurer(g *graph, scores []float64) *measurer {
	m := &measurer{scores: scores, labels: g.y, measures: 1}
	of := []metric.Metric{metric.PooledDisagreement}
	if least, most := slices.Min(g.y), slices.Max(g.y); least < most && !slices.ContainsFunc(g.y,
		func(v float64) bool { return v != least && v != most }) {
		m.labels = make([]float64, len(g.y))
		for e, v := range g.y {
			if v == most {
				m.labels[e] = 1
			}
		}
		of, m.measures = append(of, metric.MAP), 2
	}
	var err error
	if m.with, err = metric.NewEvaluator(of, metric.Options{}); err != nil {
		panic(err) // the names are known
	}
	m.terms = make([]metric.Term, len(of))
	return m
}

// values returns the measures of a list, undefined unless it has two labels.
func (m *measurer) values(list []int32) (out [2]metric.Value) {
	m.y, m.f = m.y[:0], m.f[:0]
	for _, e := range list {
		m.y, m.f = append(m.y, m.labels[e]), append(m.f, m.scores[e])
	}
	if len(list) < 2 || slices.Min(m.y) == slices.Max(m.y) || m.with.SetQuery(metric.Query{Labels: m.y}) != nil ||
		m.with.TermsTo(m.terms, m.f) != nil {
		return out
	}
	for k, t := range m.terms {
		v := t.Num / t.Den
		if k == 0 {
			v = 1 - v
		}
		out[k] = metric.Value{Value: v, Defined: t.Den != 0}
	}
	return out
}

// overNodes returns the means over n nodes, each of its lists in the folds; nodes has the node of each edge.
func (m *measurer) overNodes(folds [][]int32, nodes []int32, n int) (out [2]MeanOf) {
	sums, counts := make([][2]float64, n), make([][2]float64, n)
	lists := make([][]int32, n)
	for _, fold := range folds {
		for _, e := range fold {
			lists[nodes[e]] = append(lists[nodes[e]], e)
		}
		for v, list := range lists {
			for k, value := range m.values(list) {
				if value.Defined {
					sums[v][k] += value.Value
					counts[v][k]++
				}
			}
			lists[v] = list[:0]
		}
	}
	for k := range out {
		var values []float64
		for v, sum := range sums {
			if counts[v][k] > 0 {
				values = append(values, sum[k]/counts[v][k])
			}
		}
		out[k] = meanOf(values)
	}
	return out
}

// meanOf is the mean of independent values.
func meanOf(values []float64) MeanOf {
	n := float64(len(values))
	if n == 0 {
		return MeanOf{}
	}
	mean, squares := 0.0, 0.0
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	out := MeanOf{Mean: metric.Value{Value: mean, Defined: true}, N: len(values)}
	out.StdErr = ratio.StandardError(squares/max(n-1, 1)/n, len(values))
	return out
}

// overFolds are the means over the folds.
func (m *measurer) overFolds(folds [][]int32) (out [2]MeanOf) {
	var values [2][]float64
	for _, fold := range folds {
		for k, v := range m.values(fold) {
			if v.Defined {
				values[k] = append(values[k], v.Value)
			}
		}
	}
	for k, v := range values {
		out[k] = meanOf(v)
	}
	return out
}

// jackknife returns the variance of the means over folds by leaving out tenths of n nodes with their edges.
func (m *measurer) jackknife(folds [][]int32, nodes []int32, n int, seed uint64) (out [2]metric.Value) {
	tenths := min(10, n) // of fewer than three nothing is known
	of, err := holdout.Deal(n, tenths, seed, 4, "nodes")
	if err != nil || tenths < ratio.LeastUnits {
		return out
	}
	without := make([]([2]MeanOf), tenths)
	left := make([][]int32, len(folds))
	for t := range without {
		for k, fold := range folds {
			left[k] = left[k][:0]
			for _, e := range fold {
				if int(of[nodes[e]]) != t {
					left[k] = append(left[k], e)
				}
			}
		}
		without[t] = m.overFolds(left)
	}
	for k := range m.measures {
		var values []float64
		for _, w := range without {
			if w[k].Mean.Defined {
				values = append(values, w[k].Mean.Value)
			}
		}
		if spread := meanOf(values); len(values) == tenths && spread.StdErr.Defined {
			v := spread.StdErr.Value * float64(tenths-1)
			out[k] = metric.Value{Value: v * v, Defined: true} // (t−1)/t of the sum of squares
		}
	}
	return out
}

// halfSample is how many pairs, or pairs of columns, a half samples: so many that the error of sampling is a
// third of the standard error, and at least 500. The variance of a half includes sampling, so few samples would
// widen the interval.
func halfSample(c *procedure.Choice) int {
	const least, third = 500, 9
	p := c.BestPoint(0, nil)
	if !p.StdErr.Defined || p.StdErr.Value == 0 {
		return least
	}
	return max(least, int(third*p.Error*(1-p.Error)/(p.StdErr.Value*p.StdErr.Value)))
}

package relation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/data"
	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/internal/holdout"
	"pairrank/internal/kernelsum"
	"pairrank/internal/kron"
	"pairrank/internal/pick"
	"pairrank/kernel"
	"pairrank/relation/edge"
	"pairrank/relation/pairmodel"
)

// several reports whether nodes have several similarities, or will have when they are read.
func (n *Nodes) several() bool { return len(n.Sources) > 1 || n.Similarities != nil }

// learns reports whether the weights of a sum of kernels of the nodes are learnt.
func (n *Nodes) learns() bool { return n.several() || kernel.Learns(n.NodeKernel()) }

// source names similarities.
func (n *Nodes) source(i int) string {
	switch {
	case i < len(n.Sources):
		return n.Sources[i]
	case n.Similarity != nil:
		return n.Source
	}
	return "similarity " + strconv.Itoa(i+1)
}

// matrices are the kernel matrices of the terms, or the only one.
func (s *side) matrices() (all []*data.Dense) {
	if s.terms == nil {
		return []*data.Dense{s.k}
	}
	for _, t := range s.terms {
		all = append(all, t.k)
	}
	return all
}

// sumOf is Σ w_i K_i.
func sumOf(terms []*data.Dense, weights []float64) *data.Dense {
	out := data.NewDense(terms[0].Rows, terms[0].Cols, nil)
	for i, k := range terms {
		for r := range out.Rows {
			to := out.Row(r)
			for j, v := range k.Row(r) {
				to[j] += weights[i] * v
			}
		}
	}
	return out
}

// sums are the kernels of the sides of a graph whose weights are learnt; a side with one kernel has that alone.
type sums struct {
	terms   [2][]*data.Dense
	one     bool         // domain: the weights of both sides are the same
	weights [2][]float64 // of K, once they are learnt
}

// weighted is the graph with other weights.
func (g *graph) weighted(weights [2][]float64) *graph {
	if g.sums == nil {
		return g
	}
	out, known := *g, *g.sums
	known.weights = weights
	out.sums = &known
	one := g.rows == g.cols
	if len(known.terms[0]) > 1 {
		out.rows = sumOf(known.terms[0], weights[0])
	}
	switch {
	case one:
		out.cols = out.rows
	case len(known.terms[1]) > 1:
		out.cols = sumOf(known.terms[1], weights[1])
	}
	return &out
}

// some are the kernels between some nodes.
func (s *sums) some(rows, cols []int32) *sums {
	if s == nil {
		return nil
	}
	out := &sums{one: s.one}
	for side, nodes := range [2][]int32{rows, cols} {
		for _, k := range s.terms[side] {
			out.terms[side] = append(out.terms[side], between(k, nodes, nodes))
		}
	}
	return out
}

// undescended is why weights are those of centred alignment alone, nil where the squared error of what is left out has
// a closed form.
func (g *graph) undescended(setting edge.Setting, y *data.Dense) error {
	switch {
	case g.inTwoSteps():
		return errors.New("two-step learning has two errors")
	case setting == edge.Both:
		return errors.New("leaving out a row with a column is a problem of its own for each pair")
	case y != nil && y.Cols < 2 && g.learn.Loss == edge.Ranking:
		return errors.New("one column has no order")
	}
	return g.inexact(y)
}

// weigh learns the weights of the kernels of both sides, and takes them: by centred alignment, and then by the squared
// error without an edge, a row or a column, as the setting says, over all values of λ, where that has a closed form.
func (g *graph) weigh(ctx context.Context, setting edge.Setting, given []float64) (*learnt, error) {
	w, err := newWeighing(g)
	if err != nil {
		return nil, err
	}
	shares, y, out := w.edges.Start(), g.complete(), &learnt{}
	if out.why = g.undescended(setting, y); out.why == nil {
		start, _ := w.given(shares)
		lambdas, err := g.weighted(start).lambdas(ctx, y, given)
		if err != nil {
			return nil, err
		}
		w.edges.HoldOut(setting, lambdas)
		if shares, err = kernelsum.Learn(ctx, w.edges); err != nil {
			return nil, err
		}
	}
	out.weights, out.shares = w.given(shares)
	*g = *g.weighted(out.weights)
	return out, ctx.Err()
}

// learnt is the weights of both sides, and why they are those of centred alignment alone.
type learnt struct {
	weights, shares [2][]float64
	why             error
}

// keep gives the sides their weights, for the model, and says what they are.
func (l *learnt) keep(g *graph, sides [2]*side, nested bool) event.Note {
	var texts []string
	for k, s := range sides {
		if s.k = [2]*data.Dense{g.rows, g.cols}[k]; s.terms == nil || k == 1 && s == sides[0] {
			continue
		}
		var names []string
		for i, t := range s.terms {
			names = append(names, t.name)
			s.sum = append(s.sum, pairmodel.Term{Name: t.name, Weight: l.weights[k][i], Share: l.shares[k][i],
				Diag: t.diag, Shift: t.shift})
		}
		texts = append(texts, kernelsum.Text(names, l.shares[k]))
	}
	text := "the weights of " + strings.Join(texts, " and of ")
	if l.why != nil {
		return event.Note{Code: noteAligned, Text: fmt.Sprintf("%s are those of centred alignment with the labels: %s", text,
			l.why)}
	}
	other := map[bool]string{true: "the nested error", false: "a nested estimate"}[nested]
	return event.Note{Code: codes.NoteHelped, Text: fmt.Sprintf("held-out edges have helped, by their labels, too: %s"+
		" have the least squared held-out error, too low by the choice; %s is not", text, other)}
}

// noteAligned is of weights of kernels by centred alignment alone.
const noteAligned event.Code = "relation-aligned"

// weighing is the kernels of both sides in the order of their numbers, so that the given order changes no bit of a
// weight.
type weighing struct {
	edges *kernelsum.Edges
	order [2][]int
	one   bool // domain
}

func newWeighing(g *graph) (*weighing, error) {
	w, kernels := &weighing{one: g.sums.one}, g.sums.terms
	w.order = [2][]int{sorted(kernels[0]), sorted(kernels[1])}
	if w.one {
		w.order[1] = w.order[0]
	}
	for side, at := range w.order {
		kernels[side] = pick.Rows(kernels[side], at)
	}
	w.edges = kernelsum.NewEdges(kernels, g.labelMatrix(), g.learn.Loss, w.one)
	for _, n := range slices.Concat(w.edges.Norms[0], w.edges.Norms[1]) {
		if math.IsNaN(n) || math.IsInf(n, 0) {
			return nil, kron.ErrNumerical
		}
	}
	return w, nil
}

// given is the weights of K and the shares of each side in the given order.
func (w *weighing) given(shares []float64) (weights, of [2][]float64) {
	for side, at := range w.order {
		own := shares
		if side == 1 && !w.one {
			own = shares[len(w.order[0]):]
		}
		ordered := kernelsum.Weights(own[:len(at)], w.edges.Norms[side])
		if slices.Max(ordered) == 0 { // no kernel tells the nodes apart
			ordered = slices.Repeat([]float64{1}, len(at))
		}
		weights[side], of[side] = make([]float64, len(at)), make([]float64, len(at))
		for k, i := range at {
			weights[side][i], of[side][i] = ordered[k], own[k]
		}
	}
	return weights, of
}

// lambdas are the given values, or those that span the eigenvalues of a complete graph.
func (g *graph) lambdas(ctx context.Context, y *data.Dense, given []float64) ([]float64, error) {
	if given != nil {
		return given, nil
	}
	factored, err := g.factor(ctx, y)
	if err != nil {
		return nil, err
	}
	least, largest := factored.extent()
	return holdout.LambdasBetween(least, largest, 1), nil
}

// sorted is the order of matrices by their numbers, so that the given order changes no bit of a sum.
func sorted(matrices []*data.Dense) []int {
	at := pick.All[int](len(matrices))
	slices.SortStableFunc(at, func(i, j int) int { return slices.Compare(matrices[i].Data, matrices[j].Data) })
	return at
}

// labelMatrix has the mean label of the edges of each pair, NaN for a pair without edges.
func (g *graph) labelMatrix() *data.Dense {
	y, count := data.NewDense(g.rows.Rows, g.cols.Rows, nil), make([]float64, g.rows.Rows*g.cols.Rows)
	for e, v := range g.y {
		at := int(g.edges.Row[e])*y.Cols + int(g.edges.Col[e])
		y.Data[at] += v
		count[at]++
	}
	for at, n := range count {
		y.Data[at] /= n // NaN for 0/0
	}
	return y
}

// savedSum gives a side of a model its learnt sum.
func (s *side) savedSum(out *pairmodel.Side) {
	if s.sum == nil {
		return
	}
	if s.X == nil {
		if out.Terms = s.sum; s.k.Rows <= keptSimilarities {
			out.Similarity = s.k
		}
		return
	}
	var kernels []kernel.Term
	for i, t := range kernel.Terms(s.NodeKernel()) {
		if t.Weight = s.sum[i].Weight; t.Weight > 0 {
			kernels = append(kernels, t)
		}
	}
	if kernels != nil {
		out.Kernel = kernel.NewSum(kernels...)
	}
}

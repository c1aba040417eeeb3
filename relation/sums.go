package relation

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank"
	"pairrank/data"
	"pairrank/internal/fault"
	"pairrank/internal/holdout"
	"pairrank/internal/kernelsum"
	"pairrank/internal/kron"
	"pairrank/kernel"
	"pairrank/relation/pairmodel"
	"pairrank/relation/similarity"
)

// Sum is the learnt weights of the kernels of a side, K = Σ Weights_i K_i.
type Sum struct {
	Kernels []string  // a kernel, or the source of similarities
	Weights []float64 // 0 for a kernel that the sum does without
	Shares  []float64 // of the sum, where each kernel has the same mean squared length of a node
}

// several reports whether nodes have several similarities, or will have when they are read.
func (n *Nodes) several() bool { return len(n.Sources) > 1 || n.Similarities != nil }

// learns reports whether the weights of a sum of kernels of the nodes are learnt.
func (n *Nodes) learns() bool { return n.several() || kernel.Learns(n.NodeKernel()) }

// checkSums refuses several kernels of a side where no weights of them can be learnt, or used for new nodes.
func checkSums(o *Options, p *Problem) error {
	const weights = "the weights of several kernels of a side are learnt"
	for _, side := range []struct {
		name string
		*Nodes
	}{{"Rows", p.Rows}, {"Cols", p.cols()}} {
		k := side.NodeKernel()
		switch {
		case !side.learns():
			continue
		case side.several() && !side.precomputed():
			return fault.Optionf(side.name+".Kernel", "is %s, and several sources of nodes are similarities, for the "+
				"kernel precomputed: features of one source have a sum of kernels", k)
		case side.X != nil && side.several(), side.Similarity != nil && side.Similarities != nil:
			return fault.As(Use, "", fmt.Errorf("nodes have X, Similarity or Similarities, and Problem.%s has two of them",
				side.name))
		case !o.Learner.learns():
			return fault.Optionf("Learner", "similarity learns nothing, and %s", weights)
		case o.Normalize && !side.precomputed():
			return fault.Optionf(side.name+".Kernel", "is %s, whose weights are learnt, and Normalize divides a whole "+
				"kernel: give the weights, as in 0.5*linear+0.5*gaussian:gamma=1", k)
		case o.PSD == similarity.Clip && side.several():
			return fault.Optionf("PSD", "clip repairs the similarities of new nodes through the coefficients, which "+
				"several similarities share: shift is for each")
		}
	}
	return nil
}

// checkPermutedSums refuses permutations of labels where weights are learnt by labels.
func (o *EstimateOptions) checkPermutedSums(p *Problem) error {
	return fault.Refuse(o.Permutations > 0 && p.Rows != nil && (p.Rows.learns() || p.cols().learns()), "Permutations",
		"are of labels, and the weights of several kernels of a side are learnt by these: each would learn others")
}

// terms makes the kernel matrices of a sum, and their mean until weights are learnt.
func (p *problem) terms(s *side) error {
	for i, k := range s.Similarities {
		t := &side{Nodes: &Nodes{ID: s.ID, Similarity: k}, name: s.source(i)}
		if err := p.similarities(t); err != nil {
			return err
		}
		s.terms = append(s.terms, t)
	}
	if s.X != nil {
		for _, t := range kernel.Terms(s.NodeKernel()) {
			s.terms = append(s.terms, &side{name: t.Kernel.String(), k: kernel.Matrix(t.Kernel, s.X, s.X)})
		}
	}
	s.k = sumOf(s.matrices(), slices.Repeat([]float64{1 / float64(len(s.terms))}, len(s.terms)))
	return nil
}

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
func (g *graph) undescended(setting kron.Setting, y *data.Dense) error {
	switch {
	case g.inTwoSteps():
		return errors.New("two-step learning has two errors")
	case setting == kron.Both:
		return errors.New("leaving out a row with a column is a problem of its own for each pair")
	case y != nil && y.Cols < 2 && g.learn.Loss == kron.Ranking:
		return errors.New("one column has no order")
	}
	return g.inexact(y)
}

// weigh learns the weights of the kernels of both sides, once for a graph: by centred alignment, and then by the squared
// error without an edge, a row or a column, as the setting says, over all values of λ, where that has a closed form.
func (s *source) weigh(ctx context.Context) error {
	if s.g.sums == nil || s.g.sums.weights[0] != nil {
		return nil
	}
	kernels := s.g.sums.terms
	order := [2][]int{sorted(kernels[0]), sorted(kernels[1])}
	if s.g.sums.one {
		order[1] = order[0]
	}
	for side, at := range order {
		kernels[side] = permuted(kernels[side], at)
	}
	e := kernelsum.NewEdges(kernels, s.g.labelMatrix(), s.g.learn.Loss, s.g.sums.one)
	for _, n := range slices.Concat(e.Norms[0], e.Norms[1]) {
		if math.IsNaN(n) || math.IsInf(n, 0) {
			return kron.ErrNumerical
		}
	}
	back := func(shares []float64) (weights, of [2][]float64) {
		for side, at := range order {
			own := shares
			if side == 1 && !s.g.sums.one {
				own = shares[len(order[0]):]
			}
			w := kernelsum.Weights(own[:len(at)], e.Norms[side])
			weights[side], of[side] = make([]float64, len(at)), make([]float64, len(at))
			for k, i := range at {
				weights[side][i], of[side][i] = w[k], own[k]
			}
		}
		return weights, of
	}
	shares, y := e.Start(), s.g.complete()
	why := s.g.undescended(s.p.o.Setting, y)
	if why == nil {
		start, _ := back(shares)
		lambdas, err := s.g.weighted(start).lambdas(ctx, y, s.lambdas)
		if err != nil {
			return err
		}
		e.HoldOut(s.p.o.Setting, lambdas)
		if shares, err = kernelsum.Learn(ctx, e); err != nil {
			return err
		}
	}
	weights, of := back(shares)
	*s.g = *s.g.weighted(weights)
	if s.whole == nil {
		s.p.keep(s.g, weights, of, why)
	}
	return ctx.Err()
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
	at := make([]int, len(matrices))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int { return slices.Compare(matrices[i].Data, matrices[j].Data) })
	return at
}

func permuted[T any](all []T, at []int) []T {
	out := make([]T, len(at))
	for k, i := range at {
		out[k] = all[i]
	}
	return out
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

// keep takes the weights of all edges for the model, and says what they are.
func (p *problem) keep(g *graph, weights, shares [2][]float64, why error) {
	p.rows.k, p.cols.k = g.rows, g.cols
	all := []*side{p.rows, p.cols}
	if p.rows == p.cols {
		all = all[:1]
	}
	var texts []string
	for k, s := range all {
		if s.terms == nil {
			continue
		}
		s.sum = &Sum{Weights: weights[k], Shares: shares[k]}
		for _, t := range s.terms {
			s.sum.Kernels = append(s.sum.Kernels, t.name)
		}
		texts = append(texts, kernelsum.Text(s.sum.Kernels, s.sum.Shares))
	}
	text := "the weights of " + strings.Join(texts, " and of ")
	if why != nil {
		p.note.Note(NoteAligned, "%s are those of centred alignment with the labels: %s", text, why)
		return
	}
	other := map[bool]string{true: "the nested error", false: "a nested estimate"}[p.o.Nested != nil]
	p.note.Note(pairrank.NoteHelped, "held-out edges have helped, by their labels, too: %s have the least squared "+
		"held-out error, too low by the choice; %s is not", text, other)
}

// savedSum gives a side of a model its learnt sum.
func (s *side) savedSum(out *pairmodel.Side) {
	if s.sum == nil {
		return
	}
	var kernels []kernel.Term
	for i, t := range s.terms {
		switch w := s.sum.Weights[i]; {
		case s.X != nil && w > 0:
			kernels = append(kernels, kernel.Term{Weight: w, Kernel: kernel.Terms(s.NodeKernel())[i].Kernel})
		case s.X == nil:
			out.Terms = append(out.Terms, pairmodel.Term{Name: t.name, Weight: w, Diag: t.diag, Shift: t.shift})
		}
	}
	if kernels != nil {
		out.Kernel = kernel.NewSum(kernels...)
	}
	if s.X == nil && s.k.Rows <= keptSimilarities {
		out.Similarity = s.k
	}
}

package onnx

import (
	"cmp"
	"fmt"
	"io"

	"pairrank/fault"
	"pairrank/internal/pairterms"
	"pairrank/kernel"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
)

// inputs are the names of the inputs of a graph of pairs, by end.
var inputs = [...]string{pairterms.Row: "rows", pairterms.Col: "cols"}

// WritePairs writes a model of pairs of nodes as a graph with the inputs rows, pairs × n₁, and
// cols, pairs × n₂, and the output score, pairs × 1: the pairwise kernels multiplied out, or
// weights. For a precomputed kernel an input is the kernel values of nodes with the training
// nodes. It costs O(p₁p₂) for p₁ and p₂ training nodes, or O(m) for m edges where these are
// fewer, and memory for the file.
//
// It returns a *fault.RefusedError for a cartesian kernel, which needs names of nodes, for similarity, for precomputed
// kernels that are normalised, shifted or added up, and for a model beyond 2 GB.
func WritePairs(w io.Writer, p *pairmodel.Model, name string) ([]string, error) {
	if err := p.Check(); err != nil {
		return nil, err
	}
	if err := checkPairs(p); err != nil {
		return nil, err
	}
	form, err := p.Form()
	if err != nil {
		return nil, err
	}
	g := &graph{}
	var values [2]string
	var notes []string
	facts := []fact{{"learner", p.Info.Learner}}
	for _, at := range []pairterms.End{pairterms.Row, pairterms.Col} {
		s := sideOf(p, at)
		n := featuresOf(p, at)
		if n == 0 {
			return nil, &fault.RefusedError{Target: "onnx", What: "a model of nodes without features",
				Help: "train with features"}
		}
		g.value(graphInput, inputs[at], inputs[at], n)
		if values[at], err = g.side(p, s, inputs[at], n); err != nil {
			return nil, err
		}
		if s.Names != nil {
			facts = append(facts, fact{inputs[at] + "_features", namesText(s.Names)})
		}
		if s.Support != nil && (at == pairterms.Row || p.Cols != nil) {
			notes = append(notes, denseNote(s.Support)...)
		}
	}
	if p.Rows.Normalize || p.ColSide().Normalize {
		notes = append(notes,
			"the kernel is normalised: for a node whose kernel with itself is not above 0 the score is NaN")
	}
	g.value(graphOutput, "score", "pairs", 1)
	g.sumOf(form, values)
	doc := "rows and cols are the features of the two nodes of each pair in double precision, or a single row of " +
		"one of them; the higher the score, the better the pair"
	return notes, g.write(w, cmp.Or(name, defaultGraph), doc, facts)
}

// checkPairs refuses models that need more than the values of two nodes.
func checkPairs(p *pairmodel.Model) error {
	switch p.Kernel {
	case pairwise.Cartesian:
		return &fault.RefusedError{Target: "onnx",
			What: "a cartesian model, which depends on whether a node was in training: a graph has no names",
			Help: "train with another pairwise kernel, such as kronecker"}
	case pairmodel.Similarity:
		return &fault.RefusedError{Target: "onnx",
			What: "a similarity model, which learns nothing: the kernel of two nodes is their score",
			Help: "compute the kernel itself"}
	}
	for _, s := range []*pairmodel.Side{&p.Rows, p.ColSide()} {
		if s.Terms != nil {
			return &fault.RefusedError{Target: "onnx", What: "a sum of several similarities, and a graph takes one matrix",
				Help: "add up the matrices by the weights that inspect tells, and train with their sum"}
		}
		if s.Shift != 0 || s.Precomputed() && s.Normalize {
			return &fault.RefusedError{Target: "onnx",
				What: "a precomputed kernel that was normalised or shifted, which needs the kernel of a node with " +
					"itself, or its name",
				Help: "normalise the matrix before training, or train with features"}
		}
	}
	return nil
}

func sideOf(p *pairmodel.Model, at pairterms.End) *pairmodel.Side {
	if at == pairterms.Row {
		return &p.Rows
	}
	return p.ColSide()
}

// featuresOf is the number of columns of an input.
func featuresOf(p *pairmodel.Model, at pairterms.End) int {
	s := sideOf(p, at)
	switch {
	case p.Weights != nil && at == pairterms.Row:
		return p.Weights.Rows
	case p.Weights != nil:
		return p.Weights.Cols
	case s.Support == nil:
		return len(s.ID)
	}
	_, n := s.Support.Dims()
	return n
}

// side adds the values of the nodes at an end: the features that meet the weights, or kernel
// values with the training nodes, normalised as in training.
func (g *graph) side(p *pairmodel.Model, s *pairmodel.Side, x string, n int) (string, error) {
	switch {
	case p.Weights != nil && s.Normalize:
		return g.node("Div", nil, x, g.selfRoots(s.Kernel, x, n)), nil
	case p.Weights != nil || s.Precomputed():
		return x, nil
	}
	if count, _ := s.Support.Dims(); count == 0 {
		return "", &fault.RefusedError{Target: "onnx", What: "a model without training nodes", Help: "train with nodes"}
	}
	values := g.kernelOf(s.Kernel, x, nil, s.Support)
	if _, is := s.Kernel.(kernel.Gaussian); is || !s.Normalize {
		return values, nil
	}
	roots, err := selfRootsOf(s.Kernel, s.Support)
	if err != nil {
		return "", fmt.Errorf("in training: %w", err)
	}
	return g.node("Div", nil, values, g.node("Mul", nil, g.selfRoots(s.Kernel, x, n), g.row(roots))), nil
}

// sumOf adds up the terms of the form, with the values of both ends.
func (g *graph) sumOf(f *pairmodel.Form, values [2]string) {
	var terms []string
	if f.Both != nil {
		terms = append(terms, g.bilinear(f.Both, values[pairterms.Row], values[pairterms.Col]))
	}
	for at, x := range values {
		own := &f.Ends[at]
		if own.Plain != nil {
			terms = append(terms, g.node("MatMul", nil, x, g.column(own.Plain)))
		}
		if own.Squared != nil {
			terms = append(terms, g.node("MatMul", nil, g.node("Mul", nil, x, x), g.column(own.Squared)))
		}
		if own.Twice != nil {
			terms = append(terms, g.bilinear(own.Twice, x, x))
		}
	}
	sum := terms[0]
	for k, term := range terms[1:] {
		if k == len(terms)-2 {
			g.operator("Add", "score", nil, sum, term)
			return
		}
		sum = g.node("Add", nil, sum, term)
	}
	g.operator("Identity", "score", nil, sum)
}

// edgeCost is how many entries of a dense matrix one edge is worth, which takes two gathered
// columns and two indices.
const edgeCost = 4

// bilinear is aᵀ B b of every pair, pairs × 1: (a B ∘ b) summed over its columns, or for few
// edges the columns that they name, times one another and their coefficients.
func (g *graph) bilinear(b *pairmodel.Bilinear, x, y string) string {
	if b.Dense == nil && len(b.Value) > 0 && edgeCost*float64(len(b.Value)) < float64(b.Rows)*float64(b.Cols) {
		first := g.node("Gather", []attribute{{"axis", 1}}, x,
			g.integers(len(b.Row), func(k int) int64 { return int64(b.Row[k]) }))
		second := g.node("Gather", []attribute{{"axis", 1}}, y,
			g.integers(len(b.Col), func(k int) int64 { return int64(b.Col[k]) }))
		return g.node("MatMul", nil, g.node("Mul", nil, first, second), g.column(b.Value))
	}
	full := g.full(b)
	product := g.node("Mul", nil, g.node("MatMul", nil, x, full), y)
	axes := g.integers(1, func(int) int64 { return 1 })
	return g.node("ReduceSum", []attribute{{"keepdims", 1}}, product, axes)
}

// full adds the matrix of a sum.
func (g *graph) full(b *pairmodel.Bilinear) string {
	if b.Dense != nil {
		return g.matrix(b.Rows, b.Cols, false, func(i int, row []float64) { copy(row, b.Dense.Row(i)) })
	}
	of := make([][]int, b.Rows)
	for e, i := range b.Row {
		of[i] = append(of[i], e)
	}
	return g.matrix(b.Rows, b.Cols, false, func(i int, row []float64) {
		for _, e := range of[i] {
			row[b.Col[e]] += b.Value[e]
		}
	})
}

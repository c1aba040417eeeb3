package relation

import (
	"errors"
	"fmt"
	"slices"

	"pairrank/data"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/codes"
	"pairrank/internal/journal"
	"pairrank/internal/krylov"
	"pairrank/internal/memory"
	"pairrank/internal/similarity"
	"pairrank/kernel"
	"pairrank/relation/edge"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
)

// side is nodes with their kernel matrix.
type side struct {
	*Nodes
	name    string           // in errors
	k       *data.Dense      // nil if the features are trained on
	diag    []float64        // of a precomputed kernel before it was normalised
	shift   float64          // added to the diagonal of a precomputed kernel by edge.Shift
	clipped bool             // eigenvalues of a precomputed kernel were set to 0
	given   *data.Dense      // the similarities of a precomputed kernel, if the model keeps them
	terms   []*side          // kernels whose sum is learnt, with their names, nil for one kernel
	sum     []pairmodel.Term // once it is learnt
}

// problem is a Problem with kernel matrices, ready to be learnt from.
type problem struct {
	*Problem
	o          EstimateOptions // resolved; only those of Options in a training
	note       *journal.Journal
	rows, cols *side // the same for one domain
	primal     bool  // there are no kernel matrices, and the features are trained on
	given      int   // edges before addReverses adds some
}

// prepare makes the kernel matrices. With training nothing is estimated unless the options need a choice.
func prepare(p *Problem, o EstimateOptions, note *journal.Journal, training bool) (*problem, error) {
	out := &problem{Problem: p, o: o, note: note, primal: o.Solver == Primal, given: len(p.Y)}
	mayBePrimal := training && o.Solver == Auto && o.Learner.ofEdges() && !o.chooses() && o.EarlyStop == nil &&
		o.onFeatures(p)
	var err error
	if out.rows, err = out.side(p.Rows, "the row nodes", mayBePrimal); err != nil {
		return nil, err
	}
	if out.cols = out.rows; !p.OneDomain() {
		if out.cols, err = out.side(p.Cols, "the column nodes", mayBePrimal); err != nil {
			return nil, err
		}
	}
	if out.primal {
		out.rows.k, out.cols.k = nil, nil // of rows that were few enough, if the columns are not
	}
	out.noteSimilarities()
	out.addReverses()
	return out, out.checkLabels()
}

// noteSimilarities notes features that look like similarities: as many as nodes, with the names of the nodes.
func (p *problem) noteSimilarities() {
	sides := []*side{p.rows, p.cols}
	if p.cols == p.rows {
		sides = sides[:1]
	}
	for _, s := range sides {
		if s.X != nil && s.ID != nil && slices.Equal(s.Names, s.ID) {
			p.note.Add(event.Note{Warning: true, Code: codes.NoteEdgesSimilarities,
				Text: fmt.Sprintf("%s: the features have the names of the nodes, as in a matrix of similarities, and are "+
					"learnt from as features", s.name),
				Remedy: "the precomputed kernel takes similarities"})
		}
	}
}

// side makes the kernel matrix of nodes. If it does not fit into memory and training on the features is allowed,
// the problem becomes primal instead.
func (p *problem) side(n *Nodes, name string, mayBePrimal bool) (*side, error) {
	s := &side{Nodes: n, name: name}
	if n.Source != "" {
		s.name = n.Source
	}
	switch {
	case n.Similarities != nil:
		return s, p.terms(s)
	case n.precomputed():
		return s, p.similarities(s)
	case p.primal:
		return s, nil
	}
	each := float64(6 + 3*(len(kernel.Terms(n.NodeKernel()))-1)) // matrices
	if need, free := 8*each*float64(n.X.Rows)*float64(n.X.Rows), memory.Free(); need > free {
		text := fmt.Sprintf("the kernel matrices of %d nodes would take about %s of memory, and %s are free",
			n.X.Rows, memory.Size(need), memory.Size(free))
		if !mayBePrimal {
			return nil, fault.As(fault.Memory, codes.FaultEdgesMemory, errors.New(text))
		}
		p.note.Note(codes.NoteEdgesPrimal, "%s: the solver primal trains on the features", text)
		p.primal = true
		return s, nil
	}
	if n.learns() {
		return s, p.terms(s)
	}
	s.k = kernel.Matrix(n.NodeKernel(), n.X, n.X)
	if p.o.Normalize {
		return s, s.normalize()
	}
	return s, nil
}

// normalize divides the kernel by the square roots of its diagonal.
func (s *side) normalize() error {
	err := similarity.Normalize(s.k)
	var bad *similarity.DiagonalError
	if errors.As(err, &bad) {
		return fault.Dataf("%s: node %q has the kernel value %v with itself, so it cannot be normalised",
			s.name, s.names()[bad.At[0]], bad.Values[0])
	}
	return fault.As(fault.Data, "", err)
}

// negligible is the share of the diagonal of a similarity matrix below which a negative eigenvalue is rounding.
const negligible = 1e-8

// asymmetric is the asymmetry of a similarity matrix, relative to its largest entry, that may be rounding of
// numbers in a file.
const asymmetric = 1e-6

// keptSimilarities is the largest number of nodes whose similarities a model keeps, some 20 MB, so that
// training nodes can be scored without a file.
const keptSimilarities = 1000

// similarities copies a similarity matrix, and repairs it as the options say.
func (p *problem) similarities(s *side) error {
	s.k = s.Similarity.Clone()
	if apart := similarity.Symmetrize(s.k); apart > asymmetric && !p.o.Symmetrize {
		return fault.As(fault.Data, codes.FaultEdgesAsymmetric,
			fmt.Errorf("%s is not symmetric: entries (i,j) and (j,i) differ by "+
				"up to %.3g of the largest", s.name, apart))
	}
	if s.k.Rows <= keptSimilarities {
		s.given = s.k.Clone()
	}
	if p.o.Normalize {
		s.diag = similarity.Diagonal(s.k)
		if err := s.normalize(); err != nil {
			return err
		}
	}
	if p.o.PSD == edge.None {
		if !p.o.Learner.learns() {
			return nil
		}
		if smallest := similarity.Negative(s.k, negligible); smallest != 0 {
			return fault.As(fault.Data, codes.FaultEdgesIndefinite,
				fmt.Errorf("%s is not positive semidefinite: it has an eigenvalue of %.3g", s.name, smallest))
		}
		return nil
	}
	before := similarity.Diagonal(s.k)
	smallest, err := similarity.MakePSD(s.k, p.o.PSD)
	if repaired := !slices.Equal(before, similarity.Diagonal(s.k)); repaired && p.o.PSD == edge.Shift {
		s.shift = -smallest
	} else {
		s.clipped = repaired
	}
	if err == nil && smallest < -negligible*slices.Max(before) {
		p.note.Note(codes.NoteEdgesRepaired, "%s had an eigenvalue of %.3g, which %s repaired",
			s.name, smallest, p.o.PSD)
	}
	return err
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

// checkLabels refuses edges that order nothing if an order is learnt.
func (p *problem) checkLabels() error {
	if !p.o.orders() {
		return nil
	}
	first := map[int32]float64{}
	for e, i := range p.Edges.Row {
		y, seen := first[i]
		if !seen {
			first[i] = p.Y[e]
		} else if y != p.Y[e] {
			return nil
		}
	}
	return fault.Dataf("no two edges of a row have different labels, so nothing can be learnt about their order")
}

// saved is the nodes in a model.
func (s *side) saved(o *Options) pairmodel.Side {
	out := pairmodel.Side{Kernel: s.NodeKernel(), Names: s.Names, ID: s.names(), Normalize: o.Normalize,
		Similarity: s.given,
		Diag:       s.diag, Shift: s.shift}
	if s.X != nil {
		out.Support = s.X
	}
	s.savedSum(&out)
	return out
}

// warnConstant warns of nodes that cannot be distinguished.
func (p *problem) warnConstant() {
	if !p.o.Learner.learns() || p.o.Kernel == pairwise.Cartesian { // it distinguishes every node
		return
	}
	ranking := p.o.orders()
	rows, cols := p.rows.constant(), p.cols.constant()
	switch {
	case ranking && cols:
		p.note.Warn(codes.NoteEdgesConstant,
			"the kernel of the column nodes is constant: they all get the same score from a "+
				"row, and nothing is learnt about their order")
	case rows && cols:
		p.note.Warn(codes.NoteEdgesConstant, "the kernel of the nodes is constant: all edges get the same score")
	}
}

// constant reports whether no function of the kernel or the features distinguishes nodes.
func (s *side) constant() bool {
	x := s.k
	if s.X != nil {
		x = s.X
	}
	return x != nil && (equalRows(x) || s.k != nil && equalRows(s.k))
}

// equalRows reports whether there are several rows and all are equal.
func equalRows(x *data.Dense) bool {
	for i := 1; i < x.Rows; i++ {
		if !slices.Equal(x.Row(0), x.Row(i)) {
			return false
		}
	}
	return true
}

// fewEdges is the number of edges up to which conjugate gradients go to a residual, which takes a second.
const fewEdges = 1 << 14

// stopsByScores reports whether the scores of so many edges stop conjugate gradients. With other edges for early
// stopping their error chooses among all iterates.
func (o *Options) stopsByScores(edges int) bool {
	return edges > fewEdges && o.Tolerance == 0 && o.EarlyStop == nil
}

// graph is the edges with the kernel matrices.
func (p *problem) graph() *graph {
	g := &graph{rows: p.rows.k, cols: p.cols.k, edges: p.Edges, y: p.Y, kernel: p.o.Kernel, iterative: p.o.Solver == CG}
	g.learn.Loss, g.learn.Relation = p.o.Loss, p.o.Relation
	g.solve.Tolerance, g.solve.MaxIterations = p.o.tolerance(), p.o.MaxIterations
	if p.o.stopsByScores(len(g.y)) {
		g.solve.Scores, g.solve.Pads = krylov.DefaultScores, p.o.MaxIterations == krylov.DefaultIterations
	}
	if p.o.Learner.inTwoSteps() {
		g.learnInTwoSteps(p.o.LambdaCols)
	}
	if p.rows.terms != nil || p.cols.terms != nil {
		g.sums = &sums{terms: [2][]*data.Dense{p.rows.matrices(), p.cols.matrices()}, one: p.rows == p.cols}
	}
	return g
}

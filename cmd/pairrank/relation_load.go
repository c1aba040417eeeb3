package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/format/table"
	"pairrank/internal/memory"
	"pairrank/kernel"
	"pairrank/relation/kron"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
)

// relationSide is the nodes of the rows or of the columns.
type relationSide struct {
	kernel   kernel.Kernel
	id       []string
	features *data.Dense // nil for a precomputed kernel
	names    []string
	diag     []float64   // of a precomputed kernel before it was normalised
	shift    float64     // added to the diagonal of one by --psd-fix shift
	clipped  bool        // eigenvalues of one were set to 0
	k        *data.Dense // nil where the solver is primal
}

// relationProblem is edges between nodes.
type relationProblem struct {
	plan       *relationPlan
	rows, cols *relationSide // the same for one domain
	edges      kron.Edges
	y          []float64
}

func (a *app) loadRelation(plan *relationPlan) (*relationProblem, error) {
	p := &relationProblem{plan: plan}
	var err error
	if p.rows, err = a.loadSide(plan, plan.relationFlags.rows, plan.rowKernel); err != nil {
		return nil, err
	}
	if p.cols = p.rows; plan.relationFlags.cols != "" {
		if p.cols, err = a.loadSide(plan, plan.relationFlags.cols, plan.colKernel); err != nil {
			return nil, err
		}
	}
	if plan.solver == "primal" {
		p.rows.k, p.cols.k = nil, nil // of rows that were few enough, where columns are not
	}
	p.edges, p.y, err = p.readEdges(a, plan.relationFlags.edges)
	if err != nil {
		return nil, err
	}
	return p, p.checkLabels()
}

// readNodes, readSimilarity and readEdges read a file, which may be a pipe that
// never has more: the end of the run does not wait for it.
func (a *app) readNodes(path string) (*table.Nodes, error) {
	n, err := awaitFor(a.Ctx, func() (*table.Nodes, error) { return table.ReadNodes(path, table.NodesOptions{MaxLine: a.MaxLine}) })
	return n, fileError(err)
}

func (a *app) readSimilarity(path string) (*table.Similarity, error) {
	m, err := awaitFor(a.Ctx, func() (*table.Similarity, error) { return table.ReadSimilarityLines(path, a.MaxLine) })
	return m, fileError(err)
}

func (a *app) readEdges(path string, o table.EdgesOptions, transpose bool) (*table.Edges, error) {
	o.MaxLine = a.MaxLine
	e, err := awaitFor(a.Ctx, func() (*table.Edges, error) { return table.ReadEdges(path, o) })
	if err == nil && transpose {
		e.Transpose()
	}
	return e, fileError(err)
}

// transposeFlag gives a verb that reads edges the flag --transpose.
func transposeFlag(cmd *cobra.Command, target *bool) {
	cmd.Flags().BoolVar(target, "transpose", false, "exchange rows and columns of the edges as they are read: col_id row_id value, or columns × rows")
}

// matchError gives the error of edges whose ids are not those of the nodes its
// kind, and a way out where rows and columns are exchanged.
func matchError(err error, transposed bool) error {
	var exchanged *table.ExchangedError
	switch {
	case !errors.As(err, &exchanged):
		return asData(err)
	case transposed:
		return withHint(asData(err), "without --transpose they are as the nodes")
	}
	return withHint(asData(err), "--transpose exchanges them as it reads the edges; or exchange --rows and --cols")
}

// loadSide reads nodes and makes their kernel matrix.
func (a *app) loadSide(plan *relationPlan, path string, k kernel.Kernel) (*relationSide, error) {
	s := &relationSide{kernel: k}
	if _, precomputed := k.(kernel.Precomputed); precomputed {
		return s, a.loadSimilarity(plan, path, s)
	}
	nodes, err := a.readNodes(path)
	if err != nil {
		return nil, err
	}
	s.id, s.features, s.names = nodes.ID, nodes.X, nodes.Names
	if plan.solver == "primal" {
		return s, nil
	}
	if need, free := 8*6*float64(len(s.id))*float64(len(s.id)), memory.Free(); need > free {
		text := fmt.Sprintf("the kernel matrices of %d nodes would take about %s of memory, and %s are free", len(s.id), memory.Size(need), memory.Size(free))
		if !plan.autoPrimal() {
			return nil, withHint(errors.New(text), "--solver primal trains linear kernels on the features, for one λ: --lambda F")
		}
		a.note("%s: --solver primal trains on the features", text)
		plan.solver = "primal"
		return s, nil
	}
	s.k = kernel.Matrix(k, s.features, s.features)
	if plan.unit {
		err = s.normalize(path)
	}
	return s, err
}

// normalize divides the kernel by the roots of its diagonal.
func (s *relationSide) normalize(path string) error {
	err := kernel.Normalize(s.k)
	var bad *kernel.DiagonalError
	if errors.As(err, &bad) {
		return asData(fmt.Errorf("%s: node %q has the kernel value %v with itself, so it cannot be normalised", path, s.id[bad.At[0]], bad.Values[0]))
	}
	return asData(err)
}

// negligible is the part of the diagonal below which an eigenvalue less than zero,
// or a difference from symmetry, is rounding.
const negligible = 1e-8

// loadSimilarity reads a similarity matrix and mends what the flags say.
func (a *app) loadSimilarity(plan *relationPlan, path string, s *relationSide) error {
	m, err := a.readSimilarity(path)
	if err != nil {
		return err
	}
	s.id = m.RowID
	if s.k, err = m.Align(m.RowID, m.RowID); err != nil {
		return asData(err)
	}
	const limit = 1e-6
	if apart := kernel.Symmetrize(s.k); apart > limit && !plan.symmetrize {
		return withHint(asData(fmt.Errorf("%s is not symmetric: entries (i,j) and (j,i) differ by up to %.3g of the largest", path, apart)),
			"--symmetrize takes their mean")
	}
	if plan.unit {
		s.diag = kernel.Diagonal(s.k)
		if err := s.normalize(path); err != nil {
			return err
		}
	}
	if plan.psdFix == "none" {
		if plan.learner == similarity {
			return nil
		}
		if smallest := kernel.Negative(s.k, negligible); smallest != 0 {
			return withHint(asData(fmt.Errorf("%s is not positive semidefinite: it has an eigenvalue of %.3g", path, smallest)),
				"--psd-fix clip or shift mends it")
		}
		return nil
	}
	fix, err := kernel.ParsePSDFix(plan.psdFix)
	if err != nil {
		return asUsage(err)
	}
	before := kernel.Diagonal(s.k)
	smallest, err := kernel.FixPSD(s.k, fix)
	if mended := !slices.Equal(before, kernel.Diagonal(s.k)); mended && fix == kernel.PSDShift {
		s.shift = -smallest
	} else {
		s.clipped = mended
	}
	if err == nil && smallest < -negligible*slices.Max(before) {
		a.note("%s had an eigenvalue of %.3g, which --psd-fix %s mended", path, smallest, plan.psdFix)
	}
	return err
}

// checkUTF8 refuses names of nodes and features that a model cannot keep.
func (p *relationProblem) checkUTF8() error {
	for _, side := range []struct {
		path string
		of   *relationSide
	}{{p.plan.relationFlags.rows, p.rows}, {p.plan.relationFlags.cols, p.cols}} {
		if side.path == "" {
			continue
		}
		if err := checkUTF8(side.path, "node", side.of.id); err != nil {
			return err
		}
		if err := checkUTF8(side.path, "feature", side.of.names); err != nil {
			return err
		}
	}
	return nil
}

// readEdges reads labelled edges between the nodes.
func (p *relationProblem) readEdges(a *app, path string) (kron.Edges, []float64, error) {
	format, err := table.ParseEdgesFormat(p.plan.edgeFormat)
	if err != nil {
		return kron.Edges{}, nil, asUsage(err)
	}
	e, err := a.readEdges(path, table.EdgesOptions{Format: format}, p.plan.transpose)
	if err != nil {
		return kron.Edges{}, nil, err
	}
	row, col, err := e.Match(p.rows.id, p.cols.id)
	if err != nil {
		return kron.Edges{}, nil, matchError(err, p.plan.transpose)
	}
	if p.plan.threshold != nil {
		data.Binarize(e.Y, *p.plan.threshold)
	}
	return kron.Edges{Row: row, Col: col}, e.Y, nil
}

// checkLabels refuses edges that order nothing where an order is learnt.
func (p *relationProblem) checkLabels() error {
	if p.plan.learner != rankRLS || p.plan.learn.Loss != kron.Ranking {
		return nil
	}
	first := map[int32]float64{}
	for e, i := range p.edges.Row {
		y, seen := first[i]
		if !seen {
			first[i] = p.y[e]
		} else if y != p.y[e] {
			return nil
		}
	}
	return asData(errors.New("no two edges of a row have different labels, so nothing can be learnt about their order"))
}

// relation is the problem as cv knows it.
func (p *relationProblem) relation() cv.Relation {
	r := cv.Relation{Rows: p.rows.k, Cols: p.cols.k, Edges: p.edges, Y: p.y, Learn: p.plan.learn, Kernel: p.plan.pairs,
		TwoStep: p.plan.lambdaCols, Iterative: p.plan.solver == "cg",
		Solve: kron.SolveOptions{Tolerance: p.plan.tolerance, MaxIterations: p.plan.iterations}}
	if p.plan.learner == twoStep {
		r.Learn.Relation, r.Kernel = kron.Arbitrary, pairwise.Kronecker
	}
	return r
}

// side is the nodes as a model keeps them.
func (s *relationSide) side(plan *relationPlan) pairmodel.Side {
	out := pairmodel.Side{Kernel: s.kernel, Names: s.names, ID: slices.Clone(s.id), Normalize: plan.unit, Diag: s.diag, Shift: s.shift}
	if s.features != nil {
		out.Support = s.features
	}
	return out
}

package relation

import (
	"cmp"
	"context"

	"pairrank/data"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/internal/await"
	"pairrank/internal/journal"
	"pairrank/internal/procedure"
	"pairrank/relation/edge"
	"pairrank/relation/pairmodel"
	"pairrank/relation/pairwise"
)

// Result is the result of Train.
type Result struct {
	Model  *Model
	Lambda float64
	// Choice is the choice of λ; not Measured if nothing was held out.
	Choice Choice
	// Solver is closed, cg, primal, two-step, or none if nothing is learnt.
	Solver string
	// Objective is the minimum of the objective. It is NaN if it is unknown: for TwoStep, for Similarity, and
	// after early stopping.
	Objective float64
	// Fit describes the end of conjugate gradients; nil if there were none.
	Fit *edge.Fit
	// Stopped is the iterate that EarlyStop kept; nil without it.
	Stopped *Stopped
	Notes   []event.Note
}

// Train trains on all edges, for the given λ, or for the λ chosen by an exact estimate or by folds. For p row
// and r column nodes the closed form costs an eigenproblem for each kernel matrix, p×p and r×r, O(p³ + r³);
// conjugate gradients cost one product of kron.Operator an iteration (Pahikkala, Airola, Stock, De Baets and
// Waegeman 2013). The choice costs an Estimate.
//
// When ctx is done, Train returns its error; if conjugate gradients have begun, together with the result of the
// last iterate. It returns an *Error if the options, the labels or the kernel matrices do not allow the
// training. It panics when the shapes of p do not fit.
func Train(ctx context.Context, p Problem, o Options) (*Result, error) {
	note := &journal.Journal{Monitor: o.Monitor}
	if err := o.Check(p); err != nil {
		return nil, err
	}
	p.checkShapes()
	o = o.Resolved()
	if s := o.EarlyStop; s != nil {
		p.checkEdges("edges for early stopping", s.Edges, s.Y)
	}
	if err := cmp.Or(p.checkData(o.EarlyStop), p.checkRelevant(o.Metric)); err != nil {
		return nil, err
	}
	ready, err := prepare(&p, EstimateOptions{Options: o}, note, true)
	if err != nil {
		return nil, err
	}
	if o.chooses() {
		if ready.primal {
			return nil, fault.Optionf("Solver", "primal is for one λ")
		}
		if err := ready.checkMethodOf(ready.graph()); err != nil {
			return nil, err
		}
	}
	from := ready.source()
	learnt, chosen, stopped := procedure.Train(ctx, from, ready.plan())
	if learnt == nil {
		return nil, classify(stopped)
	}
	r := learnt.(*fit).Result
	r.Choice = from.chosen(chosen)
	ready.addFacts(r)
	r.Notes = note.Notes()
	return r, stopped
}

// fit trains with the chosen λ, or the only one; x is the graph if it is factored already, else nil.
func (p *problem) fit(ctx context.Context, g *graph, c *procedure.Choice, x *exact) (*Result, error) {
	r := &Result{Lambda: p.o.one()}
	if !p.o.Learner.learns() {
		p.takeSimilarity(r)
		return r, nil
	}
	if c != nil {
		r.Lambda = c.Candidate()
	}
	var y *data.Dense // of a complete graph, or nil
	if g.rows != nil {
		y = g.complete()
	}
	var err error
	switch p.solver(g, y) {
	case Primal:
		err = p.fitPrimal(ctx, r)
	case CG:
		err = p.fitEdges(ctx, g, r)
	default:
		err = await.Error(ctx, func() error { return p.fitClosed(ctx, g, y, x, r) })
	}
	return r, err
}

// solver is the solver for a graph; y are the labels of a complete graph, else nil.
func (p *problem) solver(g *graph, y *data.Dense) Solver {
	switch {
	case p.primal:
		return Primal
	case p.o.Learner.inTwoSteps() || p.o.Solver == Closed:
		return Closed
	case p.o.Solver == Auto && y != nil && p.o.EarlyStop == nil && g.closedForm(y) == nil:
		return Closed
	}
	return CG
}

// model is a model of the nodes without coefficients.
func (p *problem) model(k pairwise.Kernel) *Model {
	m := &pairmodel.Model{Kernel: k, Rows: p.rows.saved(&p.o.Options)}
	if !p.OneDomain() {
		cols := p.cols.saved(&p.o.Options)
		m.Cols = &cols
	}
	return m
}

func (p *problem) takeSimilarity(r *Result) {
	r.Solver, r.Model = "none", p.model(pairmodel.Similarity)
	r.Lambda = 0
	rows := &r.Model.Rows
	rows.Support, rows.ID, rows.Diag, rows.Similarity = nil, nil, nil, nil
}

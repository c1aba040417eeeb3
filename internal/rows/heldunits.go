package rows

import (
	"context"
	"errors"
	"fmt"
	"math"

	"pairrank/comparison"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/fault"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/linalg"
	"pairrank/internal/procedure"
	"pairrank/kernel"
)

// byUnits reports whether units of comparisons are left out, not rows.
func (t *task) byUnits() bool { return t.lines != nil && t.valid == nil }

// checkUnit refuses a method that leaves out something else than units of comparisons. lqo leaves out all comparisons
// within a query.
func checkUnit(m *cv.Method) error {
	if m == nil || m.Kind == cv.LeaveQueryOut {
		return nil
	}
	if _, err := comparison.ParseUnit(m.String()); err != nil {
		return fault.Optionf("Method", "of preferences and comparisons leaves out units, or lqo: %w", err)
	}
	return nil
}

// prepareUnits sets what is left out together: what the options say, else queries where there are several and no line
// crosses them, else pairs, or folds of pairs where each is a training.
func (t *task) prepareUnits() (err error) {
	if !t.byUnits() {
		return nil
	}
	l, m := t.lines, t.o.Method
	switch {
	case m != nil:
		l.leaves = *m
	case t.queries.Len() > 1 && t.problem.Set.HasQID && t.across() < 0:
		l.leaves = cv.Method{Kind: cv.LeaveQueryOut}
	case t.exact() != nil:
		l.leaves = cv.Method{Kind: "pair"}
	default:
		l.leaves = cv.Method{Kind: cv.KFold, Folds: max(2, min(10, len(l.ByPair())))}
	}
	if l.leaves.Kind != cv.LeaveQueryOut {
		l.unit, err = comparison.ParseUnit(l.leaves.String())
		return err
	}
	switch at := t.across(); {
	case t.queries.Len() < 2:
		return fault.Optionf("Method", "lqo needs at least two queries, and the data has %d", t.queries.Len())
	case at >= 0:
		c := l.Lines[at]
		return &fault.Error{Kind: fault.Use, Code: FaultConnected, Err: fmt.Errorf("a comparison is of rows %d and %d, of "+
			"two queries, so that no query can be left out", c.Left+1, c.Right+1)}
	}
	l.unit = comparison.Unit{Kind: "stratum"}
	strata := *l.Problem
	strata.Lines = append([]comparison.Line(nil), strata.Lines...)
	strata.Strata = make([]string, t.queries.Len())
	for c := range strata.Lines {
		strata.Lines[c].Stratum = int(t.queries.Of()[strata.Lines[c].Left])
	}
	l.Problem = &strata
	return nil
}

// unitSource is the rows of a task under one kernel, of which units of comparisons are left out, and no rows.
type unitSource struct {
	*source
	board *comparison.Path // nil where each unit is left out by training again
	found map[kernel.Kernel]*heldUnits
}

// heldUnits are the estimates of the candidates under a kernel: the held-out margins of each, if they are kept, and
// over how many units their standard errors are.
type heldUnits struct {
	held        []*comparison.HeldOut
	independent int
	over        string // the name of one
}

// divisible is the source of a task.
func (t *task) divisible() procedure.Divisible {
	s := newSource(t)
	if !t.byUnits() {
		return s
	}
	return &unitSource{source: s, found: map[kernel.Kernel]*heldUnits{}}
}

// held are the estimates under the kernel.
func (s *unitSource) held() *heldUnits { return s.found[s.spec] }

// Under is the same units under a kernel.
func (s *unitSource) Under(k int) procedure.Source {
	under := s.source.Under(k).(*source)
	if under == s.source {
		return s
	}
	return &unitSource{source: under, found: s.found}
}

// Ready makes the goal and, if the solver factors, the path of the comparisons.
func (s *unitSource) Ready(context.Context) error {
	err := s.target()
	exact := s.exact()
	if err != nil || exact == nil || s.board != nil {
		return err
	}
	p := *s.lines.Problem
	if p.Features, err = exact.root(s.space); err != nil {
		return err
	}
	s.board, err = comparison.NewPath(&p)
	return fault.As(fault.Data, "", err)
}

// Estimate estimates every candidate by leaving out units of comparisons: by the path, or by training again.
func (s *unitSource) Estimate(ctx context.Context, progress func(done, total int)) (e cv.KernelEstimate, err error) {
	e = cv.KernelEstimate{Kernel: s.spec, Parameter: s.learner.parameter()}
	if err := s.Ready(ctx); err != nil {
		return e, err
	}
	e.Method = s.lines.leaves
	if s.board != nil && s.o.Lambdas == nil {
		e.Candidates = s.unitLambdas()
	} else if e.Candidates, err = s.learner.candidates(s.space, s.aim, nil); err != nil {
		return e, err
	}
	found := &heldUnits{held: make([]*comparison.HeldOut, len(e.Candidates))}
	s.found[s.spec] = found
	if s.board == nil {
		if err := s.againEach(ctx, found, e.Candidates, progress); err != nil {
			return e, s.Fault(err)
		}
	}
	points := make([]cv.Point, len(e.Candidates))
	for l, lambda := range e.Candidates {
		if s.board != nil {
			if found.held[l], err = s.board.Predict(ctx, lambda, s.lines.unit, s.o.Seed); err != nil {
				return e, s.Fault(err)
			}
			if progress != nil {
				progress(l+1, len(e.Candidates))
			}
		}
		if points[l], err = s.pointOf(lambda, found.held[l]); err != nil {
			return e, err
		}
		found.independent, found.over = found.held[l].Independent, found.held[l].Over
		if !s.o.HeldOut {
			found.held[l] = nil
		}
		if err := ctx.Err(); err != nil {
			return e, err
		}
	}
	out := cv.NewEstimate(points)
	out.Retrained = s.board == nil
	e.Outputs = []*cv.Estimate{out}
	return e, nil
}

// unitLambdas are the values of λ to choose from: those of the eigenvalues, down to a share of the largest of which
// rounding leaves the leverages digits.
func (s *unitSource) unitLambdas() []float64 {
	const least = 0x1p-22
	eigenvalues := s.board.Eigenvalues()
	most := largest(eigenvalues)
	var above []float64
	for _, d := range eigenvalues {
		if d > 0 {
			above = append(above, max(d, least*most))
		}
	}
	squares := s.board.Squares()
	if _, weighs := s.solution.form.(primal); !weighs {
		squares = nil
	}
	return holdout.Lambdas(above, holdout.Spread(squares))
}

// pointOf is the estimate of a candidate.
func (s *unitSource) pointOf(candidate float64, h *comparison.HeldOut) (cv.Point, error) {
	if !h.Error.Defined {
		return cv.Point{}, fault.Dataf("no comparison that is left out has a winner, so %s cannot estimate an error",
			s.lines.leaves)
	}
	wins := 0.0
	for c := range s.lines.Lines {
		wins += s.lines.Lines[c].Wins + s.lines.Lines[c].Losses
	}
	return cv.Point{Candidate: candidate, Error: h.Error.Value, Pairs: int64(math.Round(wins)),
		StdErr: metric.StandardError(h.StdErr.Value*h.StdErr.Value, h.Independent),
		Over:   metric.Over{N: h.Independent, Of: s.unitName(h.Over)}}, nil
}

// againEach trains without each unit, for all candidates at once.
func (s *unitSource) againEach(ctx context.Context, found *heldUnits, candidates []float64,
	progress func(done, total int)) error {
	all := indices(s.rows())
	held := &heldRows{whole: s.space, rows: all}
	done := 0
	if s.onBasis() { // made once, and not for each part
		if _, mapped := s.learner.basis(); mapped {
			if _, err := s.mappedRows(); err != nil {
				return err
			}
		}
	}
	var err error
	found.held, err = s.lines.PredictAgain(s.lines.unit, s.o.Seed, true, len(candidates), func(lines []int, emit func(int,
		[]float64)) error {
		err := s.learner.predict(ctx, s.without(lines, all), nil, held, candidates, func(l int, h holdout.Held) {
			emit(l, h.F.Data)
		})
		if errors.Is(err, goals.ErrNothingToLearn) {
			for l := range candidates {
				emit(l, make([]float64, s.rows()))
			}
			err = nil
		}
		if done++; progress != nil && err == nil {
			progress(done, max(done, s.lines.unit.Folds))
		}
		return err
	})
	return err
}

// without is the problem of some lines, with all rows.
func (s *unitSource) without(some, all []int) *space {
	t := *s.task
	t.lines = &lines{Problem: s.lines.Of(some)}
	t.edges = edgesOf(t.lines.Problem)
	return &space{task: &t, spec: s.spec, kernel: s.kernel, lowered: s.lowered, k: s.k, whole: s.space, within: all}
}

// HeldOutComparisons is Estimated.HeldOutComparisons of package pairrank.
func (e *Estimated) HeldOutComparisons() (*comparison.HeldOut, error) {
	s := e.units()
	switch {
	case s == nil:
		return nil, fault.Optionf("HeldOut", "of labels is of rows")
	case !s.o.HeldOut:
		return nil, fault.Optionf("HeldOut", "was not set")
	}
	h := *s.held().held[e.Choice.Chosen().Outputs[0].Best]
	none := math.NaN()
	h.Margins = placed(h.Margins, s.lines.place, [3]float64{none, none, none})
	if h.Sides != nil {
		h.Sides = placed(h.Sides, s.lines.place, [2]float64{none, none})
	}
	return &h, nil
}

// placed are values at some places, none for −1.
func placed[T any](values []T, places []int, none T) []T {
	out := make([]T, len(places))
	for c, at := range places {
		if out[c] = none; at >= 0 {
			out[c] = values[at]
		}
	}
	return out
}

// Parts says that there are no halves, and over how many units the standard error is.
func (s *unitSource) Parts(*procedure.Choice) (p procedure.Parts) {
	p.Halving.Without = "comparisons do not come in halves of rows"
	p.Halving.Independent = s.held().independent
	return p
}

// unitName names what the standard error of margins is over.
func (s *unitSource) unitName(over string) string {
	switch {
	case over == "stratum" && s.lines.leaves.Kind == cv.LeaveQueryOut:
		return "query"
	case over == "kfold":
		return "fold"
	case over == "stratum":
		return "set of a stratum"
	}
	return over
}

// centredRoot is R with RRᵀ = CKC for a kernel matrix K of m rows and the centring C: differences of its rows have the
// inner products of K. Cost O(m³). It returns an error where K is not positive semidefinite on differences of rows.
func centredRoot(k *data.Dense) (*data.Dense, error) {
	m := k.Rows
	a, w, u := linalg.Mat(*k).Clone(), make([]float64, m), linalg.NewMat(m, m)
	goals.Centre(data.OneList(m), a.Data, m)
	for i := range m {
		row, mean := a.Row(i), 0.0
		for _, v := range row {
			mean += v / float64(m)
		}
		for j := range row {
			row[j] -= mean
		}
	}
	linalg.SymEigen(a, w, u)
	const negative, noise = 1e-8, 1e-15 // of the largest eigenvalue
	most := w[m-1]
	switch {
	case math.IsNaN(most) || math.IsInf(most, 0):
		return nil, fault.Dataf("the kernel matrix overflows double precision")
	case w[0] < -negative*most:
		return nil, fault.Dataf("the kernel matrix is not positive semidefinite: centred it has an eigenvalue of %.3g "+
			"beside the largest, %.3g", w[0], most)
	}
	first := 0
	for first < m && w[first] <= noise*most {
		first++
	}
	if first == m {
		return nil, errZeroKernel
	}
	root := data.NewDense(m, m-first, nil)
	for j := first; j < m; j++ {
		scale := math.Sqrt(w[j])
		for i, v := range u.Row(j) {
			root.Row(i)[j-first] = v * scale
		}
	}
	return root, nil
}

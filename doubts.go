package pairrank

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/internal/codes"
	"pairrank/internal/doubt"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/internal/linalg"
	"pairrank/internal/procedure"
	"pairrank/internal/rows"
	"pairrank/internal/spell"
)

// Doubt notes doubts about a fit, or without a fit about an estimate, and about a choice.
func (s *source) Doubt(ctx context.Context, learnt procedure.Fit, c *procedure.Choice) {
	if f, fitted := learnt.(*fit); fitted {
		s.doubtFit(f)
	} else {
		doubt := s.doubt
		if s.factored != nil && s.factored.doubt != "" {
			doubt = s.factored.doubt
		}
		if doubt != "" {
			s.journal.Warn(codes.NoteBasis, "%s", doubt)
		}
		s.warnAlike(s.aim)
	}
	if c == nil {
		return
	}
	s.tellSimpler(c)
	s.warnGraded(c)
	// Of times each λ would factor every fold again.
	if path := s.path(); path != nil && s.valid == nil && s.censored == nil && !c.Retrained && c.Holds(s) {
		c.Settled = procedure.Settled(c.Chosen(), func(lambda float64) ([]float64, error) {
			return s.ranking(ctx, path, c.Method, lambda)
		})
	}
}

// ranking ranks the rows that are held out at a λ, each within its query, and those of a single list by all held-out
// pairs.
func (s *source) ranking(ctx context.Context, path *rls.Path, method cv.Method, lambda float64) ([]float64, error) {
	const most = 2048 // rows, all of whose pairs are left out
	if method.Kind == cv.LeavePairOut {
		if s.rows() > most {
			return nil, nil
		}
		all, err := holdout.Tournament(ctx, path, lambda, s.weights)
		if err != nil {
			return nil, err
		}
		return all[0], nil
	}
	f, err := holdout.HeldOut(ctx, holdout.OfPath(path, nil).HoldOut, s.labels(),
		holdout.Options{Method: method, Seed: s.o.Seed}, lambda)
	if err != nil {
		return nil, err
	}
	return procedure.Ranks(f.Data, s.queries.Of()), nil
}

// warnGraded warns if, at the chosen λ, features or weights of rows are so small compared with others that the
// eigenvalues, which the held-out predictions use, have lost them. The model has not lost them.
func (s *source) warnGraded(c *procedure.Choice) {
	path := s.path()
	if path == nil {
		return
	}
	s.warnLost(c, path.Lost, codes.NoteScales, "features", "normalise the features")
	s.warnLost(c, path.LostWeights, codes.NoteDigits, "weights of rows", "leave out the lightest rows or cut the weights")
}

// warnLost warns of what held-out predictions have lost of the smallest of what.
func (s *source) warnLost(c *procedure.Choice, lostAt func(lambda float64) float64, code event.Code,
	what, remedy string) {
	if lost := lostAt(c.Candidate()); lost > fewDigits {
		s.journal.Add(event.Note{Warning: true, Code: code,
			Text: fmt.Sprintf("%s differ so much in size that the error may have lost up to %.0e of the smallest", what,
				min(1, lost)),
			Remedy: remedy})
		return
	}
	below := 0.0
	for _, lambda := range c.Chosen().Candidates {
		if lostAt(lambda) > fewDigits {
			below = max(below, lambda)
		}
	}
	if below > 0 {
		s.journal.Add(event.Note{Code: code,
			Text: fmt.Sprintf("%s differ so much in size that errors up to lambda = %s may have lost "+
				"up to %.0e of the smallest",
				what, spell.Power(below), min(1, lostAt(c.Chosen().Candidates[0]))),
			Remedy: remedy})
	}
}

// doubtFeatures warns of features that are probably not meant. It notes features that may mean something else, and
// constant ones, which do no harm, of a table, since other formats leave numbers of features out, and for the clinical
// kernel, which leaves them out.
func (t *trainer) doubtFeatures() {
	for _, d := range doubt.FeatureDoubts(t.problem.Set) {
		switch {
		case (d.Kind == doubt.DoubtLeak || d.Kind == doubt.DoubtLabelOrder) && (t.problem.Labels != nil || t.edges != nil):
			// these are learnt, not y
		case d.Kind >= doubt.DoubtLabelOrder, d.Kind == doubt.DoubtConstant && (t.problem.Set.Schema != nil || t.clinical()):
			t.journal.Note(rows.CodeOf(d.Kind), "%s", d.Text)
		case d.Kind != doubt.DoubtConstant:
			t.journal.Warn(rows.CodeOf(d.Kind), "%s", d.Text)
		}
	}
}

// doubtFit notes doubts about a fit.
func (t *trainer) doubtFit(f *fit) {
	j := t.journal
	if f.doubt != "" {
		j.Warn(codes.NoteBasis, "%s", f.doubt)
	}
	f.warnRounded()
	f.outcome.doubt(f)
}

// warnRounded warns if a kernel whose values are nearly equal rounds the scores of the model. Scores are sums
// of values times coefficients that cancel; training has kept digits that these sums lose. The error is
// relative to √(Σ w (f_i − f_j)²/Σ w), which by Cauchy and Schwarz is at least rᵀf/√(Σ w · Σ w (y_i − y_j)²).
func (f *fit) warnRounded() {
	s := f.trainer
	if s.lowered == (lowering{}) {
		return
	}
	size := 1.0
	if s.given != nil {
		size = s.lowered.by
	} else if s.lowered.about != nil {
		size = s.lowered.about.Size()
	}
	terms := 0.0
	for _, a := range f.coef.Data {
		terms += math.Abs(a)
	}
	weight := 0.0
	for _, d := range goals.Diagonal(f.goal.L) {
		weight += d / 2
	}
	loss := f.goal.Constant()
	apart := (loss - f.objective) / math.Sqrt(loss*weight)
	if rounded := 0x1p-53 * size * terms / apart; rounded > fewDigits {
		s.journal.Add(event.Note{Warning: true, Code: codes.NoteDigits,
			Text: fmt.Sprintf("the values of kernel %s are nearly equal: scores of the model, which are sums of them, "+
				"are rounded by %.2g of their differences", s.used(), rounded),
			Remedy: "take a kernel that tells rows apart by more, as a larger gamma does"})
	}
}

// doubt warns if the weights are 0, or if their contribution is below double precision.
func (direct) doubt(f *fit) {
	s := f.trainer
	switch {
	case s.warnAlike(f.goal):
	case allZero(f.coef.Data):
		procedure.WarnZero(s.journal)
	default:
		f.warnEqual(s.solution.form.met(s), f.coef)
	}
}

// Unconverged counts the trainings on folds that did not converge.
func (t *trainer) Unconverged() int { return int(t.unconverged.Load()) }

func allZero(x []float64) bool {
	return !slices.ContainsFunc(x, func(w float64) bool { return w != 0 })
}

// warnAlike warns if the features cannot distinguish the compared rows, and reports whether it did.
func (t *trainer) warnAlike(goal *goals.Goal) bool {
	what := t.alike(goal)
	if what == "" {
		return false
	}
	procedure.WarnAlike(t.journal, what)
	return true
}

// alike names what is constant if no function of the space can distinguish two compared rows, else "".
func (t *trainer) alike(goal *goals.Goal) string {
	parts := t.comparedSets(goal)
	where := ""
	if parts.Len() > 1 {
		where = " within each query"
		if t.edges != nil {
			where = " among the rows that preferences connect"
		}
	}
	if t.x != nil && !mapped(t.o.Kernels) && sameRows(t.x, parts) {
		return fmt.Sprintf("every feature (%d) is constant%s", t.features(), where)
	}
	if x := t.solution.form.met(t); x != nil && sameRows(x, parts) { // the kernel underflows, or the matrix was given
		return fmt.Sprintf("kernel %s has the same values for all rows%s", t.used(), where)
	}
	return ""
}

// comparedSets are the sets of rows whose scores are compared in training; plain regression has one set of all
// rows.
func (t *trainer) comparedSets(goal *goals.Goal) *data.Partition {
	switch {
	case goal != nil && !goal.Centred():
		return data.OneList(t.rows())
	case goal != nil:
		return goal.L.Components()
	}
	return t.compared()
}

// sameRows reports whether all rows of each part are equal. It stops at the first difference.
func sameRows(x rowReader, parts *data.Partition) bool {
	_, n := x.Dims()
	first, other := make([]float64, n), make([]float64, n)
	for g := range parts.Len() {
		rows := parts.Part(g)
		if len(rows) < 2 {
			continue
		}
		x.RowTo(first, int(rows[0]))
		for _, i := range rows[1:] {
			if x.RowTo(other, int(i)); !slices.Equal(first, other) {
				return false
			}
		}
	}
	return true
}

// equalScores reports whether all rows of each part get the same score of each output, from rows of x and
// coefficients. It stops at the first difference.
func equalScores(x rowReader, coef *data.Dense, parts *data.Partition) bool {
	_, n := x.Dims()
	row := make([]float64, n)
	score := func(i int32) []float64 {
		x.RowTo(row, int(i))
		out := make([]float64, coef.Cols)
		for j, v := range row {
			if v != 0 {
				linalg.Axpy(v, coef.Row(j), out)
			}
		}
		return out
	}
	for g := range parts.Len() {
		rows := parts.Part(g)
		for k, first := 1, []float64(nil); k < len(rows); k++ {
			if first == nil {
				first = score(rows[0])
			}
			if !slices.Equal(first, score(rows[k])) {
				return false
			}
		}
	}
	return true
}

// warnEqual warns if compared rows that differ all get the same score from rows and coefficients, because their
// contribution is below double precision.
func (f *fit) warnEqual(x rowReader, coef *data.Dense) {
	if equalScores(x, coef, f.trainer.comparedSets(f.goal)) {
		f.trainer.journal.Add(event.Note{Warning: true, Code: codes.NoteEqualScores,
			Text:   "the compared rows all get the same score: what the weights add up to is below double precision",
			Remedy: "take a smaller λ, or normalise the features"})
	}
}

// noteSpline is the code of the note that compares the losses of the linear kernel and a spline.
const noteSpline event.Code = "spline"

// tellSimpler notes how the linear kernel and splines compare.
func (t *trainer) tellSimpler(c *procedure.Choice) {
	l := c.Losses
	if l == nil {
		return
	}
	verdict := "is kept"
	if l.Other {
		verdict = "is not enough"
	}
	size := math.Abs(l.Loss)
	sure := fmt.Sprintf("± %.2g over %d units", l.StdErr/size, l.Units)
	if l.Units < 2 {
		sure = "over one unit, which has no standard error"
	}
	t.journal.Note(noteSpline, "the linear kernel %s: the held-out squared loss of %s is %.3g times its loss, a "+
		"difference of %.2g %s", verdict, t.o.Kernels[l.Kernel], 1+l.Difference/l.Loss, l.Difference/size, sure)
}

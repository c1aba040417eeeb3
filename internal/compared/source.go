package compared

import (
	"cmp"
	"context"
	"math"

	"pairrank/comparison"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/fault"
	"pairrank/internal/holdout"
	"pairrank/internal/procedure"
	"pairrank/internal/ratio"
	"pairrank/kernel"
	"pairrank/pref"
)

// Rows are rows under one kernel, for a source that leaves out pairs of them and no rows.
type Rows interface {
	procedure.Divisible
	// Options are those of holding out.
	Options() holdout.Options
	// HoldsOut reports whether what is held out is kept.
	HoldsOut() bool
	// Kernel is the kernel, and At the same rows under kernel k of the options.
	Kernel() kernel.Kernel
	At(k int) Rows
	// Parameter is what the candidates are values of, and Candidates are the values to choose from by training again.
	Parameter() cv.Parameter
	Candidates() ([]float64, error)
	// Root is R with RRᵀ the inner products of the rows, but for a constant of each row; nil where nothing is factored.
	// weighs says that its columns are features. Cost O(m³) for a kernel matrix.
	Root() (root *data.Dense, weighs bool, err error)
	// Again returns a function that trains on some of the pairs for each candidate, and emits the scores of all rows: 0
	// where the pairs teach nothing.
	Again(ctx context.Context, candidates []float64) (func(edges []pref.Edge, emit func(l int, scores []float64)) error,
		error)
}

// Source is rows under one kernel, of which units of comparisons are left out, and no rows.
type Source struct {
	Rows
	Pairs  *Pairs
	weighs bool             // the features of board are those of the rows
	board  *comparison.Path // nil where each unit is left out by training again
	found  map[kernel.Kernel]*found
}

// found are the estimates of the candidates under a kernel: the held-out margins of each, if they are kept, and
// over how many units their standard errors are.
type found struct {
	held        []*comparison.HeldOut
	independent int
	over        string // the name of one
}

// Under is the same units under a kernel.
func (s *Source) Under(k int) procedure.Source {
	under := s.At(k)
	if under == s.Rows {
		return s
	}
	return &Source{Rows: under, Pairs: s.Pairs, found: s.found}
}

// Ready makes the goal and, if the solver factors, the path of the comparisons.
func (s *Source) Ready(context.Context) error {
	if s.board != nil {
		return nil
	}
	p := *s.Pairs.Teaching
	var err error
	if p.Features, s.weighs, err = s.Root(); err != nil || p.Features == nil {
		return err
	}
	s.board, err = comparison.NewPath(&p)
	return fault.As(fault.Data, "", err)
}

// Estimate estimates every candidate by leaving out units of comparisons: by the path, or by training again.
func (s *Source) Estimate(ctx context.Context, progress func(done, total int)) (e cv.KernelEstimate, err error) {
	e = cv.KernelEstimate{Kernel: s.Kernel(), Parameter: s.Parameter()}
	if err := s.Ready(ctx); err != nil {
		return e, err
	}
	e.Method = s.Pairs.Leaves
	if s.board != nil && s.Options().Candidates == nil {
		e.Candidates = s.lambdas()
	} else if e.Candidates, err = s.Candidates(); err != nil {
		return e, err
	}
	of := &found{held: make([]*comparison.HeldOut, len(e.Candidates))}
	s.found[s.Kernel()] = of
	if s.board == nil {
		if of.held, err = s.again(ctx, e.Candidates, progress); err != nil {
			return e, s.Fault(err)
		}
	}
	points := make([]cv.Point, len(e.Candidates))
	for l, lambda := range e.Candidates {
		if s.board != nil {
			if of.held[l], err = s.board.Predict(ctx, lambda, s.Pairs.unit, s.Options().Seed); err != nil {
				return e, s.Fault(err)
			}
			if progress != nil {
				progress(l+1, len(e.Candidates))
			}
		}
		if points[l], err = s.pointOf(lambda, of.held[l]); err != nil {
			return e, err
		}
		of.independent, of.over = of.held[l].Independent, of.held[l].Over
		if !s.HoldsOut() {
			of.held[l] = nil
		}
		if err := ctx.Err(); err != nil {
			return e, err
		}
	}
	out := holdout.NewEstimate(points)
	out.Retrained = s.board == nil
	e.Outputs = []*cv.Estimate{out}
	return e, nil
}

// lambdas are the values of λ to choose from: those of the eigenvalues, down to a share of the largest of which
// rounding leaves the leverages digits.
func (s *Source) lambdas() []float64 {
	const least = 0x1p-22
	eigenvalues := s.board.Eigenvalues() // ascending
	var above []float64
	for _, d := range eigenvalues {
		if d > 0 {
			above = append(above, max(d, least*eigenvalues[len(eigenvalues)-1]))
		}
	}
	squares := s.board.Squares()
	if !s.weighs {
		squares = nil
	}
	return holdout.Lambdas(above, holdout.Spread(squares))
}

// pointOf is the estimate of a candidate.
func (s *Source) pointOf(candidate float64, h *comparison.HeldOut) (cv.Point, error) {
	if !h.Error.Defined {
		return cv.Point{}, fault.Dataf("no comparison that is left out has a winner, so %s cannot estimate an error",
			s.Pairs.Leaves)
	}
	wins := 0.0
	for c := range s.Pairs.Teaching.Lines {
		wins += s.Pairs.Teaching.Lines[c].Wins + s.Pairs.Teaching.Lines[c].Losses
	}
	return cv.Point{Candidate: candidate, Error: h.Error.Value, Pairs: int64(math.Round(wins)),
		StdErr: ratio.StandardError(h.StdErr.Value*h.StdErr.Value, h.Independent),
		Over:   metric.Over{N: h.Independent, Of: s.unitName(h.Over)}}, nil
}

// again trains without each unit, for all candidates at once.
func (s *Source) again(ctx context.Context, candidates []float64, progress func(done, total int)) (
	[]*comparison.HeldOut, error) {
	train, err := s.Again(ctx, candidates)
	if err != nil {
		return nil, err
	}
	done, unit := 0, s.Pairs.unit
	return s.Pairs.Teaching.PredictAgain(unit, s.Options().Seed, true, len(candidates), func(some []int, emit func(int,
		[]float64)) error {
		err := train(edgesOf(s.Pairs.Teaching.Of(some)), emit)
		if done++; progress != nil && err == nil {
			progress(done, max(done, unit.Folds))
		}
		return err
	})
}

// Parts says that there are no halves, and over how many units the standard error is.
func (s *Source) Parts(*procedure.Choice) (p procedure.Parts) {
	p.Halving.Without = "comparisons do not come in halves of rows"
	p.Halving.Independent = s.found[s.Kernel()].independent
	return p
}

// Ranking is which side of each line that was left out at a λ is above the other one.
func (s *Source) Ranking(ctx context.Context, _ *procedure.Choice, lambda float64) (signs []float64, err error) {
	if s.board == nil {
		return nil, nil
	}
	h, err := s.board.Predict(ctx, lambda, s.Pairs.unit, s.Options().Seed)
	if err != nil {
		return nil, err
	}
	sign := func(v float64) float64 { return float64(cmp.Compare(v, 0)) } // NaN, which is not determined, is below
	for c, m := range h.Margins {
		signs = append(signs, sign(m[0]), sign(m[1]), sign(m[2]))
		if h.Sides != nil {
			signs = append(signs, sign(h.Sides[c][0]), sign(h.Sides[c][1]))
		}
	}
	return signs, nil
}

// unitName names what the standard error of margins is over.
func (s *Source) unitName(over string) string {
	switch {
	case over == "stratum" && s.Pairs.Leaves.Kind == cv.LeaveQueryOut:
		return "query"
	case over == "kfold":
		return "fold"
	case over == "stratum":
		return "set of a stratum"
	}
	return over
}

// Lines is how many lines or preferences were given, and Over the name of what the standard error is over.
func (s *Source) Lines() int { return len(s.Pairs.Place) }

func (s *Source) Over() string { return s.unitName(s.found[s.Kernel()].over) }

// HeldOut returns the margins of the given lines at candidate l, which were kept.
func (s *Source) HeldOut(l int) *comparison.HeldOut {
	h := *s.found[s.Kernel()].held[l]
	none := math.NaN()
	h.Margins = placed(h.Margins, s.Pairs.Place, [3]float64{none, none, none})
	if h.Sides != nil {
		h.Sides = placed(h.Sides, s.Pairs.Place, [2]float64{none, none})
	}
	return &h
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

package compared

import (
	"context"
	"math"

	"pairrank/comparison"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/fault"
	"pairrank/internal/procedure"
	"pairrank/internal/rows"
	"pairrank/kernel"
)

// source is rows under one kernel, of which units of comparisons are left out, and no rows.
type source struct {
	rows.Between
	pairs  *pairs
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
func (s *source) Under(k int) procedure.Source {
	under := s.At(k)
	if under == s.Between {
		return s
	}
	return &source{Between: under, pairs: s.pairs, found: s.found}
}

// Ready makes the goal and, if the solver factors, the path of the comparisons.
func (s *source) Ready(context.Context) error {
	if s.board != nil {
		return nil
	}
	p := *s.pairs.lines
	var err error
	if p.Features, s.weighs, err = s.Root(); err != nil || p.Features == nil {
		return err
	}
	s.board, err = comparison.NewPath(&p)
	return fault.As(fault.Data, "", err)
}

// Estimate estimates every candidate by leaving out units of comparisons: by the path, or by training again.
func (s *source) Estimate(ctx context.Context, progress func(done, total int)) (e cv.KernelEstimate, err error) {
	e = cv.KernelEstimate{Kernel: s.Kernel(), Parameter: s.Parameter()}
	if err := s.Ready(ctx); err != nil {
		return e, err
	}
	e.Method = s.Leaves()
	if s.board != nil && s.Plan().Lambdas == nil {
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
			if of.held[l], err = s.board.Predict(ctx, lambda, s.pairs.unit, s.Plan().Seed); err != nil {
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
		if !s.Plan().HeldOut {
			of.held[l] = nil
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

// lambdas are the values of λ to choose from: those of the eigenvalues, down to a share of the largest of which
// rounding leaves the leverages digits.
func (s *source) lambdas() []float64 {
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
	return cv.Lambdas(above, cv.Spread(squares))
}

// pointOf is the estimate of a candidate.
func (s *source) pointOf(candidate float64, h *comparison.HeldOut) (cv.Point, error) {
	if !h.Error.Defined {
		return cv.Point{}, fault.Dataf("no comparison that is left out has a winner, so %s cannot estimate an error",
			s.Leaves())
	}
	wins := 0.0
	for c := range s.pairs.lines.Lines {
		wins += s.pairs.lines.Lines[c].Wins + s.pairs.lines.Lines[c].Losses
	}
	return cv.Point{Candidate: candidate, Error: h.Error.Value, Pairs: int64(math.Round(wins)),
		StdErr: metric.StandardError(h.StdErr.Value*h.StdErr.Value, h.Independent),
		Over:   metric.Over{N: h.Independent, Of: s.unitName(h.Over)}}, nil
}

// again trains without each unit, for all candidates at once.
func (s *source) again(ctx context.Context, candidates []float64, progress func(done, total int)) (
	[]*comparison.HeldOut, error) {
	train, err := s.Again(ctx, candidates)
	if err != nil {
		return nil, err
	}
	done, unit := 0, s.pairs.unit
	return s.pairs.lines.PredictAgain(unit, s.Plan().Seed, true, len(candidates), func(some []int, emit func(int,
		[]float64)) error {
		err := train(edgesOf(s.pairs.lines.Of(some)), emit)
		if done++; progress != nil && err == nil {
			progress(done, max(done, unit.Folds))
		}
		return err
	})
}

// Parts says that there are no halves, and over how many units the standard error is.
func (s *source) Parts(*procedure.Choice) (p procedure.Parts) {
	p.Halving.Without = "comparisons do not come in halves of rows"
	p.Halving.Independent = s.found[s.Kernel()].independent
	return p
}

// unitName names what the standard error of margins is over.
func (s *source) unitName(over string) string {
	switch {
	case over == "stratum" && s.Leaves().Kind == cv.LeaveQueryOut:
		return "query"
	case over == "kfold":
		return "fold"
	case over == "stratum":
		return "set of a stratum"
	}
	return over
}

// Counts returns, of an estimate that left out units of comparisons, how many lines or preferences were given, and the
// name of what its standard error is over; 0 and "" of other estimates.
func Counts(e *rows.Estimated) (lines int, over string) {
	s, is := e.Choice.Source.(*source)
	if !is {
		return 0, ""
	}
	return len(s.pairs.place), s.unitName(s.found[s.Kernel()].over)
}

// HeldOut is Estimated.HeldOutComparisons of package pairrank.
func HeldOut(e *rows.Estimated) (*comparison.HeldOut, error) {
	s, is := e.Choice.Source.(*source)
	switch {
	case !is:
		return nil, fault.Optionf("HeldOut", "of labels is of rows")
	case !s.Plan().HeldOut:
		return nil, fault.Optionf("HeldOut", "was not set")
	}
	h := *s.found[s.Kernel()].held[e.Choice.Chosen().Outputs[0].Best]
	none := math.NaN()
	h.Margins = placed(h.Margins, s.pairs.place, [3]float64{none, none, none})
	if h.Sides != nil {
		h.Sides = placed(h.Sides, s.pairs.place, [2]float64{none, none})
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

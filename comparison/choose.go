package comparison

import (
	"context"
	"math"

	"pairrank/eval/cv"
	"pairrank/event"
	"pairrank/internal/holdout"
	"pairrank/internal/journal"
	"pairrank/internal/procedure"
)

// grid has the values to choose from, and the unit that is left out to choose.
type grid struct {
	lambdas, residuals []float64
	unit               Unit
	seed               uint64
	tell               func(done, total int)
}

// Candidate is a pair of values and how well their board predicts what was left out, without margins.
type Candidate struct {
	Lambda, Residual float64
	HeldOut          HeldOut
}

// chooseFrom learns the scores for every λ and τ of a grid, leaves out every unit of each board by Predict, and keeps
// the board with the least mean loss of an outcome, of equal losses that with the largest λ. It costs a Fit and a
// Predict for each, and for the chosen one again. Boards without a held-out loss come after all others.
func (r *ranker) chooseFrom(ctx context.Context, g *grid) error {
	journal := &journal.Journal{Monitor: event.Monitor{Progress: func(e event.Progress) {
		if !e.Ended {
			g.tell(int(e.Done), int(e.Total))
		}
	}}}
	plan := procedure.Plan{Journal: journal, Seed: g.seed, Choosing: procedure.ChoosingLambda}
	_, _, err := procedure.Train(ctx, &source{r, g, g.residuals[0]}, plan)
	for _, n := range journal.Notes() {
		r.journal.Note("", "%s", n)
	}
	return err
}

// source is a problem at one τ, as a procedure.Source: its kernels are the values of τ.
type source struct {
	r   *ranker
	g   *grid
	tau float64
}

// Kernels is the number of values of τ.
func (s *source) Kernels() int { return len(s.g.residuals) }

// Under is the problem at another τ.
func (s *source) Under(k int) procedure.Source { return &source{s.r, s.g, s.g.residuals[k]} }

// predict fits at λ, and leaves out every unit.
func (s *source) predict(ctx context.Context, lambda float64) (*Board, *HeldOut, error) {
	p, o := *s.r.Problem, s.r.Options
	p.Residual, o.Lambda = s.tau, lambda
	b, err := Fit(ctx, &p, o)
	if err != nil {
		return nil, nil, err
	}
	h, err := b.Predict(ctx, s.g.unit, s.g.seed)
	return b, h, err
}

// Estimate fits at every λ, and leaves out every unit. The error of cv is the mean loss.
func (s *source) Estimate(ctx context.Context, progress func(done, total int)) (e cv.KernelEstimate, err error) {
	e.Parameter, e.Candidates, e.Measure = cv.Lambda, s.g.lambdas, s.r.Options.Loss.Mean()
	var points []cv.Point
	for l, lambda := range s.g.lambdas {
		_, h, err := s.predict(ctx, lambda)
		if err != nil {
			return e, err
		}
		points = append(points, cv.Point{Candidate: lambda, Error: h.loss()})
		h.Margins, h.Sides = nil, nil
		s.r.Tried = append(s.r.Tried, Candidate{lambda, s.tau, *h})
		if progress != nil {
			progress(l+1, len(s.g.lambdas))
		}
	}
	e.Outputs = []*cv.Estimate{holdout.NewEstimate(points)}
	return e, nil
}

// loss is the mean loss, above all others where there is none.
func (h *HeldOut) loss() float64 {
	if !h.Loss.Defined {
		return math.Inf(1)
	}
	return h.Loss.Value
}

// Fit learns the scores with the chosen values.
func (s *source) Fit(ctx context.Context, c *procedure.Choice) (procedure.Fit, error) {
	r := s.r
	s.tau = s.g.residuals[c.Best]
	b, h, err := s.predict(ctx, c.Candidate())
	if err != nil {
		return nil, err
	}
	r.Board, r.HeldOut, r.Problem, r.Options.Lambda = b, h, b.p, c.Candidate()
	r.Best = c.Best*len(s.g.lambdas) + c.Chosen().Outputs[0].Best
	return b, nil
}

// Ready, Doubt and Unconverged are for sources that keep work, doubt fits, or stop early.
func (s *source) Ready(context.Context) error { return nil }

func (s *source) Doubt(context.Context, procedure.Fit, *procedure.Choice) {}

func (s *source) Unconverged() int { return 0 }

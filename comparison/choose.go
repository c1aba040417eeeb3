package comparison

import (
	"context"
	"math"

	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/procedure"
)

// Grid has the values to choose from, and the unit that is left out to choose.
type Grid struct {
	// Lambdas are values of λ, and Residuals values of τ; nil is the one of Options or Problem.
	Lambdas, Residuals []float64
	// Unit is left out. The chosen values have the least mean loss of an outcome, and the largest λ among equal losses.
	// Seed deals folds.
	Unit Unit
	Seed uint64
	// Progress receives how many of the candidates are done; nil discards it.
	Progress func(done, total int)
}

// Candidate is a pair of values and how well their board predicts what was left out, without margins.
type Candidate struct {
	Lambda, Residual float64
	HeldOut          HeldOut
}

// Chosen is a board with the values that were chosen for it.
type Chosen struct {
	*Board
	Options Options
	Problem *Problem // with the chosen τ
	HeldOut *HeldOut
	// Tried are all candidates, by τ and within it by λ, and Best is the chosen one.
	Tried []Candidate
	Best  int
	Notes []string // doubts about the choice
}

// Choose learns the scores for every λ and τ of the grid, leaves out every unit of each board by Predict, and
// returns the board with the least held-out loss. It costs a Fit and a Predict for each, and for the chosen one
// again. It returns their errors. Boards without a held-out loss come after all others.
func Choose(ctx context.Context, p *Problem, o Options, g Grid) (*Chosen, error) {
	if g.Lambdas == nil {
		g.Lambdas = []float64{o.Lambda}
	}
	if g.Residuals == nil {
		g.Residuals = []float64{p.Residual}
	}
	if o.Loss == "" {
		o.Loss = Squared
	}
	s := &source{p: p, o: o, grid: &g, tried: new([]Candidate)}
	journal := &event.Journal{}
	if g.Progress != nil {
		journal.Monitor.Progress = func(e event.Progress) {
			if !e.Ended {
				g.Progress(int(e.Done), int(e.Total))
			}
		}
	}
	plan := procedure.Plan{Journal: journal, Seed: g.Seed, Choosing: procedure.ChoosingLambda}
	fit, _, err := procedure.Train(ctx, s, plan)
	if err != nil {
		return nil, err
	}
	out := fit.(*Chosen)
	for _, n := range journal.Notes() {
		out.Notes = append(out.Notes, n.String())
	}
	return out, nil
}

// source is a problem at one τ, as a procedure.Source: its kernels are the values of τ.
type source struct {
	p    *Problem
	o    Options
	grid *Grid
	// tried are the candidates so far, of all τ.
	tried *[]Candidate
}

// Kernels is the number of values of τ.
func (s *source) Kernels() int { return len(s.grid.Residuals) }

// Under is the problem at another τ.
func (s *source) Under(k int) procedure.Source {
	p, out := *s.p, *s
	p.Residual = s.grid.Residuals[k]
	out.p = &p
	return &out
}

// Estimate fits at every λ, and leaves out every unit. The error of cv is the mean loss.
func (s *source) Estimate(ctx context.Context, progress func(done, total int)) (e cv.KernelEstimate, err error) {
	e.Parameter, e.Candidates, e.Measure = cv.Lambda, s.grid.Lambdas, s.o.Loss.Mean()
	var points []cv.Point
	for l, lambda := range s.grid.Lambdas {
		o := s.o
		o.Lambda = lambda
		b, err := Fit(ctx, s.p, o)
		if err != nil {
			return e, err
		}
		h, err := b.Predict(ctx, s.grid.Unit, s.grid.Seed)
		if err != nil {
			return e, err
		}
		points = append(points, cv.Point{Candidate: lambda, Error: h.loss()})
		h.Margins, h.Sides = nil, nil
		*s.tried = append(*s.tried, Candidate{lambda, s.p.Residual, *h})
		if progress != nil {
			progress(l+1, len(s.grid.Lambdas))
		}
	}
	e.Outputs = []*cv.Estimate{cv.NewEstimate(points)}
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
	p, o := *s.p, s.o
	p.Residual, o.Lambda = s.grid.Residuals[c.Best], c.Candidate()
	b, err := Fit(ctx, &p, o)
	if err != nil {
		return nil, err
	}
	h, err := b.Predict(ctx, s.grid.Unit, s.grid.Seed)
	if err != nil {
		return nil, err
	}
	return &Chosen{Board: b, Options: o, Problem: &p, HeldOut: h, Tried: *s.tried,
		Best: c.Best*len(s.grid.Lambdas) + c.Chosen().Outputs[0].Best}, nil
}

// Ready, Doubt and Unconverged are for sources that keep work, doubt fits, or stop early.
func (s *source) Ready(context.Context) error                { return nil }
func (s *source) Doubt(f procedure.Fit, c *procedure.Choice) {}
func (s *source) Unconverged() int                           { return 0 }

package rows

import (
	"context"
	"math"

	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/procedure"
)

// Streamed is a source of rows that are not in memory.
type Streamed interface {
	procedure.Source
	// Begin refuses statistics that cannot be learnt from; notes go to j.
	Begin(j *event.Journal) error
	// Describe returns a fit with its model, without the Info, and with the fields of Training that the
	// statistics know. Lambdas has one value for each output.
	Describe(f procedure.Fit) (*Result, error)
}

// TrainStreamed is Train for package stream, whose rows are not in memory. o has the LeastSquares Learner, the
// only kernel, Lambdas and Threshold.
func TrainStreamed(ctx context.Context, o Plan, s Streamed) (*Result, error) {
	resolved, err := o.resolved(&Problem{})
	if err != nil {
		return nil, err
	}
	t := newTrainer(&Problem{}, resolved, &Rows{})
	if t.learner, err = o.Learner.learner(&Problem{}, resolved); err != nil {
		return nil, err
	}
	if err := s.Begin(t.journal); err != nil {
		return nil, err
	}
	plan := procedure.Plan{Journal: t.journal}
	if len(o.Lambdas) != 1 {
		plan.Choosing = procedure.ChoosingLambda
	}
	learnt, c, err := procedure.Train(ctx, s, plan)
	if err != nil {
		return nil, conclude(err)
	}
	r, err := s.Describe(learnt)
	if err != nil {
		return nil, conclude(err)
	}
	f := &r.Training
	r.Choice = c.Summary(cv.Choice{Lambda: f.Lambdas[0], Kernel: o.Kernels[0]})
	if c == nil || f.Outputs == 1 {
		f.Lambdas = nil // one for all outputs
	}
	f.Learner, f.Kernel, f.Objective, f.Parameter = o.Learner.Name(), o.Kernels[0], t.learner.objective(t),
		t.learner.parameter()
	f.Lambda, f.Residual, f.Gap, f.Converged = r.Choice.Lambda, math.NaN(), math.NaN(), true
	t.learner.describe(t, &f.Facts)
	t.complete(f, nil, &r.Choice)
	r.Model.Info = f.Facts
	r.Notes = t.journal.Notes()
	return r, nil
}

package rows

import (
	"math"

	"pairrank/internal/event"
)

// TrainSums is Train for package stream, whose rows are not in memory: o has the LeastSquares Learner, the one
// kernel, Lambdas and Threshold. learn chooses λ and trains; its result has the Choice, the model but for the Info,
// and of the Training what the sums know. The errors of learn are returned with their kind and code.
func TrainSums(o Plan, learn func(*event.Journal) (*Result, error)) (*Result, error) {
	resolved, err := o.resolved(&Problem{})
	if err != nil {
		return nil, err
	}
	l := o.Learner.(LeastSquares)
	t := &task{o: resolved, learner: l, journal: &event.Journal{Monitor: o.Monitor}}
	r, err := learn(t.journal)
	if err != nil {
		return nil, conclude(err)
	}
	f := &r.Training
	f.Learner, f.Kernel, f.Objective, f.Parameter = l.Name(), o.Kernels[0], l.objective(t), l.parameter()
	f.Lambda, f.Residual, f.Gap, f.Converged = r.Choice.Lambda, math.NaN(), math.NaN(), true
	r.Model.Info = t.info(*f, &fit{lambda: f.Lambda, lambdas: f.Lambdas}, &r.Choice)
	r.Notes = t.journal.Notes()
	return r, nil
}

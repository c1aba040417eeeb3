package procedure

import (
	"context"
	"math/rand/v2"

	"pairrank/eval/cv"
)

// LearningCurve estimates anew on random parts of the units, made of halves of halves, with every choice made
// again in each; the last point is the estimate itself. It returns the errors of cv.Learning.
func (r *Run) LearningCurve(ctx context.Context) (*cv.LearningCurve, error) {
	s := r.source()
	parts := s.Parts(r.Choice)
	l := &cv.Learning{Units: parts.Units, Least: parts.Smallest,
		Halve: func(random *rand.Rand, some []int) []int { return parts.Draw(random, some)[0] },
		Estimate: func(ctx context.Context, some []int) ([]float64, error) {
			part, err := s.Half(ctx, r.Choice, some)
			if err != nil {
				return nil, err
			}
			return bestErrors(ctx, part, r.plan.Metric)
		},
	}
	tell, end := r.plan.Journal.Monitor.Task("learning from parts of the data", 0)
	defer end()
	points, err := l.Curve(ctx, r.plan.Seed, tell)
	if err != nil {
		return nil, err
	}
	return cv.NewLearningCurve(parts.Of, points, parts.Units, r.Choice.Error), nil
}

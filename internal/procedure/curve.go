package procedure

import (
	"context"

	"pairrank/eval/cv"
	"pairrank/internal/holdout"
)

// LearningCurve repeats the estimate on random parts of the units: halves, halves of halves and so on, with
// every choice made again in each part. The last point is the estimate itself. It returns the errors of
// holdout.Learning.
func (r *Run) LearningCurve(ctx context.Context) (*cv.LearningCurve, error) {
	parts := r.source().Parts(r.Choice)
	l := &holdout.Learning{Units: parts.Units, Least: parts.Smallest, Halve: parts.Halve, Estimate: r.estimateHalf}
	tell, end := r.plan.Journal.Monitor.Task("learning from parts of the data", 0)
	defer end()
	points, err := l.Curve(ctx, r.plan.Seed, tell)
	if err != nil {
		return nil, err
	}
	return holdout.NewLearningCurve(parts.Of, points, parts.Units, r.Choice.Error), nil
}

package procedure

import (
	"context"
	"math/rand/v2"

	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/fault"
)

// Parts says how parts of a source are drawn, for half-samples and learning curves.
type Parts struct {
	// Units is the number of independent units, as queries, Of what they are, and Given says that the standard
	// error of the estimate is over them.
	Units int
	Of    string
	Given bool
	// Least is the fewest units that halves are made of, and Smallest that a part of a learning curve has.
	Least, Smallest int
	// Without is a reason why there are no halves, or "".
	Without string
	// Work is the multiplications of all half-samples.
	Work float64
	// Draw draws two halves of some units; nil are all.
	Draw func(r *rand.Rand, some []int) [2][]int
}

// halve estimates by half-samples how much the best estimate varies, or notes why it
// does not.
func (r *Run) halve(ctx context.Context) error {
	s, j := r.source(), r.plan.Journal
	parts := s.Parts(r.Choice)
	h := cv.Halving{Units: parts.Units, Of: parts.Of, Least: parts.Least, Given: parts.Given, Without: parts.Without,
		Work: parts.Work,
		Draw: func(random *rand.Rand) [2][]int { return parts.Draw(random, nil) },
		Estimate: func(ctx context.Context, part []int) ([]float64, error) {
			half, err := s.Half(ctx, r.Choice, part)
			if err != nil {
				return nil, err
			}
			return bestErrors(ctx, half, r.plan.Metric)
		}}
	wanted, note, err := h.Wanted(r.plan.Intervals)
	if note != "" {
		j.Add(event.Note{Code: NoteNoInterval, Text: note, Remedy: "Options.Intervals halves makes it"})
	}
	if err != nil {
		return fault.Optionf("Intervals", "%w", err)
	}
	if !wanted {
		return nil
	}
	tell, end := j.Monitor.Task("estimating halves", cv.HalfSplits)
	defer end()
	r.Halves, err = h.Sample(ctx, r.plan.Seed, tell)
	if ctx.Err() == nil && err != nil {
		j.Note(NoteFailedInterval, "there is no 95 %% interval: %v", err)
	}
	return ctx.Err()
}

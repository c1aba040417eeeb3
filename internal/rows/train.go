package rows

import (
	"context"
	"math"

	"pairrank/eval/cv"
	"pairrank/internal/event"
	"pairrank/internal/procedure"
	"pairrank/kernel"
	"pairrank/model"
	"pairrank/model/training"
)

// Result is pairrank.Result.
type Result struct {
	Model    *model.Model
	Choice   cv.Choice
	Training Training
	Notes    []event.Note
	// Selection is nil unless features were selected.
	Selection *Selection
}

// Training is pairrank.Training.
type Training struct {
	training.Facts
	Why    string
	Kernel kernel.Kernel

	Features, Outputs int

	Parameter  cv.Parameter
	Lambdas    []float64
	Rounds     int
	Exhausted  bool
	Minimum    float64
	Iterations int
	Residual   float64
	Gap        float64
	Converged  bool
	Planes     int
	Chosen     []int
}

// Train is pairrank.Train.
func Train(ctx context.Context, p Problem, o Plan) (*Result, error) {
	t, err := prepared(&p, o, false)
	if err != nil {
		return nil, err
	}
	if err := t.checkJudged(); err != nil {
		return nil, err
	}
	if t.solution, err = t.learner.chooseSolver(t); err != nil {
		return nil, err
	}
	if err := t.prepareLeaving(); err != nil {
		return nil, err
	}
	if err := t.announcePairs(); err != nil {
		return nil, err
	}
	if t.chooses() {
		t.tellGroups()
	}
	t.centreFeatures(o.Method != nil && o.Method.Kind == cv.LeaveOneOut)
	return t.train(ctx, t.divisible())
}

// train runs the procedure for a source of the task.
func (t *trainer) train(ctx context.Context, s procedure.Source) (*Result, error) {
	learnt, c, stopped := procedure.Train(ctx, s, t.steps())
	stopped = conclude(stopped)
	if learnt == nil {
		return nil, stopped
	}
	f := learnt.(*fit)
	r := &Result{Training: t.facts(f)}
	r.Choice = c.Summary(cv.Choice{Lambda: f.lambda, Rounds: r.Training.Rounds, Features: len(r.Training.Chosen),
		Kernel: f.trainer.spec})
	t.complete(&r.Training, f.outcome.saved(), &r.Choice)
	r.Model = t.model(f, r.Training.Facts)
	if of, is := s.(*source); is {
		r.Selection = of.selected(f, of.candidate(c), &r.Choice, nil)
	}
	r.Notes = t.journal.Notes()
	return r, stopped
}

// candidate is the chosen candidate; 0 if nothing was held out.
func (s *source) candidate(c *procedure.Choice) float64 {
	if c == nil {
		return 0
	}
	return c.Candidate()
}

// steps converts the options to those of the procedure.
func (t *trainer) steps() procedure.Plan {
	return procedure.Plan{Journal: t.journal, Seed: t.o.Seed, Metric: t.o.Metric, Choosing: t.choosing(),
		Intervals: t.o.Intervals, Nested: t.o.Nested != nil, Permutations: t.o.Permutations}
}

// facts are the facts of the training that made a fit.
func (t *trainer) facts(f *fit) Training {
	out := Training{
		Facts: training.Facts{Learner: t.o.Learner.Name(), Solver: string(t.solution.Solver),
			Objective: t.learner.objective(t),
			Lambda:    f.lambda, Rows: t.rows(), Queries: t.queries.Len(), Pairs: f.pairs},
		Why: t.solution.Why, Kernel: f.trainer.spec, Features: t.features(), Outputs: t.outputs,
		Parameter: t.learner.parameter(), Lambdas: f.lambdas, Minimum: f.objective,
		Residual: math.NaN(), Gap: math.NaN(), Converged: true,
	}
	t.learner.describe(t, &out.Facts)
	f.outcome.tell(&out)
	return out
}

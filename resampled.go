package pairrank

import (
	"pairrank/eval/cv"
	"pairrank/internal/goals"
	"pairrank/internal/holdout"
	"pairrank/internal/learn/rls"
	"pairrank/internal/procedure"
)

// Outer returns the folds of Options.Nested.
func (s *source) Outer(c *procedure.Choice) (*procedure.Outer, error) {
	outer := s.outer()
	share := 1.0
	if outer.Kind == cv.KFold {
		share -= 1 / float64(outer.Folds)
	}
	return &procedure.Outer{
		Labels:  s.labels(),
		Options: holdout.Options{Method: outer, Seed: s.o.Seed + 1},
		All:     s.countPairs(s.compared()),
		Again:   s.queries.Len() == 1 && outer.Kind == cv.KFold && s.givenFolds == nil,
		Work:    float64(outer.Folds) * s.choiceWork(c, share), HalfWork: float64(outer.Folds) * s.choiceWork(c, share/2),
	}, nil
}

// Held returns the held-out predictions of the path, or of retrained folds.
func (s *source) Held(c *procedure.Choice) (*procedure.Held, error) {
	labels := s.labels()
	predict := holdout.OfPath(s.path(), nil).HoldOut
	if c.Retrained {
		if s.retrained == nil {
			s.retrained = s.folds(s.aim)
		}
		predict = s.retrained
	}
	return &procedure.Held{Predict: predict, Labels: labels,
		Options: holdout.Options{Method: c.Method, Seed: s.o.Seed, Candidates: c.Chosen().Candidates}}, nil
}

// Shuffling is the number of permutations that are trained together: a selection, and conjugate gradients, have no path
// that takes other labels. Folds of conjugate gradients share their passes over the rows with those of other outputs.
func (s *source) Shuffling() int {
	switch {
	case s.selects(), s.censored != nil:
		return 1 // times of other rows compare others
	case s.solution.exact == nil:
		return rls.TrainingsAtOnce / 2
	}
	return 0
}

// Shuffled is the same rows with the labels of some outputs.
func (s *source) Shuffled(y []float64, outputs int) procedure.Source {
	return &source{trainer: s.of(s.relabelled(y, outputs), s.shuffled())}
}

// Relabelled returns the path for other labels.
func (s *source) Relabelled(c *procedure.Choice) (*procedure.Relabelled, error) {
	labels := s.labels()
	retarget := func(y []float64, outputs int) (*goals.Goal, error) {
		return s.of(s.relabelled(y, outputs), s.round).goal()
	}
	chosen := c.Chosen()
	o := holdout.Options{Method: chosen.Method, Candidates: chosen.Candidates, Seed: s.o.Seed, Pairs: s.o.PairsSample}
	return &procedure.Relabelled{Factored: holdout.OfPath(s.path(), retarget), Labels: labels, Real: chosen.Outputs[0],
		Options: o}, nil
}

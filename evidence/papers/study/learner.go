// Package study is the table that the programs of papers share: [Run] trains every [Learner] on every [Split] of a set
// and gives the scores of the test rows. The programs measure these and compare them with a paper. The library chooses,
// holds out and trains, through [pairrank.Train].
//
// The programs auc, jester, letor, parses and svmrank train through it, and one learner of reuters, whose others share
// a factorisation among all topics. Three do not, and their package comments say why: condrank learns from edges,
// treersvm measures the solver itself, and lambdas runs the command.
//
//   - learner.go: learners, splits, and how one is trained on the other
//   - measure.go: the values of queries, and what they differ by
//   - letor.go: collections that are dealt into five parts
package study

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pairrank"

	"pairrank/data"
	"pairrank/internal/goals"
)

// Learner is a row of a table of a paper.
type Learner struct {
	Name string
	// Options are those of its training. Among several the one is taken that is best on the held-out rows; among equal
	// ones the first.
	Options []pairrank.Options
	// Prepare, where it is not nil, changes what is learnt from, as [Centre] does.
	Prepare func(p *pairrank.Problem)
	// Theirs are the numbers that the papers give, by a name of the program's; 0 is in no paper.
	Theirs map[string]float64
}

// Split is rows to learn from, in one of the forms of a problem, and rows to score.
type Split struct {
	pairrank.Problem
	// Test has the rows to score; of a kernel matrix they are kernel values with the rows to learn from.
	Test *data.Set
	// Options, where it is not nil, changes the options of every learner, as the folds that choose.
	Options func(o *pairrank.Options)
}

// Trained is what a learner learnt from a split.
type Trained struct {
	*pairrank.Result
	Option int       // the one of Learner.Options that was taken
	Scores []float64 // of the rows of Split.Test
}

// Train trains a learner with each of its options, and scores the test rows by the model that was best on what was held
// out. It returns the errors of [pairrank.Train] with the name of the learner.
func (l Learner) Train(ctx context.Context, s Split) (*Trained, error) {
	if l.Prepare != nil {
		l.Prepare(&s.Problem)
	}
	var best *Trained
	least := math.Inf(1)
	for k, o := range l.Options {
		if s.Options != nil {
			s.Options(&o)
		}
		result, err := pairrank.Train(ctx, s.Problem, o)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.Name, err)
		}
		at := math.Inf(-1) // the only one needs nothing held out
		if len(l.Options) > 1 {
			at = result.Choice.Chosen().Criterion(o.Metric)
		}
		if best == nil || at < least {
			best, least = &Trained{Result: result, Option: k}, at
		}
	}
	var err error
	if best.Scores, err = best.Model.Score(s.Test); err != nil {
		return nil, fmt.Errorf("%s: %w", l.Name, err)
	}
	return best, nil
}

// Centre takes the mean off the labels, as regression has no intercept.
func Centre(p *pairrank.Problem) {
	set := *p.Set
	set.Y = slices.Clone(set.Y)
	goals.Centre(data.OneList(len(set.Y)), set.Y, 1)
	p.Set = &set
}

// Run trains every learner on every split, all splits with one learner before the next learner. It calls take with the
// numbers of both and with the result.
func Run(ctx context.Context, learners []Learner, splits []Split, take func(l, split int, t *Trained) error) error {
	for l, learner := range learners {
		for k, s := range splits {
			t, err := learner.Train(ctx, s)
			if err != nil {
				return err
			}
			if err := take(l, k, t); err != nil {
				return fmt.Errorf("%s: %w", learner.Name, err)
			}
		}
	}
	return nil
}

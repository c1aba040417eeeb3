package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"time"

	"pairrank/evidence/papers/experiment"
	"pairrank/evidence/papers/study"
)

// bands are the columns of table 6: how many jokes a reference user has rated.
var bands = [4]band{{"20–40", 20, 40}, {"40–60", 40, 60}, {"60–80", 60, 80}, {"all", 0, 101}}

// drawn is what is drawn at once: users to test, others to choose by, and for each band
// the features of both.
type drawn struct{ test, hold [len(bands)]*group }

// drawAll draws number k. The users are the same in all bands, the reference users of
// the two groups are not: one is made like the other.
func (r *ratings) drawAll(s settings, from band, k int) (d drawn) {
	random := rand.New(rand.NewPCG(s.seed, uint64(k)))
	taken := map[int]bool{}
	test, hold := r.draw(random, from, s.users, taken), r.draw(random, from, s.users, taken)
	for c, b := range bands {
		d.test[c] = &group{test, r.features(random, b, s.users, taken)}
		d.hold[c] = &group{hold, r.features(random, b, s.users, taken)}
	}
	return d
}

// outcome is what a learner reaches in a band: what was chosen in each draw, and the
// errors of the users.
type outcome struct {
	chosen []chosen
	errors [][]float64
}

// table6 is table 6 for users who have rated so many jokes, with what the paper says
// beside it.
func table6(ctx context.Context, s settings, from band, learners []study.Learner,
	compared bool) (found experiment.Result, err error) {
	r, err := readRatings(s.dir)
	if err != nil {
		return found, err
	}
	outcomes := make([][len(bands)]outcome, len(learners))
	for k := range s.draws {
		began := time.Now()
		d := r.drawAll(s, from, k)
		for c := range bands {
			for l, learner := range learners {
				if err := outcomes[l][c].add(ctx, s, learner, d.hold[c], d.test[c]); err != nil {
					return found, fmt.Errorf("%s, %s: %w", learner.Name, bands[c].name, err)
				}
			}
		}
		fmt.Fprintf(os.Stderr, "jester: users with %s ratings, draw %d of %d took %.0f s\n", from.name, k+1, s.draws,
			time.Since(began).Seconds())
	}
	errorTable(&found, learners, outcomes, compared)
	differenceTable(&found, learners, outcomes, compared)
	chosenTable(&found, learners, outcomes)
	return found, nil
}

// add chooses by one group and tests on the other.
func (o *outcome) add(ctx context.Context, s settings, l study.Learner, hold, test *group) error {
	if l.Name == rankSVM {
		hold = &group{hold.users[:min(s.fewer, len(hold.users))], hold.x}
	}
	c, err := hold.choose(ctx, l, widths, l.Options[0].Lambdas)
	if err != nil {
		return err
	}
	errors, err := test.test(ctx, l, c)
	o.chosen, o.errors = append(o.chosen, c), append(o.errors, errors)
	return err
}

// mean is the mean error of all draws, and how far one draw may be from what it
// estimates: the standard error over its users, or the standard deviation between the
// draws where that is more.
func (o *outcome) mean() (mean, stderr float64) { return meanOf(o.errors) }

// less is the same of the differences from another learner, user by user.
func (o *outcome) less(other *outcome) (differences [][]float64) {
	for k := range o.errors {
		differences = append(differences, study.Less(o.errors[k], other.errors[k]))
	}
	return differences
}

func meanOf(draws [][]float64) (mean, stderr float64) {
	var means []float64
	for _, v := range draws {
		m, deviation := moments(v)
		means = append(means, m)
		stderr += deviation / math.Sqrt(float64(len(v))) / float64(len(draws))
	}
	mean, between := moments(means)
	return mean, math.Max(stderr, between) // a single draw has no deviation
}

// moments are the mean and the standard deviation, 0 for one number.
func moments(v []float64) (mean, deviation float64) {
	if len(v) == 1 {
		return v[0], 0
	}
	return experiment.Moments(v)
}

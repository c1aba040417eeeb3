package pairrank

import (
	"context"
	"slices"
	"sync"

	"pairrank/eval/cv"
	"pairrank/eval/stability"
	"pairrank/fault"
	"pairrank/internal/rows"
)

// Selection compares the features that a Greedy learner selected from all rows with those of the rounds of holding
// out, each of which selected anew.
type Selection struct {
	*stability.Selection
	// Outer is how the rounds left rows out; its Kind is "" if nothing was held out. Nested reports whether the rounds
	// are those of the nested estimate, which chose λ and the number of features, too. Else they are those of the
	// chosen λ and number.
	Outer  cv.Method
	Nested bool
	// Criterion is what the search left out, and Error and Loss what it minimised, at the features selected from all
	// rows; see greedy.Set. Both are too low, since the features were selected by them.
	Criterion   string
	Error, Loss float64
}

// picks are the features that rounds of holding out selected, for each candidate. It is safe for concurrent use.
type picks struct {
	mu sync.Mutex
	of map[float64][][]int
}

// add records the features of one round; it does nothing for nil.
func (p *picks) add(candidate float64, features []int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil {
		p.of = map[float64][][]int{}
	}
	p.of[candidate] = append(p.of[candidate], features)
}

// rounds are those of some candidates, in an order that does not depend on the order of the trainings.
func (p *picks) rounds(of func(candidate float64) bool) (all [][]int) {
	if p == nil {
		return nil
	}
	for candidate, rounds := range p.of {
		if of(candidate) {
			all = append(all, rounds...)
		}
	}
	slices.SortFunc(all, slices.Compare[[]int])
	return all
}

// selected compares the features of a fit with those of the rounds that estimated it; nil if none are selected.
func (s *source) selected(f *fit, c *cv.Choice, nested *cv.NestedEstimate) *Selection {
	end, is := f.outcome.(greedyEnd)
	if !is {
		return nil
	}
	out := &Selection{Criterion: end.criterion, Error: end.set.Error, Loss: end.set.Loss}
	var rounds [][]int
	switch {
	case nested != nil:
		out.Outer, out.Nested = nested.Outer, true
		rounds = s.outerPicks.rounds(func(float64) bool { return true })
	case c.Measured() && c.Method.Kind != cv.Validation: // for which all rows select
		out.Outer = c.Method
		rounds = s.picks.rounds(func(candidate float64) bool { return candidate == c.Chosen().Best() })
	}
	out.Selection = stability.New(end.set.Features, rounds, s.features())
	return out
}

// Selection selects features from all rows with the chosen λ and number, and compares them with those of the rounds.
// It returns an error unless the learner is Greedy. It costs a training.
func (e *Estimated) Selection(ctx context.Context) (*Selection, error) {
	s := e.source()
	if !s.selects() {
		return nil, fault.Optionf("Features", "were not selected by a Greedy learner")
	}
	f, err := s.fit(ctx, e.run.Choice)
	if err != nil {
		return nil, rows.Conclude(err)
	}
	return s.selected(f, &e.Choice, e.Nested), nil
}

package greedy

import (
	"context"
	"errors"
	"slices"
)

// Select searches for the best sets of 1, 2, … o.Features features. One forward step over m rows and n features costs
// O(mn) by leave-query-out and leave-one-out, with a factor log m_q for counting, and O(mn + n·pairs) by
// leave-pair-out. A backward step from k features costs O(k log k) updates of O(mk), or O(mk + pairs); taking a
// feature away in a floating search costs as much as k forward steps in addition. Memory is 2mn numbers by
// leave-pair-out and 3mn else.
//
// It returns a *FewFeaturesError if fewer features can be selected than o.Features, goals.ErrNothingToLearn if no two
// compared rows have different labels, an error for a criterion that the data does not have, and that of ctx. It
// panics unless the shapes fit together and λ > 0.
func Select(ctx context.Context, p Problem, o Options) (*Path, error) {
	p, o, err := resolved(p, o)
	if err != nil {
		return nil, err
	}
	of, err := newColumns(p)
	if err != nil {
		return nil, err
	}
	s := &search{ctx: ctx, of: of, o: o, start: newState(of, o, columnsOf(of.units)), units: placed(of.units)}
	s.explained()
	if n := len(s.units); o.Features > n {
		few := of.few
		few.Requested, few.Usable = o.Features, n
		return nil, &few
	}
	if pairs, _ := s.start.held.judged(); pairs == 0 {
		return nil, errBaseline
	}
	s.sets = make([]Set, o.Features)
	if o.Search == Backward {
		err = s.backward()
	} else {
		err = s.forward()
	}
	if err != nil {
		return nil, err
	}
	return newPath(of, o, s.start, s.sets), nil
}

var errBaseline = errors.New("no pair can be left out so that the other rows determine the baseline")

// search is a search in progress.
type search struct {
	ctx   context.Context
	of    *columns
	o     Options
	start *state // without selected features
	units []unit // that may come in, in the positions of start
	sets  []Set  // the best so far, by size − 1
}

// explained takes the features out that the baseline determines.
func (s *search) explained() {
	if len(s.of.p.Baseline) == 0 {
		return
	}
	var keep []unit
	for _, u := range s.units { // of one column each
		if pivot, _ := s.start.pivot(u.columns[0], 0); s.start.determined(u.columns[0], pivot) {
			s.of.few.Explained++
		} else {
			keep = append(keep, u)
		}
	}
	s.start, s.units = s.start.keepingUnits(keep)
}

// pace reports progress, and returns the error of the context.
func (s *search) pace(done, total int) error {
	if s.o.Progress != nil {
		s.o.Progress(done, total)
	}
	return s.ctx.Err()
}

// forward adds the best feature until the sets are complete.
func (s *search) forward() error {
	now, open := s.start.keeping(all(len(s.start.cols))), make([]bool, len(s.units))
	for k := range open {
		open[k] = true
	}
	var chosen []int // units
	for len(chosen) < s.o.Features {
		if err := s.pace(len(chosen), s.o.Features); err != nil {
			return err
		}
		at, found := now.best(s.units, open)
		now.addUnit(s.units[at])
		chosen, open[at] = append(chosen, at), false
		s.keep(chosen, found)
		if s.o.Search != Floating {
			continue
		}
		left, err := s.float(chosen)
		if err != nil {
			return err
		}
		if len(left) < len(chosen) {
			now, chosen = s.start.keeping(all(len(s.start.cols))), left
			for at := range open {
				open[at] = true
			}
			for _, at := range chosen {
				now.addUnit(s.units[at])
				open[at] = false
			}
		}
	}
	return s.pace(s.o.Features, s.o.Features)
}

// keep records a set of units if it is the best of its size, and reports whether it is.
func (s *search) keep(chosen []int, found score) bool {
	set := &s.sets[len(chosen)-1]
	if set.Features != nil && found.compare(set.score) >= 0 {
		return false
	}
	*set = Set{Features: make([]int, len(chosen)), score: found}
	for k, at := range chosen {
		set.Features[k] = s.units[at].feature
	}
	return true
}

// float takes features away as long as this makes the best set of its size.
func (s *search) float(chosen []int) ([]int, error) {
	for len(chosen) > 2 {
		out, found, err := s.leave(chosen)
		if err != nil {
			return nil, err
		}
		left := slices.Delete(slices.Clone(chosen), out, out+1)
		if !s.keep(left, found) {
			break
		}
		chosen = left
	}
	return chosen, nil
}

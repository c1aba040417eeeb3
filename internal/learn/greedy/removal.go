package greedy

import (
	"slices"

	"pairrank/internal/parallel"
	"pairrank/internal/pick"
)

// backward starts with all features. Those that leave last come first in the sets.
func (s *search) backward() error {
	chosen := all(len(s.units))
	var left []int // in the order of leaving
	total := len(chosen)
	found := s.whole(chosen)
	scores := make([]score, total+1) // by size
	scores[total] = found
	for len(chosen) > 1 {
		if err := s.pace(len(left), total); err != nil {
			return err
		}
		out, next, err := s.leave(chosen)
		if err != nil {
			return err
		}
		left = append(left, chosen[out])
		chosen = slices.Delete(chosen, out, out+1)
		scores[len(chosen)] = next
	}
	order := append(left, chosen...)
	slices.Reverse(order)
	for k := range s.sets {
		s.keep(order[:k+1], scores[k+1])
	}
	return s.pace(total, total)
}

// some are the units of a set.
func (s *search) some(chosen []int) []unit { return pick.Rows(s.units, chosen) }

// whole is the score of a set of units.
func (s *search) whole(chosen []int) score {
	now, units := s.start.keepingUnits(s.some(chosen))
	for _, u := range units {
		now.addUnit(u)
	}
	return now.held.score(now)
}

// leave finds the feature that leaves best: its place in chosen, and the score of the rest. Among
// equal ones the feature with the largest number leaves.
func (s *search) leave(chosen []int) (place int, found score, err error) {
	scores := make([]score, len(chosen))
	now, units := s.start.keepingUnits(s.some(chosen))
	if err := s.without(now, units, all(len(chosen)), scores); err != nil {
		return 0, found, err
	}
	least := scores[0]
	for _, next := range scores[1:] {
		least = least.lesser(next)
	}
	place = -1
	for k, next := range scores {
		if next.compare(least) == 0 && (place < 0 || chosen[k] > chosen[place]) {
			place = k
		}
	}
	return place, scores[place], nil
}

// without fills the scores of the sets that lack one feature: now has the features that are not in rest, whose
// positions in scores follow, and whose units it has as columns. Halves of rest are added for the other half.
func (s *search) without(now *state, units []unit, rest []int, scores []score) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	if len(rest) == 1 {
		scores[rest[0]] = now.held.score(now)
		return nil
	}
	half := len(rest) / 2
	errs := [2]error{}
	parallel.For(2, func(_, side int) {
		mine, others := all(len(rest))[:half], all(len(rest))[half:]
		if side == 1 {
			mine, others = others, mine
		}
		part, placed := now.keepingUnits(units)
		for _, at := range others {
			part.addUnit(placed[at])
		}
		places := make([]int, len(mine))
		for k, at := range mine {
			places[k] = rest[at]
		}
		left, of := part.keepingUnits(pick.Rows(placed, mine))
		errs[side] = s.without(left, of, places, scores)
	})
	if errs[0] != nil {
		return errs[0]
	}
	return errs[1]
}

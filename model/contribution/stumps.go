package contribution

import (
	"cmp"
	"slices"

	"pairrank/model"
)

func (q *question) stumps(s *model.Stumps) (*Sum, error) {
	terms := slices.Clone(s.Terms)
	slices.SortStableFunc(terms, func(a, b model.Stump) int {
		return cmp.Or(cmp.Compare(a.Feature, b.Feature), cmp.Compare(a.Threshold, b.Threshold))
	})
	c := NewCollector(Feature, 0)
	var scores pair
	add := func(j int, terms []model.Stump, raw, taken pair) {
		p := q.feature(j, raw, taken)
		sum := 0.0
		for len(terms) > 0 {
			step := Step{Threshold: terms[0].Threshold}
			for len(terms) > 0 && terms[0].Threshold == step.Threshold {
				step.Weight += terms[0].Weight
				terms = terms[1:]
			}
			passed := q.passes(step, taken)
			for i := range scores {
				scores[i] += step.Weight * passed[i]
			}
			if side := passed.difference(); side != 0 {
				sum += side * step.Weight
				p.Steps = append(p.Steps, step)
			}
		}
		c.Add(sum, func() Part { return p })
	}
	// Features that no row stores are zero, and a threshold below zero is passed.
	var j, end int
	before := func(feature int) {
		for j < len(terms) && terms[j].Feature < feature {
			for end = j; end < len(terms) && terms[end].Feature == terms[j].Feature; end++ {
			}
			add(terms[j].Feature, terms[j:end], pair{}, pair{})
			j = end
		}
	}
	q.eachFeature(func(feature int, raw, taken pair) {
		before(feature)
		for end = j; end < len(terms) && terms[end].Feature == feature; end++ {
		}
		if end > j {
			add(feature, terms[j:end], raw, taken)
			j = end
		}
	})
	before(s.Features)
	return c.Sum(q.of(scores)...)
}

// passes is 1 for the rows that are above a threshold, else 0.
func (q *question) passes(s Step, taken pair) (p pair) {
	for i := range q.count {
		if taken[i] > s.Threshold {
			p[i] = 1
		}
	}
	return p
}

package comparison

import "pairrank/comparison/internal/incidence"

// uneven reports whether weights of outcomes differ.
func (p *Problem) uneven() bool {
	lines, first := p.source(), 0.0
	for c := range lines.Len() {
		if w := lines.At(c).OutcomeWeight(); c == 0 {
			first = w
		} else if w != first {
			return true
		}
	}
	return false
}

// loose reports whether squares of residuals of the logistic loss may be too small for the variances of scores, which
// draw the residuals to 0: where weights of outcomes differ, and where outcomes lie between wins and losses.
func (p *Problem) loose() bool { return p.uneven() || incidence.Graded(p.source()) }

// InRows is the problem with its lines in Lines, itself where they are. Cost O(C).
func (p *Problem) InRows() *Problem {
	if p.Compact == nil || p.Lines != nil {
		return p
	}
	out := *p
	out.Lines, out.Compact = p.Compact.Rows(), nil
	return &out
}

// EqualPairs multiplies the weights of each pair of items by W̄/W, so that all pairs count the same: W is the sum of
// the weights of its outcomes, and W̄ the mean of W over pairs. Ties that are dropped have no weight. Scores then
// compare items against an opponent drawn from those that they met, not against those that they met most. Sandwich and
// the other covariances take the weights as given. Cost O(C).
func (p *Problem) EqualPairs(ties Ties) {
	*p = *p.InRows()
	pairs := p.ByPair()
	sums, mean, n := make([]float64, len(pairs)), 0.0, 0.0
	for g, set := range pairs {
		for _, c := range set {
			l := p.source().At(c)
			count := l.Wins + l.Losses
			if ties != Drop {
				count += l.Ties
			}
			sums[g] += count * l.OutcomeWeight()
		}
		if sums[g] > 0 {
			mean, n = mean+sums[g], n+1
		}
	}
	mean /= max(n, 1)
	for g, set := range pairs {
		for _, c := range set {
			if l := &p.Lines[c]; sums[g] > 0 {
				l.Weight = l.OutcomeWeight() * mean / sums[g]
			}
		}
	}
}

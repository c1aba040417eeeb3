package ostat

// pairSums are the pairs of each list with different labels, by number and by weight, and what SetWeights makes, nil
// without: the weights by row, and by position those of the row and the sums of those that c and d count.
type pairSums struct{ pairs, weighed, amounts, own, heavier, lighter []float64 }

// SetWeights gives the rows weights above 0, by row, which it keeps: a pair then counts the product of two in degrees,
// losses and products. Counts become sums of weights, which are added in an order that the lists and scores decide, so
// that they are the same for any number of threads. Cost as of a product.
func (g *Margins) SetWeights(w []float64) {
	m := len(g.rows)
	if len(w) != m {
		panic("ostat: Margins.SetWeights: as many weights as labels are needed")
	}
	g.amounts, g.own = w, make([]float64, m)
	g.heavier, g.lighter = make([]float64, m), make([]float64, m)
	zeros := make([]float64, m)
	g.Sort(zeros) // all pairs have a loss of 1
	g.Count()
	for l := range g.ways {
		s, sum := g.side(l), 0.0
		for a, own := range s.own {
			sum += own * s.heavier[a]
		}
		g.weighed = append(g.weighed, sum)
	}
}

// PairWeights is the weight of the pairs of list l with different labels: their number without weights.
func (g *Margins) PairWeights(l int) float64 {
	if g.amounts == nil {
		return g.pairs[l]
	}
	return g.weighed[l]
}

// weigh is Count of one list with weights.
func (s *side) weigh(w *marginWorker, amounts []float64) {
	n := len(s.row)
	s.reach(0, n)
	s.turn(0, n)
	for a, i := range s.row {
		s.own[a] = amounts[i]
	}
	if n < largeList {
		s.sumWorse(&w.up, s.heavier, s.own)
		s.sumBetter(&w.dn, s.lighter, s.own)
		return
	}
	sumAtOnce(w, *s, s.heavier, s.lighter, s.own)
}

// weighedHinge is hinge with weights.
func (s *side) weighedHinge(dst []float64, weight, middle float64, from, to int) (sum float64) {
	for a := from; a < to; a++ {
		c := s.own[a] * s.heavier[a]
		slope := c - s.own[a]*s.lighter[a]
		dst[s.row[a]] = weight * slope
		sum += slope*(s.score[a]-middle) + c
	}
	return sum
}

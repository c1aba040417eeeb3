package ostat

import "pairrank/internal/parallel"

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
	for a, i := range s.row {
		s.own[a] = amounts[i]
	}
	switch few := s.way == Levels && s.levels <= fewLevels; {
	case few && n < largeList:
		s.heavierOfFew()
		s.lighterOfFew()
		return
	case few:
		both := *s
		parallel.For(2, func(_, k int) {
			if k == 0 {
				both.heavierOfFew()
			} else {
				both.lighterOfFew()
			}
		})
		return
	}
	s.reach(0, n)
	s.turn(0, n)
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

// fewSums are the sums of the rows above each of up to fewLevels levels but the last, of which there is none. They are
// fields, so that they stay in registers.
type fewSums struct{ first, second, third, fourth float64 }

const fewLevels = 5

// with adds x to the levels below l.
func (t fewSums) with(x float64, l int32) fewSums {
	m := &sumsBefore[l&(maxLevels-1)]
	return fewSums{t.first + x*m[0], t.second + x*m[1], t.third + x*m[2], t.fourth + x*m[3]}
}

// levelOf[l] is 1 at l.
var levelOf = [maxLevels][fewLevels - 1]float64{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}

// of is the sum above level l.
func (t fewSums) of(l int32) float64 {
	m := &levelOf[l&(maxLevels-1)]
	return (t.first*m[0] + t.second*m[1]) + (t.third*m[2] + t.fourth*m[3])
}

// heavierOfFew is worseByLevels with weights, of few levels.
func (s *side) heavierOfFew() {
	var t fewSums
	j, score, key := 0, s.score, s.key[:len(s.score)]
	upTo, heavier, low, own := s.upTo[:len(score)], s.heavier[:len(score)], s.low[:len(score)], s.own[:len(score)]
	for a, v := range score {
		for ; j < len(score) && score[j]-v < 1; j++ {
			t = t.with(own[j], key[j])
		}
		upTo[a], heavier[a] = int32(j), t.of(low[a])
	}
}

// lighterOfFew is betterByLevels with weights, of few levels.
func (s *side) lighterOfFew() {
	var t fewSums // of the levels counted from the highest
	top, j, score, key := int32(s.levels-1), len(s.key), s.score, s.key[:len(s.score)]
	from, lighter, low, own := s.from[:len(score)], s.lighter[:len(score)], s.low[:len(score)], s.own[:len(score)]
	for a := len(score) - 1; a >= 0; a-- {
		for v := score[a]; j > 0 && v-score[j-1] < 1; {
			j--
			t = t.with(own[j], top-low[j])
		}
		from[a], lighter[a] = int32(j), t.of(top-key[a])
	}
}

package metric

import (
	"fmt"
	"math"
)

// maxErrGrade is the best grade that a document can have for err: of five grades
// 0 … 4, as in Chapelle, Metzler, Zhang and Grinspan 2009 and gdeval.pl of TREC. It
// is the same for all data, so that values can be compared.
const maxErrGrade = 4

// setStops computes with which probability each document ends the search:
// (2^y − 1) / 2^4.
func (e *Evaluator) setStops() error {
	e.stops = grown(e.stops, len(e.query.Labels))
	e.stopping = false
	for i, y := range e.query.Labels {
		if err := checkErrLabel(y); err != nil {
			return &RowError{Row: i, Problem: err.Error()}
		}
		e.stops[i] = (math.Exp2(y) - 1) / math.Exp2(maxErrGrade)
		e.stopping = e.stopping || y > 0
	}
	for _, y := range e.query.Unretrieved {
		if err := checkErrLabel(y); err != nil {
			return fmt.Errorf("unretrieved document: %w", err)
		}
		e.stopping = e.stopping || y > 0
	}
	return nil
}

func checkErrLabel(y float64) error {
	if y < 0 || y > maxErrGrade {
		return fmt.Errorf("label %v is not from 0 to %d, as err needs: rescale the labels, or measure ndcg",
			y, maxErrGrade)
	}
	return nil
}

// expectedReciprocalRank is Σ_i R_i/i Π_{h<i} (1 − R_h) over the first k
// positions (0: all), with R the stops: the expected reciprocal of the position at
// which a user who looks from the top ends the search (Chapelle, Metzler, Zhang and
// Grinspan, Expected reciprocal rank for graded relevance, CIKM 2009, equation 5).
//
// In a tie group of n behind t documents every order counts alike. The mean over
// them of the product of 1 − R over the first j is s_j, the mean over all sets of j
// documents, and the search ends at t+j with probability s_{j−1} − s_j, given that
// it did not before. Another document with 1 − R = x makes of the means of n − 1
//
//	s_j ← ((n−j) s_j + j x s_{j−1}) / n.
//
// The cost is O(n min(n, k)) for a group of n tied scores.
func (e *Evaluator) expectedReciprocalRank(k int) (sum float64) {
	if k == 0 || k > len(e.order) {
		k = len(e.order)
	}
	t, left := 0, 1.0 // the share of searches that continue
	for _, last := range e.ends {
		if t >= k {
			break
		}
		end := int(last)
		inside := min(end, k) - t
		s := e.meanProducts(e.order[t:end], inside)
		for j := 1; j <= inside; j++ {
			sum += left * (s[j-1] - s[j]) / float64(t+j)
		}
		for _, i := range e.order[t:end] {
			left *= 1 - e.stops[i]
		}
		t = end
	}
	return sum
}

// meanProducts are s_0 … s_most of some rows.
func (e *Evaluator) meanProducts(rows []int32, most int) []float64 {
	s := grown(e.products, most+1)
	clear(s)
	e.products, s[0] = s, 1
	for a, i := range rows {
		x, n := 1-e.stops[i], float64(a+1)
		for j := min(a+1, most); j > 0; j-- {
			s[j] = ((n-float64(j))*s[j] + float64(j)*x*s[j-1]) / n
		}
	}
	return s
}

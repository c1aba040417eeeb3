package cv

import "pairrank/eval/metric"

// ROCQuestions are numbers to read off an ROC curve.
type ROCQuestions struct {
	// Specificities are those at which At gives the sensitivity, and Sensitivities those at which AtSensitivity gives
	// the specificity.
	Specificities, Sensitivities []float64
	// Partial are the ranges of partial areas.
	Partial []PartialRange
	// Band are the specificities, descending, at which the band has the sensitivity.
	Band []float64
}

const (
	// bandPoints is the number of points of a band.
	bandPoints = 50
	// leastCalled is the number of rows that a specificity or sensitivity must let be wrong for an interval of the other
	// share. With fewer that share is decided by an extreme score: with none the interval held in a third of the
	// simulations, with one in 78 to 100 %, with two in 84 to 100 %; see evidence/checks/coverage.md.
	leastCalled = 2
)

// BandSpecificities are specificities for the band of a curve, descending: those that 2 to n − 1 of the n negatives
// called leave, 50 of them at most. With fewer called there is no interval. It is nil for fewer than 4 negatives. Cost
// O(1).
func (r *ROC) BandSpecificities() (all []float64) {
	n := r.Negatives
	if n < 2*leastCalled {
		return nil
	}
	points := min(bandPoints, n-leastCalled)
	for k := range points {
		called := leastCalled + k*(n-1-leastCalled)/(points-1)
		all = append(all, float64(n-called)/float64(n))
	}
	return all
}

// Numbers returns the answers for a curve in the order of the fields, of partial areas the standardised ones, at least
// 0, and then the average precision. All are shares. It costs O(m) a question.
func (q *ROCQuestions) Numbers(r *ROC) (all []float64) {
	for _, s := range q.Specificities {
		all = append(all, r.At(s).Sensitivity)
	}
	for _, s := range q.Sensitivities {
		all = append(all, 1-r.AtSensitivity(s).FalsePositiveRate)
	}
	for _, p := range q.Partial {
		all = append(all, max(0, r.Partial(p).Standardised))
	}
	for _, s := range q.Band {
		all = append(all, r.At(s).Sensitivity)
	}
	return append(all, r.PrecisionRecall().AveragePrecision)
}

// ROCAnswers are the answers to ROCQuestions, in their order, with 95 % intervals where there are half-samples.
type ROCAnswers struct {
	Sensitivities, Specificities []ROCAnswer
	Partial                      []PartialAnswer
	Band                         []ROCAnswer // the sensitivity at each specificity
	Curve                        *PrecisionRecall
	AveragePrecision             Interval
	// Halves gave the intervals; nil where there are none.
	Halves *Halves
}

// ROCAnswer is a share with an interval.
type ROCAnswer struct {
	At       float64 // of the other share
	Value    float64
	Interval Interval
}

// PartialAnswer is a partial area with the interval of its standardised value.
type PartialAnswer struct {
	PartialArea
	Interval Interval
}

// Answer answers the questions about a curve, with intervals from halves, which may be nil; see ROCHalves. The units of
// an interval are the positives for a sensitivity, the negatives for a specificity, and twice the rarer label for an
// area. A share has no interval if the other share allows fewer than two wrong rows, as specificity 0.95 does with 30
// negatives, since an extreme score decides it. It costs O(m) a question.
func (q *ROCQuestions) Answer(r *ROC, h *Halves) *ROCAnswers {
	all, a, k := q.Numbers(r), &ROCAnswers{Curve: r.PrecisionRecall(), Halves: h}, 0
	next := func(units int) (float64, Interval) {
		k++
		if h == nil || units < 2 {
			return all[k-1], Interval{}
		}
		of := *h
		of.Units, of.Given = units, false // neither s nor B, as measured
		return all[k-1], of.Interval(all[k-1], metric.Value{}, k-1)
	}
	shares := func(at []float64, units, others int) (answers []ROCAnswer) {
		for _, s := range at {
			value, interval := next(units)
			if (1-s)*float64(others) < leastCalled-1e-9 {
				interval = Interval{}
			}
			answers = append(answers, ROCAnswer{s, value, interval})
		}
		return answers
	}
	rarer := 2 * min(r.Positives, r.Negatives)
	a.Sensitivities = shares(q.Specificities, r.Positives, r.Negatives)
	a.Specificities = shares(q.Sensitivities, r.Negatives, r.Positives)
	for _, p := range q.Partial {
		_, interval := next(rarer)
		a.Partial = append(a.Partial, PartialAnswer{r.Partial(p), interval})
	}
	a.Band = shares(q.Band, r.Positives, r.Negatives)
	_, a.AveragePrecision = next(rarer)
	return a
}

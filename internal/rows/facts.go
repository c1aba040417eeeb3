package rows

import (
	"cmp"
	"strconv"
	"strings"

	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/model/training"
	"pairrank/pref"
)

// Squares is what least squares compares: rows in memory, or in statistics.
type Squares struct {
	Regression            bool
	Pairs                 pref.Options
	Preferences, AllPairs bool      // whether pairs are given, and whether those across queries count
	Times                 bool      // whether labels are censored times
	Weights               []float64 // of the rows; nil where each is 1
}

// Weighed is the sum of weights of rows, 0 of nil.
func Weighed(weights []float64) (sum float64) {
	for _, w := range weights {
		sum += w
	}
	return sum
}

// RowWeights is the name of the fact of the sum of the weights of the rows.
const RowWeights = "row-weights"

// Objective is the minimised function. With weights of rows s_q is their sum in a query, and N_q that of the products
// of the compared pairs.
func (s Squares) Objective() string {
	if s.Regression && s.Weights != nil {
		return "sum_i w_i (y_i - f_i)^2 + lambda |f|^2"
	}
	if s.Regression {
		return "sum_i (y_i - f_i)^2 + lambda |f|^2"
	}
	target := map[pref.Cost]string{pref.Magnitude: "(y_i - y_j)", pref.Unit: "1",
		pref.Relative: "(y_i - y_j)"}[s.Pairs.Cost]
	weight := map[pref.Weight]string{pref.Pairs: "", pref.Size: "1/m_q ", pref.Edges: "1/N_q "}[s.Pairs.Weight]
	switch {
	case s.Preferences:
		target = map[pref.Cost]string{pref.Magnitude: "z_e", pref.Unit: "1", pref.Relative: "z_e"}[s.Pairs.Cost]
		if s.Pairs.Cost == pref.Relative {
			weight = "1/z_e^2 "
		}
		return "sum_e w_e " + weight + "(" + target + " - (f_i - f_j))^2 + lambda |f|^2 over the preferences e = (i,j)"
	case s.Pairs.Cost == pref.Relative:
		weight += "1/(y_i - y_j)^2 "
	}
	if s.Weights != nil {
		weight = "w_i w_j " + strings.Replace(weight, "1/m_q", "1/s_q", 1)
	}
	if s.Times {
		return s.ofTimes(weight)
	}
	over := "pairs of a query"
	if s.AllPairs {
		over = "all pairs"
	}
	if s.Pairs.Ties == pref.ExcludeTies {
		over += " with y_i > y_j"
	}
	return "sum " + weight + "(" + target + " - (f_i - f_j))^2 + lambda |f|^2 over " + over
}

// ofTimes is the objective of censored times, with the weight of a query.
func (s Squares) ofTimes(weight string) string {
	target, over := "(t_j - t_i)", "pairs of a query"
	if s.Pairs.Cost == pref.Unit {
		target = "1"
	}
	if s.Pairs.CensoringWeights {
		weight += "1/G(t_i-)^2 "
	}
	if s.AllPairs {
		over = "all pairs"
	}
	return "sum " + weight + "(" + target + " - (f_j - f_i))^2 + lambda |f|^2 over " + over + Comparable
}

// Comparable says which pairs of censored times are compared, i being the shorter one.
const Comparable = " with t_i < t_j, or with j censored at t_i = t_j, and i with the event"

// DescribeWeights adds the sum of the weights of rows to facts, where they have any.
func DescribeWeights(i *training.Facts, weights []float64) {
	if weights != nil {
		i.Further = append(i.Further, training.Fact{Name: RowWeights,
			Value: strconv.FormatFloat(Weighed(weights), 'g', -1, 64)})
	}
}

// Describe adds to facts how the rows are compared.
func (s Squares) Describe(i *training.Facts) {
	DescribeWeights(i, s.Weights)
	if s.Regression {
		return
	}
	i.Cost = string(s.Pairs.Cost)
	if !s.Preferences {
		i.Ties, i.QueryWeight = s.Pairs.Ties, string(s.Pairs.Weight)
	}
}

// Labels are the facts of labels that have a threshold, or that are censored times.
func Labels(threshold *float64, times bool) (facts []training.Fact) {
	if threshold != nil {
		facts = append(facts, training.Fact{Name: "binarize", Value: strconv.FormatFloat(*threshold, 'g', -1, 64)})
	}
	if times {
		facts = append(facts, training.Fact{Name: "labels", Value: "censored times: the score grows with the time"})
	}
	return facts
}

// Lambdas is the fact of the values of λ of several outputs, nil where one stands for all.
func Lambdas(one float64, each []float64) []training.Fact {
	if one != 0 || each == nil {
		return nil
	}
	texts := make([]string, len(each))
	for k, v := range each {
		texts[k] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	return []training.Fact{{Name: "lambdas", Value: strings.Join(texts, " ")}}
}

// Chosen adds to facts how their candidate was chosen, by m or nil, if anything was held out.
func Chosen(i *training.Facts, c *cv.Choice, m *metric.Metric) {
	if !c.Measured() {
		return
	}
	chosen := c.Chosen()
	i.Selection = &training.Selection{Method: chosen.Method.String(), Metric: cmp.Or(c.Measure, "error"),
		Error: chosen.Error(), Count: c.Tried()}
	if m != nil {
		i.SetChosenBy(m.String(), chosen.Value())
	}
}

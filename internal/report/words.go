package report

import (
	"strings"

	"pairrank/eval/metric"
	"pairrank/internal/figure"
	"pairrank/internal/spell"
)

// The measured coverage of intervals and bands, as in docs/statistics.md.
const (
	aboutStdErr = "The band is ± one standard error. It takes the held-out predictions as given, and ignores that " +
		"other training rows would give other models: in simulations of linear least squares ± 1.96 standard errors " +
		"had a coverage of only 76–95 % for the error of the trained models."
	aboutNodes = ". It takes the held-out predictions as given: " +
		"in simulations of new rows, columns or both ± 1.96 standard errors had a coverage of only 86–98 % for the " +
		"error of the trained models."
	aboutHalves = "In simulations of linear least squares with at least 10 queries, 30 rows, 24 groups of rows or " +
		"16 × 20 nodes, and of RankSVM and RankBoost with at least 30 queries, such intervals had a coverage of " +
		"93–100 % for the error of the trained models."
	aboutCompare = "The bars are 95 % intervals of the mean difference, by a studentised bootstrap over queries, no " +
		"shorter than Student's. In simulations their coverage was 91–97 % with at least 20 queries, and 80–97 % " +
		"with 10, lowest if the rankings differ on few queries. They take the rankings as given, and the queries as " +
		"independent."
	aboutLeast = "The choice biases the least of several errors downwards; a nested estimate (cv --nested) is not " +
		"biased by it."
)

// value is a value on a page.
func value(v metric.Value) string { return number(valueNumber(v)) }

// candidate is the text of a λ, a number of rounds, or a number of features with its λ.
func candidate(c Choice) string {
	if c.Rounds > 0 {
		return spell.Plural(c.Rounds, "round")
	}
	if c.Selected > 0 {
		return spell.Plural(c.Selected, "feature") + " at λ = " + lambda(c.Lambda)
	}
	return "λ = " + lambda(c.Lambda)
}

// lambda is a λ as text, a power of two if it is one.
func lambda(l Number) string {
	if !(l > 0) {
		return number(l)
	}
	return figure.Power(float64(l))
}

// methods are the ways of holding out, in words.
var methods = map[string]string{"lqo": "leave-query-out", "lpo": "leave-pair-out", "loo": "leave-one-out"}

// method is a way of holding out in words.
func method(name string) string {
	if words := methods[name]; words != "" {
		return words
	}
	if folds, is := strings.CutPrefix(name, "kfold:"); is {
		return folds + "-fold cross-validation"
	}
	return name
}

// trained says whether folds were retrained.
func trained(again bool) string {
	if again {
		return "retrained for each fold"
	}
	return "without retraining"
}

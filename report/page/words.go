package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pairrank/eval/metric"
	"pairrank/internal/figure"
	"pairrank/internal/spell"
	"pairrank/report"
)

// The measured coverage of intervals and bands, as in docs/statistics.md.
const (
	aboutStdErr = "The band is one standard error on each side. It takes the held-out predictions as given and does not see that other rows would have trained other models: " +
		"in simulations of linear least squares 1.96 of it on each side held the error " +
		"of the trained models only 80 to 95 times in 100."
	aboutNodes = "The band is one standard error over the row nodes on each side. " +
		"It takes the held-out predictions as given: in simulations of new rows, columns or both " +
		"1.96 of it on each side held the error of the trained models only 86 to 98 times in 100."
	aboutHalves = "In simulations of linear least squares, of 10 queries, 30 rows or 16 × 20 nodes and more, " +
		"and of RankSVM and RankBoost, of 30 queries and more, " +
		"such intervals held the error of the trained models 94 to 100 times in 100."
	aboutCompare = "The bars are 95 % intervals of the mean difference, by a studentised bootstrap over queries, no shorter than Student's. " +
		"In simulations they held the true mean 91 to 97 times in 100 from 20 queries on, and 80 to 97 times with 10, least often where the rankings differ on few of them. " +
		"They take the rankings as given, and the queries as independent of each other."
	aboutLeast = "The least of several errors is too low by what chance gave to the choice; a nested estimate (cv --nested) is not."
)

// number is a number with five decimals, or a dash.
func number(n report.Number) string {
	if math.IsNaN(float64(n)) || math.IsInf(float64(n), 0) {
		return "–"
	}
	return strings.Replace(n.String(), "-", "−", 1)
}

// value is a value with five decimals, or a dash.
func value(v metric.Value) string { return number(report.ValueNumber(v)) }

// signed is a difference with its sign.
func signed(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strings.Replace(fmt.Sprintf("%+.5f", v), "-", "−", 1)
}

// percent is a share in percent.
func percent(v float64) string { return fmt.Sprintf("%.1f %%", 100*v) }

// seconds is a time with three digits.
func seconds(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	return strconv.FormatFloat(v, 'g', 3, 64) + " s"
}

// fromTo is an interval.
func fromTo(r *report.Range) string { return number(r[0]) + " to " + number(r[1]) }

// plusMinus is the text of a standard error after its estimate, "" for NaN.
func plusMinus(n report.Number) string {
	if math.IsNaN(float64(n)) {
		return ""
	}
	return " ± " + number(n)
}

// candidate is the text of a λ or a number of rounds.
func candidate(c report.Choice) string {
	if c.Rounds > 0 {
		return spell.Plural(c.Rounds, "round")
	}
	return "λ = " + lambda(c.Lambda)
}

// lambda is a λ as text, a power of two if it is one.
func lambda(l report.Number) string {
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
		return "each fold trained again"
	}
	return "without training again"
}

// withInterval is the text of an estimate with its interval, if it has one.
func withInterval(text string, ci *report.Range) string {
	if ci == nil {
		return text
	}
	return text + ", 95 % interval " + fromTo(ci)
}

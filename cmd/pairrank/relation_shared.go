package main

import (
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/spell"
	"pairrank/report"
)

const (
	intervalBudget = 2e10
	leastUnits     = 8
)

type intervalJSON = report.Interval

type estimatedHalves struct {
	*cv.Halves
	units int
	what  string
}

func (h *estimatedHalves) interval(share float64, k int) cv.Interval {
	if h == nil {
		return cv.Interval{}
	}
	return cv.ShareInterval(share, h.Variance[k], h.units)
}

func (h *estimatedHalves) json() *intervalJSON {
	if h == nil {
		return nil
	}
	return &intervalJSON{Method: "half-samples", Splits: h.Splits, Units: h.units, Of: h.what}
}

func valueNumber(v metric.Value) jsonNumber { return report.ValueNumber(v) }
func numberText(x jsonNumber) string        { return x.String() }
func power(lambda float64) string           { return spell.Power(lambda) }

func intervalText(ci *[2]jsonNumber) string { return (*report.Range)(ci).Behind() }

type lambdaTable = report.Table

func newLambdaTable(values, best int, mark string) *lambdaTable {
	return report.NewTable(values, best, mark)
}

func (a *app) noteEnd(name, text string, best, values int) {
	const few = 3 // of which most are an end
	if values >= few && (best == 0 || best == values-1) {
		a.note("the chosen %s = %s is at the end of the values tried", name, text)
	}
}

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
)

// curved is a population of rows with two labels: standard normal features, of which some are shifted by strength where
// the label is 1.
type curved struct {
	positives, negatives, features, informative int
	strength                                    float64
}

var curvedStudies = []curved{{20, 20, 5, 3, 0.5}, {20, 60, 5, 3, 0.7}, {10, 40, 5, 3, 1.2}, {40, 40, 100, 10, 0.5},
	{100, 100, 5, 3, 0.5}, {20, 20, 5, 0, 0}}

// draw draws so many times the rows of the study.
func (c curved) draw(rng *rand.Rand, times int) *data.Set {
	p, n := times*c.positives, times*c.negatives
	x, y := data.NewDense(p+n, c.features, nil), make([]float64, p+n)
	for i := range y {
		if i < p {
			y[i] = 1
		}
		for j := range c.features {
			x.Row(i)[j] = rng.NormFloat64()
			if j < c.informative {
				x.Row(i)[j] += c.strength * y[i]
			}
		}
	}
	return &data.Set{X: x, Y: y, Queries: data.OneList(len(y))}
}

// read is what is read off the curves. The band is at specificities that let 2 to n − 2 of the n negatives be called.
func (c curved) read() cv.ROCQuestions {
	n := float64(c.negatives)
	return cv.ROCQuestions{Specificities: []float64{0.9, 0.8}, Sensitivities: []float64{0.9, 0.8},
		Partial: []cv.PartialRange{{Of: "specificity", From: 0.8, To: 1}, {Of: "sensitivity", From: 0.8, To: 1}},
		Band:    []float64{(n - 2) / n, (n - 5) / n, float64(c.negatives/2) / n, 5 / n, 2 / n}}
}

// readNames are the columns of the table, in the order of cv.ROCQuestions.Numbers.
const readNames = "sensitivity at 0.9 | at 0.8 | specificity at 0.9 | at 0.8 | partial area, specificity 0.8 to 1 | " +
	"sensitivity 0.8 to 1 | band: 2 called | 5 | half | all but 5 | but 2 | average precision"

// curveRead is one simulation: the numbers of the curve of the trained model on many rows, and the intervals.
type curveRead struct {
	truth     []float64
	intervals []cv.Interval
	err       error
}

func (c curved) simulate(ctx context.Context, rng *rand.Rand) (out curveRead) {
	q, p := c.read(), pairrank.Problem{Set: c.draw(rng, 1)}
	o := pairrank.EstimateOptions{ROC: true, Intervals: cv.IntervalsHalves}
	o.Seed = rng.Uint64()
	e, err := pairrank.Estimate(ctx, p, o)
	if err != nil {
		return curveRead{err: err}
	}
	curve, err := e.ROC(ctx)
	if err != nil {
		return curveRead{err: err}
	}
	a, err := e.AnswerROC(ctx, curve, q)
	if err != nil {
		return curveRead{err: err}
	}
	for _, list := range [][]cv.ROCAnswer{a.Sensitivities, a.Specificities} {
		for _, one := range list {
			out.intervals = append(out.intervals, one.Interval)
		}
	}
	for _, one := range a.Partial {
		out.intervals = append(out.intervals, one.Interval)
	}
	for _, one := range a.Band {
		out.intervals = append(out.intervals, one.Interval)
	}
	out.intervals = append(out.intervals, a.AveragePrecision)
	model, err := pairrank.Train(ctx, p, o.Options)
	if err != nil {
		return curveRead{err: err}
	}
	test := c.draw(rng, 4000/(c.positives+c.negatives))
	scores, err := model.Model.Score(test)
	if err != nil {
		return curveRead{err: err}
	}
	population, err := cv.NewROC(scores, test.Y)
	if err != nil {
		return curveRead{err: err}
	}
	out.truth = q.Numbers(population)
	return out
}

// curves is the section on the ROC curves of cv. It has twenty times fewer simulations.
func curves(ctx context.Context, s settings) (string, error) {
	s.simulations = max(20, s.simulations/20)
	var b strings.Builder
	fmt.Fprintf(&b, "Coverage in %% of the mean over the trained models; - is no interval. %d simulations per cell, seed "+
		"%d:\n\n| positives, negatives; features, informative | %s |\n|---%s|\n", s.simulations, s.seed, readNames,
		strings.Repeat("|---", strings.Count(readNames, "|")+1))
	for cell, c := range s.curved {
		all := make([]curveRead, s.simulations)
		one := func(k int, rng *rand.Rand) { all[k] = c.simulate(ctx, rng) }
		if err := simulate(ctx, s, uint64(2000+cell), one); err != nil {
			return "", err
		}
		var mean []float64
		for _, one := range all {
			if one.err != nil {
				return "", one.err
			}
			if mean == nil {
				mean = make([]float64, len(one.truth))
			}
			for v, x := range one.truth {
				mean[v] += x / float64(len(all))
			}
		}
		fmt.Fprintf(&b, "| %d, %d; %d, %d |", c.positives, c.negatives, c.features, c.informative)
		for v, truth := range mean {
			var held []bool
			for _, one := range all {
				if one.intervals[v].Defined {
					held = append(held, holds(one.intervals[v], truth))
				}
			}
			text := "-"
			if len(held) > 0 {
				text = share(held)
			}
			b.WriteString(" " + text + " |")
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

package main

import (
	"fmt"
	"io"
	"strconv"

	"pairrank/eval/cv"
)

// rocNames are the ways to rank the rows by held-out pairs.
var rocNames = []string{"all", "quicksort"}

// specificities are those at which the report gives the sensitivity.
var specificities = []float64{0.8, 0.9, 0.95, 0.99}

// writeROC writes the curve of the ranking by held-out pairs at the chosen λ:
// the threshold on the score, the false positive rate and the sensitivity.
func (a *app) writeROC(v *validated) error {
	p, lambda := v.problem, v.choice.lambda()
	if v.choice.path == nil {
		return usagef("--roc needs a factorisation, and %s made none", p.plan.solver)
	}
	var scores []float64
	if v.plan.rocBy == "quicksort" {
		sorted, err := cv.Quicksort(a.Ctx, v.choice.path, lambda, p.plan.seed)
		if err != nil {
			return err
		}
		scores, v.comparisons = sorted[0].Scores, sorted[0].Comparisons
	} else {
		all, err := cv.Tournament(a.Ctx, v.choice.path, lambda)
		if err != nil {
			return err
		}
		scores = all[0]
	}
	curve, err := cv.NewROC(scores, p.y)
	if err != nil {
		return asData(err)
	}
	v.roc = curve
	return a.writeAtomic(v.plan.roc, func(w io.Writer) error {
		for _, point := range curve.Points {
			line := strconv.AppendFloat(nil, point.Threshold, 'g', -1, 64)
			line = appendNumber(append(line, '\t'), point.FalsePositiveRate)
			line = appendNumber(append(line, '\t'), point.Sensitivity)
			if _, err := w.Write(append(line, '\n')); err != nil {
				return err
			}
		}
		return nil
	})
}

// rocJSON is the curve with its summary.
type rocJSON struct {
	Points        []cv.ROCPoint     `json:"points"`
	AUC           jsonNumber        `json:"auc"`
	CI95          cv.Interval       `json:"ci95"`
	Sensitivities []sensitivityJSON `json:"sensitivities"`
	Comparisons   int64             `json:"comparisons,omitempty"` // of quicksort
}

type sensitivityJSON struct {
	Specificity jsonNumber `json:"specificity"`
	Sensitivity jsonNumber `json:"sensitivity"`
}

func (v *validated) rocSummary() *rocJSON {
	if v.roc == nil {
		return nil
	}
	out := &rocJSON{Points: v.roc.Points, AUC: jsonNumber(v.roc.AUC), Comparisons: v.comparisons}
	if i := v.halves.interval(1-v.roc.AUC, 0); i.Defined {
		out.CI95 = cv.Interval{Lo: 1 - i.Hi, Hi: 1 - i.Lo, Defined: true}
	}
	for _, s := range specificities {
		out.Sensitivities = append(out.Sensitivities, sensitivityJSON{jsonNumber(s), jsonNumber(v.roc.At(s).Sensitivity)})
	}
	return out
}

// rocText is the summary on one line.
func (v *validated) rocText() string {
	text := fmt.Sprintf("AUC %.5f of the ranking by held-out pairs; sensitivity", v.roc.AUC)
	for k, s := range specificities {
		if k > 0 {
			text += ","
		}
		text += fmt.Sprintf(" %.3f at specificity %g", v.roc.At(s).Sensitivity, s)
	}
	return text
}

package main

import (
	"fmt"
	"strings"

	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/cv"
	"pairrank/internal/numeral"
	"pairrank/internal/report"
)

// shares reads a list of shares.
func shares(list string) (all []float64, err error) {
	for text := range strings.SplitSeq(list, ",") {
		v, err := numeral.Parse(strings.TrimSpace(text))
		if err != nil || !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("%q is no number from 0 to 1", text)
		}
		all = append(all, v)
	}
	return all, nil
}

// ranges reads --partial.
func ranges(list string) (all []cv.PartialRange, err error) {
	for text := range strings.SplitSeq(list, ",") {
		p, err := cv.ParsePartialRange(strings.TrimSpace(text))
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// checkRead refuses the flags of the ROC curve where no curve is asked for. A page has the curve where there is one.
func (f *cvFlags) checkRead(asked bool) error {
	for _, flag := range []string{"at-specificity", "at-sensitivity", "partial"} {
		if f.changed(flag) && !asked && f.pages.page == "" {
			return cli.Usagef("--%s is about --roc FILE or --figure roc=FILE", flag)
		}
	}
	return nil
}

// asksROC reports whether a flag asks for the ROC curve.
func (f *cvFlags) asksROC() bool {
	return f.roc != "" || f.pages.draws(report.ROCFigure) || f.pages.draws(report.PrecisionFigure)
}

// rocFlag is the flag that asks for the ROC curve.
func (f *cvFlags) rocFlag() string {
	switch {
	case f.roc != "":
		return "--roc"
	case f.pages.draws(report.PrecisionFigure):
		return "--figure precision"
	}
	return "--figure roc"
}

// addROC adds the ROC curve, and what is read off it, to a document, and returns the curve.
func (a *app) addROC(f *cvFlags, e *pairrank.Estimated, d *report.Estimate) (*cv.ROC, error) {
	curve, err := e.ROC(a.Ctx)
	if err != nil {
		return nil, err
	}
	q := f.read
	q.Band = curve.BandSpecificities()
	answers, err := cli.AwaitFor(a.Ctx, func() (*cv.ROCAnswers, error) { return e.AnswerROC(a.Ctx, curve, q) })
	if err != nil {
		return nil, err
	}
	d.AddROC(e, curve, answers)
	return curve, nil
}

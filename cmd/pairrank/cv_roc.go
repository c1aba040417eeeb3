package main

import (
	"strings"

	"pairrank"
	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/eval/cv"
	"pairrank/internal/numeral"
	"pairrank/report"
	"pairrank/report/page"
)

// rocFlags are the flags of what is read off the ROC curve of cv.
type rocFlags struct{ specificities, sensitivities, partial string }

// shares reads a list of shares, the value of a flag.
func shares(flag, list string) (all []float64, err error) {
	if list == "" {
		return nil, nil
	}
	for text := range strings.SplitSeq(list, ",") {
		v, err := numeral.Parse(strings.TrimSpace(text))
		if err != nil || !(v >= 0 && v <= 1) {
			return nil, cli.Usagef("--%s takes numbers from 0 to 1, with commas between them, not %q", flag, text)
		}
		all = append(all, v)
	}
	return all, nil
}

// questions are the values of the flags.
func (f *rocFlags) questions() (q cv.ROCQuestions, err error) {
	if q.Specificities, err = shares("at-specificity", f.specificities); err != nil {
		return q, err
	}
	if q.Sensitivities, err = shares("at-sensitivity", f.sensitivities); err != nil || f.partial == "" {
		return q, err
	}
	for text := range strings.SplitSeq(f.partial, ",") {
		p, err := cv.ParsePartialRange(strings.TrimSpace(text))
		if err != nil {
			return q, cli.Usagef("--partial: %v", err)
		}
		q.Partial = append(q.Partial, p)
	}
	return q, nil
}

// checkRead refuses wrong values of the flags of the ROC curve, and the flags where no curve is asked for. A page has
// the curve where there is one.
func (f *cvFlags) checkRead(asked bool) error {
	for _, flag := range []string{"roc-by", "at-specificity", "at-sensitivity", "partial"} {
		if f.changed(flag) && !asked && (f.pages.page == "" || flag == "roc-by") {
			return cli.Usagef("--%s is about --roc FILE or --figure roc=FILE", flag)
		}
	}
	_, err := f.read.questions()
	return err
}

// asksROC reports whether a flag asks for the ROC curve.
func (f *cvFlags) asksROC() bool {
	return f.roc != "" || f.pages.draws(page.ROCFigure) || f.pages.draws(page.PrecisionFigure)
}

// rocFlag is the flag that asks for the ROC curve.
func (f *cvFlags) rocFlag() string {
	switch {
	case f.roc != "":
		return "--roc"
	case f.pages.draws(page.PrecisionFigure):
		return "--figure precision"
	}
	return "--figure roc"
}

// addROC adds the ROC curve, and what is read off it, to a document, and returns the curve.
func (a *app) addROC(f *cvFlags, e *pairrank.Estimated, d *report.Estimate, quicksort bool) (*cv.ROC, error) {
	curve, comparisons, err := e.ROC(a.Ctx, quicksort)
	if err != nil {
		return nil, err
	}
	q, err := f.read.questions()
	if err != nil {
		return nil, err
	}
	q.Band = curve.BandSpecificities()
	answers, err := cli.AwaitFor(a.Ctx, func() (*cv.ROCAnswers, error) { return e.AnswerROC(a.Ctx, curve, q, quicksort) })
	if err != nil {
		return nil, err
	}
	d.AddROC(e, curve, comparisons, answers)
	return curve, nil
}

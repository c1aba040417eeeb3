package report

import (
	"fmt"

	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/internal/spell"
)

// Areas are the areas under the ROC curves of rankings of one list with two labels, and their differences, with
// DeLong's standard errors.
type Areas struct {
	// Without is the reason why there are none, else "".
	Without     string           `json:"without,omitempty"`
	Positives   int              `json:"positives,omitempty"`
	Negatives   int              `json:"negatives,omitempty"`
	Groups      int              `json:"groups,omitempty"`      // that variances are over, where rows are not independent
	Weights     *cv.ROCWeights   `json:"weights,omitempty"`     // of the rows, nil where they have none
	Areas       []compare.Area   `json:"areas,omitempty"`       // in the order of the rankings
	Differences []AreaDifference `json:"differences,omitempty"` // of A and B, A and C and so on
}

// AreaDifference is the area of ranking A less that of ranking B, which are given by their letters.
type AreaDifference struct {
	A string `json:"a"`
	B string `json:"b"`
	compare.AreaDifference
}

// NewAreas compares the scores of rows with two labels by compare.DeLongBy, over the groups of rows that belong
// together, as the samples of a patient; nil are none. The rows of several queries depend on one
// another: then Areas has the reason, if auc is among the metrics. It returns nil where there is nothing to say: for
// other labels, and for judged documents.
func NewAreas(inputs []metric.Input, metrics []metric.Result, groups *data.Partition) *Areas {
	first := inputs[0]
	if first.Unretrieved != nil || first.Censored != nil {
		return nil
	}
	scores := make([][]float64, len(inputs))
	for k, in := range inputs {
		scores[k] = in.Scores
	}
	var of []int32
	if groups != nil {
		of = groups.Of()
	}
	found, err := compare.DeLongBy(of, first.Weights, first.Labels, scores...)
	if err != nil { // not two labels: nothing else is left to refuse
		return nil
	}
	if first.Queries != nil && first.Queries.Len() > 1 {
		return withoutAreas(fmt.Sprintf("the rows are of %s, and those of one depend on one another",
			spell.Plural(first.Queries.Len(), "query")), metrics)
	}
	a := &Areas{Positives: found.Positives, Negatives: found.Negatives, Groups: found.Groups, Weights: found.Weights,
		Areas: found.Areas}
	for _, d := range found.Differences {
		a.Differences = append(a.Differences, AreaDifference{spell.Letter(d.A), spell.Letter(d.B), d})
	}
	return a
}

// tests are the differences, nil where there are none.
func (a *Areas) tests() (out []compare.AreaDifference) {
	if a != nil {
		for _, d := range a.Differences {
			out = append(out, d.AreaDifference)
		}
	}
	return out
}

// withoutAreas is a reason, nil unless auc is among the metrics.
func withoutAreas(reason string, metrics []metric.Result) *Areas {
	for _, res := range metrics {
		if res.Metric == metric.AUC {
			return &Areas{Without: reason}
		}
	}
	return nil
}

// FoldAreas is NewAreas for rankings of several folds, which are scored by different models: there are none.
func FoldAreas(folds int, metrics []metric.Result) *Areas {
	return withoutAreas(fmt.Sprintf("the rows are of %d DATA, which may have different models", folds), metrics)
}

// text says what the areas are of, or why there are none.
func (a *Areas) text() string {
	if a.Without != "" {
		return "no interval of the area under the ROC curve by DeLong: " + a.Without
	}
	over := ""
	if a.Groups > 0 {
		over = " of " + spell.Plural(a.Groups, "independent group")
	}
	if w := a.Weights; w != nil {
		over += fmt.Sprintf(", by weight %.4g and %.4g effective rows", w.EffectivePositives, w.EffectiveNegatives)
	}
	return fmt.Sprintf("area under the ROC curve by DeLong, over %s and %s%s",
		spell.Plural(a.Positives, "positive row"), spell.Plural(a.Negatives, "negative row"), over)
}

// tell adds the areas and their differences, or why there are none.
func (a *Areas) tell(v *View) {
	if a == nil {
		return
	}
	v.line("")
	v.line("%s", a.text())
	if a.Without != "" {
		v.Notes = append(v.Notes, "There is "+a.text()+".")
		return
	}
	t := listed("Areas under the ROC curves", "", "AUC", "standard error", "95 % interval", "z", "p-value", "Holm")
	t.Columns[0].Head, t.Columns[0].Page, t.Bare = " ", "ranking", true
	for k, one := range a.Areas {
		name, p := "auc", Spot{Value: one.AUC}
		if len(a.Areas) > 1 {
			name = spell.Letter(k)
		}
		if one.Interval.Defined {
			p.Lo, p.Hi = one.Interval.Lo, one.Interval.Hi
		}
		digits := decimals(valueNumber(one.StdErr))
		t.drawn(p, name, Number(one.AUC).to(digits), valueNumber(one.StdErr).unsure(digits), newRange(one.Interval).to(digits))
	}
	for _, d := range a.Differences {
		z, p, holm := "-", "-", "-"
		if d.P.Defined {
			z, p, holm = fmt.Sprintf("%.3f", d.Z.Value), pText(d.P.Value), pText(d.PHolm.Value)
		}
		digits := decimals(valueNumber(d.StdErr))
		t.row(d.A+" - "+d.B, Number(d.Difference).signed(digits), valueNumber(d.StdErr).unsure(digits),
			newRange(d.Interval).signed(digits), z, p, holm)
	}
	t.Columns = t.Columns[:4+min(3, 2*len(a.Differences))]
	v.tell(t)
	if len(a.Areas) == 0 { // in a document that others have written
		return
	}
	f := &Figure{Title: "The area under the ROC curve is " + t.cell(0, 1), Table: t,
		Desc: "The areas under the ROC curves with their 95 % intervals.",
		Rows: &Rows{Label: "area under the ROC curve, with its 95 % interval", Some: upTo(len(a.Areas))},
		Text: []string{"The " + a.text() + ". The standard errors take the models as given and the rows as independent. " +
			"The p-values are two-sided, by the normal distribution."}}
	if n := len(a.Areas); n > 1 {
		f.Title = fmt.Sprintf("The areas under the %d ROC curves", n)
	}
	v.draw("", f)
}

// find adds findings about the differences of areas, and reports whether there are any. They are of a single list,
// so that the tests over queries have one query and find nothing.
func (a *Areas) find(v *View) bool {
	if a == nil || len(a.Areas) == 0 || len(a.Differences) == 0 {
		return false
	}
	best := 0
	for k, one := range a.Areas {
		if one.AUC > a.Areas[best].AUC {
			best = k
		}
	}
	letter, alike := spell.Letter(best), []string(nil)
	for _, d := range a.Differences {
		switch {
		case d.PHolm.Defined && d.PHolm.Value <= significant:
		case d.A == letter:
			alike = append(alike, d.B)
		case d.B == letter:
			alike = append(alike, d.A)
		}
	}
	text := ", significantly larger than every other one"
	if len(alike) > 0 {
		text = ", not significantly larger than " + spell.List(alike)
	}
	v.fact(Headline, "choice", "%s has the largest area under the ROC curve%s", letter, text)
	v.fact(Headline, "AUC of "+letter, "%s over %d positive and %d negative rows",
		typeset(within(Number(a.Areas[best].AUC), newRange(a.Areas[best].Interval))), a.Positives, a.Negatives)
	d := a.Differences[0]
	switch n := len(a.Differences); {
	case n > 1:
		v.fact(Headline, "test", "DeLong's at 5 %%, with Holm's correction over %s", spell.Plural(n, "pair"))
	case d.P.Defined:
		v.fact(Headline, "test", "p = %s by DeLong, of %s − %s = %s", pText(d.P.Value), d.A, d.B,
			typeset(difference(Number(d.Difference), newRange(d.Interval))))
	default:
		v.fact(Headline, "test", "none: the areas have no variance")
	}
	return true
}

// significant is the significance level in the words about a comparison.
const significant = 0.05

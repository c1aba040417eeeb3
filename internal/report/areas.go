package report

import (
	"fmt"
	"io"

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
	Areas       []compare.Area   `json:"areas,omitempty"`       // in the order of the rankings
	Differences []AreaDifference `json:"differences,omitempty"` // of A and B, A and C and so on
}

// AreaDifference is the area of ranking A less that of ranking B, which are given by their letters.
type AreaDifference struct {
	A string `json:"a"`
	B string `json:"b"`
	compare.AreaDifference
}

// NewAreas compares the scores of rows with two labels by compare.DeLong, or by compare.DeLongBy over the groups of
// rows that belong together, as the samples of a patient; nil are none. The rows of several queries depend on one
// another: then Areas has the reason, if auc is among the metrics. It returns nil where there is nothing to say: for
// other labels, and for judged documents.
func NewAreas(inputs []metric.Input, metrics []metric.Result, groups *data.Partition) *Areas {
	first := inputs[0]
	if first.Unretrieved != nil {
		return nil
	}
	scores := make([][]float64, len(inputs))
	for k, in := range inputs {
		scores[k] = in.Scores
	}
	found, err := (*compare.Areas)(nil), error(nil)
	if groups != nil {
		found, err = compare.DeLongBy(groups.Of(), first.Labels, scores...)
	} else {
		found, err = compare.DeLong(first.Labels, scores...)
	}
	if err != nil { // not two labels: nothing else is left to refuse
		return nil
	}
	if first.Queries != nil && first.Queries.Len() > 1 {
		return withoutAreas(fmt.Sprintf("the rows are of %s, and those of one depend on one another",
			spell.Plural(first.Queries.Len(), "query")), metrics)
	}
	a := &Areas{Positives: found.Positives, Negatives: found.Negatives, Groups: found.Groups, Areas: found.Areas}
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

// Text says what the areas are of, or why there are none.
func (a *Areas) Text() string {
	if a.Without != "" {
		return "no interval of the area under the ROC curve by DeLong: " + a.Without
	}
	over := ""
	if a.Groups > 0 {
		over = " of " + spell.Plural(a.Groups, "independent group")
	}
	return fmt.Sprintf("area under the ROC curve by DeLong, over %s and %s%s",
		spell.Plural(a.Positives, "positive row"), spell.Plural(a.Negatives, "negative row"), over)
}

// Rows are a table with the areas and their differences.
func (a *Areas) Rows() (head []string, rows [][]string) {
	head = []string{"", "AUC", "standard error", "95 % interval"}
	if len(a.Differences) > 0 {
		head = append(head, "z", "p-value")
	}
	if len(a.Differences) > 1 {
		head = append(head, "Holm")
	}
	for k, one := range a.Areas {
		name := "auc"
		if len(a.Areas) > 1 {
			name = spell.Letter(k)
		}
		rows = append(rows, []string{name, fmt.Sprintf("%.6f", one.AUC), showValue(one.StdErr), fromTo(one.Interval)})
	}
	for _, d := range a.Differences {
		row := []string{d.A + " - " + d.B, fmt.Sprintf("%+.6f", d.Difference), showValue(d.StdErr), fromTo(d.Interval),
			"-", "-", "-"}
		if d.P.Defined {
			row[4], row[5], row[6] = fmt.Sprintf("%.3f", d.Z.Value), PText(d.P.Value), PText(d.PHolm.Value)
		}
		rows = append(rows, row[:len(head)])
	}
	return head, rows
}

// fromTo is an interval, "-" where it is not defined.
func fromTo(i cv.Interval) string {
	if !i.Defined {
		return "-"
	}
	return fmt.Sprintf("%.6f to %.6f", i.Lo, i.Hi)
}

// write writes the areas behind a table, nothing of nil.
func (a *Areas) write(w io.Writer) error {
	if a == nil {
		return nil
	}
	fmt.Fprintf(w, "\n%s\n", a.Text())
	if a.Without != "" {
		return nil
	}
	head, rows := a.Rows()
	return writeColumns(w, append([][]string{head}, rows...))
}

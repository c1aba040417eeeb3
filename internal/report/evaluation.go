package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pairrank/eval/metric"
	"pairrank/internal/spell"
)

// Ranking is the origin of a ranking.
type Ranking struct {
	Kind string `json:"kind"` // scores, model or, of rows of training, held-out; for folds that of the first
	File string `json:"file"` // for folds all Files, with commas
	// Files are the files of the folds, if there are several.
	Files []string `json:"files,omitempty"`
	// Beside is the file of another tool's scores with which the ranking is half and half, "" if it is alone.
	Beside string `json:"beside,omitempty"`
}

// name is the file in texts.
func (r Ranking) name() string {
	name := shown(r.File)
	if r.Kind == "held-out" {
		name = "held-out scores of " + name
	}
	if r.Beside != "" {
		name = "half and half, " + name + " and " + shown(r.Beside)
	}
	return name
}

// shown is a file in texts.
func shown(file string) string {
	if file == "-" {
		return "standard input"
	}
	return file
}

// Evaluation is the document of measured rankings.
type Evaluation struct {
	// Rankings are the measured rankings; none for a TREC run, which is one.
	Rankings []Ranking
	Reports  []*metric.Report
	// Columns are the columns of a table of rows, else nil.
	Columns *Columns
	// Areas are the areas under the ROC curves of a list with two labels, else nil.
	Areas *Areas
	// Times are the measures of censored times with their errors, nil where labels are no times.
	Times *Times
	// Beside compares the rankings, where one is of another tool and others are half and half with it; else nil.
	Beside *Comparisons
	Told
}

// several reports whether there are several rankings to distinguish.
func (e *Evaluation) several() bool { return len(e.Reports) > 1 }

// letter follows a metric of ranking k if there are several rankings.
func (e *Evaluation) letter(k int) string {
	if k >= len(e.Rankings) || !e.several() {
		return ""
	}
	return " of " + spell.Letter(k)
}

// Of is the name of ranking k if there are several, else "".
func (e *Evaluation) Of(k int) string {
	if !e.several() {
		return ""
	}
	return e.Rankings[k].name()
}

// MarshalJSON writes the report of one ranking, or a list of reports with their rankings.
func (e *Evaluation) MarshalJSON() ([]byte, error) {
	own := struct {
		Kind    Kind         `json:"kind"`
		Columns *Columns     `json:"columns,omitempty"`
		Areas   *Areas       `json:"delong,omitempty"`
		Times   *Times       `json:"times,omitempty"`
		Beside  *Comparisons `json:"beside,omitempty"`
		Told
	}{KindEvaluation, e.Columns, e.Areas, e.Times, e.Beside, e.Told}
	if !e.several() {
		return object("kind", e.Reports[0], own)
	}
	d := struct {
		Style    metric.Style   `json:"style"`
		Rankings []rankedReport `json:"rankings"`
	}{Style: e.Reports[0].Style}
	for k, r := range e.Reports {
		d.Rankings = append(d.Rankings, rankedReport{e.Rankings[k], r})
	}
	return object("kind", d, own)
}

// UnmarshalJSON reads what MarshalJSON writes. It returns an error for other JSON, and for rankings of
// different queries or metrics.
func (e *Evaluation) UnmarshalJSON(text []byte) error {
	var several struct {
		Rankings []json.RawMessage `json:"rankings"`
		Columns  *Columns          `json:"columns"`
		Areas    *Areas            `json:"delong"`
		Times    *Times            `json:"times"`
		Beside   *Comparisons      `json:"beside"`
		Told
	}
	if err := json.Unmarshal(text, &several); err != nil {
		return err
	}
	if several.Rankings == nil {
		several.Rankings = []json.RawMessage{text}
	}
	*e = Evaluation{Columns: several.Columns, Areas: several.Areas, Times: several.Times, Beside: several.Beside,
		Told: several.Told}
	for _, one := range several.Rankings {
		r := rankedReport{}
		if err := errors.Join(json.Unmarshal(one, &r.of), json.Unmarshal(one, &r.report)); err != nil {
			return err
		}
		if r.report == nil {
			return fmt.Errorf("a ranking is null")
		}
		if r.of.File != "" {
			e.Rankings = append(e.Rankings, r.of)
		}
		e.Reports = append(e.Reports, r.report)
	}
	if len(e.Reports) == 0 || len(e.Reports) > 1 && len(e.Rankings) != len(e.Reports) {
		return fmt.Errorf("there are %d rankings with %d files", len(e.Reports), len(e.Rankings))
	}
	return e.checkAlike()
}

// checkAlike refuses rankings of different queries or metrics.
func (e *Evaluation) checkAlike() error {
	first := e.Reports[0]
	for _, r := range e.Reports[1:] {
		if len(r.Results) != len(first.Results) || len(r.PerQuery) != len(first.PerQuery) {
			return fmt.Errorf("the rankings are not of the same metrics and queries")
		}
		for j := range r.Results {
			if r.Results[j].Metric != first.Results[j].Metric {
				return fmt.Errorf("the rankings are not of the same metrics")
			}
		}
	}
	return nil
}

// rankedReport is a report with its ranking.
type rankedReport struct {
	of     Ranking
	report *metric.Report
}

// MarshalJSON writes the keys of the ranking before those of the report.
func (r rankedReport) MarshalJSON() ([]byte, error) { return object("", r.of, r.report) }

// View is the means.
func (e *Evaluation) View() *View { return e.view(false) }

// QueriesView is View with the values of every query before the means.
func (e *Evaluation) QueriesView() *View { return e.view(true) }

func (e *Evaluation) view(queries bool) *View {
	v := &View{Title: "Evaluation"}
	if len(e.Reports) == 0 || e.Reports[0] == nil {
		return v
	}
	first := e.Reports[0]
	shown := first.Results[:min(len(first.Results), mostMetrics)]
	for _, res := range shown {
		v.fact(Headline, first.Style.Name(res.Metric)+e.letter(0), "%s over %s", value(res.Mean),
			spell.Plural(res.Queries, "query"))
	}
	v.state("style", "%s", first.Style)
	v.columns(e.Columns)
	for k, r := range e.Rankings {
		if e.several() {
			v.state(fmt.Sprintf("%-2s", spell.Letter(k)), "%s", r.name())
		} else {
			v.fact(Aside, r.Kind, "%s", r.name())
		}
	}
	for _, r := range e.Reports {
		v.Notes = append(v.Notes, r.Warnings...)
	}
	v.line("")
	if queries {
		v.tell(e.queryTable())
		v.line("")
	}
	v.tell(e.meanTable())
	v.draw("", e.means())
	e.Areas.tell(v)
	e.Times.tell(v)
	e.Beside.tell(v, "")
	v.Later = func() {
		for j, res := range shown {
			if len(first.PerQuery) > 1 {
				v.draw(QueriesFigure, e.queryBars(j, first.Style.Name(res.Metric)))
			}
		}
	}
	return v
}

// queryTable has a row for each query, and a column for each metric and ranking.
func (e *Evaluation) queryTable() *Table {
	first := e.Reports[0]
	t := &Table{Len: len(first.PerQuery), Bare: true}
	t.add("query", 0, func(g int) string { return first.PerQuery[g].ID })
	for j, res := range first.Results {
		for k, r := range e.Reports {
			name := first.Style.Name(res.Metric)
			if e.several() {
				name += " " + spell.Letter(k)
			}
			t.add(name, 0, func(g int) string { return valueNumber(r.PerQuery[g].Values[j]).String() })
		}
	}
	return t
}

// meanTable has a row for each metric: its means, and the queries that count.
func (e *Evaluation) meanTable() *Table {
	first := e.Reports[0]
	t := &Table{Len: len(first.Results), Bare: true}
	t.add("metric", 0, func(j int) string { return first.Style.Name(first.Results[j].Metric) })
	for k, r := range e.Reports {
		name := "mean"
		if e.several() {
			name = spell.Letter(k)
		}
		t.add(name, 0, func(j int) string { return valueNumber(r.Results[j].Mean).to(e.digits(j)) })
	}
	count := func(head string, of func(r *metric.Result) int) {
		t.add(head, 0, func(j int) string {
			var all []int
			for _, r := range e.Reports {
				all = append(all, of(&r.Results[j]))
			}
			return counts(all)
		})
	}
	count("queries", func(r *metric.Result) int { return r.Queries })
	count("undefined", func(r *metric.Result) int { return r.Undefined })
	return t
}

// digits are those of a metric, and more where rankings differ.
func (e *Evaluation) digits(j int) int {
	digits := fewDecimals
	for _, r := range e.Reports[1:] {
		digits = apart(digits, valueNumber(e.Reports[0].Results[j].Mean), valueNumber(r.Results[j].Mean))
	}
	return digits
}

// means is the figure of the mean of each metric under each ranking.
func (e *Evaluation) means() *Figure {
	t := listed("The mean of each metric", "metric", "mean", "queries", "undefined")
	f := &Figure{Title: "No metric is defined on any query", Desc: "A bar for each metric.", Table: t,
		Rows: &Rows{Label: "mean over queries", Bars: true}, Text: []string{"Means over the queries for which a metric is " +
			"defined. They have no intervals; pairrank compare tests whether two rankings differ."}}
	found := false
	for j, res := range e.Reports[0].Results {
		for k, r := range e.Reports {
			one, p := r.Results[j], Spot{Value: math.NaN(), Style: k % mostSeries}
			name := r.Style.Name(res.Metric) + e.letter(k)
			if one.Mean.Defined {
				p.Value = one.Mean.Value
			}
			t.drawn(p, name, typeset(valueNumber(one.Mean).to(e.digits(j))), fmt.Sprint(one.Queries), fmt.Sprint(one.Undefined))
			if one.Mean.Defined && !found {
				f.Title, found = fmt.Sprintf("%s is %s over %s", name, value(one.Mean), spell.Plural(one.Queries, "query")), true
			}
		}
	}
	if t.Len == 0 {
		return nil
	}
	return f
}

// counts writes the counts of the rankings: a single one if they are equal, else all.
func counts(of []int) string {
	if len(slices.Compact(slices.Clone(of))) == 1 {
		return strconv.Itoa(of[0])
	}
	texts := make([]string, len(of))
	for k, n := range of {
		texts[k] = strconv.Itoa(n)
	}
	return strings.Join(texts, "/")
}

package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pairrank/eval/metric"
	"pairrank/internal/spell"
)

// Ranking is the origin of a ranking.
type Ranking struct {
	Kind string `json:"kind"` // scores or model; for folds that of the first
	File string `json:"file"` // for folds all Files, with commas
	// Files are the files of the folds, if there are several.
	Files []string `json:"files,omitempty"`
}

// name is the file in texts.
func (r Ranking) name() string {
	if r.File == "-" {
		return "standard input"
	}
	return r.File
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
	Told
}

// several reports whether there are several rankings to distinguish.
func (e *Evaluation) several() bool { return len(e.Reports) > 1 }

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
		Kind    Kind     `json:"kind"`
		Columns *Columns `json:"columns,omitempty"`
		Areas   *Areas   `json:"delong,omitempty"`
		Told
	}{KindEvaluation, e.Columns, e.Areas, e.Told}
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
		Told
	}
	if err := json.Unmarshal(text, &several); err != nil {
		return err
	}
	if several.Rankings == nil {
		several.Rankings = []json.RawMessage{text}
	}
	*e = Evaluation{Columns: several.Columns, Areas: several.Areas, Told: several.Told}
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

// WriteText writes the means for people.
func (e *Evaluation) WriteText(w io.Writer) error {
	e.writeHead(w)
	return e.writeMeans(w)
}

// writeMeans writes the means, and the areas where there are any.
func (e *Evaluation) writeMeans(w io.Writer) error {
	if err := writeColumns(w, e.meanTable()); err != nil {
		return err
	}
	return e.Areas.write(w)
}

// WriteQueries is WriteText with the values of every query before the means.
func (e *Evaluation) WriteQueries(w io.Writer) error {
	e.writeHead(w)
	if err := writeColumns(w, e.queryTable()); err != nil {
		return err
	}
	fmt.Fprintln(w)
	return e.writeMeans(w)
}

// writeHead writes the names of the measured rankings.
func (e *Evaluation) writeHead(w io.Writer) {
	fmt.Fprintf(w, "style %s\n", e.Reports[0].Style)
	if e.several() {
		for k, r := range e.Rankings {
			fmt.Fprintf(w, "%-2s %s\n", spell.Letter(k), r.name())
		}
	}
	fmt.Fprintln(w)
}

// queryTable has a row for each query, and a column for each metric and ranking.
func (e *Evaluation) queryTable() [][]string {
	first := e.Reports[0]
	head := []string{"query"}
	for _, res := range first.Results {
		for k := range e.Reports {
			name := first.Style.Name(res.Metric)
			if e.several() {
				name += " " + spell.Letter(k)
			}
			head = append(head, name)
		}
	}
	table := [][]string{head}
	for g, q := range first.PerQuery {
		line := []string{q.ID}
		for j := range q.Values {
			for _, r := range e.Reports {
				line = append(line, showValue(r.PerQuery[g].Values[j]))
			}
		}
		table = append(table, line)
	}
	return table
}

// meanTable has a row for each metric: its means, and the queries that count.
func (e *Evaluation) meanTable() [][]string {
	head := []string{"metric", "mean"}
	if e.several() {
		head = head[:1]
		for k := range e.Reports {
			head = append(head, spell.Letter(k))
		}
	}
	table := [][]string{append(head, "queries", "undefined")}
	for j, res := range e.Reports[0].Results {
		line := []string{e.Reports[0].Style.Name(res.Metric)}
		var queries, undefined []int
		for _, r := range e.Reports {
			line = append(line, showValue(r.Results[j].Mean))
			queries, undefined = append(queries, r.Results[j].Queries), append(undefined, r.Results[j].Undefined)
		}
		table = append(table, append(line, counts(queries), counts(undefined)))
	}
	return table
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

// showValue is a value with six digits, "-" when it is undefined.
func showValue(v metric.Value) string {
	if !v.Defined {
		return "-"
	}
	return fmt.Sprintf("%.6f", v.Value)
}

package report

import (
	"bytes"
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

// Ranking says where a ranking comes from.
type Ranking struct {
	Kind string `json:"kind"` // scores or model; of folds those of the first
	File string `json:"file"` // of folds all of Files, with commas
	// Files are those of each fold, where there are several.
	Files []string `json:"files,omitempty"`
}

// name is the file as people read it.
func (r Ranking) name() string {
	if r.File == "-" {
		return "standard input"
	}
	return r.File
}

// Evaluation is the document of measured rankings.
type Evaluation struct {
	// Rankings are what was measured; none for a TREC run, which is one.
	Rankings []Ranking
	Reports  []*metric.Report
	// Columns are of rows from a table, else nil.
	Columns  *Columns
	perQuery bool
}

// NewEvaluation is the document of a report for each ranking; perQuery adds the values
// of every query to the text.
func NewEvaluation(rankings []Ranking, reports []*metric.Report, perQuery bool) *Evaluation {
	return &Evaluation{Rankings: rankings, Reports: reports, perQuery: perQuery}
}

// several reports whether rankings are told apart.
func (e *Evaluation) several() bool { return len(e.Reports) > 1 }

// Of names ranking k where there are several, else it is empty.
func (e *Evaluation) Of(k int) string {
	if !e.several() {
		return ""
	}
	return e.Rankings[k].name()
}

// MarshalJSON writes the report of one ranking, or a list of reports that say which
// ranking they are of.
func (e *Evaluation) MarshalJSON() ([]byte, error) {
	if !e.several() {
		return withColumns(e.Reports[0], e.Columns)
	}
	d := struct {
		Style    metric.Style   `json:"style"`
		Rankings []rankedReport `json:"rankings"`
	}{Style: e.Reports[0].Style}
	for k, r := range e.Reports {
		d.Rankings = append(d.Rankings, rankedReport{e.Rankings[k], r})
	}
	return withColumns(d, e.Columns)
}

// withColumns is the JSON of a document with the columns behind it, where there are any.
func withColumns(d any, columns *Columns) ([]byte, error) {
	text, err := marshal(d)
	if err != nil || columns == nil {
		return text, err
	}
	last, err := marshal(columns)
	text = append(bytes.TrimSuffix(bytes.TrimSpace(text), []byte("}")), `,"columns":`...)
	return append(append(text, bytes.TrimSpace(last)...), '}'), err
}

// marshal is the JSON of v, with < and & as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// rankedReport is a report with the ranking that it is of.
type rankedReport struct {
	of     Ranking
	report *metric.Report
}

// MarshalJSON writes the keys of the ranking before those of the report.
func (r rankedReport) MarshalJSON() ([]byte, error) {
	of, err := marshal(r.of)
	report, failed := marshal(r.report)
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	return append(append(bytes.TrimSpace(of)[:len(of)-2], ','), bytes.TrimSpace(report)[1:]...), nil
}

// WriteText writes the reports for people.
func (e *Evaluation) WriteText(w io.Writer) error {
	fmt.Fprintf(w, "style %s\n", e.Reports[0].Style)
	if e.several() {
		for k, r := range e.Rankings {
			fmt.Fprintf(w, "%-2s %s\n", spell.Letter(k), r.name())
		}
	}
	fmt.Fprintln(w)
	if e.perQuery {
		if err := writeColumns(w, e.queryTable()); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return writeColumns(w, e.meanTable())
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

// counts are those of the rankings: one where they are alike, else one of each.
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

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"pairrank/eval/metric"
)

// evaluation is what evaluate found: a report of each ranking.
type evaluation struct {
	rankings []ranking // empty for a TREC run, which is one
	reports  []*metric.Report
}

// several reports whether rankings are told apart.
func (e *evaluation) several() bool { return len(e.reports) > 1 }

func (e *evaluation) warnings(a *app) {
	for k, r := range e.reports {
		for _, text := range r.Warnings {
			if e.several() {
				text = shown(e.rankings[k].path) + ": " + text
			}
			a.warn("%s", text)
		}
	}
}

// check is a gateError that names every metric which misses its threshold.
func (e *evaluation) check(g *gates) error {
	var missed []string
	for k, r := range e.reports {
		of := ""
		if e.several() {
			of = " of " + shown(e.rankings[k].path)
		}
		missed = append(missed, g.missed(r, of)...)
	}
	if len(missed) == 0 {
		return nil
	}
	return asGate(fmt.Errorf("gate missed: %s", strings.Join(missed, "; ")))
}

// document is what evaluate --json prints: the report of one ranking, or a list of
// reports that say which ranking they are of.
func (e *evaluation) document() any {
	if !e.several() {
		return e.reports[0]
	}
	d := struct {
		Style    metric.Style   `json:"style"`
		Rankings []rankedReport `json:"rankings"`
	}{Style: e.reports[0].Style}
	for k, r := range e.reports {
		d.Rankings = append(d.Rankings, rankedReport{rankingEntry{e.rankings[k].kind, e.rankings[k].path}, r})
	}
	return d
}

// rankedReport is a report with the ranking that it is of.
type rankedReport struct {
	of     rankingEntry
	report *metric.Report
}

// MarshalJSON writes the keys of the ranking before those of the report.
func (r rankedReport) MarshalJSON() ([]byte, error) {
	of, err := json.Marshal(r.of)
	report, failed := json.Marshal(r.report)
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	return append(append(of[:len(of)-1], ','), report[1:]...), nil
}

// write prints the reports for people.
func (e *evaluation) write(w io.Writer, perQuery bool) error {
	fmt.Fprintf(w, "style %s\n", e.reports[0].Style)
	if e.several() {
		for k, r := range e.rankings {
			fmt.Fprintf(w, "%-2s %s\n", letter(k), shown(r.path))
		}
	}
	fmt.Fprintln(w)
	if perQuery {
		if err := writeColumns(w, e.queryTable()); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	return writeColumns(w, e.meanTable())
}

// queryTable has a row for each query, and a column for each metric and ranking.
func (e *evaluation) queryTable() [][]string {
	first := e.reports[0]
	head := []string{"query"}
	for _, res := range first.Results {
		for k := range e.reports {
			name := first.Style.Name(res.Metric)
			if e.several() {
				name += " " + letter(k)
			}
			head = append(head, name)
		}
	}
	table := [][]string{head}
	for g, q := range first.PerQuery {
		line := []string{q.ID}
		for j := range q.Values {
			for _, r := range e.reports {
				line = append(line, showValue(r.PerQuery[g].Values[j]))
			}
		}
		table = append(table, line)
	}
	return table
}

// meanTable has a row for each metric: its means, and the queries that count.
func (e *evaluation) meanTable() [][]string {
	head := []string{"metric", "mean"}
	if e.several() {
		head = head[:1]
		for k := range e.reports {
			head = append(head, letter(k))
		}
	}
	table := [][]string{append(head, "queries", "undefined")}
	for j, res := range e.reports[0].Results {
		line := []string{e.reports[0].Style.Name(res.Metric)}
		var queries, undefined []int
		for _, r := range e.reports {
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

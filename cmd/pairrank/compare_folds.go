package main

import (
	"fmt"
	"strings"

	"pairrank/cmd/pairrank/internal/cli"
	"pairrank/data"
	"pairrank/eval/compare"
	"pairrank/eval/metric"
	"pairrank/internal/report"
)

// comparedDocument is the document of a comparison with its warnings.
type comparedDocument struct {
	report.Document
	warnings []string
	gates    report.Gates
}

// comparedFiles are the files of the rows, several of folds, the rankings, and the rows of the first file
// with the measures of their times.
type comparedFiles struct {
	data     []string
	rankings []report.Ranking
	first    *data.Set
	times    *report.Times // nil where labels are no times
}

// comparedOf compares two rankings, or every two of more.
func comparedOf(reports []*metric.Report, folds [][]metric.Input, of comparedFiles, gates report.Gates,
	style metric.Style, o compare.Options) (comparedDocument, error) {
	columns, areas := report.ColumnsOf(of.first), report.FoldAreas(len(folds), reports[0].Results)
	if len(of.data) == 1 {
		of.data, areas = nil, report.NewAreas(folds[0], reports[0].Results, of.first.Groups)
	}
	if of.times != nil {
		inOneList(reports)
	}
	if len(reports) == 2 {
		d, err := compared(reports, of.rankings, style, o)
		if err != nil {
			return comparedDocument{}, err
		}
		d.Data, d.Columns, d.Areas, d.Gates = of.data, columns, areas, gates
		d.Data, d.Columns, d.Areas = of.data, columns, areas
		d.Times = of.times
		if of.times != nil {
			d.Warnings = nil // of no test over queries: there is one over the units of the times
		}
		return comparedDocument{d, d.Warnings, gates}, nil
	}
	found, err := compare.All(reports, o)
	if err != nil {
		return comparedDocument{}, cli.AsUsage(err)
	}
	d := report.NewComparisons(found, style, of.rankings, areas, o)
	d.Data, d.Columns, d.Gates = of.data, columns, gates
	if d.Times = of.times; of.times != nil {
		d.Warnings = nil
	}
	return comparedDocument{d, d.Warnings, gates}, nil
}

// inOneList makes one query of strata, whose pairs are pooled.
func inOneList(reports []*metric.Report) {
	for _, r := range reports {
		if len(r.PerQuery) == 1 {
			continue
		}
		all := metric.QueryValues{ID: "all strata"}
		for _, res := range r.Results {
			all.Values = append(all.Values, res.Mean)
		}
		r.PerQuery = []metric.QueryValues{all}
	}
}

// foldRankings are the rankings. Each has a file for every fold; the files of one follow those of another.
func foldRankings(all []report.Ranking, folds int) []report.Ranking {
	if folds == 1 {
		return all
	}
	var out []report.Ranking
	for at := 0; at < len(all); at += folds {
		r := report.Ranking{Kind: all[at].Kind}
		var beside []string
		for _, one := range all[at : at+folds] {
			r.Files, beside = append(r.Files, one.File), append(beside, one.Beside)
		}
		if beside[0] != "" {
			r.Beside = strings.Join(beside, ", ")
		}
		r.File = strings.Join(r.Files, ", ")
		out = append(out, r)
	}
	return out
}

// evaluateFolds measures each ranking on every fold, and pools the queries of the folds, whose names
// begin with the file where there are several.
func evaluateFolds(data []string, folds [][]metric.Input, metrics []metric.Metric,
	o metric.Options) ([]*metric.Report, error) {
	var pooled []*metric.Report
	for k, inputs := range folds {
		reports, err := evaluateEach(inputs, metrics, o)
		if err != nil {
			return nil, err
		}
		if len(folds) == 1 {
			return reports, nil
		}
		for _, r := range reports {
			for g := range r.PerQuery {
				r.PerQuery[g].ID = cli.Shown(data[k]) + ": " + r.PerQuery[g].ID
			}
		}
		if k == 0 {
			pooled = reports
			continue
		}
		for at, r := range reports {
			pooled[at].PerQuery = append(pooled[at].PerQuery, r.PerQuery...)
		}
	}
	return pooled, nil
}

// warnQueries warns of rows without queries, and of queries of the same name in several folds.
func (a *app) warnQueries(data []string, folds [][]metric.Input) {
	seen, twice, as := map[string]int{}, 0, ""
	for k, inputs := range folds {
		in := inputs[0]
		if in.Queries == nil {
			a.Warn("%sthe rows have no qid: they count as one query", ofFold(data, k))
			continue
		}
		for g := range in.Queries.Len() {
			id := in.Queries.ID(g)
			if of, has := seen[id]; has {
				if twice++; twice == 1 {
					as = fmt.Sprintf("%q in %s and %s", id, cli.Shown(data[of]), cli.Shown(data[k]))
				}
			} else {
				seen[id] = k
			}
		}
	}
	if twice > 0 {
		a.Warn("queries of one name are in several DATA, %d of them, as %s: they count as different queries, and "+
			"one that is asked twice is not two",
			twice, as)
	}
}

// ofFold names a fold before what is said of it, where there are several.
func ofFold(data []string, k int) string {
	if len(data) == 1 {
		return ""
	}
	return cli.Shown(data[k]) + ": "
}

//go:build !boards

package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"pairrank"
	"pairrank/data"
	"pairrank/eval/cv"
	"pairrank/eval/metric"
	"pairrank/event"
	"pairrank/fault"
	"pairrank/format/svmlight"
	"pairrank/format/table"
	"pairrank/internal/codes"
	"pairrank/internal/pick"
	"pairrank/internal/report"
	"pairrank/internal/spell"
)

func init() { newLearner = func() learner { return &rowOptions{} } }

// rowOptions are the options of rows.
type rowOptions struct {
	table  table.Options
	metric *metric.Metric
	method *cv.Method
	nested bool
	scale  string
}

// define defines the options.
func (o *rowOptions) define(of *flag.FlagSet) {
	for _, r := range table.Roles() {
		of.StringVar(r.In(&o.table), r.Flag(), "", "")
	}
	of.StringVar(&o.table.Positive, "positive", "", "")
	of.StringVar(&o.scale, "normalize", "", "")
	of.BoolVar(&o.nested, "nested", false, "")
	lists := map[string]*[]string{"ignore-columns": &o.table.Ignore, "feature-columns": &o.table.Only,
		"factor-columns": &o.table.Factors}
	for name, list := range lists {
		of.Func(name, "", func(text string) (err error) {
			*list, err = csv.NewReader(strings.NewReader(text)).Read()
			return err
		})
	}
	of.Func("missing", "", func(text string) (err error) { o.table.Missing, err = data.ParseMissing(text); return })
	of.Func("metric", "", func(text string) error { m, err := metric.Parse(text); o.metric = &m; return err })
	of.Func("method", "", func(text string) error { m, err := cv.ParseMethod(text); o.method = &m; return err })
}

// columns are the names of the columns of a table of text, nil where it has none.
func (*rowOptions) columns(q *question) []string {
	if ending(q.file) != "csv" && ending(q.file) != "tsv" {
		return nil
	}
	found, err := table.Check(table.Options{Separator: separator(q.file)}, 1, q.readTable)
	if err != nil {
		return nil
	}
	var names []string
	for _, c := range found.Columns {
		names = append(names, c.Name)
	}
	return names
}

func separator(file string) byte { return map[string]byte{"csv": ',', "tsv": '\t'}[ending(file)] }

// readTable reads the rows of a table.
func (q *question) readTable(o table.Options) (*data.Set, error) {
	if ending(q.file) == "jsonl" {
		return table.ReadJSONLines(bytes.NewReader(q.text), q.file, o)
	}
	return table.ReadSetFrom(bytes.NewReader(q.text), q.file, o)
}

// read reads rows, and tells what the columns are.
func (o *rowOptions) read(ctx context.Context, a *answer, q *question) (*data.Set, error) {
	switch end := ending(q.file); end {
	case "npy", "npz", "parquet":
		return nil, fmt.Errorf("%s: the playground reads CSV, TSV, JSON and SVMlight text; the program reads %s, too",
			q.file, end)
	case "svmlight":
		set, err := svmlight.ReadAll(ctx, bytes.NewReader(q.text), q.file, svmlight.Options{Missing: o.table.Missing})
		if err == nil {
			err = set.GiveLevels(nil)
		}
		return set, err
	}
	o.table.Separator = separator(q.file)
	set, err := q.readTable(o.table)
	if err != nil {
		return nil, err
	}
	if err := set.GiveLevels(nil); err != nil {
		return nil, err
	}
	_, n := set.X.Dims()
	a.tell(event.Note{Text: fmt.Sprintf("%s: columns: %s, %s", q.file, report.ColumnsOf(set),
		spell.Plural(n, "feature"))})
	return set, nil
}

// estimate estimates the error of rows that were held out, and ranks the rows by what is learnt from all. It answers at
// once without an interval and the nested error, which take far longer, and then with them.
func (o *rowOptions) estimate(ctx context.Context, a *answer, q *question) error {
	start := time.Now()
	set, err := o.read(ctx, a, q)
	if err != nil {
		return err
	}
	load, told := time.Since(start), len(a.Notes)
	opts := pairrank.EstimateOptions{Intervals: cv.IntervalsNone, Options: pairrank.Options{Seed: 1,
		Metric: o.metric, Method: o.method, Normalize: o.scale, Monitor: a.monitor()}}
	problem := pairrank.Problem{Set: set}
	lambda, err := a.estimateOnce(ctx, q, problem, opts, load)
	if err == nil {
		err = a.rankRows(ctx, problem, opts.Options, lambda)
	}
	if err != nil {
		return err
	}
	a.More = true
	if err := a.send(); err != nil {
		return err
	}
	a.More, a.Notes, opts.Intervals = false, a.Notes[:told], cv.IntervalsAuto
	if o.nested {
		opts.Nested = &cv.Method{Kind: cv.KFold}
	}
	_, err = a.estimateOnce(ctx, q, problem, opts, load)
	return err
}

// estimateOnce makes the page of one estimate, and returns the λ that was chosen.
func (a *answer) estimateOnce(ctx context.Context, q *question, problem pairrank.Problem, o pairrank.EstimateOptions,
	load time.Duration) (lambda float64, err error) {
	began := time.Now()
	e, err := pairrank.Estimate(ctx, problem, o)
	if err != nil {
		return 0, withFile(q.file, err)
	}
	about := report.About{Load: load, Metric: o.Metric, Columns: report.ColumnsOf(problem.Set),
		Study: report.NewStudy(q.file, &problem, &o.Options)}
	if about.Study != nil {
		about.Study.Command = a.command(q)
	}
	d := report.NewEstimate(e, "rankrls", about)
	if e.HasRowPairs() {
		pairs, err := e.RowPairs(ctx)
		if err != nil {
			return 0, err
		}
		d.AddRowPairs(problem.Set, pairs)
	}
	if _, soon := e.HasROC(); soon {
		curve, err := e.ROC(ctx)
		if err != nil {
			return 0, err
		}
		answers, err := e.AnswerROC(ctx, curve, cv.ROCQuestions{Band: curve.BandSpecificities(),
			Specificities: []float64{0.8, 0.9, 0.95, 0.99}}) // as the option has it by default
		if err != nil {
			return 0, err
		}
		d.AddROC(e, curve, answers)
	}
	d.Seconds.Validation = report.Number(time.Since(began).Seconds())
	return e.Choice.Lambda, a.show(q, d)
}

// withFile puts the file before an error about all rows, as the program does.
func withFile(file string, err error) error {
	var of *fault.Error
	if errors.As(err, &of) && slices.Contains([]any{codes.FaultOneRow, codes.FaultOneLabel, codes.FaultNothing},
		any(of.Code)) {
		return fmt.Errorf("%s: %w", file, err)
	}
	return err
}

// rankRows ranks the rows of each query by a model of all rows, with the chosen λ.
func (a *answer) rankRows(ctx context.Context, p pairrank.Problem, o pairrank.Options, lambda float64) error {
	o.Lambdas, o.Method, o.Metric, o.Monitor.Note = []float64{lambda}, nil, nil, nil // what they told stands in the answer
	learnt, err := pairrank.Train(ctx, p, o)
	if err != nil {
		return err
	}
	scores, err := learnt.Model.Score(p.Set)
	if err != nil {
		return err
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	query, rows := p.Set.Queries.Of(), pick.All[int](len(scores))
	slices.SortStableFunc(rows, func(i, j int) int {
		return cmp.Or(cmp.Compare(query[i], query[j]), cmp.Compare(scores[j], scores[i]))
	})
	a.Ranking = append(a.Ranking, []string{"query", "rank", "row", "label", "score"})
	rank := 0
	for k, i := range rows {
		if rank++; k > 0 && query[i] != query[rows[k-1]] {
			rank = 1
		}
		id := strconv.Itoa(i + 1)
		if p.Set.IDs != nil {
			id = p.Set.IDs[i]
		}
		a.Ranking = append(a.Ranking, []string{p.Set.Queries.ID(int(query[i])), strconv.Itoa(rank), id,
			number(p.Set.Y[i]), number(scores[i])})
	}
	return nil
}

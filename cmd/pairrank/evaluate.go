package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pairrank/data"
	"pairrank/metric"
	"pairrank/trec"
)

// evaluateFlags are the flags of evaluate.
type evaluateFlags struct {
	rows        *setFlags
	scores      string
	model       string
	qrels, run  string
	complete    bool
	metrics     string
	perQuery    bool
	style       string
	minRelevant float64
	binarize    float64
	gates       gates

	hasMinRelevant, hasBinarize bool
}

func newEvaluate(a *app) *cobra.Command {
	var f evaluateFlags
	cmd := &cobra.Command{
		Use:   "evaluate DATA (--scores FILE | --model MODEL) | --qrels FILE --run FILE",
		Short: "measure how well scores rank",
		Long: `evaluate compares scores with the labels of DATA, query by query, and prints the
mean of each metric over the queries for which it is defined, with how many are
not. The scores are a file of one score a line (--scores), a model's (--model),
or a TREC run with its judgements (--qrels and --run).

Styles reproduce the numbers of other tools: trec (trec_eval), letor3, letor4,
mslr; the default averages over tied scores. The metrics are
  ` + wrapNames(metric.Names()) + `

With --fail-under the exit code is 4 when a metric is below the value or
undefined, for use as a gate; --fail-over is for the metrics where less is
better.`,
		Example: `  pairrank evaluate test.txt --scores scores.txt
  pairrank evaluate test.txt --model model.txt -m ndcg@10,map -q
  pairrank evaluate test.txt --scores scores.txt -m ndcg@10 --fail-under ndcg@10=0.4
  pairrank evaluate --qrels qrels.txt --run run.txt --style trec --json`,
		Args: between(0, "DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.hasMinRelevant = cmd.Flags().Changed("min-relevant")
			f.hasBinarize = cmd.Flags().Changed("binarize")
			if err := f.check(cmd, args); err != nil {
				return err
			}
			return a.evaluate(args, &f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.scores, "scores", "", "`FILE` of one score a line, in the order of the rows of DATA")
	flags.StringVar(&f.model, "model", "", "`FILE` of the model to score the rows of DATA with")
	flags.StringVar(&f.qrels, "qrels", "", "`FILE` of TREC judgements, instead of DATA")
	flags.StringVar(&f.run, "run", "", "`FILE` of a TREC run, with --qrels")
	flags.BoolVar(&f.complete, "complete", false, "with --qrels, judged queries that the run lacks count as 0")
	flags.StringVarP(&f.metrics, "metrics", "m", "", "`METRICS`, with commas between them (default: those of the style)")
	flags.BoolVarP(&f.perQuery, "per-query", "q", false, "print the values of every query, too")
	enumFlag(cmd, &f.style, "style", metric.Default.String(), metric.StyleNames(), "whose conventions to follow")
	flags.Float64Var(&f.minRelevant, "min-relevant", 0, "least `LABEL` that is relevant (default: that of the style)")
	flags.Float64Var(&f.binarize, "binarize", 0, "make every label 1 where it is at least `T`, else 0")
	flags.Var(&f.gates.under, "fail-under", "exit with 4 when the metric is below the value; may be repeated")
	flags.Var(&f.gates.over, "fail-over", "exit with 4 when the metric is above the value; may be repeated")
	f.rows = a.rowsFlags(cmd)
	a.jsonFlag(cmd)
	a.progressFlag(cmd)
	return cmd
}

// wrapNames sets names in lines of a help text, each two blanks in.
func wrapNames(names []string) string {
	const width = 78
	var lines []string
	line := ""
	for i, name := range names {
		if i < len(names)-1 {
			name += ","
		}
		if line != "" && len(line)+1+len(name) > width-2 {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimPrefix(line+" "+name, " ")
	}
	return strings.Join(append(lines, line), "\n  ")
}

// check refuses flags that do not go together.
func (f *evaluateFlags) check(cmd *cobra.Command, args []string) error {
	const form = "give DATA with --scores FILE or --model MODEL, or --qrels FILE with --run FILE"
	trecMode := f.qrels != "" || f.run != ""
	switch {
	case trecMode && (f.qrels == "" || f.run == ""):
		return withHint(usagef("--qrels and --run go together"), form)
	case trecMode && (len(args) > 0 || f.scores != "" || f.model != ""):
		return withHint(usagef("--qrels and --run stand instead of DATA, --scores and --model"), form)
	case !trecMode && len(args) == 0:
		return withHint(usagef("DATA is missing"), form)
	case !trecMode && (f.scores == "") == (f.model == ""):
		return withHint(usagef("exactly one of --scores and --model is needed"), form)
	}
	only := map[string]bool{"complete": trecMode, "format": !trecMode, "missing": !trecMode, "zero-based": !trecMode,
		"label-column": !trecMode, "qid-column": !trecMode}
	for name, applies := range only {
		if !applies && cmd.Flags().Changed(name) {
			return withHint(usagef("--%s does not apply here", name), form)
		}
	}
	return onceStdin(append(args, f.scores, f.model, f.qrels, f.run)...)
}

// options reads the metrics and the style.
func (f *evaluateFlags) options() ([]metric.Metric, metric.Options, error) {
	style, err := metric.ParseStyle(f.style)
	if err != nil {
		return nil, metric.Options{}, asUsage(err)
	}
	metrics := style.Metrics()
	if f.metrics != "" {
		if metrics, err = metric.ParseList(f.metrics); err != nil {
			return nil, metric.Options{}, asUsage(err)
		}
	}
	if err := f.gates.checkSense(); err != nil {
		return nil, metric.Options{}, err
	}
	metrics = f.gates.addMetrics(metrics)
	opts := metric.Options{Style: style}
	if f.hasMinRelevant {
		opts.MinRelevant = &f.minRelevant
	}
	if _, err := metric.NewEvaluator(metrics, opts); err != nil {
		return nil, opts, asUsage(err)
	}
	return metrics, opts, nil
}

func (a *app) evaluate(args []string, f *evaluateFlags) error {
	metrics, opts, err := f.options()
	if err != nil {
		return err
	}
	in, err := a.evaluateInput(args, f)
	if err != nil {
		return err
	}
	if f.hasBinarize {
		data.Binarize(in.Labels, f.binarize)
		for _, labels := range in.Unretrieved {
			data.Binarize(labels, f.binarize)
		}
	}
	report, err := awaitFor(a.Ctx, func() (*metric.Report, error) { return metric.Evaluate(in, metrics, opts) })
	if err != nil {
		return readError(err)
	}
	for _, text := range report.Warnings {
		a.warn("%s", text)
	}
	if a.JSON {
		err = a.writeJSON(report)
	} else {
		err = a.writeAtomic("-", func(w io.Writer) error { return writeReport(w, report, f.perQuery) })
	}
	if err != nil {
		return err
	}
	return f.gates.check(report)
}

// evaluateInput reads the labels and the scores.
func (a *app) evaluateInput(args []string, f *evaluateFlags) (metric.Input, error) {
	if f.qrels != "" {
		return a.joinRun(f)
	}
	set, scores, err := a.rowsAndScores(args[0], f)
	if err != nil {
		return metric.Input{}, err
	}
	if len(scores) != len(set.Y) {
		return metric.Input{}, withHint(asData(fmt.Errorf("%s has %d scores and %s has %d rows", shown(f.scores), len(scores), shown(args[0]), len(set.Y))),
			"scores are one a line, in the order of the rows")
	}
	in := metric.Input{Labels: set.Y, Scores: scores}
	if set.HasQID {
		in.Bounds, in.Rows, in.IDs = set.Queries.Bounds, set.Queries.Rows, set.Queries.IDs
	}
	in.DocIDs = docIDs(set)
	return in, nil
}

// rowsAndScores reads the rows, and the scores or the model that makes them.
func (a *app) rowsAndScores(path string, f *evaluateFlags) (*data.Set, []float64, error) {
	if f.scores != "" {
		scores, err := a.readScores(f.scores)
		if err != nil {
			return nil, nil, err
		}
		set, err := a.readSet(path, f.rows, readOptions{Comments: true})
		return set, scores, err
	}
	m, err := a.readModel(f.model)
	if err != nil {
		return nil, nil, err
	}
	if err := checkRowsModel(m, f.model); err != nil {
		return nil, nil, withHint(err, "or score it with predict, then evaluate --scores")
	}
	if m.Outputs() != 1 {
		return nil, nil, withHint(usagef("%s has %d outputs, evaluate compares one", f.model, m.Outputs()),
			"score it with predict and evaluate one column")
	}
	o := readOptionsFor(m)
	o.Comments = true
	set, err := a.readSet(path, f.rows, o)
	if err != nil {
		return nil, nil, err
	}
	scores, err := a.score(m, set)
	return set, scores, err
}

// docIDs are the names of the documents, nil where a row has none.
func docIDs(set *data.Set) []string {
	if set.Comments == nil {
		return nil
	}
	ids := make([]string, len(set.Comments))
	for i := range ids {
		if ids[i] = set.DocID(i); ids[i] == "" {
			return nil
		}
	}
	return ids
}

// joinRun reads a run and its judgements.
func (a *app) joinRun(f *evaluateFlags) (metric.Input, error) {
	var qrels []trec.Judgment
	err := a.readFrom(f.qrels, func(r io.Reader, name string) (err error) {
		qrels, err = trec.ReadQrels(r, name)
		return err
	})
	if err != nil {
		return metric.Input{}, err
	}
	var run *trec.Run
	err = a.readFrom(f.run, func(r io.Reader, name string) (err error) {
		run, err = trec.ReadRun(r, name)
		return err
	})
	if err != nil {
		return metric.Input{}, err
	}
	joined, err := trec.Join(run, qrels, trec.JoinOptions{Complete: f.complete})
	if err != nil {
		return metric.Input{}, asData(err)
	}
	for _, text := range joined.Warnings {
		a.warn("%s", text)
	}
	return joined.Input, nil
}

// writeReport prints the report for people.
func writeReport(w io.Writer, r *metric.Report, perQuery bool) error {
	fmt.Fprintf(w, "style %s\n\n", r.Style)
	if perQuery {
		head := []string{"query"}
		for _, res := range r.Results {
			head = append(head, r.Style.Name(res.Metric))
		}
		table := [][]string{head}
		for _, q := range r.PerQuery {
			line := []string{q.ID}
			for _, v := range q.Values {
				line = append(line, showValue(v))
			}
			table = append(table, line)
		}
		if err := writeColumns(w, table); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	table := [][]string{{"metric", "mean", "queries", "undefined"}}
	for _, res := range r.Results {
		table = append(table, []string{r.Style.Name(res.Metric), showValue(res.Mean), strconv.Itoa(res.Queries), strconv.Itoa(res.Undefined)})
	}
	return writeColumns(w, table)
}

// showValue is a value with six digits, "-" when it is undefined.
func showValue(v metric.Value) string {
	if !v.Defined {
		return "-"
	}
	return fmt.Sprintf("%.6f", v.Value)
}
